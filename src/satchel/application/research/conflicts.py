"""Finds contradictions between sources. By words only, so that results are deterministic.

A false conflict costs more trust than a missed one, so two sentences must say nearly the same and
differ in one thing; benchmarks/research_conflicts.py measures how often that is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from satchel.application.research.paragraphs import ROW, paragraphs
from satchel.application.research.values import CODE, Conflict, Finding
from satchel.core.values import NamedTuple
from satchel.engine.search.tokens import COMMON, stem
from satchel.engine.statements.contradictions import Rule, chosen_otherwise
from satchel.engine.statements.opposites import OPPOSITE
from satchel.engine.statements.subject_words import NEGATIONS

_MOST = 8
_SENTENCES = 12
_FEWEST_WORDS, _MOST_WORDS = 3, 24
#: Most words of a mere choice; fewest words that two must share, and their share of the longer one.
_CHOICE_WORDS, _SHARED, _SHARE = 8, 2, 0.5
#: Fewest words that two share if they differ only in the last word.
_SHARED_BUT_ONE = 3


def conflicts_between(findings: Sequence[Finding]) -> list[Conflict]:
    """Return contradictory sentences of different findings, each pair once.

    Code states nothing: its comments contradict no finding.
    """
    said = [
        (finding, _statement(sentence))
        for finding in findings
        if finding.source != CODE
        for sentence in _sentences(finding.text)
    ]
    found: list[Conflict] = []
    told: set[tuple[str, str]] = set()
    for (one, mine), (other, theirs) in combinations(said, 2):
        pair = (mine.text.lower(), theirs.text.lower())
        if other is one or other.place == one.place or pair in told:
            continue
        why = _exclusive(mine, theirs)
        if why:
            told.add(pair)
            found.append(Conflict(one, mine.text, other, theirs.text, why))
            if len(found) >= _MOST:
                return found
    return found


class _Statement(NamedTuple):
    """A sentence's subject, its numbers, whether it negates, its words in order."""

    text: str
    about: frozenset[str]
    numbers: frozenset[str]
    negated: bool
    words: tuple[str, ...]


def why_exclusive(one: str, other: str) -> str:
    """Return why two sentences exclude each other; "" if they do not."""
    return _exclusive(_statement(one), _statement(other))


def _exclusive(mine: _Statement, theirs: _Statement) -> str:
    if max(len(mine.words), len(theirs.words)) <= _CHOICE_WORDS:
        chosen = chosen_otherwise(mine.text, Rule("", 0, theirs.text))
        if chosen:
            return chosen
    differences = list(filter(None, _differences(mine, theirs)))
    # Two differences may cancel out: "public: no token" and "private: a token".
    return differences[0] if len(differences) == 1 else ""


def _differences(mine: _Statement, theirs: _Statement) -> Iterator[str]:
    shared = mine.about & theirs.about
    if len(shared) < _SHARED:
        return
    only, others = mine.about - theirs.about, theirs.about - mine.about
    opposed = {word for word in only if _opposite(word) in others}
    only, others = only - opposed, others - {_opposite(word) for word in opposed}
    longer = max(len(mine.about), len(theirs.about))
    # Words missing from the other's subject on both sides mean different subjects.
    same = not (only and others) and len(shared) >= _SHARE * longer
    if same and opposed:
        word = min(opposed)
        yield f"`{word}` against `{_opposite(word)}`"
    if same and mine.negated != theirs.negated:
        yield "one of them negates"
    if same and mine.numbers and theirs.numbers and not mine.numbers & theirs.numbers:
        yield f"{min(mine.numbers)} against {min(theirs.numbers)}"
    last = len(mine.words) == len(theirs.words) and mine.words[:-1] == theirs.words[:-1]
    if last and only and others and len(shared) >= _SHARED_BUT_ONE:
        yield f"`{mine.words[-1]}` against `{theirs.words[-1]}`"


def _statement(text: str) -> _Statement:
    words = [word.strip("'\"`.,:;()[]*_") for word in text.lower().replace("\u2019", "'").split()]
    words = [word for word in words if word]
    numbers = frozenset(word for word in words if word[0].isdigit())
    telling = {_root(word) for word in words} - COMMON - NEGATIONS - numbers
    negated = bool(NEGATIONS & set(words))
    return _Statement(text, frozenset(telling), numbers, negated, tuple(words))


def _root(word: str) -> str:
    return word if word in OPPOSITE or not word.isalpha() else stem(word)


def _opposite(word: str) -> str:
    return OPPOSITE.get(word, "")


def _sentences(text: str) -> Iterator[str]:
    """Yield the first sentences that are statements: no code, headings or tables."""
    given = 0
    for one in paragraphs(text):
        if one.text.startswith(ROW):
            continue
        joined = " ".join(one.text.split()).lstrip("-*+> ").replace("**", "")
        for part in joined.replace("; ", ". ").split(". "):
            words = len(part.split())
            if _FEWEST_WORDS <= words <= _MOST_WORDS and not part.endswith(("?", ":")):
                yield part.strip().rstrip(".")
                given += 1
                if given >= _SENTENCES:
                    return
