"""What is held back from session starts in one project, and what a person lets in."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.kinds import AT_START, kinds_for
from satchel.engine.search.documents import Filter
from satchel.features.memories.unapproved import Approvals, ApprovalSet, trust_of
from satchel.storage.ledger.file import Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.features.memories.access import ProjectMemories
    from satchel.project.store import ProjectStore
    from satchel.storage.ledger.record import Record

_LEDGER = "approvals"
_MOST = 100_000
#: Kinds that a session may start with, or that a brief shows.
_SHOWN_AT_STARTS = (
    *kinds_for(AT_START),
    "investigation",
    "pattern",
    "activity",
    "action_report",
)


def approvals_of(project: ProjectStore) -> Approvals:
    """Open what a person approved in a project."""
    state = project.state
    ledger = Ledger(state.ledger(_LEDGER), state.lock(_LEDGER), clock=project.clock)
    # Who chose another program's layout wants what that program writes there.
    return Approvals(ledger, foreign=project.tracked.preset != "default")


def approved_in(project: ProjectStore) -> ApprovalSet | None:
    """Read what is approved; None where nothing is held back."""
    if not project.settings.flag("trust.quarantine"):
        return None
    return approvals_of(project).load()


def held(memories: ProjectMemories) -> list[Record]:
    """Return the memories that no session starts with until they are approved, newest first."""
    approved = approved_in(memories.stores.project)
    if approved is None:
        return []
    memories.refresh()
    only = Filter(kinds=_SHOWN_AT_STARTS, without_trust=approved.trusted)
    found = [item.record for item in memories.own.listed(only, _MOST)]
    return [record for record in found if approved.holds(record)]


def approve(memories: ProjectMemories, ids: Sequence[str], *, every: bool = False) -> list[Record]:
    """Approve memories by their ids, or all that are held; return them."""
    if every:
        records = held(memories)
    else:
        memories.refresh()
        records = [memories.own.find(ident).record for ident in ids]
    approvals_of(memories.stores.project).approve(records)
    return records


def revoke(memories: ProjectMemories, ids: Sequence[str]) -> list[Record]:
    """Take the approval of memories back; those that are trusted anyway stay so."""
    memories.refresh()
    records = [memories.own.find(ident).record for ident in ids]
    approvals_of(memories.stores.project).revoke(records)
    return records


__all__ = ["approvals_of", "approve", "approved_in", "held", "revoke", "trust_of"]
