"""The server itself: projects, figures, health, metrics, live changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import PlainTextResponse, StreamingResponse

from satchel import __version__
from satchel.features.access.users import READER
from satchel.interfaces.http.rest import responses as api
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.models import server as models
from satchel.interfaces.http.server.change_stamp import file_states, watched_paths
from satchel.interfaces.http.server.project_pool import PooledProject, served_by
from satchel.interfaces.rendering import cleaned

router = api.routes("", "server")
#: Seconds between two checks for changes, and between comments that keep a stream open.
_LOOK, _ALIVE = 0.5, 15.0
_TEAM = "team's store"


@router.get(
    "/healthz",
    summary="Is the server alive?",
    response_model=models.Alive,
    openapi_extra={"security": []},
)
def get_healthz() -> dict[str, str]:
    """Answer at once, without opening anything."""
    return {"status": "ok", "version": __version__}


@router.get(
    "/readyz",
    summary="Is it ready to answer?",
    response_model=models.Readiness,
    responses={
        503: {"model": models.Readiness, "description": "It is not ready; the answer says why."}
    },
    openapi_extra={"security": []},
)
def get_readyz(request: Request, response: Response) -> dict[str, Any]:
    """503 if a project cannot be read, or nothing can be written. Answers within a second."""
    wrong = served_by(request).readiness.problems()
    response.status_code = 503 if wrong else 200
    return {"status": "ready" if not wrong else "not ready", "problems": wrong}


@router.get(
    "/metrics",
    summary="Figures for Prometheus",
    response_class=PlainTextResponse,
    responses={
        200: {
            "content": {"text/plain": {"schema": {"type": "string"}, "example": "# HELP ..."}},
            "description": "Prometheus' text format",
        }
    },
)
def get_metrics(request: Request) -> Response:
    """Requests by route and status, seconds by route. No label holds content or a user."""
    body, kind = served_by(request).metrics.exposed()
    return Response(body, media_type=kind)


@router.get("/api/projects", **api.described("List projects", models.Projects))
def list_projects(request: Request, asker: api.Asker) -> dict[str, Any]:
    """The projects you may read."""
    told = [
        views.filled(models.ServedProject, one, role=asker.role_in(*one.names))
        for one in served_by(request).projects
        if asker.may(READER, *one.names)
    ]
    return {"projects": told}


@router.get("/api/projects/{projectId}/stats", **api.described("Figures", models.Statistics))
def get_statistics(project: api.Project) -> dict[str, Any]:
    """Memories, tokens and bytes."""
    figures = project.statistics()
    if figures.missing:
        raise project.memories.stores.away()
    return dict(cleaned(views.plain(figures.as_json())))


@router.get("/api/projects/{projectId}/health", **api.described("What is wrong", models.Findings))
def get_health(project: api.Project) -> dict[str, Any]:
    """What `satchel doctor` finds."""
    return {"findings": [views.filled(models.Finding, one) for one in project.examine()]}


@router.get(
    "/api/projects/{projectId}/events",
    summary="Live changes",
    response_class=StreamingResponse,
    responses={200: api.EVENT_STREAM},
)
async def watch_changes(request: Request, projectId: api.ProjectRef) -> StreamingResponse:
    """An event `changed` whenever memories, suggestions, sessions, tasks or the intent change."""
    return changes(request, api.project_of(request, projectId))


def changes(request: Request, project: PooledProject) -> StreamingResponse:
    """Stream a project's changes."""
    return api.event_stream(_changes(request, project))


async def _changes(request: Request, project: PooledProject) -> AsyncIterator[bytes]:
    with project.opened() as workspace:
        paths = watched_paths(workspace)
        on_server = bool(workspace.project.settings.text("store.url"))

    async def look() -> dict[str, Any]:
        found = file_states(paths)
        given = await run_in_threadpool(project.shared) if on_server else None
        # An unreachable server has changed nothing.
        return found | {_TEAM: before.get(_TEAM) if given is None else given}

    before: dict[str, Any] = {}
    before = await look()
    waited, number = 0.0, 0
    yield b"retry: 2000\n\nevent: ready\ndata: {}\n\n"
    stopping = served_by(request).stopping
    while not (stopping.is_set() or await request.is_disconnected()):
        await asyncio.sleep(_LOOK)
        waited += _LOOK
        now = await look()
        changed = sorted(name for name in now if now[name] != before.get(name))
        if changed:
            number, before, waited = number + 1, now, 0.0
            data = json.dumps({"project": project.id, "changed": changed})
            yield f"id: {number}\nevent: changed\ndata: {data}\n\n".encode()
        elif waited >= _ALIVE:
            waited = 0.0
            yield b": alive\n\n"
