"""The interface of a ledger, as a file and on a server. For type checkers only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from satchel.storage.ledger.lines import Line
from satchel.storage.ledger.record import Record


class RecordLedger(Protocol):
    """An append-only ledger of records. Code that rewrites files needs a ledger file."""

    #: Where the ledger is; on a server, its name instead of a path.
    path: str

    def append(self, records: Sequence[Record]) -> list[Record]:
        """Append records durably; return them as written: redacted, stamped, hashed."""

    def append_made(self, make: Callable[[], Sequence[Record]]) -> list[Record]:
        """Append what `make` returns, called under the write lock."""

    def append_new(self, records: Sequence[Record]) -> list[Record]:
        """Append records with new ids, checked under the lock."""

    def read(self) -> list[Line]:
        """Every line of the ledger."""

    def close(self) -> None:
        """Close the ledger; it reopens on next append."""


class RecordLog(Protocol):
    """A ledger whose lines are read as they are: in a file with its archive, or in rows."""

    path: str

    def append(self, records: Sequence[Record]) -> list[Record]:
        """Append records durably; return them as written: redacted, stamped, hashed."""

    def data(self, saying: bytes = b"", *, archived: bool = True) -> bytes:
        """Return the lines, oldest first; those without `saying` may be left out."""

    def stamp(self) -> object:
        """Return a stamp that changes with every line."""

    def close(self) -> None:
        """Close the ledger; it reopens on next append."""
