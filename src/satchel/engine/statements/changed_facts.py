"""Facts that a later statement changes: where something is, how many, what it is called.

Pure. "Staging moved to ams" ends "Staging is in fra"; "the rate limit is 50 now" ends "The rate
limit is 100 requests per minute". The later one must say that it is a change, of the same subject,
and both must put it the same way: "staging is reset every night" stays true wherever staging is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from satchel.core.values import NamedTuple
from satchel.engine.statements.responsibilities import THESE_DAYS, WHEN, in_charge, passes_on
from satchel.engine.words import WRITTEN_SHORT, says_change
from satchel.storage.kept_patterns import spoken

#: Ways to state a fact, besides a preposition of place.
_NUMBER, _NAME, _DAY, _MOVED, _SOURCE = "number", "name", "day", "moved", "from"
_VERSION = "version"
#: "In a place" is contradicted by "taken from it".
_KEPT = frozenset((_SOURCE, "in"))
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_CLAUSE = r"[.;!?:]\s+|,\s*|\s+(?:and|but|so|because|cause|bc|which)\s+|\n|\s[-\u2013]\s"
_EDGES = " .!?\"'`"
_LONGEST = 600
_WORD = r"[\w./@+#$%-]*[\w/]%?"
_SOON = r"(?:(?:now|back|again|currently|actually|already|only|still|just|up|down|over) )*"
_LEAD = r"(?:(?:the|our|my|this|all|btw|fyi|ok|actually) )*"
_SUBJECT = rf"{_LEAD}(?P<subject>{_WORD}(?:(?:'s)? {_WORD}){{0,6}}?)"
_VALUE = rf"(?:the |an? |about |max(?:imum)? |port )*(?P<value>{_WORD}(?: {_WORD}){{0,7}}?)"
_IN = r"(?:(?P<where>in|on|at|as|under|behind) )?"
#: Says where something is, however it came there.
_PLACED_BY = r"(?:called|named|hosted|deployed|stored|kept|saved|written|logged|cached)"
_IS = (
    r"(?:(?:'s|'re)(?! .* (?:is|are) )"
    rf"| (?:is|are) {_PLACED_BY}"
    r"| (?:is|are|was|will be|sits?|lives?|runs?|stays?|takes?|allows?|costs?|listens?))"
)
_HAS = (
    r"(?P<moved>moved|went|gone|switched|changed|migrated|raised|lowered|bumped|increased|reduced"
    r"|renamed|upgraded|cut)"
)
_TO = rf"{_SOON}(?:from {_WORD} )?to {_VALUE}{WHEN}"
_ON = (
    r"(?P<version>on|uses?|using|target"
    r"|(?:stay|stick|run|are|go|went|keep)(?:ing|s)? (?:on|with|to)"
    r"|(?:mov|upgrad|updat|switch|downgrad)(?:e|ed|es|ing)?(?: over)? to)"
)
_PRODUCT, _AT = r"(?P<subject>[a-z][\w+#-]*)", rf"v?(?P<value>\d[\w.]*){WHEN}"
_RUNS, _NAMED = (
    rf"(?:(?:is|are) {_SOON}(?:built|compiled|written)|runs?|is|are)",
    r"(?!port\b)(?P<product>[a-z][\w+#-]*)",
)
_WE = r"(?:we|all|everything|it|(?:the|this|our) (?:project|repo|code))"
_WE_ARE = rf"(?:{_WE}(?:'re|'ve| are| have)? )?{_SOON}"
_PINNED = (
    r"(?:is|stays|are) (?:currently |still )?"
    r"(?P<version>(?:(?:pinned|fixed|locked|frozen|stuck) )?(?:at|to|on))"
)
#: Where a version is written down: "in west.yml".
_WRITTEN_IN = rf"(?: (?:in|by|via) (?:the |our )?{_WORD})?"
#: What a project does with a tool: others may be met, spoken or worked with besides.
_WITH_TOOL = (
    r"we (?:only )?(?P<subject>(?!(?:meet|met|talk|speak|work|agree|sync|chat|pair|deal|share|start"
    r"|go|went|live|come|stay|stick|continue|begin)\b)[a-z]{3,})"
)
_BY = r"(?:only )?(?P<where>from|with|via|through)"
_DOES = (
    r"(?P<does>go(?:es)?(?: out)?|happens?|starts?|ends?|begins?|opens?|closes?|expires?|ships?)"
)
_DONE = (
    rf"(?P<done>(?!(?:{_PLACED_BY}|back|down|out|not|again|open)\b)"
    r"(?:[a-z]+(?:ed|en|t|d|n)|made|done))"
)
_DONE_AT = r"(?P<where>on|in|at|by|with|to|through|via|from|under)"
#: What a clause says of its subject; words in it are one blank apart.
_SAYS = (
    # Which version of something a project is on: "we're on godot 4.4 now", "node is pinned to 22".
    rf"{_WE_ARE}{_ON} (?:the )?{_PRODUCT} {_AT}(?: until .{{1,60}})?",
    rf"{_PRODUCT} {_PINNED} {_AT}{_WRITTEN_IN}",
    rf"(?:pin|lock|upgrade|update) {_PRODUCT} (?P<version>to|at) {_AT}",
    rf"{_PRODUCT} v?(?P<value>\d[\w.]*)(?P<version> (?:{THESE_DAYS}))",
    rf"{_PRODUCT} {_AT} (?P<version>is|are) (?:required|needed|the minimum){WHEN}",
    # "The backend is built with Java 21".
    rf"{_SUBJECT} {_SOON}{_RUNS} {_SOON}(?P<version>on|with|in|for) {_NAMED} {_AT}",
    rf"{_SUBJECT} now (?:runs?|lives?|sits?|takes?|costs?) {_IN}{_VALUE}{WHEN}",
    rf"{_SUBJECT} (?P<moved>is|are) (?:now )?back (?:down |up )?to {_VALUE}{WHEN}",
    rf"{_SUBJECT} (?:(?:has|have|was|were|got) )?{_HAS} {_TO}",
    rf"(?:{_WORD} ){{0,2}}{_HAS} {_SUBJECT} {_TO}",
    rf"we (?P<subject>release|deploy|ship|meet|merge|demo) (?:only )?on {_VALUE}{WHEN}",
    rf"we (?P<subject>release|deploy|ship|publish|build) {_BY} {_VALUE}{WHEN}",
    rf"{_WITH_TOOL} (?P<where>with|via|through) {_VALUE}{WHEN}",
    rf"{_SUBJECT} (?P<source>comes?) from {_VALUE}{WHEN}",
    # "Releases are cut on friday", "the api is versioned by header".
    rf"{_SUBJECT} (?:is|are) {_SOON}{_DONE} {_DONE_AT} {_VALUE}{WHEN}",
    rf"{_SUBJECT} {_SOON}{_DOES} {_DONE_AT} {_VALUE}{WHEN}",
    rf"{_SUBJECT}{_IS} {_SOON}{_IN}{_VALUE}{WHEN}",
)
#: "Staging moved, it's in ams": what the next clause is about.
_ABOUT = rf"{_SUBJECT} (?:has )?(?:moved|changed|switched)"
#: Neither a subject nor a name of a place.
_PLAIN = frozenset(
    "it that this there they we you i he she what which who not no everyone everybody nobody"
    " somebody".split()
)
#: How something is done, not where or with what: "run in parallel".
_MANNERS = frozenset("parallel order batches bulk sequence pairs turn advance general full".split())
#: What may follow a name that is the whole value.
_BEHIND = frozenset(("in", "on", "at", "for", "with"))
_BESIDE = frozenset("now just also still then the a an of on in for at our my new".split())
#: Says that the earlier value has ended: "not thursday", "Tom left".
_ENDS = r"\b(?:not|instead\s+of|rather\s+than)\s+(?:(?:on|at|in|by|with|to|the|from)\s+)*{old}s?\b"
_LEFT = (
    r"|\b{old}\s+(?:has\s+)?(?:left|quit|retired)\b"
    r"|\b{old}s?\s+(?:was|is|were|are)\s+(?:wrong|a\s+mistake|mistaken|incorrect|outdated)\b"
)
_MAY_END = spoken(r", (?:and )?not\s|\b(?:left|quit|retired|wrong|mistaken?|incorrect|outdated)\b")
#: "The vendor's new contact is ...".
_NEW = spoken(r"(?:\b(?:the|our|their|its)|'s) new\s")
_OF = spoken(r" (?:of|for) ")
#: How a reason begins, and what it does without.
_EXPLAINS = frozenset(
    "the our they it its it's that this he she nobody everything otherwise".split()
)
_BINDS = frozenset("must never always should use keep don't only not".split())
_FORMERLY = spoken(
    r"(?:(?:it|that|this|we|they) )?(?:was|were|had|used to|previously|formerly"
    r"|(?:up|down) from)\s"
)
#: "Sales promised it to the client", "marketing asked for it".
_WHO_WANTED = spoken(
    r"(?:[\w'-]{1,30} ){1,3}[a-z]{2,20}ed (?:for |to )?(?:it|this|that)\b(?: [\w'-]{1,30}){0,5}"
)
#: A subject of this many words may be shortened from a longer one.
_TELLING_SUBJECT = 3


_LONG = dict(pair.split() for pair in (*WRITTEN_SHORT, "min minimum", "max maximum"))


class Fact(NamedTuple):
    """What a clause says of its subject: how, the value in lower case, and its unit.

    `core`: of "the API key of the sandbox", the key and the sandbox.
    """

    subject: frozenset[str]
    way: str
    value: str
    unit: str
    core: tuple[str, ...] = ()


def changed(later: str, earlier: str) -> tuple[str, str] | None:
    """Return the new value from a later statement and the old one that it replaces."""
    says = says_change(later) or bool(_NEW.search(later)) or passes_on(later)
    for new in _facts(later):
        for old in _facts(earlier):
            if _excludes(new, old) and (says or _ended(old.value, later)):
                return new.value, old.value
    return None


def may_change(later: str) -> bool:
    """Return whether a statement may change a fact without a word for change."""
    return bool(_MAY_END.search(later) or _NEW.search(later)) or passes_on(later)


def _ended(value: str, later: str) -> bool:
    pattern = (_ENDS + _LEFT).replace("{old}", re.escape(value))
    return bool(re.search(pattern, later, re.IGNORECASE))


def names_a_part(earlier: str, later: str) -> bool:
    """Return whether an earlier statement is about a part or a matter of what a later one names.

    "The backups of the index are in fra" stays when the index moves.
    """
    words = _alike(later.lower().split())
    return any(len(one.core) > 1 and one.core[0] not in words for one in _facts(earlier))


def is_single(text: str, new: str = "") -> bool:
    """Return whether a statement says one thing, so that nothing but its reason is lost with it.

    Args:
        text: the statement.
        new: the value that replaces one in it, which its reason may name.
    """
    heading, colon, rest = text.partition(": ")
    text = rest if colon and len(heading.split()) <= _TELLING_SUBJECT else text
    return all(_explains(clause, new) for clause in _clauses(text)[1:])


def _explains(clause: str, new: str) -> bool:
    """Return whether a further clause gives a reason: it lays nothing down, and counts nothing.

    What held before ("we had 60 before"), and who wanted it, is lost with it, too.
    """
    if _FORMERLY.match(clause):
        return True
    if _WHO_WANTED.fullmatch(clause) and not any(map(str.isdigit, clause)):
        return True
    words = clause.lower().removeprefix("then ").split()
    told = words[0] in _EXPLAINS or words[1:2] == ["says"] or words[0] == new
    return told and _BINDS.isdisjoint(words) and not any(map(_is_number, set(words) - {new}))


def _clauses(text: str) -> list[str]:
    """Return a text's clauses, their words a blank apart: that is how patterns read them."""
    parts = re.split(_CLAUSE, text[:_LONGEST])
    found = (" ".join(one.split()).strip(_EDGES) for one in parts)
    return [f"it is {one[4:]}" if one[:4].lower() == "its " else one for one in found if one]


