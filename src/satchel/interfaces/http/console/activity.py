"""The charts of Home: memories added, shown and used, and tokens spent, day by day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satchel.core import times
from satchel.core.values import NamedTuple
from satchel.features.injections.injection_ledger import Injection
from satchel.interfaces.http.console.memory_list import LISTED
from satchel.workspace import Workspace

DAYS = 14
_DAY = 86_400
_HEIGHT, _STEP = 70.0, 20
_GOOD = ("used", "helped")


class Day(NamedTuple):
    """One day and its figures."""

    at: float
    name: str
    remembered: int
    shown: int
    used: int
    tokens: int


class Bar(NamedTuple):
    """A bar of a chart: its position, its height, and how much of it is filled."""

    x: int
    y: float
    height: float
    filled: float
    told: str


def days_of(
    work: Workspace,
    injections: Sequence[Injection],
    outcomes: Mapping[str, Mapping[str, str]],
    now: float,
) -> list[Day]:
    """Return the last 14 days, oldest first; `outcomes` are by session and identity."""
    today = now - now % _DAY
    starts = [today - _DAY * n for n in range(DAYS - 1, -1, -1)]
    shown = dict.fromkeys(starts, 0)
    used, tokens = dict(shown), dict(shown)
    for one in injections:
        start = one.ts - one.ts % _DAY
        if start not in shown:
            continue
        became = outcomes.get(one.session, {})
        shown[start] += len(one.items)
        used[start] += sum(became.get(item.identity) in _GOOD for item in one.items)
        tokens[start] += one.tokens
    remembered = {start: _remembered(work, start) for start in starts}
    return [
        Day(
            start,
            times.utc(start).strftime("%a %-d %b"),
            remembered[start],
            shown[start],
            used[start],
            tokens[start],
        )
        for start in starts
    ]


def _remembered(work: Workspace, start: float) -> int:
    only = LISTED._replace(since=int(start), until=int(start + _DAY))
    return work.memories.page(only, 0, 0)[1]


def bars(days: Sequence[Day], name: str, filled: str = "") -> list[Bar]:
    """Return the bars of one figure, scaled to the highest; `filled` is the filled part of each."""
    values = [getattr(one, name) for one in days]
    highest = max([*values, 1])
    made = []
    for n, (day, value) in enumerate(zip(days, values, strict=True)):
        height = round(_HEIGHT * value / highest, 1)
        part = getattr(day, filled) if filled else value
        told = f"{day.name}: {value:,} {name}" + (f", {part:,} {filled}" if filled else "")
        inner = round(_HEIGHT * part / highest, 1)
        made.append(Bar(n * _STEP + 2, round(_HEIGHT - height, 1), height, inner, told))
    return made
