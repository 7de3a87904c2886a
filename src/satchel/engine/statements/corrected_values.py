"""Values that a later statement corrects: "batches are 250, not 500", "it moved to 05:00". Pure.

The later statement names the wrong value, and the earlier one has it for the same subject; for a
time of day it is enough that the later one says it has changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from satchel.engine.words import says_change
from satchel.storage.kept_patterns import LazyPattern, spoken

_VALUE = r"[$#:v]?\d[\d.,:_]{0,20}[a-z%]{0,3}"
_SOME = r"[^.;!?\n]{0,40}?"
_UNIT = r"(?: [a-z]+){0,3}(?: (?:from now on|these days|as of \w+|since \w+))?"
_NOT = r"(?:not|instead of|rather than|no longer)"
_WRONG = r"(?:is|are|was) (?:wrong|outdated|off|stale|too \w+)"
_IT_IS = r"(?:but|it'?s|it is|use|should be|make it|now)"
_WAS = r"(?:was|were|used to be|formerly|previously|(?:up|down) from)"
_NEW, _OLD = rf"(?P<new>{_VALUE})", rf"\b(?P<old>{_VALUE})"
#: The wrong value and its replacement.
_CORRECTIONS = tuple(
    spoken(one)
    for one in (
        rf"{_NEW}{_UNIT},? (?:and )?{_NOT} (?:the )?{_OLD}\b",
        rf"(?:\bnot|n't) {_OLD}{_UNIT}[,;] (?:{_IT_IS} )?{_NEW}",
        rf"{_OLD}\b{_SOME}\b{_WRONG}\b{_SOME}{_NEW}",
        rf"\bwrong about (?:the )?{_OLD}{_UNIT}[,;] (?:{_IT_IS} )?{_NEW}",
        rf"\bfrom {_OLD} to {_NEW}",
        rf"{_NEW}\b{_SOME}[\s(]{_WAS} {_OLD}\b",
    )
)
#: Says of the old value, behind the new one, why it went: "retries are 5 now, 3 wasn't enough".
_TOO_FEW = spoken(
    r"(?<![\w.,:])(?P<new>\d[\d.,:_]{0,12}[a-z%]{0,3})(?P<unit>[^,;.\d]{0,60})[,;] "
    r"(?P<old>\d[\d.,:_]{0,12}[a-z%]{0,3}) (?:(?:was|is|were|are)(?: not|n['\u2019]?t) enough"
    r"|(?:was|is|were|are) too (?:few|low|little|short|small|many|high|much|long"
    r"|big))\b[^.;]{0,200}"
)
#: Two names that end in a digit: "cp1252, not utf-8".
_A_NAME = r"[a-z]{1,12}-?\d[\w.-]{0,8}"
_NAMES = spoken(rf"\b(?P<new>{_A_NAME}),? (?:and )?{_NOT} (?P<old>{_A_NAME})")
#: "Vendor mail says the limit changed, so batches are 250 not 500".
_CLAUSE = LazyPattern(r"[;:.]\s+|,\s+(?:so|and|but|because)\s+|,\s+(?=\w+\s+(?:says|said|wants)\b)")
_DID = spoken(
    r"\A(?:\w+ ){1,4}(?:(?:came back|called|wrote|replied|answered|confirmed|decided|agreed) ?"
    r"[,:] (?:and )?(?P<rest>.+)|(?P<raised>(?:raised|lowered|bumped|increased|reduced|cut)\s.+))"
)
#: A number and what it counts: "72 columns".
_COUNTED = spoken(rf"(?<![\w.])({_VALUE}) ([a-z]{{4,}})\b")
#: Words before a period that is no duration.
_WHENS = ("every", "each", "after", "within")
_SECOND = r"(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?)"
#: A time that something takes, a size, a rate: "50 MB", "after 5 min", "120 requests a minute".
_QUANTITY = spoken(
    rf"(?:\b(?P<when>{'|'.join(_WHENS)}) )?(?<![\w.])"
    rf"(?P<value>\$?\d[\d.,]*?) ?(?:(?P<size>[kmgt]i?b)|(?P<time>{_SECOND})"
    rf"|(?: ?[a-z]+ ){{0,2}}(?:an?|per|each|every) (?P<per>{_SECOND})|/(?P<each>{_SECOND}))\b"
)
_UNITS = LazyPattern(rf"\b(?:{_SECOND}|[kmgt]i?b)\b")
#: A time or a port: "at 06:00", "on port 587".
_PLACED = spoken(rf"\b(?:at|on|port|from|until|till|by) ({_VALUE})(?![\w:.])()")
#: Words that may precede a count.
_HOW_MANY = frozenset(
    "at most least max maximum min minimum only exactly about around to of for every after within"
    " in up than is are be last lasts take takes leave leaves get gets need needs allow allows"
    " retry retries wait waits has have keep keeps hold holds use uses cost costs send sends stay"
    " stays limit limits open expire expires".split()
)
#: Leads up to a reason.
_REASON = spoken(
    r":\s|;\s|,? (?:because|since|so that)\s"
    r"|,\s(?=(?:the|our|they|it|its|it's|that|this|nobody|otherwise)\s)"
)
#: A further clause, and whether it says more than who wanted a change, or why.
_ASIDE = LazyPattern(r",\s")
_CONTRAST = spoken(r"\d|\b(?:not|never|no|instead|rather|only|but|was|were|used)\b")
#: Words for something being new, or not.
_NEWLY = frozenset(("again", "now", "back", "only", "the", "a", "an", "our"))
#: In words this short, a final "s" is not a plural.
_SHORTEST = 3
#: A number of this many digits identifies what is meant by itself.
_TELLING = 3
_TIME = LazyPattern(r"\b\d{1,2}:\d\d\b")
#: Words that two statements may share without having the same subject.
_PLAIN = frozenset(
    "the and for not now its it's are was were is has have had moved changed from with this that"
    " they them there here we you our your use uses used run runs set sets take takes get gets got"
    " wrong actually back again always never only should must utc too all any per every each more"
    " than then thing btw like just limit limits max maximum allows allowed make"
    " makes about isn aren since until january february march april may june july august september"
    " october november december year month week new one replaced does do rule instead raised"
    " lowered bumped increased reduced cut people folks is it to of in on at by us be an as or so"
    " no if up my he go am pm can may".split()
)


#: The clauses of the statement asked about last, which is compared with many.
_kept: dict[str, list[str]] = {}


def corrected(later: str, earlier: str) -> tuple[str, str] | None:
    """Return the new value from a later statement and the old one that it corrects."""
    clauses = _kept.get(later)
    if clauses is None:
        clauses = _clauses_of(later)
        _kept.clear()
        _kept[later] = clauses
    theirs = _about(earlier)
    return next(filter(None, (_corrected(clause, earlier, theirs) for clause in clauses)), None)


def _clauses_of(later: str) -> list[str]:
    """Return the clauses in which a statement may name another value."""
    later = _TOO_FEW.sub(r"\g<new>, not \g<old>,\g<unit>", later)
    clauses = [later, *_CLAUSE.split(later)]
    # "120 now, not 60, since the patch": what came with a change is no part of its subject.
    clauses += [one for one in map(_without_reason, clauses) if one]
    # Nor is who wanted it: "200 now, sales promised it to the client".
    first, *rest = _ASIDE.split(later)
    clauses += [first] if rest and not any(map(_CONTRAST.search, rest)) else []
    # "The vendor raised the limit to 120": who did it is not what it is about.
    clauses += [found["rest"] or found["raised"] for found in map(_DID.search, clauses) if found]
    return clauses


def recounted(later: str, earlier: str) -> bool:
    """Return whether a statement repeats an earlier one with another count: "8 hours", "12 hours".

    Ignoring reasons, and only for counts, times and ports: "Python 3.12 is supported" does not end
    "Python 3.11".
    """
    new, old = _without_reason(later), _without_reason(earlier)
    for pattern in (_COUNTED, _PLACED):
        mine, theirs = pattern.findall(new), pattern.findall(earlier.lower())
        if len(mine) == len(theirs) == 1 and mine[0][0] != theirs[0][0]:
            before = new.partition(mine[0][0])[0].split()[-1:]
            named = before and before[0] not in _HOW_MANY and pattern is _COUNTED  # "Lesson 3"
            return not named and _beside(new, mine[0][0]) == _beside(old, theirs[0][0])
    return False


def counts(text: str) -> bool:
    """Return whether a statement says how many of something there are."""
    return bool(_COUNTED.search(text.lower()) or _PLACED.search(text.lower()))


def _without_reason(text: str) -> str:
    """Return a statement up to its reason, in lower case."""
    return _REASON.split(text.lower(), maxsplit=1)[0]


def _beside(text: str, value: str) -> list[str]:
    """Return a statement's words without numbers, and without words for being new."""
    words = re.findall(r"[\w'-]+", text.replace(value, " ", 1))
    return [word for word in words if word not in _NEWLY]


