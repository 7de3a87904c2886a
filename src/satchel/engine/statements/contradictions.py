"""Whether one statement repeats or contradicts another, by words alone. Pure.

They are the same if nearly all words agree, and contradict if they have the same subject and differ
in a negation, in opposite words, in a number, in what is chosen and refused, in rivals of which a
project uses one, or in the one word that they are about. One shared word is not enough, least of
all a verb of change: `chosen_things` defines things.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from functools import lru_cache

from satchel.core.values import NamedTuple
from satchel.engine.statements.changed_facts import changed, may_change
from satchel.engine.statements.chosen_things import VERBS, Things, things_of, turned
from satchel.engine.statements.corrected_values import corrected
from satchel.engine.statements.denials import Clauses, clauses_of, denied
from satchel.engine.statements.ended_things import gone, habit_ended, let_go
from satchel.engine.statements.opposites import OPPOSITE
from satchel.engine.statements.permissions import Order, is_let_off, order_of
from satchel.engine.statements.put_otherwise import put_otherwise, taken_after_all
from satchel.engine.statements.subject_words import (
    FILLING,
    NEGATIONS,
    stem,
    telling_of,
    telling_words,
    words_of,
)
from satchel.engine.tool_kinds import LANGUAGES, RIVALS
from satchel.engine.words import in_figures, says_change

SAME, AGAINST = "same", "against"

_SAME_SHARE = 0.8
#: The share of their other words that two opposed statements must have in common.
_SUBJECT_SHARE = 0.6
_FEWEST = 2
#: Rules contain one of these; headings do not.
_BINDING = NEGATIONS | frozenset(
    "use is are must should shall always we you keep run prefer put write only call make do has"
    " have".split()
)
_ALIKE = {"tabs": "tab", "spaces": "space", "postgresql": "postgres", "uuids": "uuid"}
_CHOOSES = frozenset("use uses using prefer prefers run choose pick take want".split())
#: What follows is not chosen, up to a reason or a place.
_OVER = frozenset("over not never instead rather than no".split())
_ENDS = frozenset("because since for in when where so as on if unless".split())
_SHORT, _A_CHOICE = 8, 3
_ON_OFF = frozenset(("on", "off"))
_SWITCHES = frozenset("turn turned turns switch switched switches leave left keep is are".split())

_PLACES = frozenset("in for on inside within under".split())
#: Beginnings of words for how far something goes or that it is new, not where.
_NO_PLACE = frozenset(
    "everyt everyw switch moved migrat went going back now anymor again repo projec here team"
    " decide".split()
)


class Rule(NamedTuple):
    """An existing statement: its location and its text."""

    path: str
    line: int
    text: str


class Clash(NamedTuple):
    """A rule that says the same or the opposite, and the reason.

    `certain`: a single word decides, such as a negation; opposite words may be about two things.
    """

    what: str
    rule: Rule
    why: str
    certain: bool = True


def clashes(entry: str, rules: Iterable[Rule]) -> list[Clash]:
    """Return the rules that an entry repeats or contradicts, in order."""
    found = []
    mine = _statement(entry := in_figures(entry))
    for rule in rules:
        theirs = _statement(text := in_figures(rule.text))
        if mine.words == theirs.words:
            found.append(Clash(SAME, rule, "every word agrees"))
            continue
        against = _chosen_otherwise(mine, theirs) or _changed(mine, theirs, entry, text)
        told = (AGAINST, against) if against else _against(mine, theirs)
        told = told or _without_reasons(entry, text) or _in_a_clause(entry, text)
        if told:
            certain = bool(against) or not told[1].startswith("`")
            found.append(Clash(told[0], rule, told[1], certain))
    return found


def _without_reasons(entry: str, text: str) -> tuple[str, str] | None:
    """Compare two statements without their reasons; one or both give one."""
    mine, theirs = _without_reason(entry), _without_reason(text)
    if (mine, theirs) == (entry, text):
        return None
    # "Root cause: ..." twice is only the same heading twice; rules have a word that says so.
    if mine != entry and theirs != text and _BINDING.isdisjoint(words_of(mine)):
        return None
    new, old = _statement(mine), _statement(theirs)
    told = _against(new, old)
    if told and (told[0] == SAME or told[1][:1].isdigit()):
        return told
    otherwise = _chosen_otherwise(new, old)
    return (AGAINST, otherwise) if otherwise else None


def _in_a_clause(entry: str, text: str) -> tuple[str, str] | None:
    """Compare a statement with each clause of another: "named exports only, no default exports"."""
    new = _statement(_without_reason(entry))
    if len(new.telling & _statement(text).telling) < _FEWEST:
        return None  # as of most pairs
    clauses = _CLAUSE.split(text)
    if len(clauses) < _FEWEST:
        return None
    told = (_against(new, _statement(clause)) for clause in clauses)
    return next((one for one in told if one and one[0] == SAME), None)


def _without_reason(text: str) -> str:
    """Return the rule without its reason: "Use pnpm: npm breaks the links"; a heading is none."""
    head, mark, _ = text.partition(": ")
    return head if mark and len(telling_words(head)) >= _FEWEST else text


def refused_by_one(entry: str, other: str) -> bool:
    """Return whether one of two statements refuses a thing that the other chooses."""
    return bool(turned(_statement(entry).things, _statement(other).things))


def chosen_otherwise(entry: str, rule: Rule) -> str:
    """Return why one statement's choice contradicts the other's refusal or choice; or ""."""
    return _chosen_otherwise(_statement(entry), _statement(rule.text))


def says_otherwise(later: str, earlier: str) -> bool:
    """Return whether a later statement says that an earlier one has changed."""
    later, earlier = in_figures(later), in_figures(earlier)
    new, old = _statement(later), _statement(earlier)
    ended = new.turns and turned(new.things, old.things)
    return bool(ended or _changed(new, old, later, earlier))


class _Statement(NamedTuple):
    """A parsed statement, for comparison with many others.

    `asserted` are its words without what it refuses, `telling` the beginnings of the significant
    ones, `numbers` those that are numbers, `opposites` the opposites of its words, `chosen` like
    `telling`. `rivals` are its chosen words from each line of `RIVALS`.
    """

    words: list[str]
    asserted: frozenset[str]
    telling: frozenset[str]
    numbers: frozenset[str]
    opposites: frozenset[str]
    chosen: frozenset[str]
    negates: bool
    rivals: dict[int, frozenset[str]]
    things: Things
    clauses: Clauses
    order: Order | None
    turns: bool


@lru_cache(maxsize=8192)
def _statement(text: str) -> _Statement:
    words = words_of(text)
    kept, refused = _choices(words)
    asserted = frozenset(kept if refused else words)
    telling = frozenset(telling_of(set(asserted)))
    # "On fly" and "off fly" say where; nothing is switched on or off.
    switched = not _ON_OFF.isdisjoint(words[-1:]) or any(
        one in _SWITCHES and other in _ON_OFF for one, other in itertools.pairwise(words)
    )
    switches = asserted - NEGATIONS - (frozenset() if switched else _ON_OFF)
    rivals = {
        at: frozenset(_ALIKE.get(w, w) for w in kept if w in line)
        for at, line in enumerate(RIVALS)
        if not line.isdisjoint(kept)
    }
    return _Statement(
        words,
        asserted,
        telling,
        numbers=frozenset(filter(_is_number, telling)),
        opposites=frozenset(OPPOSITE[w] for w in switches if w in OPPOSITE) - NEGATIONS,
        chosen=frozenset(telling_of(set(kept))),
        negates=not asserted.isdisjoint(NEGATIONS),
        rivals=rivals,
        things=things_of(text),
        clauses=clauses_of(text),
        order=order_of(words, telling_of),
        turns=says_change(text) or may_change(text),
    )


def _against(new: _Statement, old: _Statement) -> tuple[str, str] | None:
    if not new.telling or not old.telling:
        return None
    negated = new.negates != old.negates
    if denied(new.clauses, old.clauses):
        return AGAINST, "one of them negates"
    if is_let_off(new.order, old.order):
        return AGAINST, "one of them lets be left out what the other wants first"
    shared = len(new.telling & old.telling)
    both = new.telling & old.telling - _VERBS
    # Refusing one of two opposites agrees with the other; refusing a number leaves the others.
    opposed = _opposed(new, old) if both and not negated else ""
    if opposed:
        return AGAINST, f"`{opposed}` against `{OPPOSITE[opposed]}`"
    only_mine, only_theirs_count = len(new.telling) - shared, len(old.telling) - shared
    mine, theirs = new.numbers - old.telling, old.numbers - new.telling
    rest = (only_mine - len(mine), only_theirs_count - len(theirs))
    # If both say more, they are about two things, each with its own number.
    numbered = mine and theirs and both and not negated
    several = len(new.numbers) > 1 and len(old.numbers) > 1
    another = several and _numbers_another(new.words, old.words)
    if numbered and not min(rest) and max(rest) <= shared and not another:
        return AGAINST, f"{min(mine)} against {min(theirs)}"
    agree = shared / (shared + only_mine + only_theirs_count) >= _SAME_SHARE and not negated
    # "No comments on tests" and "stop adding comments to tests".
    agree = agree or (new.negates and old.negates and _is_but_added(new, old))
    if agree and not only_mine:
        return SAME, "nearly every word agrees"
    # Two refusals of different things are compatible.
    apart = negated or another or (new.negates and old.negates)
    if both and not apart and only_mine == only_theirs_count == 1:
        differing = _only_difference(new.words, old.words)
        if differing:
            return AGAINST, f"`{differing[0]}` against `{differing[1]}`"
    return (SAME, "nearly every word agrees") if agree else None


def _numbers_another(new: list[str], old: list[str]) -> bool:
    """Return whether each names another thing by its first number: "hall 1 has 20 seats"."""
    names = [
        next((pair for pair in itertools.pairwise(words) if _is_number(pair[1])), ("", ""))
        for words in (new, old)
    ]
    (noun, mine), (other, theirs) = names
    return noun == other and noun not in FILLING and mine != theirs


def _is_but_added(new: _Statement, old: _Statement) -> bool:
    """Return whether one names what the other says not to add there, or not to change."""
    differing = new.telling ^ old.telling
    alike = differing <= _ADDS or differing <= _ALTERS
    return alike and len(new.telling & old.telling) >= _FEWEST


def _opposed(new: _Statement, old: _Statement) -> str:
    """Return a word whose opposite the other uses of the same subject, or ""."""
    if new.opposites.isdisjoint(old.asserted):
        return ""
    only_theirs = old.asserted - new.asserted
    words = new.asserted - old.asserted
    opposed = min((w for w in words if OPPOSITE.get(w) in only_theirs), default="")
    if not opposed:
        return ""
    gone = {stem(opposed), stem(OPPOSITE[opposed])} | _VERBS
    mine, theirs = new.telling - gone, old.telling - gone
    enough = len(mine & theirs) >= _SUBJECT_SHARE * min(len(mine), len(theirs))
    elsewhere = _is_elsewhere(new.words, old.words)
    return opposed if mine & theirs and enough and not elsewhere else ""


def _is_elsewhere(new: list[str], old: list[str], but: frozenset[str] = frozenset()) -> bool:
    """Return whether each ends with a place of its own: "tabs in Go", "spaces in Python".

    Words in `but` do not count as places: "messages in German", "messages in English".
    """
    mine, theirs = _place(new, but), _place(old, but)
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _place(words: list[str], but: frozenset[str]) -> set[str]:
    at = max((i for i, word in enumerate(words) if word in _PLACES), default=len(words))
    return telling_of(set(words[at + 1 :]) - but)


def _choices(words: list[str]) -> tuple[list[str], list[str]]:
    """Return a statement's words without what it rejects, and what it rejects."""
    at = next((at for at, word in enumerate(words) if word in _CHOOSES), -1)
    if at < 0 and len(words) <= _A_CHOICE and words[1:2] == ["not"]:
        return words[:1], words[2:]  # "pnpm, not npm"
    if at < 0 or words[max(0, at - 1)] in NEGATIONS:
        return words, []
    over = next((i for i in range(at + 2, len(words)) if words[i] in _OVER), -1)
    if over < 0:
        return words, []
    end = next((i for i in range(over + 1, len(words)) if words[i] in _ENDS), len(words))
    refused = [word for word in words[over:end] if word not in _OVER and word != "of"]
    return [*words[:over], *words[end:]], refused


