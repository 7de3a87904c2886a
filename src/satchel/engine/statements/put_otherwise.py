"""Values that a later statement changes in other words: "retries are 5 now", "max 3 retries".

Pure. Both must speak of the same things in their main clause, and of one value of one kind: a
number, how often, by what means. The later one must say that it is a change. Words that only build
the sentence ("stays at", "runs on") are no part of what it is about.
"""

from __future__ import annotations

from functools import lru_cache

from satchel.core.values import NamedTuple
from satchel.engine.statements.chosen_things import things_of
from satchel.engine.statements.subject_words import NEGATIONS, telling_words
from satchel.engine.words import WRITTEN_SHORT, in_figures, says_change, says_later
from satchel.storage.kept_patterns import LazyPattern, spoken

#: Where the main clause ends.
_ASIDE = spoken(r"[,;.!?]\s|[.!?]$|\s(?:because|since|until|so that|so|which|cause|bc|as of)\s")
_HEADING = spoken(r"^[\w\s-]{2,30}:\s")
#: Points at what was on the screen, and names nothing.
_ON_THAT = spoken(r"\s(?:on|in|of|for|at) (?:that|this) [\w-]{2,20}")
_WORD = LazyPattern(r"\w[\w.+#/-]{0,60}")
_NUMBER = spoken(r"v?(?P<figure>\d[\d.,]*)(?P<unit>ms|s|m|h|d|min|k|kb|mb|gb|%)?$")
_TIMES = frozenset(
    "ms s sec second m min minute h hr hour d day night week month year quarter".split()
)
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
#: How often something happens.
_OFTEN = spoken(
    r"\b(?:(?:every|each) (?:(?:second|other|third|fourth|\d{1,2}) )?(?:minute|hour|day|night"
    rf"|morning|evening|week|weekend|weekday|month|quarter|{_DAYS})s?|hourly|daily|nightly|weekly"
    r"|biweekly|fortnightly|monthly|quarterly"
    r"|(?:once|twice|\d{1,2} times) (?:an?|per|every) (?:hour|day|night|week|month|quarter|year)"
    rf"|on {_DAYS})\b"
)
#: By what means something is done.
_BY = spoken(
    r"^(?P<what>(?:[\w-]{1,30} ){1,4}?)(?:(?:is|are|goes|go|comes?|runs?|gets?) )?"
    r"(?:(?:now|again|in|out|only|still) ){0,2}"
    r"(?:(?P<done>done|made|built|written|sent|handled|managed|published|deployed) )?"
    r"(?P<how>with|via|over|through) (?:the )?(?P<means>[a-z][\w.+#-]{1,30})\b"
)
_TO = spoken(r"\bgo(?:es)? (?:up |down )?to v?\d")
_AFTER_ALL = spoken(r"\bafter all\b")
#: What goes with the value, or gives its reason.
_FOLLOWS = spoken(
    r"(?:,? (?:so|therefore|hence|because|since|until|bc|cause)\s"
    r"|, no (?=[\w-]{2,30}(?:\s[\w-]{1,30}){0,4}$)).*"
)
_MEANS, _DONE = "means", "done"
#: Only build the sentence, or say how much and when.
_BUILDS = frozenset(
    "a an the our my we it its they this that is are was be been will do does has have had get"
    " gets got go goes went gone come comes run runs live lives stay stays keep keeps take takes"
    " use uses using allow allows cost costs on at in to of for with per by from out up down"
    " back over not more than only max maximum min minimum most least about around all now again"
    " already still currently nowadays anymore team please pls btw ok so and also just set limit"
    " limited raised re ve ll lowered bumped increased reduced cut upgraded moved switched"
    " changed migrated".split()
)
#: What is said of it without a place is said of this one.
_MAIN_PLACE = "production"
_LONG = dict(pair.split() for pair in (*WRITTEN_SHORT, "pg postgresql"))
#: A word of this many letters is about one thing, whatever stands before it: "mqtt keepalive".
_TELLING = 8
#: Letters by which two forms of a word are known for one.
_BEGINNING = 4