def _corrected(later: str, earlier: str, theirs: frozenset[str]) -> tuple[str, str] | None:
    """Compare one clause with a statement, given what that is about.

    A long text has hundreds of clauses: each is read first, and only what it needs of the other.
    """
    amount = _another_amount(later, earlier)
    if amount:
        return amount
    mine = _about(later)
    shared = len(mine & theirs)
    if not mine:  # "the 250 is wrong, it's 400" is about that number alone
        found = _named_wrong(later, earlier)
        return found if found and len(_bare(found[1])) >= _TELLING else None
    if not shared:
        return None
    found = _named_wrong(later, earlier) or _other_name(later, earlier)
    if found and (shared == len(mine) or _is_of_one(found, later, earlier, mine & theirs)):
        return found
    # Compare the whole subject of the later one: the nightly backup is not the sandbox reset.
    if shared < len(mine) or not says_change(later):
        return None
    return _another_time(later, earlier) or _another_count(later, earlier, mine)


def _is_of_one(found: tuple[str, str], later: str, earlier: str, shared: frozenset[str]) -> bool:
    """Return whether both values are of one thing, though the later names more beside it."""
    # "The API timeout is 30, not 10" leaves the 10 requests that the API allows.
    counted = {_beginning(unit) for _, unit in _COUNTED.findall(f"{later} {earlier}".lower())}
    all_of_it = len(_about(later))
    half = 2 * len(shared) >= all_of_it and bool(shared - counted)
    most = 2 * len(shared) > all_of_it  # "mail retries are 5 now" leaves those of the imports
    alike = _same_unit(*found, later, earlier) or (most and _same_head(*found, later, earlier))
    return half and alike


