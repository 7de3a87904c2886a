"""Finds the rule that says the same as a statement, contradicts it, or is about the same."""

from __future__ import annotations

from satchel.application.learning.targets import ProjectTargets
from satchel.core.values import NamedTuple
from satchel.engine.contradictions import AGAINST, SAME, clashes
from satchel.engine.search.tokens import coverage, shares_enough

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

#: Shares enough words with the statement; a person must decide whether both can hold.
_NEAR = "near"


class Standing(NamedTuple):
    """A line of an instruction file, or a soft rule.

    `place` is FILE:LINE, `what` is same, against or near.
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
