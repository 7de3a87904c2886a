"""Choices with their reason, among what was offered or tried: "jooq. It is typed". Pure.

Such an answer is too short to say by itself what it decides: the question names it.
"""

from __future__ import annotations

import itertools
import re

from satchel.application.learning.signals.reasons import reason_behind
from satchel.application.learning.signals.speech.clauses import peel
from satchel.application.learning.signals.speech.moments import NOW
from satchel.application.learning.signals.speech.wording import begun_with_a_capital
from satchel.application.learning.signals.speech.words import BEGUN
from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import LazyPattern, spoken

_SENTENCE_END = LazyPattern(r"(?<=[.?!])(?!\S)|\n")
#: In a question that offers one of two things.
_OR = spoken(r"\bor\b")
#: Most words of a choice, and of a question that suggests one thing; fewest letters of its name.
_FEW, _SHORT_QUESTION, _A_NAME = 4, 8, 4
_POLITE = frozenset(("please", "then", "use", "with", "go", "let's", "lets", "ok", "okay"))
#: Words that only refer to the question, to what is at hand, or to the hour.
_POINTS = frozenset(
    "first second third former latter option both either neither one it that this the these those"
    " my your yes no now later today tomorrow".split()
)
#: Asks whether to do something: "should I commit or wait?".
_SUBJECT = r"(?:should|shall|do|can|could|may) (?:i|we|you)|want(?: me)? to|(?:like|need) to"
#: "Should the offline cache use Room or DataStore?".
_USED_FOR = spoken(
    r"\b(?:should|shall|does|do|will|can) (?P<what>(?!(?:we|i|you|they|it)\b)"
    r"(?:[\w-]{2,20} ){1,4})use\b"
)
#: "No matplotlib, the pdf export can't do plotly".
_RATHER = spoken(
    r"(?:no|nope|nah)\b[\s,]{1,3}(?:use |take |rather |please )?"
    r"(?P<pick>(?!(?:the|it|that|this|we|i|you|not|because|just|don't)\b)[\w.+/-]{2,30}), "
    r"(?P<why>\S.{8,160}?)[\s.!]*\Z"
)
#: What was tried, and how it went: "we tried celery, it lost jobs on restart".
_TRIED = spoken(
    rf"{BEGUN}"
    r"(?:(?:i|we)(?:'ve| have| had|'d)? )?(?:(?:already|once|both|even) ){0,2}tried "
    r"(?!(?:to|it|that|this|again|everything|\w{2,20}ing)\b)\S[^?]{8,200}\Z"
)
#: What is done since: "so it's rq", "so we went back to lists", "stay on webpack".
_SINCE = spoken(
    r"(?:(?:and )?(?:so|that'?s why|hence|therefore),? (?:now )?(?:(?:we|i)(?:'re|'ll| are| will)? "
    r"(?:use|went|go|going|stay|stick|keep|took|moved|switched|do|don'?t|never|chose|wrote|run)\b"
    r"|it'?s (?!the\b|a\b|not\b|probably\b|likely\b)[\w.+-]{2,30}"
    r"|(?:use|stay|stick|keep|never|don'?t|no|back to(?! (?:debugging|work|square)\b)|only) \S"
    r"|(?!(?:please|yes|yeah|no|nope|far|well|then|what|whatever|idk|can|could|maybe|it|that|this)\b)"
    r"[\w.+-]{3,20}(?:,| it is\b| for\b| instead\b|[\s.!]*\Z))|(?:stay|stick) (?:on|with) \S)"
)
#: How far behind what was tried that may be said, in sentences.
_SOON = 2
#: "Not rsync!", before the reason.
_NOT_THAT = spoken(
    r"(?:(?:no|but|and|please),? )?not (?!(?:the|bad|yet|sure|really|now|here|there|only|just"
    r"|\w{2,20}ly)\b)(?P<thing>[\w./+-]{2,30}?)[\s.!]*\Z"
)
#: Suggests nothing.
_ASKS_WHAT = spoken(r"(?:wh\w+|how|is|are|was|were|did|does|has|have)\b")
#: Answers a question without naming anything.
_NODS = frozenset(
    "yes yeah yep yup no nope nah ok okay sure right fine good well thanks hm hmm so but".split()
)
#: A reason of the moment, of somebody's taste, or of what is on the screen.
_IN_PASSING = spoken(
    r"\b(?:here|this|that one|i|i'?m|i'?ve|my|me|looks?|reads?|feels?|sounds?|easier|nicer"
    r"|prettier|better|simpler|overkill|further|already|there (?:are|is))\b"
)
_A_NUMBER = re.compile(r"\d+")


class Choice(NamedTuple):
    """A choice as a line, the index of its first sentence in the turn, and how many it takes."""

    wording: str
    at: int
    sentences: int
    label: str = "decision"


def choice_among(said: list[str], offers: str) -> Choice | None:
    """Return the choice that a turn begins with, or the answer to its own question, with why.

    Args:
        said: the sentences of the turn.
        offers: what was asked before it, by the agent or the person.
    """
    asked = (one for one in _SENTENCE_END.split(offers) if one.rstrip().endswith("?"))
    offered = " ".join(one for one in asked if _OR.search(one))
    if offered and said:
        head, _, tail = said[0].partition(",")
        for answer, why, taken in ((head, tail, 1), (said[0], "".join(said[1:2]), 2)):
            picked = _picked(answer, offered) if why else ""
            reason = reason_behind(picked, "chosen;", why.strip(), "") if picked else ""
            if reason and _lasts(why):
                return Choice(f"{picked}{reason}", 0, taken)
    return _preferred(said, offers) or _answered(said) or _refused(said) or _tried(said)