def _chosen_otherwise(new: _Statement, old: _Statement) -> str:
    """Return why one's choice contradicts the other's refusal or choice; or ""."""
    thing = turned(new.things, old.things) if new.things.refused or old.things.refused else ""
    if thing:
        return f"`{thing}` is chosen by one and refused by the other"
    if not new.rivals or not old.rivals or new.negates or old.negates:
        return ""
    if max(len(new.chosen), len(old.chosen)) > _SHORT:
        return ""
    for at, one in new.rivals.items():
        other = old.rivals.get(at, one)
        if one & other or _is_elsewhere(new.words, old.words, RIVALS[at]):
            continue
        if _same_place(new.chosen, old.chosen, RIVALS[at]):
            return f"`{min(one)}` against `{min(other)}`"
    return ""


def _changed(new: _Statement, old: _Statement, entry: str, text: str) -> str:
    """Return why one says that a fact in the other has changed or is wrong; or ""."""
    values = corrected(entry, text) or corrected(text, entry)
    if values is None and (new.turns or old.turns) and not new.telling.isdisjoint(old.telling):
        values = changed(entry, text) or changed(text, entry)
    if values:
        return f"`{values[0]}` against `{values[1]}`"
    ended = put_otherwise(entry, text) or put_otherwise(text, entry)
    ended = ended or taken_after_all(entry, text) or taken_after_all(text, entry)
    ended = ended or gone(entry, text) or gone(text, entry)
    ended = ended or let_go(entry, text) or let_go(text, entry)
    ended = ended or habit_ended(entry, text) or habit_ended(text, entry)
    return f"`{ended}` is ended by one of them" if ended else ""


