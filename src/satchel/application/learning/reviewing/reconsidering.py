"""Returns decided suggestions to the queue."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.learning.reviewing.contradicted import drop_removals
from satchel.features.proposals.values import (
    ACCEPTED,
    PENDING,
    REJECTED,
    UNDONE,
    Decision,
    QueuedProposal,
)
from satchel.storage.locks import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.learning.reviewing.review import Review


def reconsider(review: Review, given: Sequence[str]) -> list[str]:
    """Return accepted or rejected suggestions to the queue; return their titles.

    Accepted ones are undone first, which raises `ConflictError` if impossible. The replacement of a
    reworded one is removed.
    """
    titles = []
    found = [review.find(ident) for ident in given]
    # All or nothing: nobody gave half an answer.
    review.check_undo([one for one in found if one.state == ACCEPTED])
    for one in found:
        if one.state == ACCEPTED:
            review.undo(one)
            drop_removals(review.queue, one.proposal.id)
        with FileLock(review.work.project.state.lock("review"), timeout=10):
            standing = review.queue.find(one.proposal.id)
            if standing.state in (REJECTED, UNDONE):
                _drop_rewording(review, standing)
                review.queue.decide(standing.proposal, Decision(PENDING, by="user"))
                titles.append(standing.proposal.title)
    return titles


def _drop_rewording(review: Review, standing: QueuedProposal) -> None:
    every = {one.proposal.id: one for one in review.queue.all()}
    while standing.decided.reworded in every:
        standing = every[standing.decided.reworded]
    if standing.state == PENDING:
        review.queue.decide(standing.proposal, Decision(UNDONE, by="user"))