def _lasts(why: str) -> bool:
    """Return whether a reason will be one next month."""
    return not (_IN_PASSING.search(why) or NOW.search(why))


def _picked(answer: str, offered: str) -> str:
    """Return which of the offers an answer of few words names, or ""."""
    plain = [word for word in answer.strip(" .!,;").split() if word.lower() not in _POLITE]
    named = [word.lower().strip(",") for word in plain]
    if not 0 < len(named) <= _FEW or not _POINTS.isdisjoint(named):
        return ""
    small = offered.lower()
    # "Sensor" is short for ExternalTaskSensor.
    begins = ("" if len(one) > _A_NAME else r"(?<!\w)" for one in named)
    every = all(
        re.search(rf"{begin}{re.escape(one)}(?!\w)", small)
        for begin, one in zip(begins, named, strict=True)
    )
    first = re.escape(named[0])
    does = re.search(rf"(?:{_SUBJECT}) {first}\b|(?:{_SUBJECT}) \w+ or {first}\b", small)
    if not every or does or len(named[0]) == 1 or _A_NUMBER.fullmatch(named[0]):
        return ""
    # "3.12" is a version of what is named before it.
    of = re.search(rf"\b([a-z][\w+#-]{{0,30}}) (?:[\d.]+ or )?{first}", small)
    told = f"{of[1]} " if of and named[0][0].isdigit() else ""
    what = _USED_FOR.search(offered)
    other = _other(" ".join(named), offered)
    use_for = f"{',' if other else ''} for {what['what'].strip()}" if what else ""
    return f"Use {told}{' '.join(plain)}{other}{use_for}"


def _other(picked: str, offered: str) -> str:
    """Return what was not chosen of two things in one word each: ", not adyen"; or ""."""
    one, ends = re.escape(picked), r"(?=[?,]|\s(?:for|in|with|here|then)\b)"
    pair = rf"(?i)(?<!\S)(?:{one} or ([\w.+/-]+)|([\w.+/-]+) or {one}){ends}"
    found = re.search(pair, offered)
    other = (found[1] or found[2]) if found else ""
    return f", not {other}" if other else ""


def _answered(said: list[str]) -> Choice | None:
    """Return what is chosen over what the turn's own question suggests: "with plotly? no, ..."."""
    for at, (question, answer) in enumerate(itertools.pairwise(said)):
        told = _RATHER.match(answer) if question.endswith("?") else None
        if told is None or len(question.split()) > _SHORT_QUESTION:
            continue
        asked = re.findall(rf"[\w.+/-]{{{_A_NAME},}}", question.lower())
        why = told["why"].lower()
        refused = next((one for one in reversed(asked) if one in why), "")
        if refused and told["pick"].lower() not in why and _lasts(why):
            wording = f"{begun_with_a_capital(told['pick'])}, not {refused}: {told['why']}"
            return Choice(wording, at, 2)
    return None


def _preferred(said: list[str], offers: str) -> Choice | None:
    """Return what is chosen over what was asked about: "lombok?", "records, we drop lombok"."""
    pick, _, why = "".join(said[:1]).rstrip(" .!").partition(", ")
    words = pick.lower().split()
    if not why or not 0 < len(words) < _FEW or not _NODS.isdisjoint(words):
        return None
    for question in _SENTENCE_END.split(offers):
        short = question.rstrip().endswith("?") and len(question.split()) <= _SHORT_QUESTION
        short = short and not _ASKS_WHAT.match(question.lstrip())
        asked = re.findall(rf"[\w.+/-]{{{_A_NAME},}}", question.lower()) if short else []
        refused = next((one for one in asked if one in why.lower() and one not in words), "")
        if pick.lower() in why.lower() or not (_POINTS.isdisjoint(words) and _lasts(why)):
            continue
        if refused:
            return Choice(f"{begun_with_a_capital(pick)}, not {refused}: {why}", 0, 1)
    return None


def _refused(said: list[str]) -> Choice | None:
    """Return what is refused in two words, and why: "not rsync! the hoster only has sftp"."""
    for at, (sentence, why) in enumerate(itertools.pairwise(said)):
        told = _NOT_THAT.match(sentence)
        if told is None or told["thing"].lower() in _POINTS:
            continue
        reason = reason_behind(f"Not {told['thing']}", "not;", why, "")
        if reason and _lasts(why):
            return Choice(f"Not {told['thing']}{reason}", at, 2, "correction")
    return None


def _tried(said: list[str]) -> Choice | None:
    """Return what was tried, how it went, and what is done since; "it didn't help" says no more."""
    for at, sentence in enumerate(said):
        tried = _TRIED.match(sentence)
        if tried is None:
            continue
        begins = re.search(r"(?i)[,;] (?=(?:and )?(?:so|that'?s why|hence)\b)", sentence)
        if begins and _SINCE.match(sentence[begins.end() :]):
            return Choice(_as_one(sentence), at, 1)
        for later in range(at + 1, min(at + 1 + _SOON, len(said))):
            if _SINCE.match(said[later]):
                return Choice(_as_one(*said[at : later + 1]), at, later + 1 - at)
    return None


def _as_one(first: str, *others: str) -> str:
    """Return what several sentences say as one line."""
    told = [peel(first).rest, *(f"{one[:1].lower()}{one[1:]}" for one in others)]
    return begun_with_a_capital("; ".join(one.rstrip(" .!;,") for one in told))
