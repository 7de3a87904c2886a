"""The ledgers of one place: the one a kind is written to, and those that are read."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.core.clock import Clock
from satchel.core.hashing import digest
from satchel.core.kinds import KINDS
from satchel.core.trust import UNAPPROVED
from satchel.engine.search.documents import Source, held_source
from satchel.storage.ledger.record import Record
from satchel.storage.paths import PrivateState, archive_of
from satchel.storage.safe_open import escapes_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.engine.search.documents import SourceGate
    from satchel.features.memories.contract import MemoryLedgers
    from satchel.storage.ledger.contract import RecordLedger
    from satchel.storage.ledger.file import Ledger

#: The ledger of all long-lived kinds.
KNOWLEDGE = "knowledge"
PRIVATE, TRACKED, ARCHIVE, USER, TEAM = "private", "tracked", "archive", "user", "team"


class Ledgers:
    """Private ledgers of a project or a user, and the tracked one of a work tree.

    Args:
        state: private state; captures are only written to its ledgers.
        tracked: path of the tracked ledger in this work tree; "" for none.
        root: the work tree that must contain the tracked ledger.
        beside: the main work tree of the same repository, which may also contain it.
        gate: judges the lines of the tracked ledger; None lets all pass.
    """

    def __init__(
        self,
        state: PrivateState,
        tracked: str,
        *,
        clock: Clock,
        owner: str = PRIVATE,
        root: str = "",
        beside: str = "",
        timeout: float = 30.0,
        gate: SourceGate | None = None,
    ) -> None:
        self.state = state
        self.clock = clock
        self.owner = owner
        self.root = root or os.path.dirname(os.path.dirname(tracked))
        self.beside = beside
        self._tracked = tracked
        self._timeout = timeout
        self._gate = gate
        self._open: dict[str, Ledger] = {}

    def private(self, kind: str) -> Ledger:
        """Return the private ledger of a kind: its own if it is short-lived."""
        # Reading only needs paths; imports for writing happen on the first write.
        from satchel.storage.ledger.file import Ledger

        name = ledger_name(kind)
        if name not in self._open:
            path, lock = self.state.ledger(name), self.state.lock(name)
            self._open[name] = Ledger(path, lock, clock=self.clock, timeout=self._timeout)
        return self._open[name]

    def close(self) -> None:
        """Close the ledgers that were opened for writing."""
        for ledger in self._open.values():
            ledger.close()

    @property
    def tracked(self) -> Ledger | None:
        """The ledger that git tracks in this work tree. Hooks never write it."""
        if not self._tracked:
            return None
        from satchel.storage.ledger.file import Ledger

        # Each work tree has its own file, and so its own lock, outside the tree.
        name = "tracked-" + digest(self._tracked.encode("utf-8", "surrogateescape")).hex()[:16]
        return Ledger(self._tracked, self.state.lock(name), clock=self.clock, timeout=self._timeout)

    def every_private(self) -> list[Ledger]:
        """Every private ledger that may exist."""
        return [self.private(name) for name in ledger_names()]

    def files(self) -> list[Ledger]:
        """The private ledgers that are files: all of them."""
        return self.every_private()

    def sources(self) -> list[Source]:
        """Every file to read, including archives; of tracked ones, what passes the gate."""
        found = []
        for name in ledger_names():
            path = self.state.ledger(name)
            found += [Source(path, self.owner), Source(archive_of(path), self.owner)]
        return found + [Source(path, TRACKED, gate=self._gate) for path in self._tracked_files()]

    def held_sources(self) -> list[Source]:
        """The part of the tracked files that the gate holds back."""
        return [held_source(path, UNAPPROVED) for path in self._tracked_files()]

    def _tracked_files(self) -> list[str]:
        if not self._tracked or escapes_root(self._tracked, self.root, self.beside):
            return []
        return [self._tracked, archive_of(self._tracked)]


def ledger_name(kind: str) -> str:
    """Return the private ledger of a kind: its own if the kind is short-lived."""
    known = KINDS.get(kind)
    return kind if known and not known.long_lived else KNOWLEDGE


def ledger_names() -> list[str]:
    """Return the names of all private ledgers that may exist."""
    return [KNOWLEDGE, *(kind.name for kind in KINDS.values() if not kind.long_lived)]


def append_to(ledgers: MemoryLedgers, records: Sequence[Record]) -> list[Record]:
    """Append records to the private ledgers they belong to; return them as written."""
    return [one for ledger, some in grouped(ledgers, records) for one in ledger.append(some)]


def grouped(
    ledgers: MemoryLedgers, records: Sequence[Record]
) -> list[tuple[RecordLedger, list[Record]]]:
    """Group records by the private ledger they belong to, in order of first occurrence."""
    groups: dict[str, tuple[RecordLedger, list[Record]]] = {}
    for record in records:
        ledger = ledgers.private(record.kind)
        groups.setdefault(ledger.path, (ledger, []))[1].append(record)
    return list(groups.values())
