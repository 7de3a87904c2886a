"""Home: what needs your attention, and what memory has done lately."""

from __future__ import annotations

from fastapi import APIRouter, Response

from satchel.application.health.surroundings import silent_findings
from satchel.interfaces.http.console import activity
from satchel.interfaces.http.console.pages import Asked

router = APIRouter(prefix="/console/{project}/home", include_in_schema=False)
_LATEST = 5
#: Figures that were counted within so many seconds are of now.
_LATELY = 60


@router.get("")
def home(asked: Asked) -> Response:
    """Show what waits, each with its button; below, daily figures as charts and a table."""
    work = asked.workspace
    now = work.project.clock.now()
    overall = asked.served.overview(work)
    waiting = [one.proposal for one in asked.waiting()[0]]
    silent = silent_findings(work.project.place.root, work.project.state, now) if asked.owns else []
    days = activity.days_of(work, asked.injections(), asked.outcomes(), now)
    charts = [
        ("Remembered", sum(one.remembered for one in days), "", activity.bars(days, "remembered")),
        (
            "Shown to agents, and used",
            sum(one.shown for one in days),
            "used",
            activity.bars(days, "shown", "used"),
        ),
        ("Cost", sum(one.tokens for one in days), "tokens", activity.bars(days, "tokens")),
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
