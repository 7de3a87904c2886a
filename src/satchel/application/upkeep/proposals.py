"""What upkeep suggests but never does: merging duplicates, promoting soft rules."""

from __future__ import annotations

import os

from satchel.application.learning.drafting.proposing import key_of
from satchel.application.learning.reviewing.instincts import PROMOTE
from satchel.application.outlet import ASIDE
from satchel.application.upkeep.duplicates import find_duplicates
from satchel.core.errors import SatchelError
from satchel.core.excerpts import beginning
from satchel.core.kinds import COMPARED, kinds_for
from satchel.engine.search.documents import Filter
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.application.services import Services

_MOST, _READ = 20, 20_000
#: Permanent kinds; two equal memories of other kinds are not duplicates.
_COMPARED = kinds_for(COMPARED)


def merge_proposals(work: Services) -> list[Proposal]:
    """Suggest archiving the older of two memories that say the same."""
    live = work.memories.own.listed(Filter(kinds=_COMPARED), _READ)
    records = [one.record for one in live if ASIDE not in one.record.tags]
    proposals = []
    for older, newer in find_duplicates(records, _MOST):
        edit = Edit(SET_ASIDE, MEMORIES, older.id, older.content[:400])
        why = f"{newer.id} says the same: {newer.content}"[:400]
        title = beginning(f"Merge: {older.title or older.content}", 120)
        key = key_of(ARCHIVE, f"merge {older.id} {newer.id}")
        pair = (older.id, newer.id)
        proposals.append(
            Proposal(
                ARCHIVE,
                KNOWLEDGE,
                title,
                why=why,
                tier="medium",
                edits=(edit,),
                key=key,
                derived_from=pair,
            )
        )
    return proposals


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
