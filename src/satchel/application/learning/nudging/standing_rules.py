"""Finds what says the same as a statement, contradicts it, or is about the same."""

from __future__ import annotations

from satchel.application.learning.reviewing.targets import ProjectTargets
from satchel.application.outlet import Outlet
from satchel.core.errors import SatchelError
from satchel.core.ids import short_id
from satchel.core.kinds import KINDS, KNOWLEDGE, kinds_for
from satchel.core.values import NamedTuple
from satchel.engine.search.tokens import coverage, shares_enough
from satchel.engine.statements.contradictions import AGAINST, SAME, Rule, clashes
from satchel.features.memories.contradicting import settled
from satchel.storage.inbox.faults import note_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services
    from satchel.storage.ledger.record import Record

#: Shares enough words with the statement; a person must decide whether both can hold.
_NEAR = "near"
#: How many of the newest memories to compare with a new one, and how many to tell.
_MOST_COMPARED, _MOST_TOLD = 500, 3


class Standing(NamedTuple):
    """A line of an instruction file, a soft rule, or a memory.

    `place` is FILE:LINE or "memory ID", `what` is same, against or near.
    """

    place: str
    text: str
    what: str

    @property
    def agrees(self) -> bool:
        """Return whether it says the same."""
        return self.what == SAME

    @property
    def contradicts(self) -> bool:
        """Return whether it says the contrary."""
        return self.what == AGAINST


def standing_rule(work: Services, wording: str) -> Standing | None:
    """Return the line that says the same, or contradicts, or is about it; None for none."""
    rules = ProjectTargets(work).rules()
    clashing = clashes(wording, rules)
    near = [one for one in rules if shares_enough(wording, one.text)]
    if clashing:
        found = next((one for one in clashing if one.what == SAME), clashing[0])
        rule, what = found.rule, found.what
    elif near:
        rule, what = max(near, key=lambda one: coverage(wording, one.text)), _NEAR
    else:
        return None
    return Standing(f"{work.instructions.shown(rule.path)}:{rule.line}", rule.text, what)


def contradicted_by(work: Services, record: Record) -> list[Standing]:
    """Return what a new memory certainly contradicts, at most three: lines and memories.

    Only what may be shown to an agent: it may be the one that reads the answer. Never raises: the
    memory is written, and whatever cannot be compared with it must not deny that.
    """
    kinds = kinds_for(KNOWLEDGE)
    if record.kind not in kinds:
        return []
    try:
        return _contradicted(work, record, kinds)
    except SatchelError as error:
        state, now = work.project.state, work.project.clock.now()
        note_fault(state.faults, "contradictions", str(error), now)
        return []


def _contradicted(work: Services, record: Record, kinds: tuple[str, ...]) -> list[Standing]:
    outlet, lines = Outlet(work), ProjectTargets(work).rules()
    shown = outlet.admitted_files({one.path for one in lines})
    told = [
        Rule(f"{work.instructions.shown(one.path)}:{one.line}", 0, one.text)
        for one in lines
        if one.path in shown
    ]
    told += [
        Rule(f"{KINDS[one.record.kind].noun} {short_id(one.record.id)}", 0, one.record.content)
        for one in outlet.newest(kinds, _MOST_COMPARED, everywhere=True)
        if one.record.id != record.id and not settled(one.record, record)
    ]
    against = [one for one in clashes(record.content, told) if one.what == AGAINST and one.certain]
    return [Standing(one.rule.path, one.rule.text, AGAINST) for one in against[:_MOST_TOLD]]