class _Value(NamedTuple):
    """What a main clause is about, in its order, and its value: of which kind, and of what unit."""

    about: tuple[str, ...]
    kind: str
    value: str
    unit: str = ""


def put_otherwise(later: str, earlier: str) -> str:
    """Return the value of an earlier statement that a later one changes in other words; or ""."""
    if not (says_change(later) or _TO.search(later)) or says_later(later):
        return ""
    new, old = _value_of(later), _value_of(earlier)
    if new is None or old is None or (new.kind, new.value) == (old.kind, old.value):
        return ""
    units = {new.unit, old.unit} - {""}
    both_may_be = new.kind == _MEANS and not units  # "tests run with -race" and "with coverage"
    comparable = new.kind == old.kind and len(units) <= 1 and not both_may_be
    return old.value if comparable and _is_about_one(new, old) else ""


def without_what_follows(text: str) -> str:
    """Return a statement without what follows from its value: ", so no window functions"."""
    return _FOLLOWS.sub("", text)


def taken_after_all(later: str, earlier: str) -> str:
    """Return what a later statement takes after all, if an earlier one refused it for the same."""
    if not _AFTER_ALL.search(later):
        return ""
    told = telling_words(later)
    for refused in things_of(earlier).refused:
        place = {one[:_BEGINNING] for one in refused.place}
        here = not place or any(word[:_BEGINNING] in place for word in told)
        if here and any(one.words == refused.words for one in things_of(later).chosen):
            return " ".join(refused.words)
    return ""


def _is_about_one(new: _Value, old: _Value) -> bool:
    """Return whether two clauses are about one thing; the earlier may name it more exactly."""
    mine, theirs = ([word for word in one.about if word != _MAIN_PLACE] for one in (new, old))
    if not mine or set(mine) - set(theirs):
        return False
    more = [word for word in theirs if word not in mine]
    if not more:
        return True
    exact = len(more) == 1 and len(mine) == 1 and len(mine[0]) >= _TELLING
    return exact and theirs.index(more[0]) < theirs.index(mine[0])


@lru_cache(maxsize=8192)
def _value_of(text: str) -> _Value | None:
    text = in_figures(text.replace("`", "").replace("\u2019", "'"))
    heading = _HEADING.match(text)
    main = _ASIDE.split(text[heading.end() if heading else 0 :].strip(), maxsplit=1)[0]
    main = _ON_THAT.sub("", main)
    means = _BY.match(main)
    if means and means["means"].lower() not in _BUILDS:
        told = _DONE if means["done"] or means["how"].lower() != "with" else ""
        return _Value(_about(means["what"]), _MEANS, means["means"].lower(), told)
    often = _OFTEN.search(main)
    if often:
        rest = main[: often.start()] + main[often.end() :]
        return _Value(_about(rest), "often", " ".join(often[0].lower().split()))
    return _number_in(main)


def _number_in(main: str) -> _Value | None:
    words = _words(main)
    at = [place for place, word in enumerate(words) if _NUMBER.match(word)]
    if len(at) != 1 or not NEGATIONS.isdisjoint(words):
        return None
    found = _NUMBER.match(words[at[0]])
    assert found is not None  # noqa: S101 -- it was counted above
    behind = _plain(words[at[0] + 1]) if at[0] + 1 < len(words) else ""
    unit = (found["unit"] or "").lower() or (behind if behind in _TIMES else "")
    rest = words[: at[0]] + words[at[0] + 1 + (behind in _TIMES) :]
    kind = "time" if unit in _TIMES else "number"
    about = _about(" ".join(rest))
    return _Value(about, "number", found["figure"], kind if unit else "") if about else None


def _about(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_plain(word) for word in _words(text) if word not in _BUILDS))


def _words(text: str) -> list[str]:
    return [word.lower().rstrip(".+/-") for word in _WORD.compiled.findall(text)]


def _plain(word: str) -> str:
    """Return a word in its long form, and singular."""
    word = _LONG.get(word, word)
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word.removesuffix("s") if len(word) > 2 else word  # noqa: PLR2004 -- "is", "os"
