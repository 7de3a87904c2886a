"""Every error that Satchel raises on purpose, in one tree.

    SatchelError                    exit code 1
    ├── BadInputError               2   what was typed or sent cannot be used
    │   ├── UnknownKindError
    │   ├── EmptyContentError
    │   ├── ContentTooLargeError
    │   ├── UnknownSettingError
    │   └── AmbiguousIdError
    ├── NoProjectError              3   this directory has no Satchel project
    ├── NotFoundError               4   nothing has this id or key
    ├── StoreError                  5   a file or the disk refused
    │   ├── NotWritableError
    │   │   └── NewerIndexError
    │   ├── NotReadableError
    │   └── NewerFormatError
    ├── BusyError                   6   another process holds a lock for too long
    │   └── StoreAwayError              a team's store does not answer now
    └── ConflictError               7   the existing content is not ours to change

A class's docstring is its default message. `hint` is the next step, shown on a line of its own; it
never contains a complete destructive command, because agents paste.
"""

from __future__ import annotations


class SatchelError(Exception):
    """Something went wrong."""

    exit_code = 1

    def __init__(self, message: str = "", *, hint: str = "") -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())
        self.hint = hint

    def after(self, done: str) -> SatchelError:
        """Return this error with what had been done before it; the first sentence says that."""
        return type(self)(f"{done} {self}", hint=self.hint)


class BadInputError(SatchelError):
    """The input cannot be used."""

    exit_code = 2


class UnknownKindError(BadInputError):
    """There is no such kind of memory."""


class EmptyContentError(BadInputError):
    """There is nothing to remember: the content is empty."""


class ContentTooLargeError(BadInputError):
    """The content is larger than a memory may be."""


class UnknownSettingError(BadInputError):
    """There is no such setting."""


class AmbiguousIdError(BadInputError):
    """Several memories match this id."""


class NoProjectError(SatchelError):
    """There is no Satchel project here."""

    exit_code = 3


class NotFoundError(SatchelError):
    """Nothing has this id or key."""

    exit_code = 4


class StoreError(SatchelError):
    """The store could not be used."""

    exit_code = 5


class NotWritableError(StoreError):
    """A file could not be written; nothing was saved."""


class NewerIndexError(NotWritableError):
    """This index was made by a newer Satchel; it is left as it is."""


class NotReadableError(StoreError):
    """A file could not be read."""


class NewerFormatError(StoreError):
    """This store was written by a newer Satchel."""


class BusyError(SatchelError):
    """Another process holds the lock."""

    exit_code = 6


class StoreAwayError(BusyError):
    """The team's store does not answer."""


class StoreSlowError(StoreAwayError):
    """The team's store took too long over one statement."""


class ConflictError(SatchelError):
    """What stands there is not Satchel's to change."""

    exit_code = 7
