"""What a ledger does, as a file and on a server. For type checkers only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from satchel.storage.ledger.lines import Line
from satchel.storage.ledger.record import Record


class RecordLedger(Protocol):
    """An append-only ledger of records. What rewrites files asks for a ledger file instead."""

    #: Where the ledger is; on a server, its name in the place of a path.
    path: str

    def append(self, records: Sequence[Record]) -> list[Record]:
        """Append records durably; return them as written: redacted, stamped, hashed."""

    def append_made(self, make: Callable[[], Sequence[Record]]) -> list[Record]:
        """Append what `make` returns, which is called while no other writer appends."""

    def append_new(self, records: Sequence[Record]) -> list[Record]:
        """Append the records whose id the ledger does not hold yet, checked under the lock."""

    def read(self) -> list[Line]:
        """Every line of the ledger."""

    def close(self) -> None:
        """Close what is open; the next append opens it again."""
