"""Memories with a given id: writing again under it is the same memory."""

from __future__ import annotations

from satchel.engine.search.records import record_of
from satchel.features.memories.ledgers import append_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.engine.search.contracts import SearchIndex
    from satchel.engine.search.documents import Source
    from satchel.features.memories.contract import MemoryLedgers
    from satchel.storage.ledger.record import Record


def written(index: SearchIndex, sources: Sequence[Source], ident: str) -> Record | None:
    """Return the memory with exactly this id, if it was already written."""
    found = [hit.document for hit in index.versions_with_id(ident, sources)]
    return next((record_of(one) for one in found if one.id == ident), None)


def append_once(
    ledgers: MemoryLedgers, index: SearchIndex, sources: Sequence[Source], records: Sequence[Record]
) -> Record:
    """Append records and return the last one; if its id already exists, return the existing one.

    Checked under the write lock: the first writer may have been slow, not dead.
    """
    last = records[-1]
    if not last.id:
        return append_to(ledgers, records)[-1]

    def make() -> Sequence[Record]:
        index.catch_up(sources)
        return [] if written(index, sources, last.id) else records

    done = ledgers.private(last.kind).append_made(make)
    return done[-1] if done else written(index, sources, last.id) or last
