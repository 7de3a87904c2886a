"""`/api/projects/{id}/sessions`: begun, moved, closed; their messages and what was injected."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from satchel.features.sessions.serialization import iso
from satchel.features.sessions.states import CLOSE, PAUSE, RESUME, START
from satchel.features.sessions.values import ACTIVE, CLOSED, DRAFT, PAUSED
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.bodies import SessionBody, SessionChange
from satchel.interfaces.http.rest.responses import (
    Cursor,
    IdempotencyKey,
    Limit,
    Project,
    paginate,
    run_idempotent,
    with_etag,
)

router = APIRouter(prefix="/api/projects/{projectId}/sessions", tags=["sessions"])
_MOVES = {(DRAFT, ACTIVE): START, (PAUSED, ACTIVE): RESUME}


@router.get("", summary="List sessions")
def list_sessions(
    request: Request,
    project: Project,
    status: Annotated[str, Query(max_length=20)] = "",
    bead: Annotated[str, Query(alias="beadId", max_length=128)] = "",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response:
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
    return with_etag(request, {"sessions": found, "total": len(every), "nextCursor": following})


@router.post("", status_code=201, summary="Create session")
def create_session(
    request: Request, body: SessionBody, project: Project, key: IdempotencyKey = ""
) -> Response:
    """Begin a session; about a task, it gets its memories and its intent."""

    def make() -> tuple[int, Any]:
        with project.sessions as sessions:
            made = sessions.new(
                title=body.title,
                task=body.bead_id,
                agent=body.agent_name or body.agent_id,
                tags=body.tags,
            )
            if body.start:
                made, _ = sessions.move(made.id, START)
        return 201, views.session(made)

    return run_idempotent(request, key, body.model_dump(), make)


@router.get("/{sessionId}", summary="Get session details")
def get_session(request: Request, sessionId: str, project: Project) -> Response:
    """A session, its messages, and what was put before its agent."""
    with project.sessions as sessions:
        found = sessions.store.counted(sessions.store.find(sessionId).id)
        said = sessions.store.messages(found.id)
    injections = project.injections.of_session(found.id, whole=True)
    told = views.session(found)
    told["messages"] = [views.message(one) for one in said[-200:]]
    told["injections"] = [
        {
            "at": iso(one.ts),
            "event": one.event,
            "tokens": one.tokens,
            "budget": one.budget,
            "items": len(one.items),
            "leftOut": one.left_out,
        }
        for one in injections
    ]
    return with_etag(request, told)


@router.patch("/{sessionId}", summary="Update session")
def change_session(sessionId: str, body: SessionChange, project: Project) -> JSONResponse:
    """Move it to another state, or change its title or tags."""
    with project.sessions as sessions:
        session = sessions.store.find(sessionId)
        if body.title is not None:
            session = sessions.store.retitle(session.id, body.title)
        if body.add_tags or body.remove_tags:
            session = sessions.store.tag(session.id, add=body.add_tags, remove=body.remove_tags)
        if body.status is not None and body.status != session.status:
            move = _MOVES.get((session.status, body.status))
            move = move or {PAUSED: PAUSE, CLOSED: CLOSE}.get(body.status, START)
            session, _ = sessions.move(session.id, move, summary=body.summary)
    return JSONResponse(views.session(session))


@router.delete("/{sessionId}", summary="Close session")
def close_session(sessionId: str, project: Project) -> JSONResponse:
    """Close it, with a checkpoint. Closed stays closed."""
    with project.sessions as sessions:
        session = sessions.store.find(sessionId)
        if session.status != CLOSED:
            session, _ = sessions.move(session.id, CLOSE)
    return JSONResponse(views.session(session))
