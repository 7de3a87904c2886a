"""How useful memories are in a project: judged per session, reported, shown less, archived."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.clients.transcript_format.values import Turn
from satchel.core.excerpts import beginning
from satchel.core.kinds import ALWAYS, kinds_for
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import Filter
from satchel.features.injections.nudges import NudgeFigures, figures, is_nudge
from satchel.features.injections.outcomes import Usefulness, outcomes_of
from satchel.features.proposals.values import (
    ARCHIVE,
    KNOWLEDGE,
    MEMORIES,
    SET_ASIDE,
    Edit,
    Proposal,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services
    from satchel.features.injections.injection_ledger import Injection
    from satchel.features.memories.service import Memories
    from satchel.storage.ledger.record import Record

_AT_ONCE = 20
#: Kinds that no session should miss, used or not.
_ALWAYS = kinds_for(ALWAYS)


class MemoryUsefulness(NamedTuple):
    """A memory and its usefulness."""

    record: Record
    usefulness: Usefulness


def judge_session(work: Services, session: str, turns: Sequence[Turn]) -> int:
    """Judge what a session was shown and record it; return the number of memories."""
    # Not imported with the module: a session's start only needs names, not the judging.
    from satchel.application.learning.usefulness.judging import judge

    if not session:
        return 0
    injections = work.injections.of_session(session, whole=True)
    outcomes = judge(injections, turns) if injections else {}
    if outcomes:
        outcomes_of(work.project).note(session, outcomes)
    return len(outcomes)


def usefulness_report(work: Services) -> list[MemoryUsefulness]:
    """Return every judged live memory, most useful first."""
    work.refresh()
    found = [
        MemoryUsefulness(one.record, standing)
        for identity, standing in outcomes_of(work.project).usefulness().items()
        for one in work.memories.own.listed(Filter(identity=identity), 1)
    ]
    return sorted(found, key=lambda one: (-one.usefulness.earned, one.usefulness.tokens))


def nudge_figures(work: Services) -> NudgeFigures:
    """Count how often agents were asked to remember something, and how often they did."""
    work.refresh()
    return answered(work.injections.all(), work.memories.own)


def answered(injections: Sequence[Injection], memories: Memories) -> NudgeFigures:
    """Count nudges among injections, and those answered by a live memory."""
    if not any(map(is_nudge, injections)):
        return NudgeFigures(0, 0)
    live = memories.live()
    return figures(injections, (name for one in live for name in one.derived_from))


def archive_proposals(work: Services) -> list[Proposal]:
    """Suggest archiving what many sessions were shown and none used.

    Only if it displaces something else: an unused rule costs a young project little.
    """
    from satchel.application.learning.drafting.proposing import key_of

    if not any(one.left_out for one in work.injections.recent()):
        return []
    proposals = []
    for record, useful in usefulness_report(work):
        if not useful.never or record.kind in _ALWAYS or "archived" in record.tags:
            continue
        edit = Edit(SET_ASIDE, MEMORIES, record.id, record.content[:400])
        proposals.append(
            Proposal(
                ARCHIVE,
                KNOWLEDGE,
                beginning(f"Put aside: {record.title or record.content}", 120),
                why=f"shown in {useful.shown} sessions for {useful.tokens:,} tokens, used in none",
                tier="medium",
                edits=(edit,),
                key=key_of(ARCHIVE, f"{record.id} {useful.shown // 10}"),
                derived_from=(record.id,),
            )
        )
    return proposals[:_AT_ONCE]
