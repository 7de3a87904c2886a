"""Scans a conversation: turns in, signals out, strongest first. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from satchel.application.learning.signals.arcs import find_arcs, find_repeated, is_refused
from satchel.application.learning.signals.calls import last_edited
from satchel.application.learning.signals.classifying import is_question
from satchel.application.learning.signals.context import names_nothing, with_subject
from satchel.application.learning.signals.cures import whole, with_cure
from satchel.application.learning.signals.findings import findings_in
from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.lasting import LIKELY
from satchel.application.learning.signals.opening import opening_task
from satchel.application.learning.signals.own_words import (
    own_words,
    sentences,
)
from satchel.application.learning.signals.patterns import category_of, stripped, wording_of
from satchel.application.learning.signals.refusals import naming_the_call
from satchel.application.learning.signals.speech.clauses import peel
from satchel.application.learning.signals.speech.forms import tells_how_it_is
from satchel.application.learning.signals.speech.wording import begun_with_a_capital
from satchel.application.learning.signals.speech.wording import wording_of as standing_alone
from satchel.application.learning.signals.speech.words import BEGUN
from satchel.application.learning.signals.values import (
    BEHAVIORAL,
    CORRECTION,
    DECISION,
    FACT,
    HIGH,
    KNOWLEDGE,
    LOW,
    MEDIUM,
    PREFERENCE,
    PROJECT,
    RECURRING,
    TIERS,
    Signal,
)
from satchel.clients.transcript_format.values import ASSISTANT, USER, Turn
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.learning.signals.values import Heard

_LONGEST, _A_QUOTE = 400, 200
_SAME_BEGINNING, _HALF, _A_LABEL = 40, 0.5, 20
_CODE_NAME = re.compile(r"`([^`]{2,60})`")
_FINDING_WORDS = 7
#: The fewest words that may name what the next sentence is about.
_WHOLE = 4
#: An order about what is on the screen names nothing: "set that to 15, always longer than ...".
_ON_IT = spoken(
    rf"{BEGUN}\w{{2,12}} "
    r"(?:it|that|this|them|those)\b(?: \S{1,20}){0,4}[\s,]{0,4}\Z"
)
_INTRODUCES = re.compile(r":[*_ ]*$")
#: Most sentences of one answer to read: findings are at its end or beginning.
_OF_AN_ANSWER = 40
#: A changelog, a ticket, a plan or a supposition reports no finding.
_NOT_FOUND_YET = spoken(
    r"\b(?:if it turns out|we could|I could|could be|might be|would be|may be|let me|I['\u2019]ll"
    r"|I will|going to|plan to|next,? I|should I|want me to|for example|e\.g\.|such as"
    r"|(?:ticket|issue|changelog|release notes?) (?:says?|#\d+)|whether|assuming|hypothetical\w*"
    r"|suppose|imagine|waiting (?:on|for))\b|\? ?$|^if\b"
)
_PLANNED = spoken(
    r"^(?:I['\u2019]ll|I will|let me)\b"
    r"|^(?:fix(?:ed|es)?|add(?:ed|s)?|chore|feat|docs|refactor)(?:\([\w-]+\))?!?:\s"
)
#: A person's suggestion, less certain than a rule.
_GUESSES = spoken(
    r"\b(?:might want to|(?:maybe|perhaps) (?:we|you) (?:should|could|can))\b"
    r"|^(?:(?:maybe|perhaps) )?consider\b"
)
#: Stated like this, a preference is a rule all the same.
_BINDS = spoken(r"\b(?:never|must|always|no exceptions)\b|^no\s")
_GUESS = (LOW, "suggestion", BEHAVIORAL, "pattern")
_FORBIDS = spoken(
    r"\b(?:never|don['\u2019]?t|do not|must not|should not|shouldn['\u2019]?t|stop|avoid)\b"
)
_A_NAME_ALONE = re.compile(r"\A(?:[A-Z][\w&-]*\.?,?[ ]){1,4}[A-Z][\w&-]*\.?\Z")
#: Says what to do instead: with that word, or by beginning with what to use.
_INSTEAD = spoken(
    r"\b(?:instead|rather)\b|^(?:i )?only (?:want |need )?(?!if\b|when\b)\w"
    r"|^(?:please |just |always )*(?:use|run|call|edit|change|ask|regenerate|generate|go through"
    r"|write|put|prefer|do it"
    r"|make (?!sure (?:the )?tests?\b))\b(?!.*\b(?:now|first|then|commit|push|pr)\b)"
)
_LABELLED = {
    CORRECTION: (HIGH, "correction", BEHAVIORAL, "correction"),
    PREFERENCE: (MEDIUM, "preference", BEHAVIORAL, "correction"),
    DECISION: (MEDIUM, "decision", KNOWLEDGE, "decision"),
    FACT: (MEDIUM, "fact", PROJECT, "pattern"),
}


def scan(turns: Sequence[Turn], *, wordings: bool = True) -> list[Signal]:
    """Return what a session's turns teach.

    Args:
        turns: in order. Injected text, pasted text and code in them do not count.
        wordings: read words; otherwise only the course of the session counts.
    """
    found = [*find_arcs(turns), *find_repeated(turns)]
    if wordings:
        found += _names_for_files(turns)
        opened = opening_task(turns)
        prev, before = "", None
        asked: list[str] = []
        for one in turns:
            refuses = one.role == USER and before is not None and is_refused(before)
            turn = naming_the_call(one._replace(rejects=True) if refuses else one, before)
            if turn.role == USER:
                told = _of_person(turn, prev, asked)
                found += [one for one in told if asked or not opened.is_for(one)]
                asked.append(own_words(turn.text))
            elif turn.role == ASSISTANT:
                found += _of_agent(turn)
                prev = turn.text or prev
            before = turn
    return _once(found)


def _of_person(turn: Turn, prev: str, asked: Sequence[str]) -> list[Signal]:
    found = _heard(turn, prev, asked)
    said = sentences(own_words(turn.text))
    for sentence in said:
        if sentence not in found and _GUESSES.search(sentence) and not is_question(sentence):
            found[sentence] = _make_signal(_GUESS, sentence, turn)
    return _with_the_way_out(found, said)


def _heard(turn: Turn, prev: str, asked: Sequence[str]) -> dict[str, Signal]:
    """Return lasting statements by form; sentence -> signal."""
    return {
        one.sentence: _signal_of(one, turn, prev, asked)
        for one in hear(turn.text, prev, rejected=turn.rejects, asked="".join(asked[-1:]))
        if one.form != LIKELY or not (_PLANNED.match(one.sentence) or _GUESSES.search(one.sentence))
    }


def _signal_of(one: Heard, turn: Turn, prev: str, asked: Sequence[str]) -> Signal:
    own = own_words(turn.text)
    objects = peel(own).objects
    before = own.partition(one.sentence)[0]
    if len(before.split()) >= _WHOLE and not (_ON_IT.match(before) or names_nothing(before)):
        # "It" was named there, not in an earlier prompt.
        asked, prev, objects = (before,), "", False
    learning = with_subject(one.wording, asked, prev, objects=objects, said=own)
    signal = _make_signal(_LABELLED[one.label], one.sentence, turn)._replace(
        learning=learning[:_LONGEST], plain=True, weighed=one.form == LIKELY
    )
    if one.label == PREFERENCE and _BINDS.search(learning):
        signal = signal._replace(tier=HIGH)
    # "The gateway returns 202, not 200" is knowledge, not a rule, and so is an answer to a
    # question.
    states = one.label == CORRECTION and (learning != one.wording or tells_how_it_is(one.wording))
    return signal._replace(group=PROJECT) if states else signal


def stated(sentence: str, turn: Turn) -> Signal:
    """Return a sentence of a person's turn as a fact, worded to stand alone."""
    signal = _make_signal(_LABELLED[FACT], sentence, turn)
    told = standing_alone(peel(sentence).rest or sentence)
    return signal._replace(learning=told[:_LONGEST], plain=True)


