"""The maximum of many scores expected by chance. Pure."""

from __future__ import annotations

from math import log, sqrt


def greatest_by_chance(count: int, mean: float, spread: float) -> float:
    """Return the expected maximum of `count` normal scores: mean + spread * sqrt(2 ln count).

    The leading term of extreme-value theory (Leadbetter, Lindgren and Rootzen 1983). The nearest of
    ten thousand unrelated texts is nearer than the nearest of ten, so the threshold for "near" must
    grow with the store.
    """
    return mean + spread * sqrt(2.0 * log(max(2, count)))
