"""Analyzes a question before the search: its sentences, and whether it names a time."""

from __future__ import annotations

import re

#: Most words of a short question, as many as late interaction can handle.
SHORT = 32
#: The end of a sentence or line; the least words of a part, and the most parts of a question.
_SENTENCE_ENDS = re.compile(r"(?<=[.!?:;])\s+|\n+")
_LEAST_WORDS, _MOST_PARTS = 8, 8


def parts_of(question: str) -> list[str]:
    """Return a long question's sentences, short ones joined; [] for a short question."""
    if len(question.split()) <= SHORT:
        return []
    parts: list[str] = []
    held = ""
    for sentence in _SENTENCE_ENDS.split(question):
        held = f"{held} {sentence}".strip()
        if len(held.split()) >= _LEAST_WORDS:
            parts.append(held)
            held = ""
    parts += [held] if held else []
    each = -(-len(parts) // _MOST_PARTS)
    return [" ".join(parts[at : at + each]) for at in range(0, len(parts), each)]


#: Every time expression contains a number, a word of time, or the name of a month or day.
_TIME = re.compile(
    r"\b(?:\d|ago|back|earlier|last|past|previous|this|current|today|tonight|now|recently)"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|day\b",
    re.IGNORECASE,
)


def may_name_time(question: str) -> bool:
    """Return whether a question may contain a time; parsing one loads a calendar."""
    return _TIME.search(question) is not None
