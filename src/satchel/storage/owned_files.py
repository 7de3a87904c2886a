"""A user-owned text file in git: read whole, and changed only if it is as last read."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.storage.locks import NestingLock, replace_file
from satchel.storage.safe_open import escapes_root, read_inside

#: Bytes of such a file that are read at most.
LARGEST = 4 * 1024 * 1024
_MODE = 0o644
#: How often a text that changed meanwhile is taken again.
_ATTEMPTS = 3


class OwnedFile:
    """A file of a work tree.

    Args:
        path: the file; need not exist.
        lock: a lock file outside the work tree.
        root: of the work tree, which the file may not lead out of.

    Attributes:
        lock: held while the file is changed; who holds it may look, and change it.
    """

    def __init__(self, path: str, lock: str, *, root: str) -> None:
        self.path = path
        self.root = root
        self.lock = NestingLock(lock)

    def text(self) -> str:
        """Return the file's text, or "".

        Raises `BadInputError` for what is not a regular text file of this work tree.
        """
        try:
            return read_inside(self.root, self.path, most=LARGEST).decode("utf-8")
        except NotFoundError:
            return ""
        except UnicodeDecodeError as error:
            raise BadInputError(
                f"{self.path} is not UTF-8 at byte {error.start}.", hint="Save it as UTF-8."
            ) from None

    def change(self, make: Callable[[str], str], *, shown: str | None = None) -> bool:
        """Replace the text with `make`'s result; return whether it changed.

        Args:
            make: text -> text; called again where somebody saves the file in between.
            shown: the text that a person approved a change of; another one is refused.

        Raises `ConflictError` where the file is not the one that was shown, or never rests.
        """
        with self.lock:
            for _ in range(_ATTEMPTS):
                text = self.text()
                if shown is not None and text != shown:
                    raise ConflictError(
                        f"{self.path} has changed since it was shown; nothing was written.",
                        hint="Look at it again, then run the command again.",
                    )
                made = make(text)
                if made == text:
                    return False
                if self.text() == text:
                    self._write(made)
                    return True
            raise ConflictError(
                f"{self.path} keeps changing; nothing was written.",
                hint="Run the command again when the other program is done.",
            )

    def _write(self, text: str) -> None:
        if escapes_root(self.path, self.root):
            raise ConflictError(
                f"{self.path} is a link that points outside the project.", hint="Make it a file."
            )
        real = os.path.realpath(self.path)
        try:
            mode = stat.S_IMODE(os.stat(real).st_mode)
        except OSError:
            mode = 0
        os.makedirs(os.path.dirname(real), exist_ok=True)
        replace_file(real, text.encode("utf-8"), mode=mode or _MODE)
        if mode and stat.S_IMODE(os.stat(real).st_mode) != mode:
            os.chmod(real, mode)  # what the umask took: others of the team write it too
