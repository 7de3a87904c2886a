"""Bounded boosts: they may reorder near ties, but never overturn relevance."""

from __future__ import annotations

from satchel.core.times import DAY

_YEAR_DAYS = 365


def bounded(alpha: float, norm: float) -> float:
    """Return the factor 1 + alpha * (norm - .5), within alpha/2 of 1, for `norm` in 0..1."""
    return 1.0 + alpha * (min(1.0, max(0.0, norm)) - 0.5)


def recency(age_seconds: float) -> float:
    """Return freshness in .1..1, linear over a year; the future counts as now."""
    return max(0.1, 1.0 - max(0.0, age_seconds) / DAY / _YEAR_DAYS)
