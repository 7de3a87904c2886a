"""Nudges: requests to agents to remember something, and the resulting memories. Pure.

An agent is asked when a person corrected it or said something lasting, and when a command that
had failed succeeds.
"""

from __future__ import annotations

from collections.abc import Iterable

from satchel.core.values import NamedTuple
from satchel.features.injections.injection_ledger import InjectedItem, Injection

#: The section of an injection that asks.
SECTION = "nudge"
#: The label of the nudge after a resolved failure; the others are labels of statements.
FIXED = "fixed"
#: The label of a nudge about a withdrawal, which asks to hide something.
WITHDRAWAL = "withdrawal"
#: Seconds within which a memory may answer; within which it does even without a shared word.
_NEAR, _AT_ONCE = 3600, 300
_SHARED = 2


class NudgeFigures(NamedTuple):
    """How often agents were asked to remember something, and how often they did."""

    asked: int
    followed: int


def nudge_injection(
    event: str, session: str, label: str, heard: str, told: str, *, tokens: int, now: float
) -> Injection:
    """Return a nudge as an injection.

    Args:
        session: whose agent is asked.
        label: of what was heard.
        heard: the statement, or the command that succeeds.
        told: the text for the agent.
    """
    item = InjectedItem("", "", SECTION, rank=1, tokens=tokens, why=label, text=told)
    return Injection(
        int(now),
        session,
        event,
        agent="",
        tokens=tokens,
        budget=tokens,
        left_out=0,
        items=(item,),
        heard=heard,
    )


def is_nudge(injection: Injection) -> bool:
    """Return whether an injection asks the agent to remember something."""
    return any(item.section == SECTION for item in injection.items)


def label_of(nudge: Injection) -> str:
    """Return the label of what was heard."""
    return next((item.why for item in nudge.items if item.section == SECTION), "")


def cause_of(content: str, injections: Iterable[Injection], *, session: str, now: float) -> str:
    """Return the id of the nudge that a memory answers, or "".

    A memory about the same words answers it; so does the next one shortly after, in the same
    session.

    Args:
        injections: of its session, or of the project if the session is unknown.
        session: the memory's session; "" if unknown.
    """
    near = [one for one in injections if is_nudge(one) and 0 <= now - one.ts <= _NEAR]
    words = _words(content)
    for one in reversed(near):
        shared = words & _words(one.heard)
        if len(shared) >= min(_SHARED, len(words)) and shared:
            return one.id
    if near and session and now - near[-1].ts <= _AT_ONCE:
        return near[-1].id
    return ""


def figures(injections: Iterable[Injection], answered: Iterable[str]) -> NudgeFigures:
    """Count nudges, and those that memories were derived from."""
    asked = {one.id for one in injections if is_nudge(one) and label_of(one) != WITHDRAWAL}
    return NudgeFigures(len(asked), len(asked.intersection(answered)))


def _words(text: str) -> frozenset[str]:
    bare = "".join(c if c.isalnum() else " " for c in text.lower())
    return frozenset(word for word in bare.split() if len(word) > 3)  # noqa: PLR2004
