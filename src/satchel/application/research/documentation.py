"""Searches a work tree's Markdown by paragraph, by words and meaning.

No index is kept: research is rare, and files outside collections change daily. For frequently
searched documentation, `satchel docs add` keeps an index.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Sequence

from satchel.application.research.paragraphs import ROW, Paragraph, paragraphs
from satchel.application.research.values import DOCS, Finding
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.values import NamedTuple
from satchel.engine.inference.static import StaticTable
from satchel.engine.search.tokens import coverage, distinctive_words, stem, words_of
from satchel.storage.safe_open import read_inside

TEXTS = (".md", ".markdown", ".rst", ".txt", ".adoc")
_SKIPPED = ("docs/solutions/", "research/", "node_modules/", "vendor/")
_MOST_FILES, _LARGEST = 2000, 262_144
#: Most paragraphs to compare by meaning; with more, those with the question's words.
_MOST_COMPARED = 20_000
#: BM25's usual constants (Robertson and Zaragoza 2009): saturation and length.
_K1, _B = 1.2, 0.75
#: Weights of a word in the heading, of a section's best paragraph for its others, of meaning
#: besides words, of a section's meaning besides its paragraph's, and of a table row, which explains
#: less than a sentence. Measured by benchmarks/abstention.py's questions.
_HEADING, _SECTION, _MEANING, _AROUND, _OF_A_ROW = 0.5, 0.3, 1.5, 0.5, 0.85
_LEAST_COVERAGE = 0.34
#: Of 60 unrelated questions, 53 find nothing this good (benchmarks).
_LEAST_SCORE = 1.2
#: The share of the best score that other paragraphs must reach.
_BESIDE_THE_BEST = 0.6
_TEXT = 900
_TINY = 1e-9


class _Passage(NamedTuple):
    path: str
    at: Paragraph
    words: Counter[str]
    heading: frozenset[str]

    @property
    def section(self) -> tuple[str, str]:
        return self.path, self.at.title

    @property
    def text(self) -> str:
        return f"{self.at.title}. {self.at.text}"


def search_documentation(
    root: str, paths: Sequence[str], question: str, *, limit: int, table: StaticTable | None = None
) -> list[Finding]:
    """Return the paragraphs that answer a question, best first.

    Args:
        limit: how many paragraphs, at most one for each heading.
        table: for comparing by meaning; None to compare only by words.
    """
    wanted = {stem(word) for word in distinctive_words(question)}
    passages = [passage for path in _texts(paths) for passage in _passages(root, path)]
    if not wanted or not passages:
        return []
    by_words = _by_words(passages, wanted)
    near = None
    if table is not None and len(passages) <= _MOST_COMPARED:
        near = _nearness(passages, question, table)
    best: dict[tuple[str, str], tuple[float, _Passage]] = {}
    for number, passage in enumerate(passages):
        if near is None and coverage(question, passage.text) < _LEAST_COVERAGE:
            continue
        score = by_words[number] + (_MEANING * near[number] if near else 0.0)
        score *= _OF_A_ROW if passage.at.text[0] == ROW else 1.0
        if score > best.get(passage.section, (0.0,))[0]:
            best[passage.section] = (score, passage)
    found = sorted(best.values(), key=lambda one: (-one[0], one[1].path, one[1].at.line))
    if not found or (near is not None and found[0][0] < _LEAST_SCORE):
        return []
    least = _BESIDE_THE_BEST * found[0][0]
    return [
        Finding(DOCS, p.at.title or p.path, p.at.text[:_TEXT], f"{p.path}:{p.at.line}", round(s, 3))
        for s, p in found[:limit]
        if s >= least
    ]


def _by_words(passages: Sequence[_Passage], wanted: set[str]) -> list[float]:
    """Return each paragraph's BM25 score with its heading, 0 to 1, plus part of its section's."""
    count = len(passages)
    mean = sum(sum(p.words.values()) for p in passages) / count or 1.0
    held = {word: sum(word in p.words or word in p.heading for p in passages) for word in wanted}
    rarity = {word: math.log(1 + (count - n + 0.5) / (n + 0.5)) for word, n in held.items()}
    most = sum(rarity.values()) * (_K1 + 1)
    scores, sections = [], dict[tuple[str, str], float]()
    for passage in passages:
        long = _K1 * (1 - _B + _B * sum(passage.words.values()) / mean)
        score = 0.0
        for word in wanted:
            often = passage.words[word] + _HEADING * (word in passage.heading)
            score += rarity[word] * often * (_K1 + 1) / (often + long)
        scores.append(score / most)
        sections[passage.section] = max(scores[-1], sections.get(passage.section, 0.0))
    return [
        score + _SECTION * sections[passage.section]
        for score, passage in zip(scores, passages, strict=True)
    ]


def _nearness(passages: Sequence[_Passage], question: str, table: StaticTable) -> list[float]:
    """Return each paragraph's semantic similarity to the question, in its section."""
    import numpy as np

    sums = table.sums_of_many([question, *(passage.text for passage in passages)]).astype(float)
    asked, rows = sums[0], sums[1:]
    numbers: dict[tuple[str, str], int] = {}
    place = [numbers.setdefault(passage.section, len(numbers)) for passage in passages]
    around = np.zeros((len(numbers), rows.shape[1]))
    np.add.at(around, place, rows)

    near, wide = (
        np.maximum(0.0, of @ asked)
        / np.maximum(np.linalg.norm(of, axis=1) * np.linalg.norm(asked), _TINY)
        for of in (rows, around)
    )
    return [float(one) for one in near + _AROUND * wide[place]]


def _texts(paths: Sequence[str]) -> list[str]:
    return [
        path for path in paths if path.lower().endswith(TEXTS) and not path.startswith(_SKIPPED)
    ][:_MOST_FILES]


def _passages(root: str, path: str) -> list[_Passage]:
    try:
        data = read_inside(root, os.path.join(root, path), most=_LARGEST)
    except (NotFoundError, BadInputError):
        return []
    name = os.path.basename(path).rpartition(".")[0]
    found = []
    for one in paragraphs(data.decode("utf-8", "replace")):
        heading = frozenset(stem(word) for word in words_of(f"{one.title} {name}"))
        words = Counter(stem(word) for word in words_of(one.text))
        found.append(_Passage(path, one, words, heading))
    return found