def _names_for_files(turns: Sequence[Turn]) -> list[Signal]:
    """Return names given while rejecting an edit: "Entire Inc." must be in the file."""
    found = []
    for at, (before, turn) in enumerate(itertools.pairwise(turns), start=2):
        edited = last_edited(before) if turn.rejects else ""
        name = own_words(turn.text)
        if edited and _A_NAME_ALONE.match(name) and not hear(turn.text, rejected=True):
            later = itertools.takewhile(
                lambda one: one.role == ASSISTANT or not one.text, turns[at:]
            )
            told = next(filter(None, (_clause_with(name, one.text) for one in later)), name)
            signal = _make_signal(_LABELLED[FACT], name, turn)
            found.append(signal._replace(learning=f"In {edited}: {told}", plain=True))
    return found


def _clause_with(name: str, text: str) -> str:
    """Return the clause in which an agent uses a name it was given, or ""."""
    words = rf"(?:(?!(?:and|with|as|to|for|the|now|is|says)\b)[\w()-]+\s+){{1,3}}{re.escape(name)}"
    clause = re.search(rf"(?<![\w()])(?:\(c\)\s+)?{words}", text, re.IGNORECASE)
    return clause.group() if clause else ""


def _with_the_way_out(found: dict[str, Signal], said: list[str]) -> list[Signal]:
    """Extend a prohibition by the next sentence if that gives the alternative."""
    whole = dict(found)
    for sentence, following in itertools.pairwise(said):
        rule = whole.get(sentence)
        if rule is None or rule.group != BEHAVIORAL or not _FORBIDS.search(sentence):
            continue
        if is_question(following) or _FORBIDS.search(following) or not _INSTEAD.search(following):
            continue
        ends = "" if rule.learning.endswith((".", "!")) else "."
        both = f"{rule.learning}{ends} {begun_with_a_capital(following.rstrip(' .'))}"
        whole[sentence] = rule._replace(learning=both[:_LONGEST])
        whole.pop(following, None)
    return list(whole.values())


