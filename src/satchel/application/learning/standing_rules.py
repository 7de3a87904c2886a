"""Finds the line of an instruction file that says what was just heard, or the contrary."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.engine.contradictions import SAME, clashes
from satchel.features.instructions.saved import known_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services


class Standing(NamedTuple):
    """A line of an instruction file: `place` is FILE:LINE; it `agrees`, or contradicts."""

    place: str
    text: str
    agrees: bool


def standing_rule(work: Services, wording: str) -> Standing | None:
    """Return the line that says the same, or else one that contradicts; None for neither."""
    clashing = clashes(wording, known_rules(work.instructions))
    if not clashing:
        return None
    found = next((one for one in clashing if one.what == SAME), clashing[0])
    place = f"{work.instructions.shown(found.rule.path)}:{found.rule.line}"
    return Standing(place, found.rule.text, found.what == SAME)
