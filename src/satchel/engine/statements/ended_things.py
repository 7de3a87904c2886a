"""What a later statement says has ended: "the ftp is gone", "no longer with scons".

Pure. What holds no longer must be said beside what holds instead: "the linter no longer runs in CI"
leaves others that run there.
"""

from __future__ import annotations

from functools import lru_cache

from satchel.core.values import NamedTuple
from satchel.engine.statements.subject_words import NEGATIONS, telling_words, words_of
from satchel.storage.kept_patterns import LazyPattern, spoken

#: "The old admin is gone", "that helper no longer exists", "the ftp was shut down".
_GONE = spoken(
    r"(?:^|[,;:.] |\band |\bbut )(?:(?:the|our|that|their) )(?P<thing>[\w.+/-]{2,40}"
    r"(?: (?!is\b|was\b|has\b|are\b)[\w.+/-]{2,40}){0,2}) (?:(?:is|are|was|were|has been|got) "
    r"(?:now |all )?(?:gone|retired|shut down|switched off|removed|deleted|dead)"
    r"|no longer exists?)(?= ?(?:[,;.!]|$|since\b|now\b|by now\b))"
)
#: "So no subtracting anymore".
_NO_MORE = spoken(
    r"\bno (?:more )?"
    r"(?P<verb>[a-z]{3,20})ing\b(?: \w{1,20}){0,3}? (?:any ?more|needed|necessary)\b"
)
#: "Sentry is out", "we replaced Tyk by Kong": nothing is left of what has this name.
_NAME_GONE = spoken(
    r"(?:^|[,;:.] )(?P<out>[\w+#/-]{3,30}) (?:is|are) (?:now )?"
    r"(?:out|gone|dead|history|retired|dropped|deprecated)\b(?= ?(?:[,;.!]|$|now\b))"
    r"|\b(?:dropped|ditched|abandoned|retired|scrapped|removed"
    r"|replaced) (?P<dropped>[\w+#/-]{3,30})(?= ?(?:[,;.!]|$)| (?:by|with|in favou?r)\b)"
    r"|\bg[eo]t(?:ting)? rid of (?P<rid>[\w+#/-]{3,30})(?= ?(?:[,;.!]|$))"
)
#: A name within a statement, as it is written.
_CAPITALIZED = LazyPattern(r"(?<=[\w,:]\s)[A-Z][\w+#/-]{2,30}")
_WORD = LazyPattern(r"[\w.+/-]+")
_ARTICLES = frozenset(("the", "our", "a", "an", "their", "this", "that", "every", "each"))
#: Where a subject ends.
_VERBS = frozenset(
    "is are was were has have had only runs opens lives sits needs takes sends returns uses gets"
    " allows accepts works can must should may will does keeps holds serves listens".split()
)
#: Words longer than this are significant.
_SHORT = 3
#: Most words in a subject.
_MOST = 4


def gone(later: str, earlier: str) -> str:
    """Return what a later statement says is gone, if an earlier one is about it; or ""."""
    subject = _subject(earlier)
    for found in _GONE.finditer(later):
        thing = found["thing"].lower().split()
        if subject[-len(thing) :] == thing:
            return " ".join(thing)
    ended = _NO_MORE.search(later)
    if ended and _does(ended["verb"].lower(), later, earlier):
        return ended["verb"]
    return _name_gone(later, earlier)


def _name_gone(later: str, earlier: str) -> str:
    """Return the name that a later statement says is gone and an earlier one uses; or "".

    It has to be written as a name in one of them: "we removed tests" is about some tests.
    """
    names = {name.lower() for text in (later, earlier) for name in _CAPITALIZED.findall(text)}
    if not names or not NEGATIONS.isdisjoint(words_of(earlier)):
        return ""
    used = {word.lower().strip(".") for word in _WORD.findall(earlier)} & names
    ended = (one[one.lastgroup or 0].lower() for one in _NAME_GONE.finditer(later))
    return next((name for name in ended if name in used), "")


def _does(verb: str, later: str, earlier: str) -> bool:
    """Return whether an earlier statement has something done to the thing that both name."""
    mine, theirs = (
        {word.lower() for word in _WORD.findall(text) if len(word) > _SHORT}
        for text in (later, earlier)
    )
    done = {verb, f"{verb}e", verb[:-1]} & theirs
    return bool(done) and bool((mine & theirs) - done)


def _subject(text: str) -> list[str]:
    """Return the words before a statement's verb, if there are few; else none."""
    words = [word.lower() for word in _WORD.findall(text[:200])]
    begin = 1 if words[:1] and words[0] in _ARTICLES else 0
    end = next((at for at, word in enumerate(words) if word in _VERBS), 0)
    return words[begin:end] if begin < end <= begin + _MOST else []


