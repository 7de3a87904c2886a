"""Decay: how much of a relation remains without being restated. Pure."""

from __future__ import annotations

from math import exp

from satchel.core.times import DAY

#: Days after which about a third (1/e) is left of what was said once.
BASE_STABILITY_DAYS = 30.0
#: How many times longer it lasts each time it is repeated.
REINFORCEMENT_BONUS = 1.5
#: More repetitions last for lifetimes, and powers of the bonus overflow.
_MOST_REINFORCEMENTS = 64

#: Names of retention levels, strongest first, with the least retention of each.
BANDS = (("strong", 0.7), ("moderate", 0.3), ("weak", 0.1), ("fading", 0.05))


def stability(
    reinforcements: int,
    *,
    base_days: float = BASE_STABILITY_DAYS,
    bonus: float = REINFORCEMENT_BONUS,
) -> float:
    """Return S in days: S = base * bonus ^ reinforcements."""
    return base_days * bonus ** min(_MOST_REINFORCEMENTS, max(0, reinforcements))


def retention(
    age_seconds: float,
    reinforcements: int = 0,
    *,
    base_days: float = BASE_STABILITY_DAYS,
    bonus: float = REINFORCEMENT_BONUS,
) -> float:
    """Return R = e^(-t/S), 0 to 1: what remains after t days without a repetition.

    The forgetting curve as Ebbinghaus (1885) found it, in its exponential form: R is retention, t
    the days since the last repetition, S the stability (see `stability`), in days. The future
    counts as now.
    """
    days = max(0.0, age_seconds) / DAY
    return exp(-days / stability(reinforcements, base_days=base_days, bonus=bonus))


def band(retained: float, bands: tuple[tuple[str, float], ...] = BANDS) -> str:
    """Return a retention's name: strong, moderate, weak, fading, forgotten."""
    for name, least in bands:
        if retained >= least:
            return name
    return "forgotten"
