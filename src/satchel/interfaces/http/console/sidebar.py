"""The figures in the sidebar: how much there is of everything, and how much waits."""

from __future__ import annotations

from satchel.application import approval
from satchel.application.learning.review import Review
from satchel.core.values import NamedTuple
from satchel.features.proposals.values import QueuedProposal
from satchel.features.tasks.lifecycle import ARCHIVED, COMPLETED
from satchel.workspace import Workspace


class SidebarCounts(NamedTuple):
    """Counts: memories with notes and rules, sessions, open tasks, and what the Inbox holds."""

    memories: int
    sessions: int
    tasks: int
    suggestions: int
    unapproved: int
    contradictions: int

    @property
    def waiting(self) -> int:
        """Return the number of items in the Inbox."""
        return self.suggestions + self.unapproved + self.contradictions


def suggestions_of(work: Workspace) -> list[QueuedProposal]:
    """Return pending suggestions."""
    with Review(work) as review:
        return review.pending()


def unapproved_of(work: Workspace) -> approval.Waiting:
    """Return unapproved items, which only the owner may approve and see."""
    nothing = approval.Waiting((), (), (), (), {})
    return approval.waiting(work) if work.person is not None else nothing


def open_tasks(work: Workspace) -> int:
    """Count the tasks that are not done."""
    with work.tasks as tasks:
        stages = tasks.view.stages()
    return sum(n for stage, n in stages.items() if stage not in (COMPLETED, ARCHIVED))
