"""Scoped reading: task, then epic, then the project's constraints, then active constraints.

Exactly the four steps of Beads Console: a memory of another task, or a project-wide memory that is
not a constraint, is not included.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.core.kinds import KINDS
from satchel.core.scope import EPIC, TASK, Scope, proximity
from satchel.core.times import DAY
from satchel.core.values import NamedTuple
from satchel.storage.ledger.record import Record

_HORIZON_DAYS = 30
_PROXIMITY = {TASK: 1.0, EPIC: 0.7}
_ELSEWHERE = 0.3
_KIND = {kind.name: kind.share for kind in KINDS.values()}


def scoped_relevance(record: Record, scope: Scope, now: float) -> float:
    """Return the relevance as Beads Console computes it, 0 to .93.

    .4 relevance + .3 recency (linear over 30 days) + .2 proximity (task 1, epic .7, else .3) + .1
    kind (constraint .3, decision .2, checkpoint .1). A record dated in the future counts as new.
    """
    relevance = 1.0 if record.relevance is None else min(1.0, max(0.0, record.relevance))
    days = max(0.0, now - record.when) / DAY
    recency = max(0.0, 1 - days / _HORIZON_DAYS)
    near = _PROXIMITY.get(proximity(record.task, record.epic, scope), _ELSEWHERE)
    return 0.4 * relevance + 0.3 * recency + 0.2 * near + 0.1 * _KIND.get(record.kind, 0.0)


class Scoped(NamedTuple):
    """Live memories by step, each step ranked, without duplicates."""

    task: tuple[Record, ...]
    epic: tuple[Record, ...]
    project: tuple[Record, ...]
    active: tuple[Record, ...]

    def all(self) -> list[Record]:
        """Return every memory in order of priority."""
        return [*self.task, *self.epic, *self.project, *self.active]


def read_scoped(
    records: Iterable[Record], scope: Scope, now: float, *, kinds: tuple[str, ...] = ()
) -> Scoped:
    """Group live records into the four steps. `records` must not be deleted or expired."""
    steps: tuple[list[Record], ...] = ([], [], [], [])
    for record in records:
        if kinds and record.kind not in kinds:
            continue
        step = _step(record, scope)
        if step is not None:
            steps[step].append(record)

    def ordered(step: list[Record]) -> tuple[Record, ...]:
        return tuple(sorted(step, key=lambda r: (-scoped_relevance(r, scope, now), -r.ts, r.id)))

    # Active constraints from other scopes: nearer ones first, by the ranking.
    return Scoped(*(ordered(step) for step in steps))


def united(found: Sequence[Scoped], scope: Scope, now: float) -> Scoped:
    """Unite what several stores of one project hold: of two versions, the later one."""
    if len(found) == 1:
        return found[0]
    records: dict[str, Record] = {}
    for record in sorted((r for one in found for r in one.all()), key=lambda r: r.version):
        records[record.identity] = record
    return read_scoped(records.values(), scope, now)


def _step(record: Record, scope: Scope) -> int | None:
    if scope.task and record.task == scope.task:
        return 0
    if scope.epic and record.epic == scope.epic and not record.task:
        return 1
    if record.kind != "constraint":
        return None
    return 2 if not record.task and not record.epic else 3
