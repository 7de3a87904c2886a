"""Searching the Markdown that lies in a work tree: plain BM25 over its sections, made on the spot.

No index is kept: research is asked rarely, and what a collection does not hold changes daily. For
documentation that is asked often, `satchel collection add` keeps an index.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Sequence

from satchel.application.research.values import DOCS, Finding
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.values import NamedTuple
from satchel.engine.markdown.chunks import chunks
from satchel.engine.search.tokens import coverage, distinctive_words, stem, words_of
from satchel.storage.safe_open import read_inside

TEXTS = (".md", ".markdown", ".rst", ".txt", ".adoc")
_SKIPPED = ("docs/solutions/", "research/", "node_modules/", "vendor/")
_MOST_FILES, _LARGEST = 2000, 262_144
#: BM25's usual constants (Robertson and Zaragoza 2009): saturation and length.
_K1, _B = 1.2, 0.75
_LEAST_COVERAGE = 0.34
_TEXT = 900


class _Passage(NamedTuple):
    path: str
    line: int
    title: str
    text: str
    words: Counter[str]


def search_documentation(
    root: str, paths: Sequence[str], question: str, *, limit: int
) -> list[Finding]:
    """Return the sections of a work tree's texts that answer a question, best first.

    Args:
        root: of the work tree.
        paths: of its files, below the root.
        question: any text.
        limit: how many sections, at most one for each heading.
    """
    wanted = {stem(word) for word in distinctive_words(question)}
    if not wanted:
        return []
    passages = [passage for path in _texts(paths) for passage in _passages(root, path)]
    if not passages:
        return []
    lengths = [sum(passage.words.values()) for passage in passages]
    mean = sum(lengths) / len(lengths) or 1.0
    held = {word: sum(word in p.words for p in passages) for word in wanted}
    scored = []
    for passage, length in zip(passages, lengths, strict=True):
        score = sum(
            math.log(1 + (len(passages) - held[word] + 0.5) / (held[word] + 0.5))
            * passage.words[word]
            * (_K1 + 1)
            / (passage.words[word] + _K1 * (1 - _B + _B * length / mean))
            for word in wanted
            if passage.words[word]
        )
        if score > 0 and coverage(question, f"{passage.title} {passage.text}") >= _LEAST_COVERAGE:
            scored.append((score, passage))
    scored.sort(key=lambda one: (-one[0], one[1].path, one[1].line))
    return [
        Finding(DOCS, p.title or p.path, p.text[:_TEXT], f"{p.path}:{p.line}", round(score, 3))
        for score, p in scored[:limit]
    ]


def _texts(paths: Sequence[str]) -> list[str]:
    return [
        path for path in paths if path.lower().endswith(TEXTS) and not path.startswith(_SKIPPED)
    ][:_MOST_FILES]


def _passages(root: str, path: str) -> list[_Passage]:
    try:
        data = read_inside(root, os.path.join(root, path), most=_LARGEST)
    except (NotFoundError, BadInputError):
        return []
    text = data.decode("utf-8", "replace")
    found = []
    for piece in chunks(text):
        body = text[piece.start : piece.end].strip()
        title = " > ".join(piece.headings[-2:])
        words = Counter(stem(word) for word in words_of(f"{title} {title} {body}"))
        line = text.count("\n", 0, piece.start) + 1
        found.append(_Passage(path, line, title, body, words))
    return found
