"""Archived memories: recall finds them, but sessions do not start with them."""

from __future__ import annotations

from satchel.application.outlet import ASIDE
from satchel.core.errors import NotFoundError
from satchel.features.proposals.values import SET_ASIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services
    from satchel.features.proposals.values import Proposal


def set_archived(work: Services, proposal: Proposal, *, aside: bool) -> None:
    """Archive or restore the memories of a suggestion by writing a new version."""
    for edit in proposal.edits:
        if edit.operation != SET_ASIDE:
            continue
        try:
            record = work.memories.find(edit.path).record
        except NotFoundError:
            continue  # it was deleted meanwhile
        if (ASIDE in record.tags) == aside:
            continue
        tags = tuple(tag for tag in record.tags if tag != ASIDE)
        newer = record.following(int(work.project.clock.now()))
        work.memories.own.append([newer._replace(tags=(*tags, ASIDE) if aside else tags)])
        work.memories.stores.catch_up(work.memories.own)