def _same_unit(new: str, old: str, later: str, earlier: str) -> bool:
    """Return whether the new value has the unit that the old one has in the earlier statement."""
    unit = re.sub(r"^[$#:v]?[\d.,:_]+", "", new) or dict(_COUNTED.findall(later.lower())).get(new)
    behind = re.search(rf"(?<![\w.]){re.escape(_bare(old))}\s*([a-z%]+)", earlier.lower())
    return bool(unit and behind and behind[1].startswith(unit))


def _same_head(new: str, old: str, later: str, earlier: str) -> bool:
    """Return whether both say it of one word: "retries are 5 now", "airflow retries are 3"."""
    heads = [
        re.search(rf"\b([a-z]{{4,}})\s+(?:is|are)\s+(?:max\s+)?{re.escape(value)}\b", text.lower())
        for value, text in ((new, later), (_bare(old), earlier))
    ]
    return all(heads) and len({head[1] for head in heads if head}) == 1 and says_change(later)


def _named_wrong(later: str, earlier: str) -> tuple[str, str] | None:
    pairs = [one for pattern in _CORRECTIONS for one in pattern.finditer(later.lower())]
    if pairs:
        given = {_bare(one) for one in re.findall(_VALUE, earlier.lower())}
        for found in pairs:
            new, old = found["new"], found["old"]
            if _bare(old) in given and _bare(new) not in given and _bare(new) != _bare(old):
                return new.rstrip(".,:"), old.rstrip(".,:")
    return None


