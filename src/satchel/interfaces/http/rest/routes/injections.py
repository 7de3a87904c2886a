"""`/api/projects/{id}/injections`: what agents were shown."""

from __future__ import annotations

from typing import Annotated, Any

from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.models import sessions as models
from satchel.interfaces.http.rest.responses import (
    Cursor,
    Limit,
    Project,
    asked,
    described,
    paginate,
    routes,
)
from satchel.interfaces.http.shown_injections import as_readable

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
