"""Guesses a commit's session from its words and time alone. Rules only.

Both are evidence, and their odds multiply. Words: how well a session matches the commit's message,
from 0 to 1. Time: the longer before or after, the less likely, by the logarithm, since work comes
in bursts of every length.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

#: The weight of a full match of the message, in units of e, and the time of one turn.
_WORDS, _TURN = 8.0, 60.0
#: After this many that are best by both together, each kind of evidence adds its own.
_TOGETHER = 3


def distance(at: float, began: float, ended: float) -> float:
    """Return the seconds between a time and a session; 0 within it."""
    return max(began - at, at - ended, 0.0)


def rank(
    at: float, spans: Mapping[str, tuple[float, float]], words: Mapping[str, float]
) -> list[tuple[str, float]]:
    """Rank sessions for a commit, with each one's log odds.

    Args:
        at: the author time.
        spans: session -> its beginning and end.
        words: session -> how well it matches the message, 0 to 1; others are left out.
    """
    away = {one: distance(at, *span) for one, span in spans.items()}
    odds = {
        one: _WORDS * words.get(one, 0.0) - math.log1p(far / _TURN) for one, far in away.items()
    }
    both = sorted(odds, key=lambda one: (-odds[one], one))
    by_time = sorted(away, key=lambda one: (away[one], one))
    by_words = sorted(words.keys() & away.keys(), key=lambda one: (-words[one], one))
    return [(one, odds[one]) for one in _hedged(both, by_time, by_words)]


def _hedged(both: Sequence[str], *single: Sequence[str]) -> list[str]:
    """Return the overall best, then alternate between the best by each signal."""
    found = dict.fromkeys(both[:_TOGETHER])
    for place in range(len(both)):
        for ranked in (*single, both):
            if place < len(ranked):
                found.setdefault(ranked[place])
    return list(found)
