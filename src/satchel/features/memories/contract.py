"""The interface of ledgers, as files and on a server. For type checkers only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from satchel.core.clock import Clock
from satchel.engine.search.documents import Source
from satchel.storage.ledger.contract import RecordLedger
from satchel.storage.ledger.file import Ledger
from satchel.storage.paths import PrivateState


class MemoryLedgers(Protocol):
    """The ledgers that one place's memories are written to and read from."""

    #: Private state on this machine, where faults are recorded.
    state: PrivateState
    clock: Clock
    #: Whose they are: a source's label.
    owner: str
    #: The work tree with the tracked ledger; "" for none.
    root: str

    @property
    def tracked(self) -> Ledger | None:
        """The ledger that git tracks in this work tree, or None."""

    def private(self, kind: str) -> RecordLedger:
        """Return the private ledger of a kind: its own if the kind is short-lived."""

    def every_private(self) -> Sequence[RecordLedger]:
        """Every private ledger that may exist."""

    def files(self) -> list[Ledger]:
        """The private ledgers that are files, which upkeep rotates, purges and rewrites."""

    def sources(self) -> list[Source]:
        """Every source that is read, including archives."""

    def held_sources(self) -> list[Source]:
        """The part of the sources that waits for the user's approval."""

    def close(self) -> None:
        """Close what was opened."""
