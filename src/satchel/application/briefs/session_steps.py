"""Session begin and end, as in The Foundation's scripts. Runs none of them."""

from __future__ import annotations

import os

from satchel.application.outlet import Outlet
from satchel.core.ids import memory_key
from satchel.core.values import NamedTuple
from satchel.features.sessions.hook_settings import StartSettings, start_for
from satchel.features.sessions.learnings import LearningEntry, append_learnt
from satchel.features.sessions.values import ACTIVE, Session
from satchel.features.tasks.reading import OPEN_STATUSES, Task, read_tasks
from satchel.features.tasks.values import IN_WORK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.application.services import Services
    from satchel.storage.ledger.record import Record

_INSIGHT_HOURS = 24
_MOST_TASKS = 20


class SessionOpening(NamedTuple):
    """What an agent is shown at the start: newest first; tasks by state, then priority.

    `more` are this agent's additional sections: title and lines.
    """

    agent: str
    insights: tuple[Record, ...]
    activities: tuple[Record, ...]
    tasks: tuple[Task, ...]
    conversations: tuple[Session, ...]
    more: tuple[tuple[str, tuple[str, ...]], ...] = ()
    settings: str = ""


class SessionClosing(NamedTuple):
    """What a session's end wrote: the entry's id and file, the insight, the activity."""

    id: str
    path: str
    insight: Record
    activity: Record


def begin(work: Services, agent: str) -> SessionOpening:
    """Collect what an agent's session begins with: live insights, activities, tasks, sessions.

    An agent's own insights come first; `session-hooks.json` says how many, and what more.
    """
    sessions = work.sessions
    work.refresh()
    path = _settings_path(work)
    start = start_for(path, agent)
    # On a team's server, these too are the team's.
    outlet = Outlet(work, whole=work.person is None)
    insights = [one.record for one in outlet.newest(("insight",), 1000)]
    if agent:
        insights.sort(key=lambda one: one.agent.lower() != agent.lower())
    tasks = _open_tasks(work, outlet)
    opened = [one for one in sessions.store.every() if one.status == ACTIVE]
    opened.sort(key=lambda one: one.last_activity_at, reverse=True)
    return SessionOpening(
        agent,
        tuple(insights[: start.insights]),
        tuple(one.record for one in outlet.newest(("activity",), start.activities)),
        tasks=tuple(tasks[:_MOST_TASKS]),
        conversations=tuple(opened[: start.conversations]),
        more=tuple(_more(work, start, tasks)),
        settings=path,
    )


def end(
    work: Services,
    agent: str,
    learned: str,
    *,
    category: str = "session_observation",
    confidence: float = 0.8,
    session: str = "",
) -> SessionClosing:
    """Record what was learned: a LEARNINGS.md entry, a 24 h insight, an activity."""
    remember = work.memories.remember
    path = work.project.tracked.learnings_log
    learnt = LearningEntry(learned, agent, category, confidence)
    lock = work.project.state.sessions.lock("learnings")
    root = work.project.place.root
    ident = append_learnt(
        path,
        lock,
        learnt,
        work.project.clock.now(),
        root=root,
        beside=work.project.state.sessions.learnings,
    )
    insight, activity = remember_closing(remember, learned, ident, learnt, session)
    return SessionClosing(ident, path, insight, activity)


def remember_closing(
    remember: Callable[..., Record], learned: str, ident: str, learnt: LearningEntry, session: str
) -> tuple[Record, Record]:
    """Remember a session's lesson as a 24-hour insight, and its end as an activity."""
    insight = remember(
        learned,
        kind="insight",
        key=memory_key("insight", learned),
        expires_in=_INSIGHT_HOURS * 3600,
        category=learnt.category,
        agent=learnt.agent,
        session=session,
        confidence=learnt.confidence,
        data={"learning": ident},
    )
    activity = remember(
        f"Session ended: {insight.content}",
        kind="activity",
        key="activity-session-end",
        tags=("activity", "session_end"),
        agent=learnt.agent,
        session=session,
        data={"event": "session_end", "learning": ident},
    )
    return insight, activity


def opening_lines(opening: SessionOpening) -> list[str]:
    """Format a session's opening as lines of a brief, without tasks."""
    lines = [f"- insight: {one.content}" for one in opening.insights]
    lines += [f"- {one.agent or 'agent'}: {one.content}" for one in opening.activities]
    lines += [f"- active: {one.title or one.id}" for one in opening.conversations]
    for title, told in opening.more:
        lines += [f"- {title}: {'; '.join(told)}"] if told else []
    return lines


def _settings_path(work: Services) -> str:
    """Return the session settings file: the adopted one, or the repository's own."""
    for path in (work.project.state.sessions.hooks, work.project.tracked.session_hooks):
        if os.path.isfile(path):
            return path
    return ""


def _open_tasks(work: Services, outlet: Outlet) -> list[Task]:
    there = [path for path in work.project.tracked.tasks if os.path.isfile(path)]
    paths = [path for path in there if outlet.admits(path)]
    tasks = [t for t in read_tasks(paths).values() if t.status in OPEN_STATUSES]
    if not tasks:
        return []
    with work.tasks as own:
        ready = {one.id: rank for rank, one in enumerate(own.view.ready())}
    last = len(ready)
    return sorted(
        tasks, key=lambda t: (t.status not in IN_WORK, ready.get(t.id, last), t.priority, t.id)
    )


def _more(
    work: Services, start: StartSettings, tasks: list[Task]
) -> list[tuple[str, tuple[str, ...]]]:
    found = []
    for name in start.include:
        if name == "tasks":
            counts: dict[str, int] = {}
            for task in tasks:
                counts[task.status] = counts.get(task.status, 0) + 1
            lines = [f"{status}: {count}" for status, count in sorted(counts.items())]
            found.append(("Task summary", tuple(lines)))
        elif name == "fleet":
            seen = [one.record for one in Outlet(work).newest(("activity",), 200)]
            last: dict[str, str] = {}
            for record in seen:
                event = str((record.data or {}).get("event") or "")
                if event in ("agent_online", "agent_offline") and record.agent:
                    last.setdefault(record.agent, event.removeprefix("agent_"))
            found.append(("Fleet", tuple(f"{who}: {how}" for who, how in sorted(last.items()))))
        elif name == "health":
            wrong = [f for f in work.examine() if f.severity != "note"]
            told = [f"{f.severity}: {f.subject}: {f.what}" for f in wrong]
            found.append(("Health", tuple(told or ["nothing is wrong"])))
    return found
