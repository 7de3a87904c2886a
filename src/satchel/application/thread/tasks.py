"""The tasks that commits, sessions and notes are for, with their place in the intent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

from satchel.application.thread.values import TaskStory
from satchel.core.errors import SatchelError
from satchel.engine.search.documents import Filter
from satchel.features.thread.values import CERTAIN, LIKELY, Evidence
from satchel.storage.commits import Commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

_MOST = 5
#: Task ids as in beads and others: letters, a hyphen, letters or digits.
_ID = re.compile(r"\b[a-zA-Z][\w]*-[a-z0-9][\w.]*\b")
NAMED, REMEMBERED, BRANCH = "named", "remembered", "branch"


def tasks_of(
    work: Services,
    commits: Iterable[Commit],
    sessions: Sequence[str],
    note: tuple[str, str] = ("", ""),
) -> list[TaskStory]:
    """Return the tasks named by commits, a note (name, text), session memories or branches."""
    found: dict[str, tuple[str, Evidence]] = {}
    named = dict.fromkeys(_ID.findall(note[1]))
    if named:
        known = work.tasks.view.retry_after_rebuild(lambda index: {*index.ids()})
        found = {one: (CERTAIN, Evidence(NAMED, note[0])) for one in named if one in known}
    for commit in commits:
        for name in _ID.findall(f"{commit.subject}\n{commit.body}"):
            found.setdefault(name, (CERTAIN, Evidence(NAMED, commit.sha[:10])))
    for session in sessions:
        for one in work.memories.list(Filter(having=(("session", session),)), 50):
            if one.record.task:
                evidence = Evidence(REMEMBERED, session)
                found.setdefault(one.record.task, (LIKELY, evidence))
        for facts in work.thread.store.sessions(session)[:1]:
            for part in {facts.branch, facts.branch.rpartition("/")[2]} - {""}:
                found.setdefault(part, (LIKELY, Evidence(BRANCH, facts.branch)))
    if not found:
        return []
    told = [task_story(work, name, *why) for name, why in found.items()]
    return [one for one in told if one is not None][:_MOST]


def task_story(
    work: Services, ident: str, confidence: str = CERTAIN, evidence: Evidence | None = None
) -> TaskStory | None:
    """Return a task with its place in the intent; None if the id is unknown."""
    try:
        shown, _, _ = work.tasks.view.show(ident)
    except SatchelError:
        return None
    if shown.id != ident:
        return None
    data = shown.data
    anchors: list[str] = []
    with suppress(SatchelError):
        anchors = [one.anchor for one in work.intent.links.of_task(ident)]
    title, status = str(data.get("title") or ""), str(data.get("status") or "")
    reasons = (evidence,) if evidence is not None else ()
    from satchel.application.recall.unapproved import are_tasks_held_back

    held = are_tasks_held_back(work)
    return TaskStory(
        ident,
        title,
        status,
        intent=tuple(anchors),
        confidence=confidence,
        evidence=reasons,
        unapproved=held,
    )