def _of_agent(turn: Turn) -> list[Signal]:
    what = (HIGH, "root_cause", KNOWLEDGE, "bug-fix")
    found = [
        _make_signal(what, one.text, turn)._replace(
            kind=one.kind, learning=one.text[:_LONGEST], plain=True
        )
        for one in findings_in(turn.text)
    ]
    told = " ".join(one.learning.lower() for one in found)
    said = whole(sentences(own_words(turn.text)))
    if len(said) > _OF_AN_ANSWER:
        said = said[: _OF_AN_ANSWER // 2] + said[-_OF_AN_ANSWER // 2 :]
    for sentence, following in itertools.pairwise([*said, ""]):
        if _within(sentence, told):
            continue
        wording = wording_of(sentence)
        if wording is not None and _tells_enough(sentence):
            one = _make_signal(wording[:4], sentence.replace("**", ""), turn)
            if one.learning_type == "bug-fix":
                one = one._replace(learning=with_cure(one.learning, following)[:_LONGEST])
                told += f" {one.learning.lower()}"  # the cure is no second finding
            found.append(one)
    return found


def _within(sentence: str, told: str) -> bool:
    """Return whether a sentence repeats an earlier one, judged by its first words."""
    bare = sentence.replace("*", "").lower().rstrip(" .:")
    return bool(told) and bare[:_SAME_BEGINNING] in told


def _tells_enough(sentence: str) -> bool:
    """Return whether a finding names its subject: "The bug is more subtle" finds nothing."""
    planned = _NOT_FOUND_YET.search(sentence) or _PLANNED.match(sentence)
    return (
        not planned and len(sentence.split()) >= _FINDING_WORDS and not _INTRODUCES.search(sentence)
    )


def _make_signal(what: tuple[str, str, str, str], sentence: str, turn: Turn) -> Signal:
    """Return a signal; `what` are its tier, kind, group and learning type."""
    tier, kind, group, learnt = what
    learning = stripped(sentence)[:_LONGEST]
    return Signal(
        tier,
        kind,
        group,
        learning_type=learnt,
        category=category_of(learning),
        learning=learning,
        quote=sentence[:_A_QUOTE],
        role=turn.role,
        at=turn.at,
        turns=(turn.id,) if turn.id else (),
    )


def _leave_out_repeated_findings(kept: dict[str, Signal]) -> None:
    """Drop repeated findings by an agent: those that name the same things."""
    seen: list[tuple[str, frozenset[str]]] = []
    # A labeled finding says it better than one mentioned in passing.
    labelled_first = sorted(kept.items(), key=lambda pair: ":" not in pair[1].learning[:_A_LABEL])
    for key, one in labelled_first:
        if not one.plain or one.role != ASSISTANT:
            continue
        names = frozenset(
            word for name in _CODE_NAME.findall(one.learning.lower()) for word in name.split()
        )
        if any(kind == one.kind and _overlap(names, other) >= _HALF for kind, other in seen):
            del kept[key]
        else:
            seen.append((one.kind, names))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _tells_more(finding: str, arc: Signal) -> bool:
    """Return whether a finding tells the cause of an arc, which was rare, and what was done."""
    cause = "" if arc.quote == arc.error else " ".join(arc.quote.replace("*", "").lower().split())
    return bool(cause) and cause in finding and cause != finding and arc.attempts < RECURRING


def _once(signals: list[Signal]) -> list[Signal]:
    """Remove duplicates; sort by tier, then by time."""
    kept: dict[str, Signal] = {}
    for signal in signals:
        key = " ".join(signal.learning.lower().split())
        known = kept.get(key)
        if known is None:
            kept[key] = signal
        elif TIERS.index(signal.tier) < TIERS.index(known.tier):
            kept[key] = signal._replace(turns=tuple(dict.fromkeys(known.turns + signal.turns)))
    for key in [one for one in kept if any(more.startswith(f"{one}: ") for more in kept)]:
        del kept[key]  # another was kept with it as what it is about, or with its reason
    _leave_out_repeated_findings(kept)
    # An arc gives its cause in the words of the answer that found it: the longer one is enough.
    arcs = {key: one for key, one in kept.items() if one.structural}
    for key in [key for key, one in kept.items() if not one.structural]:
        shorter = [arc for arc, one in arcs.items() if _tells_more(key, one)]
        if any(key in arc for arc in arcs):
            del kept[key]
        for arc in shorter:
            kept.pop(arc, None)
    return sorted(kept.values(), key=lambda one: (TIERS.index(one.tier), one.at))
