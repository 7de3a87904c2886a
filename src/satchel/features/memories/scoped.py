"""Scoped reading: task, then epic, then the project's constraints, then active constraints.

Exactly the four steps of Beads Console and nothing else: a memory of another task, or a
project-wide memory that is not a constraint, does not get in. There is no global soup.
"""

from __future__ import annotations

from collections.abc import Iterable

from satchel.core.scope import Scope
from satchel.core.values import NamedTuple
from satchel.features.memories.ranking import STRATEGIES
from satchel.storage.ledger.record import Record


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
    records: Iterable[Record],
    scope: Scope,
    now: float,
    *,
    kinds: tuple[str, ...] = (),
    strategy: str = "scoped",
) -> Scoped:
    """Group live records into the four steps. `records` must not be deleted or expired."""
    steps: tuple[list[Record], ...] = ([], [], [], [])
    for record in records:
        if kinds and record.kind not in kinds:
            continue
        step = _step(record, scope)
        if step is not None:
            steps[step].append(record)
    rank = STRATEGIES[strategy]

    def ordered(step: list[Record]) -> tuple[Record, ...]:
        return tuple(sorted(step, key=lambda r: (-rank(r, scope, now), r.ts * -1, r.id)))

    # Active constraints from other scopes: the nearer ones first, as the ranking has it.
    return Scoped(*(ordered(step) for step in steps))


def _step(record: Record, scope: Scope) -> int | None:
    if scope.task and record.task == scope.task:
        return 0
    if scope.epic and record.epic == scope.epic and not record.task:
        return 1
    if record.kind != "constraint":
        return None
    return 2 if not record.task and not record.epic else 3
