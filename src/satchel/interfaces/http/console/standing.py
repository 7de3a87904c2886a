"""How much there is of everything, and how much waits for a person: the figures of the rail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satchel.application import approval
from satchel.application.learning.review import Review
from satchel.core.values import NamedTuple
from satchel.features.tasks.lifecycle import ARCHIVED, COMPLETED
from satchel.interfaces.http.console.memory_list import kind_counts

if TYPE_CHECKING:
    from satchel.features.injections.injection_ledger import Injection
    from satchel.features.proposals.values import QueuedProposal
    from satchel.workspace import Workspace


class Standing(NamedTuple):
    """Memories with notes and rules, sessions, open tasks; suggestions and what is unapproved."""

    memories: int
    sessions: int
    tasks: int
    suggestions: int
    unapproved: int

    @property
    def waiting(self) -> int:
        """How much the Inbox holds."""
        return self.suggestions + self.unapproved


def waiting_of(work: Workspace) -> tuple[list[QueuedProposal], approval.Waiting]:
    """Return what waits for a decision; what only the person may let in waits for nobody else."""
    with Review(work) as review:
        suggestions = review.pending()
    nothing = approval.Waiting((), (), (), (), {})
    return suggestions, approval.waiting(work) if work.person is not None else nothing


def standing_of(
    work: Workspace, injections: list[Injection], suggestions: int, unapproved: int
) -> Standing:
    """Count what the rail shows."""
    with work.sessions as opened:
        own = len(opened.store.ids())
    with work.tasks as tasks:
        stages = tasks.view.stages()
    return Standing(
        memories=sum(kind_counts(work).values()),
        sessions=len({one.session for one in injections}) + own,
        tasks=sum(n for stage, n in stages.items() if stage not in (COMPLETED, ARCHIVED)),
        suggestions=suggestions,
        unapproved=unapproved,
    )
