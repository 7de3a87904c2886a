"""Lines that say the opposite of an accepted suggestion, and the suggestion that removes each."""

from __future__ import annotations

from satchel.application.briefs.accepted_elsewhere import bare
from satchel.application.learning.drafting.proposing import key_of
from satchel.application.learning.reviewing.targets import ProjectTargets
from satchel.application.outlet import ASIDE
from satchel.core.excerpts import beginning
from satchel.core.ids import short_id
from satchel.core.trust import USER
from satchel.core.values import NamedTuple
from satchel.engine.statements.contradictions import AGAINST, Rule, clashes
from satchel.engine.statements.replacing import replaces
from satchel.features.proposals.values import (
    ARCHIVE,
    KNOWLEDGE,
    MEMORIES,
    PENDING,
    REMEMBER,
    SET_ASIDE,
    UNDONE,
    Decision,
    Edit,
    Proposal,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from satchel.application.services import Services
    from satchel.features.proposals.queue import Queue
    from satchel.storage.ledger.record import Record

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
    """Return lines of instruction files, soft rules and memories that accepted ones contradict.

    A suggestion to remove each of them is queued. Of two that were accepted together, the one that
    was said later holds.
    """
    places = ProjectTargets(work)  # what files say by now
    together = {bare(text): one for one in accepted for text in _texts(one)}
    found: dict[Rule, Contradicted] = {}
    for proposal in accepted:
        for text in _texts(proposal):
            for one in clashes(text, places.rules()):
                if one.what == AGAINST and one.rule not in found:
                    by = together.get(bare(one.rule.text))
                    if by is not None and _is_later(by, one.rule.text, proposal, text):
                        continue
                    removal = _removal(queue, places, one.rule, proposal)
                    place = f"{places.shown(one.rule.path)}:{one.rule.line}"
                    found[one.rule] = Contradicted(place, one.rule.text, removal)
            for record in _outdated(work, proposal, text, accepted):
                at = Rule(f"memory {short_id(record.id)}", 0, record.content)
                gone = Edit(SET_ASIDE, MEMORIES, record.id, record.content[:400])
                found[at] = Contradicted(at.path, at.text, _queued(queue, at.text, gone, proposal))
    return tuple(found.values())


def _texts(proposal: Proposal) -> list[str]:
    return [edit.text for edit in proposal.own_edits if _says(edit)]


def _is_later(by: Proposal, rule: str, proposal: Proposal, text: str) -> bool:
    """Return whether `rule`, which `by` says, was said after `text`, which `proposal` says."""
    if by.session != proposal.session:
        return (by.ts, by.id) > (proposal.ts, proposal.id)
    return replaces(rule, text) and not replaces(text, rule)  # a session's are in order of review


def _outdated(
    work: Services, proposal: Proposal, text: str, accepted: Sequence[Proposal]
) -> Iterator[Record]:
    """Yield memories that a rule in a file replaces; a memory replaces others by itself."""
    if any(edit.operation == REMEMBER for edit in proposal.edits):
        return
    known = {edit.path for edit in proposal.edits}
    made_by = {one.id: one for one in accepted}
    for record in work.memories.would_replace(text, "decision", proposal.trust):
        by = next((made_by[one] for one in record.derived_from if one in made_by), None)
        later = by is not None and _is_later(by, record.content, proposal, text)
        if not later and ASIDE not in record.tags and record.id not in known:
            yield record


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
    return _queued(queue, rule.text, edit, by)


def _queued(queue: Queue, text: str, edit: Edit, by: Proposal) -> Proposal | None:
    """Queue the removal of a contradicted text; None if it was decided against before."""
    proposal = Proposal(
        ARCHIVE,
        KNOWLEDGE,
        beginning(f"Take back: {text}", _TITLE),
        why=f'You accepted "{by.title}"',
        tier="high",
        edits=(edit,),
        key=key_of(ARCHIVE, f"contradicted {by.id} {edit.path} {text}"),
        derived_from=(by.id,),
        trust=USER,
    )
    made = queue.propose([proposal])
    if made:
        return made[0]
    # Or it waits already: somebody took it back in words.
    every = queue.all()
    known = next((one for one in every if one.proposal.key == proposal.key), None)
    known = known or next(
        one for one in every if one.state == PENDING and one.proposal.edits == proposal.edits
    )
    if known.state == UNDONE:
        queue.decide(known.proposal, Decision(PENDING, by="user"))
    return known.proposal if known.state in (PENDING, UNDONE) else None
