"""Whether one statement denies what another says, clause by clause. Pure.

"Never log request bodies" denies "log request bodies at debug level" but not "log the request id":
everything it refuses must be said. An inability ("ruff 0.0.x does not know ...") denies only nearly
the same statement without "not".
"""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.engine.statements.chosen_things import VERBS, sentences

_NEGATIONS = frozenset(
    "not never no don't dont cannot can't mustn't shouldn't doesn't isn't aren't won't stop"
    " avoid forbid forbidden disallow disallowed nie nicht kein keine".split()
)
_DUTY = frozenset("must should shall may we you please".split())
_DONT = frozenset(("never", "don't", "dont"))
_REASONS = frozenset("because since but weil".split())
_ENDINGS = ("ing", "ed", "s")
_SHARE, _FEWEST = 0.6, 2
#: Words that tell nothing.
_PLAIN = frozenset(
    "a an and are as at be been but by can could for from had has have he here how i if in"
    " into is it its just more most my no now of on only or our out over she so some such than"
    " that the their them then there these they this those to too up us was we were what when"
    " where which while who why will with would you your do does did done always every any all"
    " use uses used using please may might must should".split()
)


class Clause(NamedTuple):
    """A sentence's words outside what it denies, those it denies, and its first word.

    A fact denies a sentence as a whole: `denies` then holds its subject, too. `only` is the single
    refused word, as in "merge, never rebase".
    """

    says: frozenset[str]
    denies: frozenset[str]
    first: str
    fact: bool = False
    only: str = ""


class Clauses(NamedTuple):
    """A statement's clauses, and all words they say or deny: most pairs share none."""

    every: tuple[Clause, ...]
    says: frozenset[str]
    denies: frozenset[str]


def clauses_of(text: str) -> Clauses:
    """Return what each sentence says and denies."""
    every = tuple(_clause([word.lower() for word in words]) for words in sentences(text) if words)
    says = frozenset().union(*(one.says for one in every))
    return Clauses(every, says, frozenset().union(*(one.denies for one in every)))


def denied(one: Clauses, other: Clauses) -> bool:
    """Return whether a sentence of one denies a sentence of the other."""
    return any(
        _denies(clause, said)
        for mine, theirs in ((one, other), (other, one))
        if not mine.denies.isdisjoint(theirs.says)
        for clause in mine.every
        for said in theirs.every
    )


def _clause(words: list[str]) -> Clause:
    at = next((at for at, word in enumerate(words) if word in _NEGATIONS), -1)
    if at < 0:
        return Clause(_roots(words), frozenset(), _first(words))
    ends = (i for i in range(at + 1, len(words)) if words[i] == "," or words[i] in _REASONS)
    end = next(ends, len(words))
    if words[at] == "not" and at and words[at - 1] in (",", "and", "but"):
        # A choice over something denies no sentence; `chosen_things` compares it.
        return Clause(_roots([*words[:at], *words[end:]]), frozenset(), _first(words))
    begin = next((i for i in range(at, -1, -1) if words[i] == ","), -1) + 1
    subject = words[begin:at]
    fact = bool(_roots(subject)) and _DUTY.isdisjoint(subject)
    denies = _roots(words[begin if fact else at + 1 : end])
    only = words[at + 1] if end == at + 2 and words[at] in _DONT else ""
    return Clause(_roots([*words[:begin], *words[end:]]), denies, _first(words), fact, only)


def _denies(denying: Clause, saying: Clause) -> bool:
    refused, said = denying.denies, saying.says
    if not refused or saying.denies:
        return False
    both = refused & said
    things = both - _VERBS
    if not things or ((refused - said) and (said - refused)):
        return False
    if denying.fact:
        return len(both) >= _SHARE * max(len(refused), len(said)) and len(both) >= _FEWEST
    if len(both) < _FEWEST:
        return bool(denying.only) and denying.only == saying.first
    return len(both) >= _SHARE * len(refused)


def _first(words: list[str]) -> str:
    return words[0] if _root(words[0]) else ""


def _roots(words: list[str]) -> frozenset[str]:
    return frozenset(filter(None, map(_root, words)))


def _root(word: str) -> str:
    """Return a word without its ending; "" for an insignificant one."""
    if word in _PLAIN or word in _NEGATIONS or not any(map(str.isalnum, word)):
        return ""
    if not word.isalpha():
        return word
    end = next((end for end in _ENDINGS if word.endswith(end) and len(word) > len(end) + 2), "")
    root = word.removesuffix(end)[:6].rstrip("e")
    return root[:-1] + "i" if root.endswith("y") else root  # "body", "bodies"


_VERBS = frozenset(map(_root, VERBS)) - {""}
