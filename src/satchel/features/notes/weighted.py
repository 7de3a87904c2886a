"""Weighted front-matter search (reflect, `search-learnings`): no index, deterministic.

Each field scores its weight times the share of the question's words that it contains. Words are
compared from their beginning, without case.
"""

from __future__ import annotations

from collections.abc import Iterable

from satchel.core.values import NamedTuple
from satchel.engine.search.tokens import distinctive_words, words_of
from satchel.features.notes.rules import seconds_of
from satchel.features.notes.values import LearningNote

WEIGHTS = {"title": 100, "symptoms": 80, "key_insight": 60, "tags": 40, "content": 20}
#: From this length on a word also counts inside another one.
_LONG = 4


class WeightedMatch(NamedTuple):
    """A matching note, its score (at most 300), and the fields that matched."""

    note: LearningNote
    score: int
    matched: tuple[str, ...]


def weighted_search(
    notes: Iterable[LearningNote],
    question: str,
    *,
    tag: str = "",
    category: str = "",
    limit: int = 10,
    now: float = 0.0,
) -> list[WeightedMatch]:
    """Find notes by a question's words, best first; ties by title, then path.

    With `now`, Unix seconds, notes past their `forget_after` are left out.
    """
    asked = distinctive_words(question)
    found = []
    for note in notes:
        tagged = not tag or tag.lower() in (one.lower() for one in note.tags)
        if not (tagged and in_category(note.category, category)):
            continue
        forget = note.fields.get("forget_after")
        if now and forget is not None and (seconds_of(forget) or now + 1) <= now:
            continue
        one = _scored(note, asked)
        if one.score:
            found.append(one)
    found.sort(key=lambda one: (-one.score, one.note.title.lower(), one.note.path))
    return found[:limit]


def may_hold(question: str, raw: bytes) -> bool:
    """Return whether a file can contain a word of the question, to avoid parsing it."""
    text = raw.lower()
    asked = [word.encode() for word in distinctive_words(question)]
    # Lowercasing bytes works for ASCII only; other words are left to the parser.
    return any(not word.isascii() or word in text for word in asked)


def in_category(category: str, wanted: str) -> bool:
    """Return whether a category is or begins with the given one, such as `debugging`."""
    category, wanted = category.lower(), wanted.lower()
    return not wanted or category == wanted or category.startswith(wanted + "-")


def _scored(note: LearningNote, asked: list[str]) -> WeightedMatch:
    texts = {
        "title": note.title,
        "symptoms": "\n".join(note.symptoms),
        "key_insight": note.key_insight,
        "tags": " ".join(note.tags),
        "content": note.body,
    }
    score, matched = 0.0, []
    for field, weight in WEIGHTS.items():
        share = _share(asked, texts[field])
        if share:
            score += weight * share
            matched.append(field)
    return WeightedMatch(note, max(round(score), 1 if matched else 0), tuple(matched))


def _share(asked: list[str], text: str) -> float:
    if not asked or not text:
        return 0.0
    lower = text.lower()
    held = set(words_of(lower))
    found = sum(1 for word in asked if _holds(word, lower, held))
    return found / len(asked)


def _holds(word: str, lower: str, held: set[str]) -> bool:
    if word in held or (len(word) >= _LONG and word in lower):
        return True
    return any(one.startswith(word) for one in held) if word in lower else False
