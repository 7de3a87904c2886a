"""The confidence of an instinct: what raises it, what lowers it, what it is good for. Pure."""

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
    """Return the confidence after it was confirmed once; what is above 0.9 already stays."""
    return round(max(confidence, min(HIGHEST, confidence + STEP_UP)), 2)


def lowered(confidence: float) -> float:
    """Return the confidence after it was contradicted once; never below 0."""
    return round(max(0.0, confidence - STEP_DOWN), 2)


def faded(instinct: Instinct, today: date) -> tuple[float, str]:
    """Return the confidence with all idle time counted, and the day up to which it is.

    Counted from the last reinforcement or the last counting, in whole spans of thirty days, so
    that no day counts twice. ("", unchanged) where nothing is due.
    """
    since = max(filter(None, map(day_of, _anchors(instinct))), default=None)
    spans = (today - since).days // IDLE_DAYS if since is not None else 0
    if since is None or spans < 1 or instinct.confidence <= 0:
        return instinct.confidence, ""
    left = round(max(0.0, instinct.confidence - FADE * spans), 2)
    return left, (since + timedelta(days=IDLE_DAYS * spans)).isoformat()


def current_confidence(instinct: Instinct, today: date) -> float:
    """Return what an instinct is worth today, whether or not its idleness was written down."""
    return faded(instinct, today)[0]


def may_be_promoted(instinct: Instinct, today: date) -> bool:
    """Return whether it may become a learning note: certain enough, universal, and not one yet."""
    certain = current_confidence(instinct, today) >= PROMOTED_FROM
    return certain and instinct.scope == "universal" and not instinct.promoted


def may_be_pruned(instinct: Instinct, today: date) -> bool:
    """Return whether it is too weak to be kept."""
    return current_confidence(instinct, today) < LOWEST_SHOWN


def day_of(text: str) -> date | None:
    """Read a date, or the date of a moment; None for what is none."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _anchors(instinct: Instinct) -> tuple[str, str, str]:
    return instinct.last_reinforced, instinct.created, instinct.decayed_to