_PLACE = r"(?:(?:with|from|on|in|at|to|by|via|through|for|the|an?|us(?:e|ing)) )*"
_NAME = r"[\w./+#:-]{1,40}"
#: Behind what holds instead; "not" says so only together with "now" or "anymore".
_LET_GO = spoken(
    rf"(?:[,;:(] ?(?:and )?|\b(?:now|again|and) )(?:no (?:longer|more) {_PLACE}(?P<thing>{_NAME})"
    rf"|not {_PLACE}(?P<other>{_NAME})(?: \w{{1,20}})? any ?more\b)"
    rf"|\bnow,? not {_PLACE}(?P<former>{_NAME})"
)
#: The options of a command, which say nothing about its subject.
_OPTIONS = LazyPattern(r"(?<=\s)(?:-{1,2}\w\S*|\w+=\S+)")
#: Before it begins what a statement adds to what it says: a reason, a promise.
_ADDED = spoken(
    r":\s|;\s|,? (?:because|since|so that)\s"
    r"|,\s(?=(?:the|our|they|it|its|it's|that|that's|thats|this|which|otherwise)\s)"
)
#: The share of the earlier statement's words that the later one must have, and the fewest.
_SHARED, _FEWEST = 0.4, 2


class _Abandoned(NamedTuple):
    """The things that a statement lets go, by the beginning of their words, and all its words."""

    things: dict[str, str]
    words: frozenset[str]


def let_go(later: str, earlier: str) -> str:
    """Return the thing that `later` says holds no longer and `earlier` still says; or ""."""
    said = _let_go(later)
    if not said.things:
        return ""
    main = _OPTIONS.sub(" ", _ADDED.split(earlier, maxsplit=1)[0])
    theirs = telling_words(main)
    thing = next((one for one in said.things if one in theirs), "")
    if not thing or not NEGATIONS.isdisjoint(words_of(main)) or thing in _let_go(earlier).things:
        return ""
    shared = said.words & theirs
    return said.things[thing] if len(shared) >= max(_FEWEST, _SHARED * len(theirs)) else ""


@lru_cache(maxsize=512)
def _let_go(text: str) -> _Abandoned:
    things: dict[str, str] = {}
    for found in _LET_GO.finditer(text.replace("`", "")):
        thing = found["thing"] or found["other"] or found["former"]
        for one in telling_words(thing):
            things.setdefault(one, thing.lower().rstrip(".:"))
    return _Abandoned(things, frozenset(telling_words(text) if things else ()))


#: "We no longer squash", "no more squashing", "stop squashing", "don't squash any more".
_NO_LONGER = spoken(
    r"(?:\bwe no longer (?P<act>[a-z]{3,20})\b"
    r"|(?:^|[,;:.] |\bwe )(?:no more|stop(?:ped)?) (?P<doing>[a-z]{3,20}ing)\b"
    r"|\b(?:don['\u2019]?t|do not) (?P<dont>[a-z]{3,20})\b"
    r"(?=(?: [\w./-]{1,30}){0,4}? any ?more\b))(?P<what>(?: (?!any ?more\b)[\w./-]{1,30}){0,6})"
)
_ORDERED = spoken(r"(?P<habit>(?:(?:always|we|please) ){0,3})(?P<act>[a-z]{3,20})\b")
_DOING, _INFLECTED = "ing", 2


def ends_a_habit(later: str) -> bool:
    """Return whether a statement says that something is no longer done."""
    return bool(_NO_LONGER.search(later))


def habit_ended(later: str, earlier: str) -> str:
    """Return what `later` says is no longer done and `earlier` orders, as by "squash"; or ""."""
    ended, ordered = _NO_LONGER.search(later), _ORDERED.match(earlier)
    if not ended or not ordered:
        return ""
    act = (ended["act"] or ended["doing"] or ended["dont"]).lower()
    theirs = telling_words(earlier)
    what = next((told for word in ended["what"].split() if (told := telling_words(word))), set())
    # "We no longer squash" leaves "Squash the commits of the bot".
    of_it = bool(what & theirs) if what else bool(ordered["habit"])
    return act if of_it and _is_act(act, ordered["act"].lower()) else ""


def _is_act(done: str, ordered: str) -> bool:
    """Return whether two verbs are one: "squashing", "logging" and "squash", "log"."""
    if not done.endswith(_DOING):
        return telling_words(done) == telling_words(ordered) != set()
    base = done.removesuffix(_DOING)
    base = base[:-1] if base[-2:-1] == base[-1:] else base
    return ordered.startswith(base) and len(ordered) - len(base) <= _INFLECTED
