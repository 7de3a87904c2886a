"""A user-owned text file in git: read whole, and changed only if unchanged since."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.storage.files import replace_file
from satchel.storage.locks import NestingLock
from satchel.storage.safe_open import escapes_root, read_inside

#: Largest file to read, in bytes.
LARGEST = 4 * 1024 * 1024
_MODE = 0o644
#: How often to retry if the text changed meanwhile.
_ATTEMPTS = 3


class OwnedFile:
    """A file of a work tree.

    Args:
        path: the file; need not exist.
        lock: a lock file outside the work tree.
        root: the work tree, which the file must not leave.

    Attributes:
        lock: held while the file is changed; its holder may read and change the file.
    """

    def __init__(self, path: str, lock: str, *, root: str) -> None:
        self.path = path
        self.root = root
        self.lock = NestingLock(lock)

    def text(self) -> str:
        """Return the file's text, or "".

        Raises `BadInputError` for anything but a regular text file of this work tree.
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
            make: text -> text; called again if somebody saves the file meanwhile.
            shown: the text whose change a person approved; any other is refused.

        Raises `ConflictError` if the file differs from the one shown, or keeps changing.
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
            os.chmod(real, mode)  # restore what the umask removed: teammates write the file too
