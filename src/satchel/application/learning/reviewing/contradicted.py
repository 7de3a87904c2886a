"""Lines that say the opposite of an accepted suggestion, and the suggestion that removes each."""

from __future__ import annotations

from satchel.application.learning.drafting.proposing import key_of
from satchel.application.learning.targets import ProjectTargets
from satchel.core.excerpts import beginning
from satchel.core.trust import USER
from satchel.core.values import NamedTuple
from satchel.engine.statements.contradictions import AGAINST, Rule, clashes
from satchel.features.proposals.values import (
    ARCHIVE,
    KNOWLEDGE,
    PENDING,
    UNDONE,
    Decision,
    Edit,
    Proposal,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.application.services import Services
    from satchel.features.proposals.queue import Queue

_TITLE = 120


class Contradicted(NamedTuple):
    """A line that says the opposite: where, and what.

    `removal` is the suggestion that removes it; None if a person must edit the file.
    """

    place: str
    text: str
    removal: Proposal | None


def still_contradicted(
    work: Services, queue: Queue, accepted: Sequence[Proposal]
) -> tuple[Contradicted, ...]:
    """Return lines of instruction files and soft rules that accepted suggestions contradict.

    A suggestion to remove each of them is queued.
    """
    places = ProjectTargets(work)  # what files say by now
    found: dict[Rule, Contradicted] = {}
    for proposal in accepted:
        texts = [edit.text for edit in proposal.own_edits if _says(edit)]
        for text in texts:
            for one in clashes(text, places.rules()):
                if one.what == AGAINST and one.rule not in found:
                    removal = _removal(queue, places, one.rule, proposal)
                    place = f"{places.shown(one.rule.path)}:{one.rule.line}"
                    found[one.rule] = Contradicted(place, one.rule.text, removal)
    return tuple(found.values())


def drop_removals(queue: Queue, undone: str) -> None:
    """Keep the lines that contradicted a suggestion, since the suggestion was taken back."""
    for one in queue.pending():
        if one.proposal.kind == ARCHIVE and undone in one.proposal.derived_from:
            queue.decide(one.proposal, Decision(UNDONE, by="user"))


def _says(edit: Edit) -> bool:
    return not edit.takes_out and bool(edit.text.strip()) and "\n" not in edit.text.strip()


def _removal(queue: Queue, places: ProjectTargets, rule: Rule, by: Proposal) -> Proposal | None:
    edit = places.edit_without(rule)
    if edit is None or not places.says_no_more(rule, edit):
        return None
    proposal = Proposal(
        ARCHIVE,
        KNOWLEDGE,
        beginning(f"Take back: {rule.text}", _TITLE),
        why=f'You accepted "{by.title}"',
        tier="high",
        edits=(edit,),
        key=key_of(ARCHIVE, f"contradicted {by.id} {edit.path} {rule.text}"),
        derived_from=(by.id,),
        trust=USER,
    )
    made = queue.propose([proposal])
    if made:
        return made[0]
    known = next(one for one in queue.all() if one.proposal.key == proposal.key)
    if known.state == UNDONE:
        queue.decide(known.proposal, Decision(PENDING, by="user"))
    return known.proposal if known.state in (PENDING, UNDONE) else None
