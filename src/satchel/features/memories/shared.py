"""Which memories colleagues see, too."""

from __future__ import annotations

from collections.abc import Iterable

from satchel.features.memories.ledgers import TRACKED
from satchel.features.memories.service import Memories
from satchel.storage.ledger.record import Record


def is_still_shared(memories: Memories, record: Record) -> bool:
    """Return whether the tracked ledger shows a memory, which may be deleted here."""
    return bool(shared_among(memories, [record]))


def shared_among(memories: Memories, records: Iterable[Record]) -> frozenset[str]:
    """Return the ids of those that colleagues see, too."""
    index = memories.index
    tracked = [one for one in memories.sources if one.label == TRACKED]
    if not index.counts(tracked, now=memories.clock.now()):
        return frozenset()  # most projects share nothing: one question in place of two for each
    found = set()
    for record in records:
        same = index.history(record.identity, tracked)[:1] + index.with_id(record.id, tracked)
        if any(not hit.document.deleted for hit in same):
            found.add(record.id)
    return frozenset(found)
