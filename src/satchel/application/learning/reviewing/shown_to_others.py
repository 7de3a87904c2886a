"""Suggestions as a team's server shows them: without the user's own data."""

from __future__ import annotations

from collections.abc import Iterable

from satchel.core.errors import SatchelError
from satchel.features.proposals.values import HOME, LEARNINGS, MEMORIES, Proposal, QueuedProposal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services


def shown_to_others(work: Services, proposals: Iterable[QueuedProposal]) -> list[QueuedProposal]:
    """Return project suggestions, without what the user said in a session.

    Left out are suggestions drawn from a session, whose title and text are its words, and those
    that change a user's own file or put aside a private memory.
    """
    return [_without_words(one) for one in proposals if _is_shared(work, one.proposal)]


def _is_shared(work: Services, proposal: Proposal) -> bool:
    if proposal.session:
        return False
    places = {edit.below for edit in proposal.edits}
    about = [edit.path for edit in proposal.edits if edit.below == MEMORIES]
    if about:
        # The reason also quotes these, as saying the same.
        about += proposal.derived_from
    return not places & {LEARNINGS, HOME} and all(_is_seen(work, ident) for ident in about)


def _is_seen(work: Services, memory: str) -> bool:
    try:
        return bool(work.memories.versions(memory))
    except SatchelError:
        return False


def _without_words(one: QueuedProposal) -> QueuedProposal:
    return one._replace(proposal=one.proposal._replace(quote=""))
