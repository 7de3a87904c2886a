"""What PostgreSQL's second wall costs: the same work with the roles and without, taking turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from benchmarks.team_floors import percentile
from satchel.storage.database import postgresql
from satchel.storage.database.acting import SET_UP, SET_UP_FOR
from satchel.workspace import Workspace

#: Says for which project it acts, as the view of the index of words asks, but takes on no role.
_NO_ROLE = f"{SET_UP}, set_config('satchel.project', '=' || $4::text, true), $5::boolean"
_TIMES, _FIRST = 200, 10


def in_turns(do: Callable[[int], object]) -> tuple[float, float]:
    """Median milliseconds behind the wall, and without it."""
    spent: dict[str, list[float]] = {SET_UP_FOR: [], _NO_ROLE: []}
    try:
        for turn in range(_TIMES + _FIRST):
            for way in sorted(spent, reverse=bool(turn % 2)):
                postgresql.SET_UP_FOR = way  # type: ignore[attr-defined]
                began = time.perf_counter()
                do(turn)
                spent[way].append((time.perf_counter() - began) * 1000)
    finally:
        postgresql.SET_UP_FOR = SET_UP_FOR  # type: ignore[attr-defined]
    return percentile(spent[SET_UP_FOR][_FIRST:], 50), percentile(spent[_NO_ROLE][_FIRST:], 50)


def wall(root: str, home: str, questions: list[str]) -> Iterator[tuple[str, float, float]]:
    """Recall and remember in this process: what it is, behind the wall, without it."""
    with Workspace.open_for_others(root, home=home) as work:
        asked = in_turns(lambda turn: work.recall(questions[turn % len(questions)]))
        yield "recall behind the wall, in one process, p50", *asked
        numbers = iter(range(1_000_000))

        def write(_: int) -> None:
            work.remember(f"the wall number {next(numbers)} is swept at noon", kind="learned")

        yield "a memory written behind the wall, p50", *in_turns(write)