def _same_place(mine: frozenset[str], theirs: frozenset[str], rivals: frozenset[str]) -> bool:
    """Return whether two statements concern the same place: one names none, or both the same."""
    stems = {stem(word) for word in rivals} | _NO_PLACE
    one, other = mine - stems, theirs - stems
    if rivals == LANGUAGES:  # "messages in German" says nothing about the docs
        return bool(one) and one - _VERBS == other - _VERBS
    return not one or not other or bool(one & other)


def _is_number(word: str) -> bool:
    return word[:1].isdigit()


def _only_difference(new: list[str], old: list[str]) -> tuple[str, str] | None:
    """Return the differing words of two otherwise equal sentences.

    Adding, writing or running one thing does not exclude another.
    """
    if len(new) != len(old) or len(new) <= _FEWEST:
        return None
    at = [at for at, (a, b) in enumerate(zip(new, old, strict=True)) if a != b]
    if len(at) != 1:
        return None
    before = [word for word in new[: at[0]] if word not in ("a", "an", "the")]
    beside = before and before[-1] in _ACTIONS
    # "Keep functions short" says nothing about comments.
    behind = new[at[0] + 1 : at[0] + 2]
    beside = beside or (before[-1:] == ["keep"] and bool(set(behind) - FILLING))
    steps = new[at[0]] in _STEPS and old[at[0]] in _STEPS
    return None if beside or steps else (new[at[0]], old[at[0]])


#: Verbs that may have any number of objects; things that are used may be rivals.
_ACTIONS = VERBS - frozenset("use uses used using keep set".split())
#: What must be done before one may have to be done before the other, too.
_STEPS = frozenset("commit push merge rebase deploy release".split())
_VERBS = frozenset(map(stem, VERBS))
#: Verbs of making or changing, which add nothing to the name of what is refused.
_ADDS = frozenset(
    map(stem, "add adding write writing put putting include create creating introduce".split())
)
_ALTERS = frozenset(map(stem, "touch change edit modify alter already ever".split()))
_CLAUSE = re.compile(r"[,;:]\s")
