"""Which memories colleagues see, too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.core.trust import REPO
from satchel.engine.search.records import is_foreign
from satchel.features.memories.ledgers import TRACKED
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from satchel.engine.search.contracts import SearchIndex
    from satchel.engine.search.documents import Filter, Source, View
    from satchel.engine.search.records import StoredMemory

    class SearchedMemories(Protocol):
        """Memories that can be searched by words."""

        @property
        def index(self) -> SearchIndex:
            """The index."""

        @property
        def sources(self) -> Sequence[Source]:
            """The visible sources."""

        def view(self, only: Filter = ...) -> View:
            """Return what a query sees of these memories now."""


def is_still_shared(memories: SearchedMemories, record: Record) -> bool:
    """Return whether the tracked ledger shows a memory, which may be deleted here."""
    return bool(shared_among(memories, [record]))


def was_shared_from_here(memories: SearchedMemories, record: Record) -> bool:
    """Return whether this person shared a memory, so that it belongs to the team.

    A line of somebody else with the same key or id shares nothing.
    """
    index = memories.index
    tracked = [one for one in memories.sources if one.label == TRACKED]
    same = index.history(record.identity, tracked) + index.with_id(record.id, tracked)
    return any(not is_foreign(hit.document) for hit in same)


def shared_among(memories: SearchedMemories, records: Iterable[Record]) -> frozenset[str]:
    """Return the ids of those that colleagues also see."""
    index = memories.index
    tracked = [one for one in memories.sources if one.label == TRACKED]
    if not index.counts(memories.view()._replace(sources=tracked)):
        return frozenset()  # most projects share nothing: one query instead of two for each
    found = set()
    for record in records:
        same = index.history(record.identity, tracked)[:1] + index.with_id(record.id, tracked)
        if any(not hit.document.deleted for hit in same):
            found.add(record.id)
    return frozenset(found)


def own_beside(record: Record, versions: Iterable[StoredMemory]) -> Record | None:
    """Return this person's own memory with the key of a colleague's; None if it was deleted.

    Args:
        versions: all of that key, newest first.
    """
    mine = (one.record for one in versions if one.record.trust != REPO)
    own = next(mine, None) if record.trust == REPO else None
    return own if own is not None and own.deleted_at is None else None
