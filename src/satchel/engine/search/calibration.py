"""Calibrates a store with unrelated prompts, and stores the result in its index.

The prompts are our own texts about the work of many projects, alone, in pairs and in parts, so that
some are short and some long. Whatever they find is chance, however many memories there are.
"""

from __future__ import annotations

import os
from math import log

from satchel.core import quick_json
from satchel.engine.ranking.relevance import (
    Calibration,
    Signals,
    as_data,
    calibrated,
    from_data,
    signals_of,
    typical,
)
from satchel.engine.search.index import Index
from satchel.engine.search.tokens import COMMON, code_words, distinctive_words, meaning, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from satchel.engine.search.contracts import SearchIndex
    from satchel.engine.search.documents import Hit, View
    from satchel.storage.database.contract import Database

#: Most matches of a prompt to judge.
LOOKED_AT = 12
#: Stores up to this size cannot tell how common a word is; imaginary documents to add.
FEW, _IMAGINED = 50, 200
_K1, _B = 1.2, 0.75
#: Most words of a prompt to search for: see `match_expression`.
_MOST_WORDS = 96
#: A store is recalibrated after changing by this share of its size.
_CHANGED = 0.2
#: The key of the calibration among the index's metadata.
_NAME = "relevance"


def length_of(prompt: str) -> int:
    """Return the number of significant words in a prompt."""
    return min(_MOST_WORDS, len(distinctive_words(prompt)))


def matches(index: SearchIndex, view: View, prompt: str, documents: int) -> list[Hit]:
    """Return a prompt's keyword matches, best first, with meaningful BM25 scores.

    Args:
        documents: in the store when it was calibrated. A few cannot tell how common a word is, so
            all matches are read, and rarity is smoothed.
    """
    few = documents <= FEW
    limit = FEW if few else LOOKED_AT
    hits = index.search(prompt, view, limit=limit)
    if not few:
        return hits
    texts = [_text(hit) for hit in hits]
    scores = scores_of_few(prompt, texts, documents)
    scored = [hit._replace(score=one) for hit, one in zip(hits, scores, strict=True)]
    return sorted(scored, key=lambda hit: -hit.score)[:LOOKED_AT]


def scores_of_few(prompt: str, texts: Sequence[str], documents: int) -> list[float]:
    """Return BM25 scores, given that only these texts match the prompt.

    A word's rarity counts the store and some imaginary texts without the word.
    """
    asked = {meaning(word) for word in distinctive_words(prompt)}
    held = [[meaning(w) for w in (*words_of(t), *code_words(t)) if w not in COMMON] for t in texts]
    mean = sum(map(len, held)) / max(1, len(held)) or 1.0
    counts = {word: sum(word in words for words in map(set, held)) for word in asked}
    every = max(documents, len(texts)) + _IMAGINED
    rarity = {w: log(1 + (every - n + 0.5) / (n + 0.5)) for w, n in counts.items()}
    scores = []
    for words in held:
        damping = _K1 * (1 - _B + _B * len(words) / mean)
        times = {word: words.count(word) for word in asked.intersection(words)}
        scores.append(sum(rarity[w] * n * (_K1 + 1) / (n + damping) for w, n in times.items()))
    return scores


def _text(hit: Hit) -> str:
    return f"{hit.document.title} {hit.document.content}"


def signals_for(hits: Sequence[Hit], length: int, alike: Mapping[int, float]) -> list[Signals]:
    """Return each hit's signals for a prompt of this length.

    Args:
        alike: share of equal bits with the prompt's code, by row, for those with a code.
    """
    return [
        signals_of(hit.score, length, len(_text(hit).split()), alike.get(hit.number))
        for hit in hits
    ]


def calibrate(index: SearchIndex, view: View, code: Callable[[str], bytes] | None) -> Calibration:
    """Run the unrelated prompts on a store and measure its chance level."""
    documents, asked = size_of(index.database), []
    for prompt in unrelated_prompts():
        length = length_of(prompt)
        hits = matches(index, view, prompt, documents)
        rows = [hit.number for hit in hits]
        alike = {} if code is None or not hits else index.code_likeness(code(prompt), rows)
        asked.append((length, signals_for(hits, length, alike)))
    return calibrated(documents, asked)


def unrelated_prompts() -> list[str]:
    """Return the unrelated prompts: sentences, pairs of them, paragraphs."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "unrelated_prompts.txt")
    with open(path, encoding="utf-8") as file:
        paragraphs = file.read().splitlines()
    prompts = []
    for number, paragraph in enumerate(paragraphs):
        sentences = paragraph.replace("? ", "?\n").replace(". ", ".\n").split("\n")
        prompts += [sentences[number % len(sentences)], " ".join(sentences[:2]), paragraph]
        if number % 2:
            prompts.append(f"{paragraphs[number - 1]}\n\n{paragraph}")
    return prompts


def chance_in(index: SearchIndex) -> Calibration:
    """Return a store's chance levels: as measured, or as typical for its size.

    On a team's server it is not stored.
    """
    known = known_calibration(index.database) if isinstance(index, Index) else None
    return known or typical(index.size())


def size_of(database: Database) -> int:
    """Count the documents of an index."""
    return int(database.read("SELECT COUNT(*) FROM documents")[0][0] or 0)


def is_stale(database: Database) -> bool:
    """Return whether a store was never calibrated, or has changed much since."""
    known, count = known_calibration(database), size_of(database)
    return known is None or abs(count - known.documents) > _CHANGED * known.documents


def known_calibration(database: Database) -> Calibration | None:
    """Return a store's saved calibration, or None."""
    rows = database.read("SELECT value FROM meta WHERE name = ?", (_NAME,))
    if not rows:
        return None
    try:
        return from_data(quick_json.loads(str(rows[0][0])))
    except ValueError:
        return None


def keep(database: Database, calibration: Calibration) -> None:
    """Save a calibration in the index it describes."""
    data = quick_json.dumps(as_data(calibration))
    with database.transaction():
        database.write("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_NAME, data))
