"""What a later statement says holds no longer: "no longer with scons", "not Thursday anymore".

Pure. It must be said beside what holds instead: "the linter no longer runs in CI" leaves others
that run there.
"""

from __future__ import annotations

import re
from functools import lru_cache

from satchel.core.values import NamedTuple
from satchel.engine.statement_words import NEGATIONS, telling_words, words_of
from satchel.storage.kept_patterns import LazyPattern

_PLACE = r"(?:(?:with|from|on|in|at|to|by|via|through|for|the|an?|us(?:e|ing))\s{1,4})*"
_NAME = r"[\w./+#:-]{1,40}"
#: Behind what holds instead; "not" says so only together with "now" or "anymore".
_LET_GO = LazyPattern(
    rf"(?:[,;:(]\s{{0,4}}(?:and\s{{1,4}})?|\b(?:now|again|and)\s{{1,4}})"
    rf"(?:no\s{{1,4}}(?:longer|more)\s{{1,4}}{_PLACE}(?P<thing>{_NAME})"
    rf"|not\s{{1,4}}{_PLACE}(?P<other>{_NAME})(?:\s{{1,4}}\w{{1,20}})?\s{{1,4}}any\s?more\b)"
    rf"|\bnow,?\s{{1,4}}not\s{{1,4}}{_PLACE}(?P<former>{_NAME})",
    re.IGNORECASE,
)
#: The options of a command, which say nothing about its subject.
_OPTIONS = LazyPattern(r"(?<=\s)(?:-{1,2}\w\S*|\w+=\S+)")
#: Before it begins what a statement adds to what it says: a reason, a promise.
_ADDED = LazyPattern(
    r":\s|;\s|,?\s{1,4}(?:because|since|so\s{1,4}that)\s"
    r"|,\s(?=(?:the|our|they|it|its|it's|that|that's|thats|this|which|otherwise)\s)",
    re.IGNORECASE,
)
#: The share of the earlier statement's words that the later one must have, and the fewest.
_SHARED, _FEWEST = 0.4, 2


class _LetGo(NamedTuple):
    """The things that a statement lets go, by the beginning of their words, and all its words."""

    things: dict[str, str]
    words: frozenset[str]


def let_go(later: str, earlier: str) -> str:
    """Return the thing that `later` says holds no longer and `earlier` still says; or ""."""
    said = _let_go(later)
    if not said.things:
        return ""
    main = _OPTIONS.sub(" ", _ADDED.split(earlier, maxsplit=1)[0])
    theirs = telling_words(main)
    thing = next((one for one in said.things if one in theirs), "")
    if not thing or not NEGATIONS.isdisjoint(words_of(main)) or thing in _let_go(earlier).things:
        return ""
    shared = said.words & theirs
    return said.things[thing] if len(shared) >= max(_FEWEST, _SHARED * len(theirs)) else ""


@lru_cache(maxsize=512)
def _let_go(text: str) -> _LetGo:
    things: dict[str, str] = {}
    for found in _LET_GO.finditer(text.replace("`", "")):
        thing = found["thing"] or found["other"] or found["former"]
        for one in telling_words(thing):
            things.setdefault(one, thing.lower().rstrip(".:"))
    return _LetGo(things, frozenset(telling_words(text) if things else ()))
