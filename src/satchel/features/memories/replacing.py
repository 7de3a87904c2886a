"""Memories replaced by later ones: recorded on writing, found on reading.

A memory only replaces memories with no more trust than itself. A repository's memory replaces
nothing of this user's except shared memories: those are the team's, whose lines may also edit and
delete them.
"""

from __future__ import annotations

from collections.abc import Iterable

from satchel.core.kinds import REPLACED, kinds_for
from satchel.core.trust import REPO, TRUST_ORDER
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import StoredMemory, record_of, remembered
from satchel.engine.words import says_later
from satchel.features.memories.ledgers import TRACKED
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.features.memories.shared import SearchedMemories

_KINDS = kinds_for(REPLACED)
_DECISION = "decision"
_LOOKED_AT, _LONGEST = 12, 600


def with_replaced(memories: SearchedMemories, record: Record) -> Record:
    """Return a record to write, with the ids of what it replaces."""
    if record.kind not in _KINDS or record.supersedes or record.deleted_at is not None:
        return record
    if (record.data or {}).get("subject"):
        return record  # such facts end each other by subject
    from satchel.engine.statements.replacing import may_replace

    said = _said(record)
    if says_later(said) or not may_replace(said, decides=record.kind == _DECISION):
        return record
    hits = memories.index.search(said, memories.view(Filter(kinds=_KINDS)), limit=_LOOKED_AT)
    older = [remembered(hit) for hit in hits if hit.document.identity != record.identity]
    ids = [one.record.id for one in older if _may(record, one) and _takes_over(record, one.record)]
    return record._replace(supersedes=tuple(ids)) if ids else record


def replaced_by(memories: SearchedMemories, record: Record) -> list[Record]:
    """Return what a record just written replaced."""
    from satchel.core.kinds import KINDS
    from satchel.features.memories.facts import question_of, starts

    index, sources = memories.index, memories.sources
    found = [
        record_of(hit.document)
        for ident in record.supersedes
        for hit in index.with_id(ident, sources)
    ]
    if KINDS[record.kind].keyed:
        versions = [record_of(hit.document) for hit in index.history(record.identity, sources)]
        earlier = [one for one in versions if one.id != record.id][:1]
        found += [one for one in earlier if one.deleted_at is None]
    elif record.kind == "fact" and (record.data or {}).get("subject"):
        every = index.latest(sources, only=Filter(kinds=("fact",)))
        facts = [record_of(hit.document) for hit in every if not hit.document.deleted]
        found += [
            one
            for one in facts
            if one.id != record.id
            and one.valid_to == starts(record)
            and question_of(one) == question_of(record)
        ]
    known = {one.id: one for one in found if one.content != record.content}
    return list(known.values())


def replacements(
    memories: SearchedMemories, found: Iterable[StoredMemory]
) -> dict[str, StoredMemory]:
    """Return what replaced memories, by the ids of the replaced ones."""
    # A line of somebody else may carry the id of a memory of this person's, which then counts.
    ordered = sorted(found, key=lambda one: one.source != TRACKED)
    older = {one.record.id: one for one in ordered if one.record.kind in _KINDS}
    if not older:
        return {}
    hits = memories.index.replacing(list(older), memories.view())
    later: dict[str, StoredMemory] = {}
    for hit in hits:
        record = record_of(hit.document)
        one = StoredMemory(record, hit.source)
        for ident in record.supersedes:
            if ident not in older or ident == record.id:
                continue
            if _may(record, older[ident], hit.source) or (
                hit.source == TRACKED and _is_shared(memories, older[ident].record)
            ):
                later[ident] = one
    return later


def _is_shared(memories: SearchedMemories, older: Record) -> bool:
    from satchel.features.memories.shared import was_shared_from_here

    return was_shared_from_here(memories, older)


def _may(record: Record, older: StoredMemory, source: str = "") -> bool:
    """Return whether one memory is allowed to replace another."""
    if source == TRACKED and older.source != TRACKED:
        return False
    mine = TRUST_ORDER.get(record.trust or REPO, 0)
    return mine >= TRUST_ORDER.get(older.record.trust or REPO, 0)


def _takes_over(record: Record, older: Record) -> bool:
    from satchel.engine.statements.replacing import replaces

    decides = record.kind == older.kind == _DECISION
    return replaces(_said(record), _said(older), decides=decides)


def _said(record: Record) -> str:
    return f"{record.title} {record.content[:_LONGEST]}".strip()
