"""Rank fusion: combines several rankings by rank, ignoring scores."""

from __future__ import annotations

from collections.abc import Sequence

_K = 60


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
