"""Parses a task text: words by weight, paths, identifiers, scope. Pure."""

from __future__ import annotations

import re

from satchel.core.values import NamedTuple
from satchel.features.code.symbols.languages import language_of, words_in
from satchel.features.code.symbols.words import parts_of, question_words

#: Words for the kind of change, which are the same in every part of a program.
CHANGES = words_in(
    "add added adds adding fix fixes fixed fixing update updates updated updating remove "
    "removes removed removing change changes changed changing make makes made making "
    "implement implements implemented implementing improve improves improved improving "
    "refactor refactors refactored support supports supported supporting bump bumps merge "
    "create creates created creating allow allows allowed ensure ensures rename renames "
    "renamed introduce introduces introduced move moves moved revert reverts feat chore bug "
    "issue issues problem new use uses using instead need needs want wants please help show "
    "find tell explain work works working code file files function implemented class method "
    "let lets also etc correct correctly properly better cleanup clean handle handles "
    "handling feature pr request via"
)
_CONVENTIONAL = re.compile(
    r"^\s*(?:\w+)?\(([\w ./,*-]{1,60})\)!?:|^\s*([\w./-]{2,40}(?:, ?[\w./-]+)*):\s"
)
_TYPES = words_in(
    "feat fix chore docs doc test tests refactor perf style build ci revert bug bugfix hotfix wip "
    "note todo release security"
)
_PATH = re.compile(
    r"(?<![\w/.@+-])@?((?:[\w.@+-]+/)+[\w.@+-]*[\w+-]|"
    r"[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7})(?![\w/])"
)
_QUOTED = re.compile(r"`([^`\n]{2,80})`")
_IDENTIFIER = re.compile(
    r"\b(?:[a-z_$]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w*[a-z0-9A-Z]_[A-Za-z0-9]\w*|"
    r"[A-Za-z_]\w+(?=\())"
)
#: Most words to search for, the most telling ones first.
MOST_WORDS = 48
_LONG_TEXT = 6000


class Question(NamedTuple):
    """A task text, split into its parts.

    Attributes:
        words: word -> how much it counts, 1 to 3.
        paths: whatever looks like a path or a file name.
        identifiers: whatever is spelled like a name in code.
        scope: the part before the colon of a commit message: `cli` in `fix(cli): ...`.
        wants_tests: whether it mentions tests; `wants_docs` is the same for documentation.
    """

    text: str
    words: dict[str, int]
    paths: tuple[str, ...]
    identifiers: tuple[str, ...]
    scope: tuple[str, ...]
    wants_tests: bool
    wants_docs: bool


def take_apart(text: str) -> Question:
    """Parse a task text. The first line counts more, because the rest explains it."""
    text = text[:_LONG_TEXT]
    # A path's extension is not a word: a task about a.py is not about things named py.
    plain = _PATH.sub(_without_ending, text)
    first, _, rest = plain.strip().partition("\n")
    counted = question_words(plain)
    head = question_words(first)
    scope = scope_of(first)
    words: dict[str, int] = {}
    for word in sorted(counted, key=lambda w: (w not in head, w in CHANGES, -counted[w])):
        weight = 1 if word in CHANGES else 2
        if rest.strip() and word in head and word not in CHANGES:
            weight = 3
        words[word] = weight
    identifiers = list(dict.fromkeys(_IDENTIFIER.findall(text)))
    quoted = [q for q in _QUOTED.findall(text) if re.fullmatch(r"[\w.$:]+(\(\))?", q)]
    identifiers += [q.removesuffix("()").replace("::", ".").rsplit(".", 1)[-1] for q in quoted]
    lowered = set(counted)
    return Question(
        text,
        dict(list(words.items())[:MOST_WORDS]),
        tuple(dict.fromkeys(p.rstrip(".,:;") for p in _PATH.findall(text)))[:20],
        identifiers=tuple(dict.fromkeys(identifiers))[:30],
        scope=scope,
        wants_tests=bool(
            lowered & {"test", "tests", "spec", "specs", "testing", "coverage", "fixture"}
        ),
        wants_docs=bool(
            lowered & {"doc", "docs", "documentation", "readme", "changelog", "docstring"}
        ),
    )


def _without_ending(match: re.Match[str]) -> str:
    path = match.group()
    return path.rpartition(".")[0] if "." in path and language_of(path) else path


def scope_of(first_line: str) -> tuple[str, ...]:
    """Return the parts of a conventional scope or prefix: `fix(cli/login): x` gives cli, login."""
    match = _CONVENTIONAL.match(first_line)
    if not match:
        return ()
    given = re.split(r"[\s/,*]+", match.group(1) or match.group(2) or "")
    return tuple(p.lower() for p in given if len(p) > 1 and p.lower() not in _TYPES)[:4]


def expression(words: dict[str, int]) -> str:
    """Return an FTS5 query that matches any of the words; a double weight repeats a word."""
    terms: list[str] = []
    for word, weight in words.items():
        clean = "".join(c for c in word if c.isalnum())
        if clean:
            terms += [f'"{clean}"'] * weight
    return " OR ".join(terms)


def scope_words(scope: tuple[str, ...]) -> dict[str, int]:
    """Return a scope's words, to match paths."""
    return {part: 1 for one in scope for part in parts_of(one.replace("-", "_"))}
