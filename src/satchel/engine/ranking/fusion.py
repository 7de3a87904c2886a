"""Score fusion: several arms give scores to the same things; one score each comes out. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

#: Scores of an arm by which the others are measured, and the spreads from 0 to 1: the best of a
#: hundred is seldom farther out.
_BEST, _RANGE = 100, 12.0


def min_max(scores: Mapping[int, float]) -> dict[int, float]:
    """Scale scores to 0..1; if all are equal, all are 1."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high <= low:
        return dict.fromkeys(scores, 1.0)
    return {thing: (score - low) / (high - low) for thing, score in scores.items()}


def standard(scores: Mapping[int, float]) -> dict[int, float]:
    """Scale scores to 0..1 by how many spreads they lie from the mean of the best 100.

    Min-max scaling leaves it to two scores how far apart all others come to lie: one that stands
    out pushes them together.
    """
    best = sorted(scores.values(), reverse=True)[:_BEST]
    if not best:
        return {}
    middle = sum(best) / len(best)
    spread = sqrt(sum((score - middle) ** 2 for score in best) / len(best)) or 1.0
    return {
        thing: 0.5 + max(-0.5, min(0.5, (score - middle) / spread / _RANGE))
        for thing, score in scores.items()
    }


def convex(
    arms: Mapping[str, Mapping[int, float]], weights: Mapping[str, float]
) -> dict[int, float]:
    """Fuse arms by a weighted sum of their standard scores; weights are scaled to sum to 1.

    Bruch, Gai and Ingber, TOIS 2023: a convex combination beats rank fusion where scores of an
    arm mean something. A thing that an arm did not see gets the least that the arm gave.
    """
    counted = {name: one for name, one in arms.items() if one and weights.get(name, 0.0) > 0}
    total = sum(weights[name] for name in counted)
    fused = dict.fromkeys((thing for scores in counted.values() for thing in scores), 0.0)
    for name, scores in counted.items():
        scaled = standard(scores)
        least = min(scaled.values())
        for thing in fused:
            fused[thing] += weights[name] / total * scaled.get(thing, least)
    least = min(fused.values(), default=0.0)
    return {thing: score - least for thing, score in fused.items()}
