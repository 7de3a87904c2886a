"""Home: what needs your attention, and what memory has done lately, day by day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fastapi import APIRouter, Response

from satchel.application.health.surroundings import silent_findings
from satchel.core import times
from satchel.core.values import NamedTuple
from satchel.features.injections.injection_ledger import Injection
from satchel.interfaces.http.console.memory_list import LISTED
from satchel.interfaces.http.console.pages import Asked
from satchel.workspace import Workspace

router = APIRouter(prefix="/console/{project}/home", include_in_schema=False)
_LATEST = 5
#: Counts younger than this are current, seconds.
_LATELY = 60


@router.get("")
def home(asked: Asked) -> Response:
    """Show what waits, each with its button; below, daily figures as charts and a table."""
    work = asked.workspace
    now = work.project.clock.now()
    overall = asked.served.overview(work)
    waiting = [one.proposal for one in asked.waiting()[0]]
    silent = silent_findings(work.project.place.root, work.project.state, now) if asked.owns else []
    days = days_of(work, asked.injections(), asked.outcomes(), now)
    charts = [
        ("Remembered", sum(one.remembered for one in days), "", bars(days, "remembered")),
        (
            "Shown to agents, and used",
            sum(one.shown for one in days),
            "used",
            bars(days, "shown", "used"),
        ),
        ("Cost", sum(one.tokens for one in days), "tokens", bars(days, "tokens")),
    ]
    return asked.show(
        "home",
        proposed=waiting[:_LATEST],
        oldest=min((one.ts for one in waiting), default=0),
        findings=overall.findings if overall else [],
        looking=overall is None,
        silent=silent,
        days=days,
        charts=charts,
        used=sum(one.used for one in days),
        useful=overall.useful[:_LATEST] if overall else [],
        latest=asked.sessions()[:_LATEST],
        at=overall.at if overall and now - overall.at > _LATELY else 0,
    )


DAYS = 14
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
    today = now - now % times.DAY
    starts = [today - times.DAY * n for n in range(DAYS - 1, -1, -1)]
    shown = dict.fromkeys(starts, 0)
    used, tokens = dict(shown), dict(shown)
    for one in injections:
        start = one.ts - one.ts % times.DAY
        if start not in shown:
            continue
        became = outcomes.get(one.session, {})
        shown[start] += len(one.items)
        used[start] += sum(became.get(item.identity) in _GOOD for item in one.items)
        tokens[start] += one.tokens
    remembered = {start: _remembered(work, start) for start in starts}
    names = {start: times.utc(start).strftime("%a %-d %b") for start in starts}
    return [
        Day(s, names[s], remembered[s], shown=shown[s], used=used[s], tokens=tokens[s])
        for s in starts
    ]


def _remembered(work: Workspace, start: float) -> int:
    day = LISTED._replace(since=int(start), until=int(start + times.DAY))
    return work.memories.page(day, 0, 0)[1]


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
