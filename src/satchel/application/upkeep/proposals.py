"""What upkeep suggests but never does: merging duplicates, promoting soft rules."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.application.learning.drafting.proposing import key_of
from satchel.application.learning.reviewing.instincts import PROMOTE
from satchel.application.outlet import ASIDE
from satchel.application.services import Services
from satchel.core.errors import SatchelError
from satchel.core.excerpts import beginning
from satchel.core.kinds import COMPARED, kinds_for
from satchel.engine.search.documents import Filter
from satchel.engine.statements.contradictions import SAME, Rule, clashes
from satchel.features.notes.values import document_id
from satchel.features.proposals.values import (
    ARCHIVE,
    CREATE,
    KNOWLEDGE,
    LEARNINGS,
    MEMORIES,
    PROJECT,
    PROMOTION,
    SET_ASIDE,
    STRUCTURED,
    Edit,
    Proposal,
)
from satchel.storage.ledger.record import Record

_MOST, _READ = 20, 20_000
#: Words in more memories than this are ignored; most pairs to compare.
_COMMON, _MOST_PAIRS = 40, 100_000
_WORD = 4
#: Permanent kinds; two equal memories of other kinds are not duplicates.
_COMPARED = kinds_for(COMPARED)


def merge_proposals(work: Services) -> list[Proposal]:
    """Suggest archiving the older of two memories that say the same."""
    live = work.memories.own.listed(Filter(kinds=_COMPARED), _READ)
    records = [one.record for one in live if ASIDE not in one.record.tags]
    proposals = []
    for older, newer in find_duplicates(records, _MOST):
        edits = (Edit(SET_ASIDE, MEMORIES, older.id, older.content[:400]),)
        why = f"{newer.id} says the same: {newer.content}"[:400]
        title = beginning(f"Merge: {older.title or older.content}", 120)
        key = key_of(ARCHIVE, f"merge {older.id} {newer.id}")
        made = Proposal(ARCHIVE, KNOWLEDGE, title, why=why, tier="medium", edits=edits, key=key)
        proposals.append(made._replace(derived_from=(older.id, newer.id)))
    return proposals


def find_duplicates(records: Sequence[Record], most: int = 20) -> list[tuple[Record, Record]]:
    """Return at most `most` pairs (older, newer) of a kind that say the same.

    Compares only likely pairs: there may be any number of memories.
    """
    holders: dict[tuple[str, str], list[int]] = {}
    for at, record in enumerate(records):
        for word in set(record.content.casefold().split()):
            if len(word) >= _WORD:
                holders.setdefault((record.kind, word), []).append(at)
    pairs: dict[tuple[int, int], None] = {}
    for places in sorted(holders.values(), key=len):
        if len(places) > _COMMON or len(pairs) > _MOST_PAIRS:
            break
        for number, one in enumerate(places):
            pairs.update(dict.fromkeys((one, other) for other in places[number + 1 :]))
    found: list[tuple[Record, Record]] = []
    gone: set[int] = set()
    for one, other in pairs:
        if one in gone or other in gone or len(found) == most:
            continue
        first, second = records[one], records[other]
        told = clashes(first.content, [Rule("", 0, second.content)])
        if any(clash.what == SAME for clash in told):
            older, newer = sorted((first, second), key=lambda record: record.version)
            gone.add(one if older is first else other)
            found.append((older, newer))
    return found


def promotion_proposals(work: Services) -> list[Proposal]:
    """Suggest a note for every ripe soft rule: the note, its sidecar, the mark."""
    instincts = work.instincts
    if not os.path.lexists(instincts.file.path):
        return []
    below = os.path.relpath(instincts.file.path, work.project.place.root).replace(os.sep, "/")
    proposals = []
    for ripe in instincts.review().ripe[:_MOST]:
        instinct, draft = instincts.draft(ripe.id)
        ident = document_id(draft.title, draft.note)
        edits = (
            Edit(CREATE, LEARNINGS, f"learnings/{ident}.md", draft.note),
            Edit(CREATE, LEARNINGS, f"learnings/{ident}.entities.yaml", draft.sidecar),
            Edit(STRUCTURED, PROJECT, below, text=ident, section=PROMOTE, data={"id": instinct.id}),
        )
        why = f"worth {instincts.current_confidence(instinct):g}, holds everywhere"
        key = key_of(PROMOTION, instinct.id + instinct.rule)
        title = beginning(f"Promote: {draft.title}", 120)
        proposals.append(
            Proposal(PROMOTION, KNOWLEDGE, title, why=why, tier="high", edits=edits, key=key)
        )
    return proposals


def proposed(work: Services, proposals: Sequence[Proposal], *, dry_run: bool) -> str:
    """Queue suggestions for review; return how many are new."""
    from satchel.application.learning.reviewing.queue import open_queue

    queue = open_queue(work)
    try:
        known = {one.proposal.key for one in queue.all()}
        fresh = [one for one in proposals if one.key not in known]
        if not dry_run and fresh:
            queue.propose(fresh)
    except SatchelError as error:
        return f"left for the next run: {error}"
    finally:
        queue.close()
    would = "would be proposed" if dry_run else "proposed; see `satchel review`"
    return f"{len(fresh)} {would}" if fresh else "nothing to propose"
