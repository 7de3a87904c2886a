"""Sessions: one list of all sessions, and what happened in each, memory included."""

from __future__ import annotations

import os
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from satchel.core.errors import NotFoundError, SatchelError
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import Filter
from satchel.interfaces.http.console.pages import Asked
from satchel.interfaces.http.shown_injections import as_readable
from satchel.workspace import Workspace

router = APIRouter(prefix="/console/{project}/sessions", include_in_schema=False)
_PAGE = 100
_EVENTS = 80
_REMEMBERED = 500
#: A turn's summary of its calls.
_CALLS = ("tools", "errors", "edits", "commits")
#: How long before and after a session its lessons may be written, seconds.
_AROUND = 7 * 86_400


class Event(NamedTuple):
    """An event in a session: said, injected or remembered. `key` is its anchor in links."""

    key: str
    at: float
    what: str
    about: Any
    who: str = ""


@router.get("")
def sessions(
    asked: Asked,
    q: Annotated[str, Query(max_length=300)] = "",
    client: Annotated[str, Query(max_length=80)] = "",
    start: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """List Satchel's own, clients' and imported sessions together."""
    every = asked.sessions()
    words = q.lower().split()
    found = [
        one
        for one in every
        if client in ("", one.client)
        and all(
            word in f"{one.title} {one.agent} {one.client} {one.branch} {one.task} {one.id}".lower()
            for word in words
        )
    ]
    clients = sorted({one.client for one in every if one.client})
    page: dict[str, Any] = {"found": found[start : start + _PAGE], "start": start, "size": _PAGE}
    return asked.show("sessions", total=len(found), q=q, client=client, clients=clients, **page)


@router.get("/{ident}")
def session(
    asked: Asked,
    ident: str,
    q: Annotated[str, Query(max_length=200)] = "",
    at: Annotated[str, Query(max_length=200)] = "",
    start: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """Show a session in order: messages, tool calls, injections, new memories."""
    work = asked.workspace
    known = next((one for one in asked.sessions() if one.id == ident), None)
    if known is None:
        raise NotFoundError("There is no such session.")
    events = _events(work, ident)
    if q.strip():
        events = [one for one in events if q.lower() in _text(one).lower()]
    place = next((n for n, one in enumerate(events) if one.key == at), -1)
    start = place - place % _EVENTS if place >= 0 else start
    injections = [one.about for one in events if one.what == "injected"]
    became = asked.outcomes().get(ident, {})
    return asked.show(
        "session",
        page="sessions",
        session=known,
        events=events[start : start + _EVENTS],
        total=len(events),
        start=start,
        size=_EVENTS,
        q=q,
        at=at,
        became=became,
        remembered=[one.about for one in events if one.what == "remembered"],
        files=_files(work, events),
        items=sum(len(one.items) for one in injections),
        used=sum(
            became.get(item.identity) in ("used", "helped")
            for one in injections
            for item in one.items
        ),
    )


def _events(work: Workspace, ident: str) -> list[Event]:
    events = _said(work, ident)
    for one in work.injections.of_session(ident, whole=True):
        events.append(Event(f"i-{one.id}", float(one.ts), "injected", as_readable(work, one)))
    dated = [one.at for one in events if one.at] or [0.0]
    only = Filter(having=(("session", ident),))
    if any(dated):
        first, last = int(min(dated)), int(max(dated))
        only = only._replace(since=first - _AROUND, until=last + _AROUND)
    for stored in work.memories.page(only, 0, _REMEMBERED)[0]:
        record = stored.record
        events.append(Event(f"m-{record.id}", float(record.when), "remembered", record))
    # Undated messages stay after the ones before them.
    return sorted(events, key=lambda one: one.at)


def _said(work: Workspace, ident: str) -> list[Event]:
    events: list[Event] = []
    with work.sessions as opened:
        if ident in opened.store.ids():
            messages = opened.store.messages(ident)
            return [
                Event(f"t-{one.id or n}", one.at, "said", one, one.role)
                for n, one in enumerate(messages)
            ]
        if work.person is None:
            return []
        try:
            turns = opened.archive.archived(ident).turns
        except SatchelError:
            return []
    last, root = 0.0, os.path.join(work.project.place.root, "")
    for n, given in enumerate(turns):
        last = given.at or last
        turn = given._replace(tools=tuple(one.replace(root, "") for one in given.tools))
        before = events[-1].about if events else None
        if before is not None and not turn.text.strip() and turn.role == before.role != "user":
            # Consecutive calls without text in between are one step.
            joined = {name: getattr(before, name) + getattr(turn, name) for name in _CALLS}
            events[-1] = events[-1]._replace(about=before._replace(**joined))
            continue
        events.append(Event(f"t-{turn.id or n}", last, "said", turn, turn.role))
    return events


def _files(work: Workspace, events: list[Event]) -> list[str]:
    """Return the files that tools wrote, relative to the work tree if inside it."""
    root = os.path.join(work.project.place.root, "")
    edits = (one for event in events for one in getattr(event.about, "edits", ()))
    return sorted({one.path.removeprefix(root) for one in edits})


def _text(event: Event) -> str:
    if event.what == "said":
        return f"{event.about.text} {' '.join(getattr(event.about, 'tools', ()) or ())}"
    if event.what == "remembered":
        return f"{event.about.title} {event.about.content}"
    return " ".join(item.text for item in event.about.items)
