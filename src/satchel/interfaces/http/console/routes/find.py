"""The palette: find anything, or go to any page, by a few words."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from satchel.application.recall.unapproved import are_tasks_held_back
from satchel.core.trust import UNAPPROVED
from satchel.core.values import NamedTuple
from satchel.features.access.users import WRITER
from satchel.features.tasks.index import TaskFilter
from satchel.interfaces.http.console.memory_list import Wanted, page_of
from satchel.interfaces.http.console.pages import PAGES, Asked, Page
from satchel.interfaces.http.console.presentation import kind_look
from satchel.storage.settings.table import SETTINGS

router = APIRouter(prefix="/console/{project}/find", include_in_schema=False)
_EACH = 6
_MORE = {
    "Intent": "work/intent",
    "Code map": "explore/code",
    "Context packs": "explore/packs",
    "Research": "explore/research",
    "Why is it so?": "explore/why",
    "Settings": "settings",
    "Clients": "settings/clients",
    "Users and tokens": "settings/users",
    "Audit log": "settings/audit",
}


class Found(NamedTuple):
    """A result: its icon, title, detail and link."""

    icon: str
    text: str
    aside: str
    where: str


@router.get("")
def find(asked: Asked, q: Annotated[str, Query(max_length=300)] = "") -> Response:
    """Return actions, memories, tasks, sessions, settings and pages that match the words."""
    groups = {"Actions": _actions(asked, q), "Go to": _places(q)}
    if q.strip():
        groups = {
            "Memories": _memories(asked, q),
            "Tasks": _tasks(asked, q),
            "Sessions": _sessions(asked, q),
            **groups,
            "Settings": _settings(asked, q),
        }
    return asked.show("find", q=q, groups={name: one for name, one in groups.items() if one})


def _fits(q: str, text: str) -> bool:
    return all(word in text.lower() for word in q.lower().split())


def _actions(asked: Page, q: str) -> list[Found]:
    if not asked.may(WRITER):
        return []
    every = [
        Found("plus", "Remember something", "r", "memory#remembering"),
        Found("plus", "New task", "c", "work#newtask"),
        Found("inbox", "Review what waits", "", "inbox"),
    ]
    return [one for one in every if _fits(q, one.text)]


def _places(q: str) -> list[Found]:
    places = {title: name for name, (title, _) in PAGES.items()} | _MORE
    return [Found("right", title, "", where) for title, where in places.items() if _fits(q, title)]


def _memories(asked: Page, q: str) -> list[Found]:
    rows, _ = page_of(asked.workspace, Wanted(q), 0, limit=_EACH, useful={}, others=asked.others)
    return [
        Found(kind_look(one.kind).icon, one.text, kind_look(one.kind).name, f"memory/{one.key}")
        for one in rows
    ]


def _tasks(asked: Page, q: str) -> list[Found]:
    with asked.workspace.tasks as tasks:
        found = tasks.view.listed(TaskFilter(words=q), limit=_EACH)
    held = f" · {UNAPPROVED}" if found and are_tasks_held_back(asked.workspace) else ""
    return [
        Found("work", str(one.data.get("title") or ""), f"{one.id}{held}", f"work/{one.id}")
        for one in found
    ]


def _sessions(asked: Page, q: str) -> list[Found]:
    found = [one for one in asked.sessions() if _fits(q, f"{one.title} {one.agent} {one.id}")]
    return [
        Found("sessions", one.title, one.agent or one.client, f"sessions/{one.id}")
        for one in found[:_EACH]
    ]


def _settings(asked: Page, q: str) -> list[Found]:
    if not asked.owns:
        return []
    found = [one for one in SETTINGS if _fits(q, f"{one.name} {one.help}")]
    return [Found("settings", one.name, "", f"settings?q={one.name}") for one in found[:_EACH]]