@lru_cache(maxsize=8192)
def _facts(text: str) -> tuple[Fact, ...]:
    found: list[Fact] = []
    about = ""
    for clause in _clauses(text.replace("`", "").replace("\u2019", "'")):
        fact = _fact(clause, about)
        found += [fact] if fact else []
        told = re.fullmatch(_ABOUT, clause, re.IGNORECASE)
        about = told["subject"] if told else ""
    return tuple(found)


def _fact(clause: str, about: str) -> Fact | None:
    held = in_charge(clause)
    if held and not held.what & _PLAIN and held.who not in _PLAIN:
        return Fact(_alike(held.what), held.does, held.who, "")
    found = (re.fullmatch(one, clause, re.IGNORECASE) for one in _SAYS)
    said = next(filter(None, found), None)
    if said is None:
        return None
    fields = said.groupdict()
    subject = set(fields["subject"].lower().split()) - _BESIDE
    subject |= {(fields.get("product") or "").lower()} - {""}
    done = fields.get("done") or fields.get("does") or ""
    if done:
        subject.add(done.lower().replace("goes", "go").removesuffix("s"))
    if subject == {"it"}:
        subject = set(about.lower().split()) - _BESIDE
    head, *rest = fields["value"].lower().split()
    where = _MOVED if fields.get("moved") else (fields.get("where") or "").lower()
    where = _SOURCE if fields.get("source") else where
    where = _VERSION if fields.get("version") else where
    head = head.removesuffix("s") if head.removesuffix("s") in _DAYS else head
    way = _DAY if head in _DAYS else where or _way_of(head, rest)
    said_how = bool(done) and head in _MANNERS
    if not way or not subject or subject & _PLAIN or (where and head in _PLAIN) or said_how:
        return None
    parts = (_alike(one.split()[-1:]) for one in _OF.split(fields["subject"].lower()))
    core = tuple(word for part in parts for word in part)
    return Fact(_alike(subject), way, head, rest[0] if rest else "", core)


