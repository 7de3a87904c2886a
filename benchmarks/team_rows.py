"""What the benchmarks of a team share: a printed row, a project, lines sent as `team push` does."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from satchel.storage.ledger.lines import Line, decode
from satchel.storage.ledger.team import TeamLedger
from satchel.testing import run_git

BATCHED = "batched INSERT"
#: Lines of one batch.
_BATCH = 1000


class Row(NamedTuple):
    """One figure and its floor."""

    what: str
    value: float
    unit: str
    floor: float = 0.0
    beside: str = ""

    def __str__(self) -> str:
        ratio = ""
        if self.floor:
            value, floor = max(self.value, 1e-9), max(self.floor, 1e-9)
            times = floor / value if self.unit.endswith("/s") else value / floor
            ratio = f"{times:6.1f}x   {self.beside} {self.floor:,.1f}"
        return f"{self.what:<44} {self.value:>10,.1f} {self.unit:<6} {ratio}".rstrip()


def make_project(root: str, number: int) -> None:
    """Make a repository with one commit; `number` makes its id its own."""
    os.makedirs(os.path.join(root, ".satchel"))
    with open(os.path.join(root, ".satchel", "project.toml"), "w", encoding="utf-8") as file:
        file.write(f'[project]\nid = "01BENCH{number:019}"\n')
    run_git(root, "init", "--quiet")
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message", "first")


def sent(ledger: TeamLedger, raws: list[bytes]) -> tuple[float, list[float]]:
    """Send lines as `team push` does; return the seconds, and those of each batch on the way.

    A batch is prepared while the one before is written: the first and the last are not counted.
    """
    times = []

    def batches() -> Iterator[list[Line]]:
        for start in range(0, len(raws), _BATCH):
            times.append(time.perf_counter())
            yield [decode(raw) for raw in raws[start : start + _BATCH]]

    began = time.perf_counter()
    ledger.append_batches(batches())
    whole = time.perf_counter() - began
    return whole, [end - begin for begin, end in pairwise(times[1:])]
