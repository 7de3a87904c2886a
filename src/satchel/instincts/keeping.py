"""The file of instincts: read, changed under a lock, never over a change made by hand meanwhile."""

from __future__ import annotations

import os
import stat

from satchel.errors import BadInputError, ConflictError, NotFoundError
from satchel.instincts.operations import Event, read_events, record
from satchel.instincts.reading import read_shelf
from satchel.instincts.values import Edit, Shelf
from satchel.locks import FileLock, replace_file
from satchel.markdown.yaml_entries import LARGEST
from satchel.opening import leads_out, read_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.ledger.file import Ledger

_MODE = 0o644
#: How often a text that changed meanwhile is taken anew.
_ATTEMPTS = 3


class InstinctFile:
    """The instincts of one project.

    Args:
        path: the file, tracked by git; need not exist.
        lock: a lock file outside the work tree.
        root: of the work tree, which the file may not lead out of.
        ledger: where what was done is written down.
    """

    def __init__(self, path: str, lock: str, *, root: str, ledger: Ledger) -> None:
        self.path = path
        self.root = root
        self.ledger = ledger
        self._lock = lock

    def text(self) -> str:
        """Return the text of the file; "" where there is none.

        Raises `BadInputError` for what is no regular text file of this work tree.
        """
        try:
            return read_inside(self.root, self.path, most=LARGEST).decode("utf-8")
        except NotFoundError:
            return ""
        except UnicodeDecodeError as error:
            raise BadInputError(
                f"{self.path} is not UTF-8 at byte {error.start}.", hint="Save it as UTF-8."
            ) from None

    def read(self, text: str | None = None) -> Shelf:
        """Read the instincts. Raises `BadInputError` naming the file and the line."""
        text = self.text() if text is None else text
        try:
            return read_shelf(text)
        except BadInputError as error:
            raise BadInputError(
                f"{self.path}: {error}.", hint=error.hint or "Mend it by hand; nothing was changed."
            ) from None

    def apply(
        self, make: Callable[[str], Edit], *, shown: str | None = None, agent: str = ""
    ) -> Edit:
        """Change the file by one of `editing`, and write down what was done.

        Args:
            make: text -> edit; may be called again where the file changes meanwhile.
            shown: the text that a person approved a change of; another one is refused.
            agent: who does it.

        Raises `ConflictError` where the file is not the one that was shown.
        """
        with FileLock(self._lock):
            for _ in range(_ATTEMPTS):
                text = self.text()
                if shown is not None and text != shown:
                    raise ConflictError(
                        f"{self.path} has changed since it was shown; nothing was written.",
                        hint="Look at it again, then repeat the command.",
                    )
                self.read(text)
                edit = make(text)
                if not edit.changes or edit.text == text:
                    break
                if self.text() != text:
                    continue  # somebody's editor saved in between: theirs first, then ours
                self._write(edit.text)
                break
            else:
                raise ConflictError(
                    f"{self.path} keeps changing; nothing was written.",
                    hint="Repeat the command when the other program is done.",
                )
            self.ledger.append([record(change, agent=agent) for change in edit.changes])
        return edit

    def history(self, ident: str = "") -> list[Event]:
        """Return what was done on this machine to one instinct, or to all, oldest first."""
        return read_events(self.ledger.path, ident)

    def _write(self, text: str) -> None:
        real = os.path.realpath(self.path)
        if leads_out(self.path, self.root):
            raise ConflictError(
                f"{self.path} is a link that leads out of the project.", hint="Make it a file."
            )
        try:
            mode = stat.S_IMODE(os.stat(real).st_mode)
        except OSError:
            mode = _MODE
        os.makedirs(os.path.dirname(real), exist_ok=True)
        replace_file(real, text.encode("utf-8"), mode=mode)
