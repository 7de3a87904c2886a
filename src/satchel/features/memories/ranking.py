"""Ranking of memories for a brief: named strategies, pure functions of record and place."""

from __future__ import annotations

from collections.abc import Callable

from satchel.core.kinds import KINDS
from satchel.core.scope import EPIC, TASK, Scope, proximity
from satchel.storage.ledger.record import Record

_DAY = 86_400
_HORIZON_DAYS = 30
_PROXIMITY = {TASK: 1.0, EPIC: 0.7}
_ELSEWHERE = 0.3
_KIND = {kind.name: kind.share for kind in KINDS.values()}

Strategy = Callable[[Record, Scope, float], float]


def scoped_relevance(record: Record, scope: Scope, now: float) -> float:
    """Return the relevance as Beads Console computes it, 0 to .93.

    .4 relevance + .3 recency (linear over 30 days) + .2 proximity (task 1, epic .7, else .3)
    + .1 kind (constraint .3, decision .2, checkpoint .1). A record dated in the future counts
    as new, not as newer than new.
    """
    relevance = 1.0 if record.relevance is None else min(1.0, max(0.0, record.relevance))
    days = max(0.0, now - record.when) / _DAY
    recency = max(0.0, 1 - days / _HORIZON_DAYS)
    near = _PROXIMITY.get(proximity(record.task, record.epic, scope), _ELSEWHERE)
    return 0.4 * relevance + 0.3 * recency + 0.2 * near + 0.1 * _KIND.get(record.kind, 0.0)


def newest_first(record: Record, scope: Scope, now: float) -> float:  # noqa: ARG001
    """Sort by time only, as beads memory does."""
    return float(record.ts)


STRATEGIES: dict[str, Strategy] = {"scoped": scoped_relevance, "newest": newest_first}
