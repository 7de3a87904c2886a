"""Hooks' memory of the files that a session's agent opened: each is looked up once.

No names are stored, only hashes. Cheap: a hook imports it before every tool.
"""

from __future__ import annotations

import os

from satchel.core.errors import SatchelError
from satchel.core.hashing import short_hash
from satchel.storage.files import open_private, write_all
from satchel.storage.paths import PrivateState

#: Marks a session that was told enough.
_ENOUGH = "enough"


class TouchedFiles:
    """The files of one session."""

    __slots__ = ("_path", "_seen")

    def __init__(self, state: PrivateState, session: str) -> None:
        self._path = state.asking_of(session) + ".files"
        self._seen: frozenset[str] = frozenset()
        try:
            with open(self._path, "rb") as file:
                self._seen = frozenset(file.read(1 << 20).decode("ascii", "replace").split())
        except OSError:
            return

    def claim(self, path: str) -> bool:
        """Return whether a file is new to the session, and more may be told; mark it as seen."""
        name = short_hash(path.encode("utf-8", "replace"))
        if _ENOUGH in self._seen or name in self._seen:
            return False
        return self._note(name)

    def end(self) -> None:
        """Look up no more files in this session."""
        self._note(_ENOUGH)

    def _note(self, word: str) -> bool:
        try:
            fd = open_private(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            try:
                write_all(fd, f"{word}\n".encode())
            finally:
                os.close(fd)
        except (OSError, SatchelError):
            return False  # it might be told again and again
        return True
