"""Bounded boosts: evidence beside the words may reorder near ties, never overturn relevance."""

from __future__ import annotations

_DAY = 86_400
_YEAR_DAYS = 365


def bounded(alpha: float, norm: float) -> float:
    """Factor 1 + alpha * (norm - .5) for evidence `norm` in 0..1: within alpha/2 of 1."""
    return 1.0 + alpha * (min(1.0, max(0.0, norm)) - 0.5)


def recency(age_seconds: float) -> float:
    """Freshness in .1..1, linear over a year; the future counts as now."""
    return max(0.1, 1.0 - max(0.0, age_seconds) / _DAY / _YEAR_DAYS)
