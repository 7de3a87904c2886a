"""Which memories colleagues see, too."""

from __future__ import annotations

from collections.abc import Iterable

from satchel.features.memories.ledgers import TRACKED
from satchel.features.memories.service import Memories
from satchel.storage.ledger.record import Record


def is_still_shared(memories: Memories, record: Record) -> bool:
    """Return whether the tracked ledger shows a memory, which may be deleted here."""
    tracked = [s for s in memories.sources if s.label == TRACKED]
    if not tracked:
        return False
    same = memories.index.history(record.identity, tracked)[:1]
    same += memories.index.with_id(record.id, tracked)
    return any(not hit.document.deleted for hit in same)


def shared_among(memories: Memories, records: Iterable[Record]) -> frozenset[str]:
    """Return the ids of those that colleagues see, too."""
    return frozenset(one.id for one in records if is_still_shared(memories, one))
