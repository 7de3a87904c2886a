"""Takes a sentence's lead-in off: "btw", "no:", "from now on", "perfect". Pure."""

from __future__ import annotations

from satchel.application.learning.signals.speech import leads, wording
from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.kept_patterns import LazyPattern

#: Most lead-ins to peel off, one after the other.
_MOST_LEADS = 8
#: "Perfect" alone praises nothing in particular.
_A_PHRASE = 12


class Clause(NamedTuple):
    """A sentence without its lead-in, and what is known about it.

    `objects`: it corrects; `lasting`: it states its own scope; `now`: it is about the moment;
    `status`: it reports on the work.
    """

    rest: str
    words: int = 0
    marked: bool = False
    objects: bool = False
    praises: bool = False
    general: bool = False
    decides: bool = False
    rejected: bool = False
    lasting: bool = False
    now: bool = False
    status: bool = False

    @property
    def led_in(self) -> bool:
        """Whether it was said first that a lesson comes: "btw", "no:", "from now on"."""
        return self.marked or self.objects or self.general

    def has(self, pattern: LazyPattern) -> bool:
        """Return whether a pattern occurs anywhere in it."""
        return bool(pattern.search(self.rest))

    def begins(self, pattern: LazyPattern) -> bool:
        """Return whether it begins with a pattern."""
        return bool(pattern.match(self.rest))


_LEADS = (
    (leads.DECIDES, "decides"),
    (leads.MARKER, "marked"),
    (leads.GENERAL_LEAD, "general"),
    (leads.OBJECTION, "objects"),
    (leads.FILLER, ""),
)


def peel(sentence: str) -> Clause:
    """Remove a sentence's lead-in, and return what it was."""
    plain = wording.SHORT.compiled.sub(lambda short: wording.SPELLED[short[0]], sentence)
    rest = _unquoted(plain.replace("\u2019", "'").lstrip(" \t*>"))
    asked = leads.ASKED_RULE.match(rest)
    rest = rest[asked.end() :].rstrip(" ?") if asked else rest
    found: set[str] = set()
    for _ in range(_MOST_LEADS):
        praise = leads.PRAISE.match(rest)
        if praise and praise.end() > _A_PHRASE:
            found.add("praises")
            rest = rest[praise.end() :].lstrip(" :,.-")
            continue
        lead, what = _lead_of(rest)
        if not lead:
            break
        found.add(what)
        rest = rest[lead:].lstrip(" ,:-")
        asked = leads.ASKED_RULE.match(rest)
        rest = rest[asked.end() :].rstrip(" ?") if asked else rest
    return Clause(_unquoted(rest), **dict.fromkeys(found - {""}, True))


def _unquoted(text: str) -> str:
    """Return a sentence without emphasis and without quotes around the whole."""
    bare = text.strip(" \t*")
    if bare.startswith("_") and bare.endswith("_"):
        bare = bare.strip("_")
    whole = bare.startswith('"') and bare.endswith('"') and bare.count('"') == 2  # noqa: PLR2004
    return bare.strip('"') if whole or bare.count('"') % 2 else bare


def _lead_of(rest: str) -> tuple[int, str]:
    for pattern, what in _LEADS:
        lead = pattern.match(rest)
        if lead and lead.end():
            return lead.end(), what
    return 0, ""
