"""Entity names: when two spellings mean the same. Pure, without heavy imports."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from satchel.engine.markdown import sidecars
from satchel.engine.search.tokens import stem, words_of

_ARTICLES = ("the", "a", "an")
#: Longest name that is kept, characters.
LONGEST_NAME = sidecars.LONGEST_NAME


@lru_cache(maxsize=262_144)
def normal(name: str) -> str:
    """Normalize a name: lower-case words without an article.

    Names without a letter or a digit keep their characters: `++` is not `--`, and `C++`, `C#`
    and `C` are three names.
    """
    text = name.lower()
    if not text.isascii():
        # Lower case first and again after: each may undo the other.
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    if text.endswith(("+", "#")) and " " not in text:
        return text
    words = words_of(text)
    while len(words) > 1 and words[0] in _ARTICLES:
        del words[0]
    return " ".join(words) or " ".join(text.split())


def tokens(name: str) -> frozenset[str]:
    """Return the stems of a normalized name's words."""
    return frozenset(map(stem, name.split()))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the Jaccard similarity of two names' words, 0 to 1."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0
