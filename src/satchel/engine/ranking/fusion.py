"""Score fusion: combines several signals' scores into one per item. Pure."""

from __future__ import annotations

from collections.abc import Mapping


def min_max(scores: Mapping[int, float]) -> dict[int, float]:
    """Scale scores to 0..1; if all are equal, all are 1."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high <= low:
        return dict.fromkeys(scores, 1.0)
    return {thing: (score - low) / (high - low) for thing, score in scores.items()}


def convex(
    arms: Mapping[str, Mapping[int, float]], weights: Mapping[str, float]
) -> dict[int, float]:
    """Fuse signals by a weighted sum of min-max scaled scores; weights are scaled to sum to 1.

    Bruch, Gai and Ingber, TOIS 2023: a convex combination beats rank fusion where scores of an
    arm mean something. A thing that an arm did not see gets nothing from it.
    """
    total = sum(weights.get(name, 0.0) for name, scores in arms.items() if scores)
    fused: dict[int, float] = {}
    if total <= 0:
        return fused
    for name, scores in arms.items():
        share = weights.get(name, 0.0) / total
        if share <= 0:
            continue
        for thing, score in min_max(scores).items():
            fused[thing] = fused.get(thing, 0.0) + share * score
    return fused