def _other_name(later: str, earlier: str) -> tuple[str, str] | None:
    """Return the name that replaces one in the earlier statement."""
    found = _NAMES.search(later.lower())
    given = set(re.findall(_A_NAME, earlier.lower())) if found else ()
    if found and found["old"] in given and found["new"] not in given:
        return found["new"], found["old"]
    return None


def _another_amount(later: str, earlier: str) -> tuple[str, str] | None:
    """Return two amounts of one kind that something takes: "uploads are 50 MB now"."""
    new = [*_QUANTITY.finditer(later.lower())]
    if len(new) != 1 or not says_change(later):
        return None
    old = [*_QUANTITY.finditer(earlier.lower())]
    if len(old) != 1:
        return None
    mine, theirs = new[0].groupdict(), old[0].groupdict()
    about, before = (_about(_UNITS.sub(" ", text.lower())) for text in (later, earlier))
    # A rate is a limit whatever else is said; a build takes one time and is cached for another.
    most = 0 if mine["time"] else 1 if mine["size"] else len(before)
    one_thing = about and about <= before and len(before - about) <= most
    one_thing = one_thing and _short_names(later) <= _short_names(earlier)
    if not one_thing or _kind(mine) != _kind(theirs) or new[0][0] == old[0][0]:
        return None
    return mine["value"], theirs["value"]


def _short_names(text: str) -> frozenset[str]:
    """Return names of two letters: the limit of the fx API is none of the db's."""
    words = re.findall(r"(?<![\w'])[a-z]{2}(?![\w'])", _UNITS.sub(" ", text.lower()))
    return frozenset(words) - _PLAIN


def _kind(amount: Mapping[str, str]) -> tuple[object, ...]:
    """Return what an amount is: of time, of size or a rate, and of which period."""
    per = amount["per"] or amount["each"]
    return amount["when"], bool(amount["size"]), bool(amount["time"]), per and per[:1]


def _another_count(later: str, earlier: str, shared: frozenset[str]) -> tuple[str, str] | None:
    """Return two numbers that count the same thing: "the new one does 80 columns"."""
    new, old = _COUNTED.findall(later.lower()), _COUNTED.findall(earlier.lower())
    if len(new) != 1 or len(old) != 1:
        return None
    (value, unit), (before, counted) = new[0], old[0]
    if _said_behind(value, later) != _said_behind(before, earlier):
        return None  # "takes 5 minutes", "every 10 minutes"
    alike = _beginning(unit) == _beginning(counted) and not shared <= {_beginning(unit)}
    return (value, before) if alike and value != before else None


def _said_behind(value: str, text: str) -> str:
    """Return the "every", "after" or "within" that a value follows; or ""."""
    before = text.lower().partition(value)[0].split()[-1:]
    return before[0] if before and before[0] in _WHENS else ""


def _beginning(word: str) -> str:
    """Return the beginning of a word, the same in singular and plural."""
    return (word.removesuffix("s") if len(word) > _SHORTEST else word)[:5]


def _another_time(later: str, earlier: str) -> tuple[str, str] | None:
    new, old = set(_TIME.findall(later)), set(_TIME.findall(earlier))
    if len(new) != 1 or len(old) != 1 or new == old:
        return None
    return new.pop(), old.pop()


def _about(text: str) -> frozenset[str]:
    """Return the beginnings of the words that tell what a statement is about."""
    words = re.findall(r"[^\W\d_]{3,}", text.lower())
    return frozenset(_beginning(word) for word in words if word not in _PLAIN)


def _bare(value: str) -> str:
    """Return a value's digits with their separators: 3s and 3 are equal, 3.5 is not."""
    return value.strip("$#:v").rstrip("abcdefghijklmnopqrstuvwxyz%.,:").replace("_", "")
