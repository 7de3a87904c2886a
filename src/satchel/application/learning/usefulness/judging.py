"""Judges whether memories shown to a session were useful, from what the agent then did. Pure.

A memory was used if the agent took up enough of its significant words that nobody else had said. It
helped if tests, or what had failed, passed afterwards; it hurt if the user corrected its subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from satchel.application.learning.signals.arcs import find_arcs, is_test
from satchel.application.learning.signals.classifying import classify
from satchel.application.learning.signals.values import CORRECTION
from satchel.clients.transcript_format.values import ASSISTANT, USER, Turn
from satchel.features.injections.injection_ledger import Injection
from satchel.features.injections.outcomes import HELPED, HURT, IGNORED, USED

#: Fewest answers after an injection for a judgement.
_FEWEST_ANSWERS = 2
_SHARE, _FEWEST_WORDS, _CORRECTED = 0.4, 2, 2
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]{3,}")
_COMMON = frozenset(
    "about after again also always because been before being between both cannot could does done"
    " each even every from have having here into just like make more most must need never only"
    " other over please same should some such than that their them then there these they this"
    " those through under until using very want were what when where which while will with would"
    " your learn learned rule decision agent file files code test tests work".split()
)


def judge(injections: Sequence[Injection], turns: Sequence[Turn]) -> dict[str, tuple[str, int]]:
    """Return the outcome of each memory shown to a session: identity -> outcome, tokens.

    Empty if too little happened afterwards.
    """
    found: dict[str, tuple[str, int]] = {}
    arcs = [max(0.0, arc.at) for arc in find_arcs(turns)]
    for injection in injections:
        after = [turn for turn in turns if turn.at >= injection.ts]
        if sum(turn.role == ASSISTANT for turn in after) < _FEWEST_ANSWERS:
            continue
        for item in injection.items:
            if not item.identity or not item.text:
                continue
            outcome = _outcome(_words(item.text), after, arcs)
            before = found.get(item.identity)
            tokens = item.tokens + (before[1] if before else 0)
            found[item.identity] = (_better(outcome, before[0] if before else ""), tokens)
    return found


def _outcome(words: frozenset[str], turns: Sequence[Turn], arcs: Sequence[float]) -> str:
    least = max(_FEWEST_WORDS, round(len(words) * _SHARE))
    said_by_person: set[str] = set()
    for at, turn in enumerate(turns):
        if turn.role == USER:
            said_by_person |= words & _words(turn.text)
            continue
        told = _words(f"{turn.text} {' '.join(turn.tools)}") & words
        if len(told - said_by_person) >= least:
            return _after(words, turns[at:], arcs)
    return IGNORED


def _after(words: frozenset[str], turns: Sequence[Turn], arcs: Sequence[float]) -> str:
    """Return what followed the use of a memory."""
    prev = ""
    for turn in turns:
        about_it = turn.role == USER and len(words & _words(turn.text)) >= _CORRECTED
        if about_it and any(one.label == CORRECTION for one in classify(turn.text, prev)):
            return HURT
        prev = turn.text or prev if turn.role == ASSISTANT else prev
    begun = turns[0].at
    passed = any(
        is_test(tool) and not turn.errors
        for turn in turns
        if turn.role == ASSISTANT
        for tool in turn.tools
    )
    return HELPED if passed or any(at >= begun for at in arcs) else USED


def _better(one: str, other: str) -> str:
    """Return the more informative of two outcomes in one session."""
    order = (HURT, HELPED, USED, IGNORED)
    known = [outcome for outcome in (one, other) if outcome]
    return min(known, key=order.index)


def _words(text: str) -> frozenset[str]:
    found = (word.strip("./-").lower() for word in _WORD.findall(text))
    return frozenset(word[:10] for word in found if word not in _COMMON)
