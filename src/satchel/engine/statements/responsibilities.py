"""Who is in charge of what, however that is told. Pure.

"Ines owns everything under marts/finance", "the finance marts are with Tomek", "Tomek took over
the finance marts" all say of the same thing who has it.
"""

from __future__ import annotations

import re

from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import spoken

_LEAD = r"(?:(?:btw|fyi|ok|so|actually|and)\s+)*"
_WHO = r"(?:the\s+)?(?P<who>[a-z][\w-]*)(?:\s+team)?"
_WHAT = r"(?P<what>\S+(?:\s+\S+){0,6}?)"
_SOON = r"(?:(?:now|currently|still|again|already)\s+)*"
#: Of what one person or program does, another may take over.
_DOES = r"(?P<does>owns|leads|maintains|manages|handles|reviews|approves|signs\s+off)"
_DONE = r"(?P<done>owned|led|maintained|managed|handled|reviewed|approved|signed\s+off)"
_HAS = (
    r"(?:has|does|has\s+got|took\s+over|takes\s+over|is\s+taking\s+over|looks\s+after|takes\s+care\s+of"
    r"|is\s+(?:now\s+)?(?:in\s+charge\s+of|responsible\s+for|the\s+owner\s+of))"
)
_GAVE = r"(?:handed|passed|gave|hands|passes|gives)(?:\s+(?:over|on))?"
_SAYS = (
    rf"{_WHO}\s+{_SOON}{_DOES}\s+{_WHAT}",
    rf"{_WHO}\s+{_SOON}{_HAS}\s+{_WHAT}(?:\s+from\s+\w+)?",
    rf"{_WHAT}\s+(?:is|are)\s+{_SOON}{_DONE}\s+by\s+{_WHO}",
    rf"{_WHAT}\s+(?:is|are)\s+{_SOON}with\s+{_WHO}",
    rf"{_WHAT}\s+(?:is|are)\s+{_SOON}done\s+by\s+{_WHO}",
    rf"{_WHAT}\s+(?:is|are)\s+{_SOON}(?P<who>[a-z][\w-]*)'s",
    rf"{_WHAT}\s+{_SOON}belongs?\s+to\s+{_WHO}",
    rf"\w+\s+{_GAVE}\s+{_WHAT}(?:\s+(?:over|on))?\s+to\s+{_WHO}",
    rf"(?P<does>ask)\s+{_WHO}\s+(?:about|for)\s+{_WHAT}",
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


def in_charge(clause: str, when: str) -> Responsibility | None:
    """Return who a clause says is in charge of what.

    Args:
        clause: a part of a sentence.
        when: the pattern of what may follow, such as "now".
    """
    found = (re.fullmatch(rf"{_LEAD}(?:{one}){when}", clause, re.IGNORECASE) for one in _SAYS)
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
