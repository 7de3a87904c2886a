"""Fusion: combines several signals' scores, or several rankings, into one. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum, sqrt

Scores = Mapping[int, float]

#: How many scores an arm's mean and spread are computed from; the rest is a tail.
_BEST = 100
#: Softens the first ranks of a fused ranking.
_K = 60


def min_max(scores: Scores) -> dict[int, float]:
    """Scale scores to 0..1; if all are equal, all are 1."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high <= low:
        return dict.fromkeys(scores, 1.0)
    return {thing: (score - low) / (high - low) for thing, score in scores.items()}


def standard(scores: Scores) -> dict[int, float]:
    """Scale scores to standard deviations of the best hundred above the least.

    One score far above the others keeps its distance, whereas `min_max` would squeeze the others
    together. If all are equal, all are 1.
    """
    best = sorted(scores.values(), reverse=True)[:_BEST]
    if not best:
        return {}
    mean = fsum(best) / len(best)
    spread = sqrt(fsum((score - mean) ** 2 for score in best) / len(best))
    if spread <= 0:
        return min_max(scores)
    low = min(scores.values())
    return {thing: (score - low) / spread for thing, score in scores.items()}


def convex(
    arms: Mapping[str, Scores],
    weights: Mapping[str, float],
    scaled: Callable[[Scores], dict[int, float]] = min_max,
) -> dict[int, float]:
    """Fuse signals by a weighted sum of scaled scores; weights are scaled to sum to 1.

    Bruch, Gai and Ingber, TOIS 2023: a convex combination beats rank fusion if an arm's scores are
    meaningful. An item that an arm did not return gets nothing from it.

    Args:
        arms: name -> scores by item.
        weights: name -> weight; missing names count 0.
        scaled: makes the scores of different arms comparable, with 0 as the minimum.
    """
    total = sum(weights.get(name, 0.0) for name, scores in arms.items() if scores)
    fused: dict[int, float] = {}
    if total <= 0:
        return fused
    for name, scores in arms.items():
        share = weights.get(name, 0.0) / total
        if share <= 0:
            continue
        for thing, score in scaled(scores).items():
            fused[thing] = fused.get(thing, 0.0) + share * score
    return fused


def lifted_by_group(scores: Scores, groups: Mapping[int, str], share: float) -> dict[int, float]:
    """Add to each score a share of the best other score of its group, if that is above 0.

    Args:
        scores: by item.
        groups: the group of some items; "" for none.
        share: 0 to 1.
    """
    best: dict[str, list[float]] = {}
    for thing, score in scores.items():
        best.setdefault(groups.get(thing, ""), []).append(score)
    best.pop("", None)
    best = {group: sorted(held, reverse=True)[:2] for group, held in best.items() if len(held) > 1}
    lifted = dict(scores)
    for thing, score in scores.items():
        first, second = best.get(groups.get(thing, ""), (0.0, 0.0))
        lifted[thing] += share * max(0.0, second if score == first else first)
    return lifted


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[str]], *, weights: Sequence[float] = ()
) -> list[tuple[str, float]]:
    """Fuse rankings by the sum of weight / (60 + rank), best first.

    Cormack, Clarke and Buettcher, SIGIR 2009. Scores of different stores are not comparable; ranks
    are. Only items in a ranking get anything from it. Ties keep first-seen order.
    """
    scores: dict[str, float] = {}
    for position, ranking in enumerate(rankings):
        weight = weights[position] if weights else 1.0
        for rank, thing in enumerate(ranking, start=1):
            scores[thing] = scores.get(thing, 0.0) + weight / (_K + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])
