"""A rule's confidence: what raises and lowers it, and what it allows. Pure."""

from __future__ import annotations

from datetime import date, timedelta

from satchel.features.instincts.values import Instinct

#: The figures that reflect documents.
START, STEP_UP, STEP_DOWN, FADE, HIGHEST = 0.5, 0.1, 0.2, 0.1, 0.9
IDLE_DAYS = 30
PROMOTED_FROM = 0.8
#: Below this an instinct is not shown to an agent, and may be pruned.
LOWEST_SHOWN = 0.3


def raised(confidence: float) -> float:
    """Return the confidence after one confirmation; above 0.9 it stays."""
    return round(max(confidence, min(HIGHEST, confidence + STEP_UP)), 2)


def lowered(confidence: float) -> float:
    """Return the confidence after one contradiction; never below 0."""
    return round(max(0.0, confidence - STEP_DOWN), 2)


def faded(instinct: Instinct, today: date) -> tuple[float, str]:
    """Return the confidence after decay, and the day up to which it was applied.

    Counted from the last reinforcement or the last decay, in whole spans of thirty days, so that no
    day counts twice. ("", unchanged) if nothing is due.
    """
    since = max(filter(None, map(day_of, _anchors(instinct))), default=None)
    spans = (today - since).days // IDLE_DAYS if since is not None else 0
    if since is None or spans < 1 or instinct.confidence <= 0:
        return instinct.confidence, ""
    left = round(max(0.0, instinct.confidence - FADE * spans), 2)
    return left, (since + timedelta(days=IDLE_DAYS * spans)).isoformat()


def current_confidence(instinct: Instinct, today: date) -> float:
    """Return a rule's confidence today, whether or not its decay was recorded."""
    return faded(instinct, today)[0]


def may_be_promoted(instinct: Instinct, today: date) -> bool:
    """Return whether it may become a note: certain, universal, and not one yet."""
    certain = current_confidence(instinct, today) >= PROMOTED_FROM
    return certain and instinct.scope == "universal" and not instinct.promoted


def may_be_pruned(instinct: Instinct, today: date) -> bool:
    """Return whether it is too weak to keep."""
    return current_confidence(instinct, today) < LOWEST_SHOWN


def day_of(text: str) -> date | None:
    """Return a date, or a time's date; None if it is neither."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _anchors(instinct: Instinct) -> tuple[str, str, str]:
    return instinct.last_reinforced, instinct.created, instinct.decayed_to
