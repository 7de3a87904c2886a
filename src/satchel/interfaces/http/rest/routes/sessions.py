"""`/api/projects/{id}/sessions`: started, moved, closed; their messages and injections."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Response

from satchel.features.sessions.serialization import iso
from satchel.features.sessions.values import (
    ACTIVE,
    CLOSE,
    CLOSED,
    DRAFT,
    PAUSE,
    PAUSED,
    RESUME,
    START,
)
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.models import sessions as models
from satchel.interfaces.http.rest.models.requests import SessionBody, SessionChange
from satchel.interfaces.http.rest.responses import (
    Cursor,
    IfMatch,
    Limit,
    Once,
    Project,
    SessionRef,
    asked,
    described,
    etag_of_value,
    paginate,
    require_if_match,
    routes,
)
from satchel.interfaces.rendering import cleaned
from satchel.workspace import Workspace

router = routes("/api/projects/{projectId}/sessions", "sessions")
_MOVES = {(DRAFT, ACTIVE): START, (PAUSED, ACTIVE): RESUME}
_MESSAGES = 200


@router.get("", **described("List sessions", models.SessionPage, 400))
def list_sessions(
    project: Project,
    status: Annotated[str, asked("draft, active, paused or closed; all without it.", 20)] = "",
    bead: Annotated[str, asked("Only of this task.", 128, "beadId")] = "",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> dict[str, Any]:
    """Newest activity first."""
    with project.sessions as sessions:
        every = [
            one
            for one in sessions.store.every()
            if status in ("", one.status) and bead in ("", one.task)
        ]
    every.sort(key=lambda one: -(one.last_activity_at or one.created_at))
    page, following = paginate(every, limit, cursor)
    found = [views.session(one) for one in page]
    return {"sessions": found, "total": len(every), "nextCursor": following}


@router.post("", **described("Create session", models.Session, 400), status_code=201)
def create_session(body: SessionBody, project: Project, once: Once) -> Any:
    """Start a session; one about a task gets its memories and intent."""

    def make() -> dict[str, Any]:
        with project.sessions as sessions:
            made = sessions.new(
                title=body.title,
                task=body.bead_id,
                agent=body.agent_name or body.agent_id,
                agent_id=body.agent_id,
                tags=body.tags,
                ident=once.ident,
            )
            if body.start and made.status == DRAFT:
                made, _ = sessions.move(made.id, START)
        return views.session(made)

    return once(body.model_dump(), make)


def _details(project: Workspace, ident: str) -> dict[str, Any]:
    with project.sessions as sessions:
        found = sessions.store.counted(sessions.store.find(ident).id)
        said = sessions.store.messages(found.id)
    injections = project.injections.of_session(found.id, whole=True)
    told = views.session(found)
    told["messages"] = [views.message(one) for one in said[-_MESSAGES:]]
    told["injections"] = [
        views.filled(
            models.InjectionSummary,
            one,
            without="agent heard id session ts",
            at=iso(one.ts),
            items=len(one.items),
        )
        for one in injections
    ]
    return dict(cleaned(told))


@router.get("/{sessionId}", **described("Get session details", models.SessionDetails, 409))
def get_session(response: Response, sessionId: SessionRef, project: Project) -> dict[str, Any]:
    """A session, its messages, and what was shown to its agent."""
    told = _details(project, sessionId)
    response.headers["ETag"] = etag_of_value(told)
    return told


def _require_unchanged(project: Workspace, ident: str, if_match: str) -> None:
    """Raise if a session has changed since it was read. The caller holds its lock."""
    if if_match:
        require_if_match(if_match, etag_of_value(_details(project, ident)))


@router.patch("/{sessionId}", **described("Update session", models.Session, 400, 409))
def change_session(
    sessionId: SessionRef, body: SessionChange, project: Project, if_match: IfMatch = ""
) -> dict[str, Any]:
    """Change its state, title, summary or tags."""
    with project.sessions as sessions, sessions.store.lock:
        _require_unchanged(project, sessionId, if_match)
        session = sessions.store.find(sessionId)
        summary = "" if body.status else body.summary
        if body.title is not None or summary:
            session = sessions.store.describe(session.id, title=body.title, summary=summary)
        if body.add_tags or body.remove_tags:
            session = sessions.store.tag(session.id, add=body.add_tags, remove=body.remove_tags)
        if body.status is not None and body.status != session.status:
            move = _MOVES.get((session.status, body.status))
            move = move or {PAUSED: PAUSE, CLOSED: CLOSE}.get(body.status, START)
            session, _ = sessions.move(session.id, move, summary=body.summary)
    return views.session(session)


@router.delete("/{sessionId}", **described("Close session", models.Session, 400, 409))
def close_session(
    sessionId: SessionRef, project: Project, if_match: IfMatch = ""
) -> dict[str, Any]:
    """Close it, with a checkpoint. A closed session cannot be reopened."""
    with project.sessions as sessions, sessions.store.lock:
        _require_unchanged(project, sessionId, if_match)
        session = sessions.store.find(sessionId)
        if session.status != CLOSED:
            session, _ = sessions.move(session.id, CLOSE)
    return views.session(session)
