"""Hooks' memory of a session, so that its agent is asked rarely, and once per subject.

No text is stored here; the questions are in the injection ledger. Cheap: hooks import it.
"""

from __future__ import annotations

import os
import time

from satchel.core import quick_json
from satchel.core.errors import SatchelError
from satchel.core.hashing import short_hash
from satchel.core.values import Any
from satchel.storage.files import open_private, write_all
from satchel.storage.paths import PrivateState

#: Prompts per question to the agent, and failures before a success is worth asking about.
PROMPTS_BETWEEN, FAILURES = 5, 2
#: Most commands of one session whose failures are counted; the oldest are dropped.
_MOST_COMMANDS = 40
#: More session files than this are searched for old ones; how old those are, in seconds.
_MANY, _OLD = 200, 30 * 86_400
_TOLD = "told-"


class NudgeState:
    """The state of one session.

    Attributes:
        prompts: how many the person typed since the agent was first asked.
        asked: after how many of them it was last asked; None for never.
        failed: command -> times it failed in a row, and when it last failed.
    """

    __slots__ = ("_directory", "_path", "asked", "failed", "prompts")

    def __init__(self, state: PrivateState, session: str) -> None:
        self._directory, self._path = state.asking, state.asking_of(session)
        self.prompts: int = 0
        self.asked: int | None = None
        self.failed: dict[str, list[float]] = {}
        self._read()

    def _read(self) -> None:
        try:
            with open(self._path, "rb") as file:
                held = quick_json.loads(file.read(1 << 16).decode())
            self.prompts, self.asked = int(held["prompts"]), held["asked"]
            self.failed = {str(name): [float(n) for n in row] for name, row in held["failed"]}
        except (OSError, ValueError, KeyError, TypeError):
            return  # missing, or torn by a concurrent hook: treat as empty

    def save(self) -> None:
        """Save the state. Derived: not flushed, and a full disk is ignored."""
        rows = sorted(self.failed.items(), key=lambda one: one[1][-1])[-_MOST_COMMANDS:]
        held: dict[str, Any] = {"prompts": self.prompts, "asked": self.asked, "failed": rows}
        try:
            new = not os.path.exists(self._path)
            fd = open_private(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            try:
                write_all(fd, quick_json.dumps(held).encode())
            finally:
                os.close(fd)
            if new:
                self._forget_old()
        except (OSError, SatchelError):
            return

    def _forget_old(self) -> None:
        names = [name for name in os.listdir(self._directory) if not name.startswith(_TOLD)]
        if len(names) < _MANY:
            return
        for name in names:
            path = os.path.join(self._directory, name)
            if time.time() - os.stat(path).st_mtime > _OLD:
                os.unlink(path)

    def is_there(self) -> bool:
        """Return whether the session has saved state."""
        return os.path.exists(self._path)

    def may_ask(self) -> bool:
        """Return whether enough prompts have passed since the last question."""
        return self.asked is None or self.prompts - self.asked >= PROMPTS_BETWEEN

    def claim(self, thing: str) -> bool:
        """Return whether this subject is new, and mark it as asked."""
        told = short_hash(" ".join(thing.lower().split()).encode("utf-8", "replace"))
        path = os.path.join(self._directory, _TOLD + told)
        try:
            os.close(open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except (OSError, SatchelError):
            return False
        return True

    def note_asked(self) -> None:
        """Record that the agent is being asked."""
        self.asked = self.prompts
        self.save()
