"""Memories held back from agents in a project, and their approval.

Private memories are held for what they were made of: a tool's output, the web, a file. Lines of
the tracked ledger are held for who brought them: the gate of the project decides about those.
"""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.kinds import AT_START, kinds_for
from satchel.core.trust import AGENT, REPO, USER
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import record_of
from satchel.project.approvals.rules import line_mark, mark_of, trust_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.features.memories.access import ProjectMemories
    from satchel.project.approvals.rules import ApprovalSet
    from satchel.project.store import ProjectStore
    from satchel.storage.ledger.record import Record

_MOST = 100_000
_DELETES = "deletes"
#: Kinds that a session may start with, or that a brief shows.
_SHOWN_AT_STARTS = (
    *kinds_for(AT_START),
    "investigation",
    "pattern",
    "activity",
    "action_report",
)


def approved_in(project: ProjectStore) -> ApprovalSet | None:
    """Return what is approved; None if nothing is held back."""
    if not project.settings.flag("trust.quarantine"):
        return None
    return project.approvals.load()


def held(memories: ProjectMemories) -> list[Record]:
    """Return private memories that wait for approval, newest first."""
    approved = approved_in(memories.stores.project)
    if approved is None:
        return []
    memories.refresh()
    only = Filter(kinds=_SHOWN_AT_STARTS, without_trust=(USER, AGENT, REPO))
    found = [item.record for item in memories.own.listed(only, _MOST)]
    return [record for record in found if approved.holds(record)]


def held_lines(memories: ProjectMemories) -> list[Record]:
    """Return tracked ledger lines that wait for approval.

    Newest first. A line that says what a private memory of this person says is left out; one that
    deletes a memory says which.
    """
    memories.refresh()
    own, waiting = memories.own, memories.own.held
    lines = [one.record for one in waiting.listed(Filter(), _MOST)]
    every = [record_of(hit.document) for hit in waiting.index.latest(waiting.sources, limit=_MOST)]
    deletions = [one for one in every if one.deleted_at is not None]
    if not lines and not deletions:
        return []
    here = {one.id: one for one in own.live()}
    said = {mark_of(one) for one in here.values()}
    return [one for one in lines if mark_of(one) not in said] + [
        one._replace(content=f"{_DELETES}: {here[one.id].title or here[one.id].content}")
        for one in deletions
        if one.id in here and one.version > here[one.id].version
    ]


def approve(memories: ProjectMemories, records: Sequence[Record]) -> None:
    """Approve memories and tracked lines for agents."""
    marks = [mark for one in records for mark in (mark_of(one), line_mark(one.hash))]
    memories.stores.project.approvals.approve(marks, ids=[one.id for one in records])


def revoke(memories: ProjectMemories, ids: Sequence[str]) -> list[Record]:
    """Revoke approvals of memories; those trusted anyway are unaffected."""
    memories.refresh()
    records = [memories.own.find(ident).record for ident in ids]
    marks = [mark for one in records for mark in (mark_of(one), line_mark(one.hash))]
    memories.stores.project.approvals.revoke(marks)
    return records


__all__ = ["approve", "approved_in", "held", "held_lines", "revoke", "trust_of"]
