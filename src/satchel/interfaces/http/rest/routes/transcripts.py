"""`/injections` and `/transcripts`: what agents were shown, and what clients wrote."""

from __future__ import annotations

from typing import Annotated, Any

from satchel.features.sessions.serialization import iso
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.models import sessions as models
from satchel.interfaces.http.rest.responses import (
    Cursor,
    Limit,
    Project,
    SessionRef,
    asked,
    described,
    owned,
    paginate,
    routes,
)
from satchel.interfaces.http.shown_injections import as_readable
from satchel.interfaces.rendering import cleaned

router = routes("/api/projects/{projectId}", "sessions")


@router.get("/injections", **described("List what agents were shown", models.InjectionPage, 400))
def list_injections(
    project: Project,
    session: Annotated[str, asked("Only in this session.", 128, "sessionId")] = "",
    memory: Annotated[str, asked("Only with this memory.", 128, "memoryId")] = "",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> dict[str, Any]:
    """Injections: what an agent was shown, at which rank, why, at what cost.

    On a team's server, texts that are not of the project are left out.
    """
    ledger = project.injections
    every = ledger.of_session(session, whole=True) if session else ledger.all()
    if memory:
        every = [one for one in every if any(item.id == memory for item in one.items)]
    page, following = paginate(every[::-1], limit, cursor)
    told = [views.injection(as_readable(project, one)) for one in page]
    return {"injections": told, "total": len(every), "nextCursor": following}


@router.get("/transcripts", **described("List transcripts", models.TranscriptPage, 400))
def list_transcripts(project: Project, limit: Limit = 50, cursor: Cursor = "") -> dict[str, Any]:
    """Sessions from agent clients, latest first. Only for their owner."""
    with owned(project).sessions as sessions:
        every = sorted(sessions.archive.imported(), key=lambda one: -one.last_activity_at)
    page, following = paginate(every, limit, cursor)
    told = [
        views.filled(
            models.Transcript,
            one,
            without=views.MOST,
            client=one.agent_name,
            began_at=one.created_at,
            turns=one.metrics.messages,
        )
        for one in page
    ]
    return {"transcripts": told, "total": len(every), "nextCursor": following}


@router.get(
    "/transcripts/{sessionId}", **described("Read a transcript", models.TranscriptTurns, 400, 409)
)
def get_transcript(
    sessionId: SessionRef, project: Project, limit: Limit = 50, cursor: Cursor = ""
) -> dict[str, Any]:
    """The turns of a session, oldest first. Only for its owner."""
    with owned(project).sessions as sessions:
        found = sessions.archive.archived(sessionId)
    page, following = paginate(found.turns, limit, cursor)
    told = {
        "id": found.head.session,
        "client": found.head.client,
        "title": found.head.title,
        "turns": [
            views.filled(
                models.Turn, one, without="branch commits edits model rejects", at=iso(one.at)
            )
            for one in page
        ],
        "damaged": found.damaged,
    }
    return {**cleaned(told), "total": len(found.turns), "nextCursor": following}
