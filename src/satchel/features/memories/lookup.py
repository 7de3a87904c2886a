"""Finds a memory by its id, or the beginning of one, or by its key."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.errors import AmbiguousIdError, NotFoundError
from satchel.core.ids import parse_id
from satchel.core.kinds import KINDS, LESSON
from satchel.engine.search.documents import Document, Filter, Hit, Source
from satchel.engine.search.records import StoredMemory, record_of, remembered
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.engine.search.contracts import SearchIndex

_SHORT_ID = 4


def find_memory(index: SearchIndex, sources: Sequence[Source], reference: str) -> StoredMemory:
    """Return a memory, live or not, by id (or prefix, or UUID) or by key."""
    ident = parse_id(reference)
    found: dict[str, Hit] = {}
    if len(ident) >= _SHORT_ID:
        # Other programs' ids have any form.
        for spelling in dict.fromkeys((ident, ident.upper())):
            # Relearning something gives it another id; the old one still works.
            hits = index.with_id(spelling, sources)
            for hit in hits or index.versions_with_id(spelling, sources):
                found.setdefault(hit.document.identity, hit)
    for kind in KINDS.values():
        if kind.keyed:
            probe = Record(kind=kind.name, key=reference.strip())
            for hit in index.history(probe.identity, sources)[:1]:
                found.setdefault(hit.document.identity, hit)
    if not found:
        found = _with_key(index, sources, reference.strip())
    if not found:
        raise NotFoundError(
            f"No memory has the id or key {reference[:80]!r}.",
            hint="`satchel memory list` shows ids; `satchel recall` searches.",
        )
    names = sorted({hit.document.id for hit in found.values()})
    if len(names) > 1:
        told = ", ".join(names)
        raise AmbiguousIdError(f"{reference!r} could be {told}.", hint="Give more of the id.")
    # Lines with one id are one memory, whatever keys they carry.
    versions = [index.history(identity, sources)[0] for identity in found]
    return remembered(max(versions, key=lambda hit: _order(hit.document)))


def _with_key(index: SearchIndex, sources: Sequence[Source], key: str) -> dict[str, Hit]:
    """Return memories with a key; if several, those that are not deleted."""
    kind = next((name for name in KINDS if key.startswith(f"{name.replace('_', '-')}-")), "")
    if not kind:
        return {}
    begin = Record(kind=LESSON, key=key).identity + "#"
    every = index.latest(sources, only=Filter(kinds=(kind,)))
    hits = [
        hit
        for hit in every
        if hit.document.identity.startswith(begin) or record_of(hit.document).key == key
    ]
    kept = [hit for hit in hits if not hit.document.deleted] or hits
    return {hit.document.identity: hit for hit in kept}


def _order(document: Document) -> tuple[int, int, str]:
    return (document.ts, document.rev, document.hash)
