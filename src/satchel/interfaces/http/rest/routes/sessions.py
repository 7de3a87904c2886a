"""`/api/projects/{id}/sessions`: started, moved, closed; their messages, what was shown in them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Response

from satchel.features.sessions import values as states
from satchel.features.sessions.serialization import iso
from satchel.interfaces.http.rest import responses as api
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.models import sessions as models
from satchel.interfaces.http.rest.models.requests import SessionBody, SessionChange
from satchel.interfaces.http.shown_injections import as_readable
from satchel.interfaces.rendering import cleaned
from satchel.workspace import Workspace

router = api.routes("/api/projects/{projectId}", "sessions")
_MOVES = {
    (states.DRAFT, states.ACTIVE): states.START,
    (states.PAUSED, states.ACTIVE): states.RESUME,
}
_MESSAGES = 200


@router.get("/sessions", **api.described("List sessions", models.SessionPage, 400))
def list_sessions(
    project: api.Project,
    status: Annotated[str, api.asked("draft, active, paused or closed; all without it.", 20)] = "",
    bead: Annotated[str, api.asked("Only of this task.", 128, "beadId")] = "",
    limit: api.Limit = 50,
    cursor: api.Cursor = "",
) -> dict[str, Any]:
    """Newest activity first."""
    with project.sessions as sessions:
        found = list(sessions.store.every())
    every = [one for one in found if status in ("", one.status) and bead in ("", one.task)]
    every.sort(key=lambda one: -(one.last_activity_at or one.created_at))
    page, following = api.paginate(every, limit, cursor)
    told = [views.session(one) for one in page]
    return {"sessions": told, "total": len(every), "nextCursor": following}


@router.post("/sessions", **api.described("Create session", models.Session, 400), status_code=201)
def create_session(body: SessionBody, project: api.Project, once: api.Once) -> Any:
    """Start a session; one about a task gets its memories and intent."""

    def make() -> dict[str, Any]:
        with project.sessions as sessions:
            agent = body.agent_name or body.agent_id
            about = {"title": body.title, "task": body.bead_id, "agent_id": body.agent_id}
            made = sessions.new(agent=agent, tags=body.tags, ident=once.ident, **about)
            if body.start and made.status == states.DRAFT:
                made, _ = sessions.move(made.id, states.START)
        return views.session(made)

    return once(body.model_dump(), make)


def _details(project: Workspace, ident: str) -> dict[str, Any]:
    with project.sessions as sessions:
        found = sessions.store.counted(sessions.store.find(ident).id)
        said = sessions.store.messages(found.id)
    injections = project.injections.of_session(found.id, whole=True)
    told = views.session(found)
    told["messages"] = [views.message(one) for one in said[-_MESSAGES:]]
    unsaid = "agent heard id session ts"
    told["injections"] = [
        views.filled(
            models.InjectionSummary, one, without=unsaid, at=iso(one.ts), items=len(one.items)
        )
        for one in injections
    ]
    return dict(cleaned(told))


@router.get(
    "/sessions/{sessionId}", **api.described("Get session details", models.SessionDetails, 409)
)
def get_session(
    response: Response, sessionId: api.SessionRef, project: api.Project
) -> dict[str, Any]:
    """A session, its messages, and what was shown to its agent."""
    told = _details(project, sessionId)
    response.headers["ETag"] = api.etag_of_value(told)
    return told


def _require_unchanged(project: Workspace, ident: str, if_match: str) -> None:
    """Raise if a session has changed since it was read. The caller holds its lock."""
    if if_match:
        api.require_if_match(if_match, api.etag_of_value(_details(project, ident)))


@router.patch("/sessions/{sessionId}", **api.described("Update session", models.Session, 400, 409))
def change_session(
    sessionId: api.SessionRef, body: SessionChange, project: api.Project, if_match: api.IfMatch = ""
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
            move = move or {states.PAUSED: states.PAUSE, states.CLOSED: states.CLOSE}.get(
                body.status, states.START
            )
            session, _ = sessions.move(session.id, move, summary=body.summary)
    return views.session(session)


@router.delete("/sessions/{sessionId}", **api.described("Close session", models.Session, 400, 409))
def close_session(
    sessionId: api.SessionRef, project: api.Project, if_match: api.IfMatch = ""
) -> dict[str, Any]:
    """Close it, with a checkpoint. A closed session cannot be reopened."""
    with project.sessions as sessions, sessions.store.lock:
        _require_unchanged(project, sessionId, if_match)
        session = sessions.store.find(sessionId)
        if session.status != states.CLOSED:
            session, _ = sessions.move(session.id, states.CLOSE)
    return views.session(session)


@router.get(
    "/injections", **api.described("List what agents were shown", models.InjectionPage, 400)
)
def list_injections(
    project: api.Project,
    session: Annotated[str, api.asked("Only in this session.", 128, "sessionId")] = "",
    memory: Annotated[str, api.asked("Only with this memory.", 128, "memoryId")] = "",
    limit: api.Limit = 50,
    cursor: api.Cursor = "",
) -> dict[str, Any]:
    """Injections: what an agent was shown, at which rank, why, at what cost.

    On a team's server, texts that are not of the project are left out.
    """
    ledger = project.injections
    every = ledger.of_session(session, whole=True) if session else ledger.all()
    if memory:
        every = [one for one in every if any(item.id == memory for item in one.items)]
    page, following = api.paginate(every[::-1], limit, cursor)
    told = [views.injection(as_readable(project, one)) for one in page]
    return {"injections": told, "total": len(every), "nextCursor": following}
