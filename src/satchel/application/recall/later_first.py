"""Puts a memory's replacement before it, and marks the memory as replaced."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.recall.hits import Answer, RecallHit
from satchel.engine.search.records import StoredMemory
from satchel.features.memories.replacing import replacements
from satchel.features.memories.service import Memories


def later_first(answer: Answer, stores: Sequence[Memories], limit: int) -> Answer:
    """Put replacements before the memories they replace, even if they did not match."""
    remembered = [StoredMemory(one.record, one.source) for one in answer.items]
    later: dict[str, StoredMemory] = {}
    for store in stores:
        later |= replacements(store, remembered)
    if not later:
        return answer
    by_id = {one.record.id: one for one in answer.items}
    items: dict[str, RecallHit] = {}
    for one in answer.items:
        newer = later.get(one.record.id)
        if newer is not None:
            found = by_id.get(newer.record.id, one)
            taken = found._replace(record=newer.record, source=newer.source)
            items.setdefault(newer.record.id, taken)
            one = one._replace(replaced_by=newer.record.id)  # noqa: PLW2901 -- the same one, marked
        items.setdefault(one.record.id, one)
    return answer._replace(items=tuple(items.values())[:limit])
