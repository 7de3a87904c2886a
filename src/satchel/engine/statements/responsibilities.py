"""Who is in charge of what, however that is told. Pure.

"Ines owns everything under marts/finance", "the finance marts are with Tomek", "Tomek took over
the finance marts" all say of the same thing who has it.
"""

from __future__ import annotations

import re

from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import spoken

_SINCE = r"(?:since|as of|starting|until) [\w /-]{1,40}"
#: Says from when something holds.
THESE_DAYS = r"now|again|nowadays|these days|instead|today|already|anyway|from now on"
#: What may follow a statement.
WHEN = rf"(?: not \S+)?(?: (?:{THESE_DAYS}|{_SINCE}))*(?: not \S+)?"
_LEAD = r"(?:(?:btw|fyi|ok|so|actually|and) )*"
_WHO = r"(?:the )?(?P<who>[a-z][\w-]*)(?: team)?"
_WHAT = r"(?P<what>\S+(?: \S+){0,6}?)"
_SOON = r"(?:(?:now|currently|still|again|already) )*"
#: Of what one person or program does, another may take over.
_DOES = r"(?P<does>owns|leads|maintains|manages|handles|reviews|approves|signs off)"
_DONE = r"(?P<done>owned|led|maintained|managed|handled|reviewed|approved|signed off)"
_HAS = (
    r"(?:has|does|has got|took over|takes over|is taking over|looks after|takes care of"
    r"|is (?:now )?(?:in charge of|responsible for|the owner of))"
)
_GAVE = r"(?:handed|passed|gave|hands|passes|gives)(?: (?:over|on))?"
_SAYS = (
    rf"{_WHO} {_SOON}{_DOES} {_WHAT}",
    rf"{_WHO} {_SOON}{_HAS} {_WHAT}(?: from \w+)?",
    rf"{_WHAT} (?:is|are) {_SOON}{_DONE} by {_WHO}",
    rf"{_WHAT} (?:is|are) {_SOON}with {_WHO}",
    rf"{_WHAT} (?:is|are) {_SOON}done by {_WHO}",
    rf"{_WHAT} (?:is|are) {_SOON}(?P<who>[a-z][\w-]*)'s",
    rf"{_WHAT} {_SOON}belongs? to {_WHO}",
    rf"\w+ {_GAVE} {_WHAT}(?: (?:over|on))? to {_WHO}",
    rf"(?P<does>ask) {_WHO} (?:about|for) {_WHAT}",
)
#: Says that somebody else is in charge from then on.
_PASSES = spoken(
    r"\b(?:took|takes|taking) over\b"
    r"|\b(?:handed|passed|gave|hands|passes|gives)\b[^.;,\n]{1,60}\bto\b"
)
_ACTIVE = {"owned": "owns", "led": "leads", "signed off": "signs off"}
#: Adds nothing to the name of what somebody has: "the billing service", "everything in billing".
_ADDS = frozenset(
    "the a an our my all everything anything what is are under in below of about for around"
    " service module project repo code team now".split()
)


class Responsibility(NamedTuple):
    """Who does what with which thing; all in lower case, a thing in its words."""

    who: str
    does: str
    what: frozenset[str]


def in_charge(clause: str) -> Responsibility | None:
    """Return who a clause, its words one blank apart, says is in charge of what."""
    found = (re.fullmatch(rf"{_LEAD}(?:{one}){WHEN}", clause, re.IGNORECASE) for one in _SAYS)
    said = next(filter(None, found), None)
    if said is None:
        return None
    fields = said.groupdict()
    words = frozenset(fields["what"].lower().replace("/", " ").split())
    done = " ".join((fields.get("done") or "").lower().split())
    does = (fields.get("does") or _ACTIVE.get(done) or done.removesuffix("d") + "s").lower()
    return Responsibility(
        fields["who"].lower(),
        does if done or fields.get("does") else "owns",
        words - _ADDS or words,
    )


def passes_on(text: str) -> bool:
    """Return whether a statement says that somebody takes over from another."""
    return bool(_PASSES.search(text))
