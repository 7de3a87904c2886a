"""Does one statement repeat, or contradict, another? By words alone, so always the same. Pure.

Says "the same" where nearly all words agree, and "against" where two statements speak of the same
and differ in a negation, in opposite words, in a number, or in the one word that they are about.
"""

from __future__ import annotations

from collections.abc import Iterable

from satchel.core.values import NamedTuple

SAME, AGAINST = "same", "against"

_SAME_SHARE = 0.8
_SUBJECT_SHARE = 0.6
_FEWEST = 2
_STEM = 6
_NEGATIONS = frozenset(
    "not never no don't dont avoid without stop cannot can't forbid forbidden disallow disallowed"
    " mustn't shouldn't doesn't isn't nie nicht kein keine".split()
)
_FILLING = frozenset(
    "a an the is are be to of in on for and or with this that it we you i our your please always"
    " must should shall will use using used do does all every any when if as at by from into"
    " remember note prefer preferred keep make sure need needs have has rule".split()
)
_PAIRS = (
    ("tabs", "spaces"),
    ("tab", "space"),
    ("single", "double"),
    ("before", "after"),
    ("enable", "disable"),
    ("enabled", "disabled"),
    ("allow", "forbid"),
    ("allowed", "forbidden"),
    ("on", "off"),
    ("true", "false"),
    ("first", "last"),
    ("sync", "async"),
    ("always", "never"),
    ("include", "exclude"),
    ("add", "remove"),
    ("merge", "rebase"),
    ("camelcase", "snake_case"),
    ("let", "const"),
    ("required", "optional"),
    ("public", "private"),
    ("with", "without"),
    ("use", "avoid"),
    ("upper", "lower"),
    ("uppercase", "lowercase"),
    ("more", "less"),
    ("above", "below"),
    ("yes", "no"),
    ("ascending", "descending"),
    ("mutable", "immutable"),
)
_OPPOSITE = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}


class Rule(NamedTuple):
    """A statement that is there already: where it stands, and its text."""

    path: str
    line: int
    text: str


class Clash(NamedTuple):
    """A rule that says the same or the contrary, and why it is taken for that."""

    what: str
    rule: Rule
    why: str


def clashes(entry: str, rules: Iterable[Rule]) -> list[Clash]:
    """Return the rules that an entry repeats or contradicts, in their order."""
    found = []
    words = _words(entry)
    for rule in rules:
        told = _against(words, _words(rule.text))
        if told:
            found.append(Clash(told[0], rule, told[1]))
    return found


def _words(text: str) -> list[str]:
    lowered = text.lower().replace("\u2019", "'")
    kept = "".join(c if c.isalnum() or c in "_'./+#" else " " for c in lowered)
    return [word.strip("'./") for word in kept.split() if word.strip("'./")]


def _against(new: list[str], old: list[str]) -> tuple[str, str] | None:
    mine, theirs = set(new), set(old)
    telling_mine, telling_theirs = _telling(mine), _telling(theirs)
    if not telling_mine or not telling_theirs:
        return None
    negated = bool(mine & _NEGATIONS) != bool(theirs & _NEGATIONS)
    shared = telling_mine & telling_theirs
    every = telling_mine | telling_theirs
    opposed = [w for w in sorted(mine - theirs) if _OPPOSITE.get(w) in theirs - mine]
    only_mine, only_theirs = telling_mine - telling_theirs, telling_theirs - telling_mine
    smaller = min(len(telling_mine), len(telling_theirs))
    near = len(shared) / smaller >= _SUBJECT_SHARE
    if negated and near:
        return AGAINST, "one of them negates"
    if opposed and (near or len(shared) >= 1):
        return AGAINST, f"`{opposed[0]}` against `{_OPPOSITE[opposed[0]]}`"
    numbers = ({w for w in only if _is_number(w)} for only in (only_mine, only_theirs))
    mine_numbers, their_numbers = numbers
    rest = (only_mine | only_theirs) - mine_numbers - their_numbers
    if mine_numbers and their_numbers and shared and len(rest) <= len(shared):
        one, other = min(mine_numbers), min(their_numbers)
        return AGAINST, f"{one} against {other}"
    if not negated and len(shared) / len(every) >= _SAME_SHARE and not only_mine:
        return SAME, "nearly every word agrees"
    # Not using one thing and not using another exclude nothing.
    both_negate = bool(mine & _NEGATIONS) and bool(theirs & _NEGATIONS)
    if not negated and not both_negate and len(only_mine) == len(only_theirs) == 1:
        differing = _only_difference(new, old)
        if differing:
            return AGAINST, f"`{differing[0]}` against `{differing[1]}`"
    if not negated and len(shared) / len(every) >= _SAME_SHARE:
        return SAME, "nearly every word agrees"
    return None


def _telling(words: set[str]) -> set[str]:
    """Return the beginnings of the words that say something: `indent` is in `indentation`."""
    return {_stem(word) for word in words - _FILLING - _NEGATIONS}


def _stem(word: str) -> str:
    return word[:_STEM] if word.isalpha() else word


def _is_number(word: str) -> bool:
    return word[:1].isdigit()


def _only_difference(new: list[str], old: list[str]) -> tuple[str, str] | None:
    """Return the words in which two sentences differ that are otherwise the same."""
    if len(new) != len(old) or len(new) <= _FEWEST:
        return None
    pairs = [(a, b) for a, b in zip(new, old, strict=True) if a != b]
    return pairs[0] if len(pairs) == 1 else None
