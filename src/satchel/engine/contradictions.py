"""Does one statement repeat, or contradict, another? By words alone, so always the same. Pure.

Says "the same" where nearly all words agree, and "against" where two statements speak of the same
and differ in a negation, in opposite words, in a number, in what is chosen over what, in rivals of
which a project uses one, or in the one word that they are about.
"""

from __future__ import annotations

from collections.abc import Iterable

from satchel.core.values import NamedTuple

SAME, AGAINST = "same", "against"

_SAME_SHARE = 0.8
_SUBJECT_SHARE = 0.6
_FEWEST = 2
_STEM = 6
#: Words that make a statement its contrary.
NEGATIONS = frozenset(
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
#: Word -> its opposite.
OPPOSITE = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}


#: Of each line a project uses one; to use another as well is said with where.
_RIVALS = tuple(
    frozenset(line.split())
    for line in (
        "npm pnpm yarn bun",
        "tab tabs space spaces",
        "pip uv poetry pipenv pdm conda",
        "jest vitest mocha",
        "pytest unittest nose",
        "black yapf autopep8",
        "flake8 pylint ruff",
        "eslint tslint biome",
        "webpack vite rollup parcel",
        "react vue svelte angular",
        "redux zustand mobx",
        "moment dayjs luxon",
        "rest graphql grpc",
        "mysql postgres postgresql sqlite mongodb",
        "celery rq temporal",
        "docker podman",
        "uuid uuids ulid ulids",
        "rebase merge",
    )
)
_ALIKE = {"tabs": "tab", "spaces": "space", "postgresql": "postgres", "uuids": "uuid"}
_CHOOSES = frozenset("use uses using prefer prefers run choose pick take want".split())
#: What follows is not chosen, up to where a sentence says why or where.
_OVER = frozenset("over not never instead rather than no".split())
_ENDS = frozenset("because since for in when where so as on if unless".split())
_SHORT = 8


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
        theirs = _words(rule.text)
        chosen = _chosen_otherwise(words, theirs)
        told = (AGAINST, chosen) if chosen else _against(words, theirs)
        if told:
            found.append(Clash(told[0], rule, told[1]))
    return found


def chosen_otherwise(entry: str, rule: Rule) -> str:
    """Return why one chooses what the other refuses, or a rival of it; "" where neither is so."""
    return _chosen_otherwise(_words(entry), _words(rule.text))


def telling_words(text: str) -> set[str]:
    """Return the beginnings of the words of a statement that say what it is about."""
    return _telling_list(_words(text))


def _words(text: str) -> list[str]:
    lowered = text.lower().replace("\u2019", "'")
    kept = "".join(c if c.isalnum() or c in "_'./+#" else " " for c in lowered)
    return [word.strip("'./") for word in kept.split() if word.strip("'./")]


def _against(new: list[str], old: list[str]) -> tuple[str, str] | None:
    mine, theirs = set(_asserted(new)), set(_asserted(old))
    telling_mine, telling_theirs = _telling(mine), _telling(theirs)
    if not telling_mine or not telling_theirs:
        return None
    negated = bool(mine & NEGATIONS) != bool(theirs & NEGATIONS)
    shared = telling_mine & telling_theirs
    every = telling_mine | telling_theirs
    opposed = [w for w in sorted(mine - theirs) if OPPOSITE.get(w) in theirs - mine]
    only_mine, only_theirs = telling_mine - telling_theirs, telling_theirs - telling_mine
    smaller = min(len(telling_mine), len(telling_theirs))
    near = len(shared) / smaller >= _SUBJECT_SHARE
    if negated and near:
        return AGAINST, "one of them negates"
    if opposed and (near or len(shared) >= 1):
        return AGAINST, f"`{opposed[0]}` against `{OPPOSITE[opposed[0]]}`"
    numbers = ({w for w in only if _is_number(w)} for only in (only_mine, only_theirs))
    mine_numbers, their_numbers = numbers
    rest = (only_mine | only_theirs) - mine_numbers - their_numbers
    if mine_numbers and their_numbers and shared and len(rest) <= len(shared):
        one, other = min(mine_numbers), min(their_numbers)
        return AGAINST, f"{one} against {other}"
    if not negated and len(shared) / len(every) >= _SAME_SHARE and not only_mine:
        return SAME, "nearly every word agrees"
    # Not using one thing and not using another exclude nothing.
    both_negate = bool(mine & NEGATIONS) and bool(theirs & NEGATIONS)
    if not negated and not both_negate and len(only_mine) == len(only_theirs) == 1:
        differing = _only_difference(new, old)
        if differing:
            return AGAINST, f"`{differing[0]}` against `{differing[1]}`"
    if not negated and len(shared) / len(every) >= _SAME_SHARE:
        return SAME, "nearly every word agrees"
    return None


def _asserted(words: list[str]) -> list[str]:
    """Return what a statement asserts: "use pnpm, not npm" chooses pnpm, and negates nothing."""
    return words if not _choices(words)[1] else _choices(words)[0]


def _choices(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the words of a statement without what it refuses, and what it refuses."""
    at = next((at for at, word in enumerate(words) if word in _CHOOSES), -1)
    if at < 0 or words[max(0, at - 1)] in NEGATIONS:
        return words, []
    over = next((i for i in range(at + 2, len(words)) if words[i] in _OVER), -1)
    if over < 0:
        return words, []
    end = next((i for i in range(over + 1, len(words)) if words[i] in _ENDS), len(words))
    refused = [word for word in words[over:end] if word not in _OVER and word != "of"]
    return [*words[:over], *words[end:]], refused


def _chosen_otherwise(new: list[str], old: list[str]) -> str:
    """Return why one chooses what the other refuses, or a rival of it; "" where neither is so."""
    mine, not_mine = map(_telling_list, _choices(new))
    theirs, not_theirs = map(_telling_list, _choices(old))
    turned = (not_theirs & mine) | (not_mine & theirs)
    if turned:
        word = min(turned)
        return f"`{word}` is chosen by one and refused by the other"
    negated = {*_asserted(new), *_asserted(old)} & NEGATIONS
    if negated or max(len(mine), len(theirs)) > _SHORT:
        return ""
    for rivals in _RIVALS:
        one = {_ALIKE.get(w, w) for w in _choices(new)[0] if w in rivals}
        other = {_ALIKE.get(w, w) for w in _choices(old)[0] if w in rivals}
        if one and other and not one & other and _same_place(mine, theirs, rivals):
            return f"`{min(one)}` against `{min(other)}`"
    return ""


def _same_place(mine: set[str], theirs: set[str], rivals: frozenset[str]) -> bool:
    """Return whether two statements speak of one place: one names none, or both name one."""
    stems = {_stem(word) for word in rivals}
    one, other = mine - stems, theirs - stems
    return not one or not other or bool(one & other)


def _telling_list(words: list[str]) -> set[str]:
    return _telling(set(words))


def _telling(words: set[str]) -> set[str]:
    """Return the beginnings of the words that say something: `indent` is in `indentation`."""
    return {_stem(word) for word in words - _FILLING - NEGATIONS}


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
