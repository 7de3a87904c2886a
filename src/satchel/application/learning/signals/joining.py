"""Joins a sentence with the one before, which names its subject or object. Pure."""

from __future__ import annotations

from satchel.application.learning.signals.asides import is_order, tells_of_somebody
from satchel.application.learning.signals.speech.clauses import peel
from satchel.application.learning.signals.speech.leads import (
    DO_THOSE,
    ELLIPTIC,
    IMPERSONAL,
    IN_THAT_ORDER,
    THEIRS,
)
from satchel.application.learning.signals.speech.wording import begun_with_a_capital
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Says what happens without what was said before: "... is locked for minutes otherwise".
_OTHERWISE = spoken(r"[^,;]{3,200}\S otherwise(?: (?:and|which|because|since)\b.*|[\s.!]*)\Z")
#: Extends what was said before it.
_SAME_FOR = spoken(
    r"(?:the )?same (?:goes )?(?:for|in|with) (?:all|every|any|the (?:other|rest)|everything|each"
    r"|future|other|new)\b"
)
#: What somebody thinks or asks for now is not what is extended.
_OF_MYSELF = spoken(r"(?:i|i['\u2019]m|i don['\u2019]?t|can you|could you|please)\b")
#: The same of a limit: "if we go over that, ...".
_PAST_IT = spoken(
    r"(?:if|when|once) (?:we|you|it|they|i) (?:ever )?(?:go (?:over|above|below|beyond)|exceeds?"
    r"|miss(?:es)?|reach(?:es)?|hit|breaks?|skips?|forgets?|los[et]s?|drops?|change|touch"
    r"|raise|lower|ignore) (?:that|this|it)\b"
)

#: Pronouns that refer to the sentence before, and its most words.
_PRONOUNS, _SUBJECT_WORDS = ("It", "They", "He", "She", "Its", "Their"), 8
#: The same before "always in that order", of which it is all that is said.
_NAMES_IT = 20
_ORDERS = ("Never", "Don't", "Always", "Only")
#: Most characters of what "same for all ..." extends.
_LONGEST = 200
#: Objects of an order that were named in the sentence before; most characters of the two together.
_NAMED_BEFORE, _LONGEST_JOINED = frozenset(("it", "them", "him", "her", "those")), 260


def points_back(wording: str) -> bool:
    """Return whether a statement names its subject or object only as "it" or "them"."""
    first, *rest = wording.split()
    order = first in _ORDERS and {word.strip(",.;:") for word in rest[1:2]} <= _NAMED_BEFORE
    return _begins_with_pronoun(wording) or (order and len(rest) > 1)


def all_of_which(sentence: str, before: Sequence[str]) -> str:
    """Return the sentences before that one extends, or "": "same for all the tools we write"."""
    if not _SAME_FOR.match(peel(sentence).rest):
        return ""
    told: list[str] = []
    for one in reversed(before):
        said = one.rstrip(" .!;")
        if one.endswith("?") or _OF_MYSELF.match(one) or len("; ".join([said, *told])) > _LONGEST:
            break
        told.insert(0, said)
    return "; ".join(told)


def _begins_with_pronoun(wording: str) -> bool:
    """Return whether a wording begins with a pronoun, or the like, that stands for something."""
    begins = wording.split(maxsplit=1)[0] in _PRONOUNS or ELLIPTIC.match(wording)
    begins = begins or _PAST_IT.match(wording)
    return bool(begins) and not IMPERSONAL.match(wording)


def joined(before: str, wording: str) -> str:
    """Return a statement behind the one that names what it is about, if the two are short."""
    if len(before) + len(wording) > _LONGEST_JOINED:
        return wording
    mark = ";" if ": " in before else ":"
    return f"{before.rstrip('.')}{mark} {wording[:1].lower()}{wording[1:]}"


def with_subject(wording: str, before: str) -> str:
    """Prefix a wording about "it", or "never edit one", with the sentence before, if short."""
    if IN_THAT_ORDER.match(wording) and 1 < len(before.split()) <= _NAMES_IT:
        said = peel(before).rest.rstrip(" .!;,:")
        return f"{said[:1].upper()}{said[1:]}, {wording[:1].lower()}{wording[1:]}"
    if THEIRS.search(wording) and tells_of_somebody(before):
        said = begun_with_a_capital(peel(before).rest.rstrip(" .!;,:"))
        return f"{said}: {wording[:1].lower()}{wording[1:]}"
    if _OTHERWISE.match(wording) and not before.endswith("?"):
        asked = before.rpartition(", ")[2].rstrip(" .!;")
        if is_order(asked) and len(asked) + len(wording) <= _LONGEST_JOINED:
            return joined(begun_with_a_capital(asked), wording)
    if _SAME_FOR.match(wording) and before:
        return f"{begun_with_a_capital(before)}; {wording[:1].lower()}{wording[1:]}"
    first, _, rest = wording.partition(" ")
    points = _begins_with_pronoun(wording) or (first in _ORDERS and rest.split()[1:2] == ["one"])
    points = points or bool(DO_THOSE.match(wording))
    subject = peel(before).rest.rstrip(" .!;,:") if points and not before.endswith("?") else ""
    most = _NAMES_IT if _PAST_IT.match(wording) else _SUBJECT_WORDS
    if not 1 < len(subject.split()) <= most:
        return wording
    return f"{subject[:1].upper()}{subject[1:]}: {first.lower()} {rest}"