def _alike(words: Iterable[str]) -> frozenset[str]:
    """Return words in one form: long, and singular."""
    return frozenset(_LONG.get(word, word).removesuffix("'s").removesuffix("s") for word in words)


def _way_of(head: str, rest: Sequence[str]) -> str:
    """Return whether a value is a number or a name; "" for words that describe."""
    if _is_number(head):
        return _NUMBER
    odd = any(c in "._/@+#-" or c.isdigit() for c in head)
    return _NAME if odd and (not rest or rest[0] in _BEHIND) else ""


def _is_number(word: str) -> bool:
    """Return whether a word is a number, with its unit or without: "$5", "80%", "1m", "384kb"."""
    bare = word.lstrip("$").rstrip("%").replace(".", "", 1).replace(",", "")
    return bool(re.fullmatch(r"\d+[a-z\u00b5]{0,3}", bare))


def _excludes(new: Fact, old: Fact) -> bool:
    """Return whether two facts about one subject, put the same way, have different values."""
    alike = new.way == old.way or (_MOVED in (new.way, old.way) and _DAY not in (new.way, old.way))
    alike = alike or {new.way, old.way} <= _KEPT
    numbers = _is_number(new.value), _is_number(old.value)
    units = {new.unit, old.unit} - {""} if all(numbers) else set()
    return (
        (_same_subject(new.subject, old.subject) or _is_core(new, old) or _is_core(old, new))
        and alike
        and new.value != old.value
        and new.value + new.unit != old.value + old.unit
        and numbers[0] == numbers[1]
        and len(units) <= 1
    )


def _is_core(short: Fact, whole: Fact) -> bool:
    """Return whether "sandbox key" is short for "the API key of the sandbox"."""
    return len(whole.core) > 1 and short.subject == frozenset(whole.core)


def _same_subject(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two subjects agree: "admin rate limit", "rate limits on the admin API"."""
    return one == other or (len(one & other) >= _TELLING_SUBJECT and (one <= other or other <= one))
