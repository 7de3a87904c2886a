"""Answers questions from identity files: who am I, what are my preferences."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.engine.search.tokens import coverage, stem, words_of
from satchel.features.agents.decisions import tables
from satchel.features.agents.souls import parts_of
from satchel.features.agents.values import (
    DECISIONS,
    IDENTITY,
    MEMORY,
    SOUL,
    USER,
    IdentityFile,
    IdentityHit,
    is_untouched,
)

#: Words -> files that a question with them is about, the likeliest first.
_ABOUT = (
    (("decide", "decision", "decided", "rationale", "why"), (DECISIONS,)),
    (("preference", "preferences", "prefer", "settings", "setting", "timezone"), (USER, MEMORY)),
    (
        ("who", "role", "personality", "identity", "soul", "boundaries", "capabilities", "mission"),
        (SOUL, IDENTITY, USER),
    ),
    (("user", "me"), (USER,)),
    (("remember", "memory", "fact", "facts", "routing"), (MEMORY,)),
)
_LEAST = 0.34
#: A file that the question names by its subject, before any word of it is compared.
_NAMED = 0.5
_EXCERPT = 1200


def files_for(question: str) -> tuple[str, ...]:
    """Return the labels of files relevant to a question, most likely first."""
    words = set(words_of(question))
    found: dict[str, None] = {}
    for names, labels in _ABOUT:
        if words & set(names):
            found.update(dict.fromkeys(labels))
    return tuple(found)


def answers(
    question: str, agent: str, files: Sequence[IdentityFile], limit: int
) -> list[IdentityHit]:
    """Return the sections that answer, best first.

    "Who am I" is answered by the beginning of SOUL.md whatever words it has; other questions by
    the sections that hold their words, those of the files that they are about first.
    """
    labels = files_for(question)
    found = []
    for file in files:
        named = _NAMED * (1 - labels.index(file.label) / 10) if file.label in labels else 0.0
        for number, part in enumerate(parts_of(file.text)):
            share = coverage(question, f"{part.title} {part.text}")
            titled = 0.2 if _shares_word(question, part.title) else 0.0
            first = 0.05 if number <= 1 else 0.0
            if not _says_something(part.text) or (share < _LEAST and not named):
                continue
            score = min(1.0, named + first + titled + share * (1 - _NAMED))
            text = part.text[:_EXCERPT]
            found.append(IdentityHit(agent, file.label, file.path, part.title, text, score))
    found.sort(key=lambda hit: -hit.score)
    return found[:limit]


def _says_something(text: str) -> bool:
    """Return whether a section contains more than an empty table."""
    if not text or any(table.rows for table in tables(text)):
        return bool(text)
    if is_untouched(text):
        return False
    return any(line.strip() and not line.lstrip().startswith("|") for line in text.split("\n"))


def _shares_word(question: str, title: str) -> bool:
    asked = {stem(word) for word in words_of(question)}
    return any(stem(word) in asked for word in words_of(title))
