"""Words of code in the map's index: identifiers whole and in parts, with counts."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise

from satchel.engine.search.tokens import COMMON, code_words, words_of

_RUN = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*|[^\W\d_]+|\d{2,}")
_PART = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")
_HUMP = re.compile(r"([a-z0-9])([A-Z])")
_JOINTS = str.maketrans("_/-.", "    ")
#: A word counts at most this often: BM25 flattens beyond, and the index stays small.
_MOST_OF_ONE = 12
_LONGEST = 64
#: Nobody searches for a word this long that alternates between letters and digits this often.
_KEY, _CHANGES_OF_KEY = 16, 4


@lru_cache(maxsize=100_000)
def parts_of(identifier: str) -> tuple[str, ...]:
    """Return an identifier's index terms: the whole without `_`, and its parts.

    `parseHttpURL` gives parsehttpurl, parse, http, url; `max_tokens` gives maxtokens, max, tokens.
    """
    plain = identifier.strip("_$")
    if not plain.isascii():
        return _foreign_parts(plain)
    whole = plain.replace("_", "").replace("$", "").lower()
    if len(plain) > _LONGEST or not whole:
        return (whole[:_LONGEST],) if whole else ()
    if whole == plain:
        return (whole,)
    joined = (part.lower() for part in plain.replace("$", "_").split("_") if part)
    return tuple(dict.fromkeys([whole, *joined, *map(str.lower, _PART.findall(plain))]))


def _foreign_parts(plain: str) -> tuple[str, ...]:
    """Return the index terms of an identifier in letters of any script."""
    whole = "".join(words_of(plain))[:_LONGEST]
    parts = words_of(plain.replace("_", " ")) + code_words(plain)
    return tuple(dict.fromkeys([whole, *parts])) if whole else ()


def index_words(text: str) -> str:
    """Return a text's words for the index, repeated as they occur up to a limit."""
    out: list[str] = []
    for word, count in Counter(_RUN.findall(text)).items():
        if len(word) > 1 and not _is_key(word):
            out += parts_of(word) * min(count, _MOST_OF_ONE)
    return " ".join(out)


def _is_key(word: str) -> bool:
    """Return whether a word is a key or hash: long, letters mixed with digits, no words."""
    if len(word) < _KEY or word.isalpha():
        return False
    return sum(a.isdigit() != b.isdigit() for a, b in pairwise(word)) >= _CHANGES_OF_KEY


def name_words(names: list[str]) -> str:
    """Return the words of names, each name once."""
    out: list[str] = []
    for name in names:
        for part in _RUN.findall(name):
            out += parts_of(part)
    return " ".join(out)


def path_words(path: str) -> str:
    """Return the words of a path; the file's own name counts twice."""
    name = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return name_words([path, name])


def in_words(name: str) -> str:
    """Return a name or path in words: `parseURL` is parse URL."""
    return _HUMP.sub(r"\1 \2", name.translate(_JOINTS))


def question_words(text: str) -> Counter[str]:
    """Return a question's words with counts, without stop words unless all are."""
    counted: Counter[str] = Counter()
    for word in _RUN.findall(text):
        if len(word) > 1:
            counted.update(parts_of(word))
    telling = Counter({word: count for word, count in counted.items() if word not in COMMON})
    return telling or counted
