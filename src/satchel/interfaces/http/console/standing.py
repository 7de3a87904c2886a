"""How much there is of everything, and how much waits for a person: the figures of the rail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satchel.application import approval
from satchel.application.learning.review import Review
from satchel.core.values import NamedTuple
from satchel.features.tasks.lifecycle import ARCHIVED, COMPLETED

if TYPE_CHECKING:
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


def suggestions_of(work: Workspace) -> list[QueuedProposal]:
    """Return the suggestions that wait for a decision."""
    with Review(work) as review:
        return review.pending()


def unapproved_of(work: Workspace) -> approval.Waiting:
    """Return what only the person may let in: it waits for nobody else."""
    nothing = approval.Waiting((), (), (), (), {})
    return approval.waiting(work) if work.person is not None else nothing


def open_tasks(work: Workspace) -> int:
    """Count the tasks that are not done."""
    with work.tasks as tasks:
        stages = tasks.view.stages()
    return sum(n for stage, n in stages.items() if stage not in (COMPLETED, ARCHIVED))
