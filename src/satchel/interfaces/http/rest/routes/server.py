"""The server itself: projects, figures, health, metrics, live changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, PlainTextResponse, StreamingResponse

from satchel import __version__
from satchel.application.health.private_state import writable
from satchel.features.access.values import READER
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.responses import Asker, Project, project_of, served_by, with_etag
from satchel.interfaces.http.server.change_stamp import file_states, watched_paths
from satchel.interfaces.http.server.project_pool import PooledProject

router = APIRouter(tags=["server"])
#: Seconds between two looks at what has changed, and between comments that keep a stream open.
_LOOK, _ALIVE = 0.5, 15.0
_TEAM = "team's store"


@router.get("/healthz", summary="Is the server alive?", openapi_extra={"security": []})
def healthz() -> dict[str, str]:
    """Answer at once; nothing is opened."""
    return {"status": "ok", "version": __version__}


@router.get("/readyz", summary="Is it ready to answer?", openapi_extra={"security": []})
def readyz(request: Request) -> JSONResponse:
    """Open every project; 503 where one cannot be read, or nothing can be written."""
    wrong = []
    if writable(served_by(request).store.state):
        wrong.append("nothing can be written in Satchel's home")
    for project in served_by(request).projects:
        try:
            with project.opened() as workspace:
                if writable(workspace.project.state):
                    wrong.append("nothing can be written for a project")
                workspace.memories.own.index.counts(workspace.memories.own.sources, now=0)
                if (
                    workspace.memories.stores.team is not None
                    and workspace.memories.stores.team.readable() is None
                ):
                    wrong.append("no answer from the team's store")
        except Exception as error:  # noqa: BLE001 -- whatever it is, the server is not ready
            wrong.append(type(error).__name__)
    told = {"status": "ready" if not wrong else "not ready", "problems": wrong}
    return JSONResponse(told, status_code=503 if wrong else 200)


@router.get(
    "/metrics",
    summary="Figures for Prometheus",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {}}, "description": "Prometheus' text format"}},
)
def metrics(request: Request) -> Response:
    """Requests by route and status, seconds by route. No label holds content or a user."""
    body, kind = served_by(request).metrics.exposed()
    return Response(body, media_type=kind)


@router.get("/api/projects", summary="List projects")
def projects(request: Request, asker: Asker) -> Response:
    """Those that the asker may read."""
    told = [
        {"id": one.id, "key": one.key, "name": one.name, "role": asker.role_in(*one.names)}
        for one in served_by(request).projects
        if asker.may(READER, *one.names)
    ]
    return with_etag(request, {"projects": views.cleaned(told)})


@router.get("/api/projects/{projectId}/stats", summary="Figures")
def stats(request: Request, project: Project) -> Response:
    """Memories, tokens and bytes."""
    return with_etag(request, views.cleaned(views.plain(project.statistics().as_json())))


@router.get("/api/projects/{projectId}/health", summary="What is wrong")
def health(request: Request, project: Project) -> Response:
    """What `satchel doctor` finds."""
    found = [one._asdict() for one in project.examine()]
    return with_etag(request, views.cleaned({"findings": views.plain(found)}))


@router.get(
    "/api/projects/{projectId}/events",
    summary="Live changes",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Server-sent events"}},
)
async def events(request: Request, projectId: str) -> StreamingResponse:
    """One event `changed` whenever memories, proposals, sessions, tasks or the intent did."""
    return changes(request, project_of(request, projectId))


def changes(request: Request, project: PooledProject) -> StreamingResponse:
    """Answer with a project's changes as they come."""
    return StreamingResponse(
        _changes(request, project),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _changes(request: Request, project: PooledProject) -> AsyncIterator[bytes]:
    with project.opened() as workspace:
        paths = watched_paths(workspace)
        on_server = bool(workspace.project.settings.text("store.url"))

    async def look() -> dict[str, Any]:
        found = file_states(paths)
        given = await run_in_threadpool(project.shared) if on_server else None
        # A server that is away has changed nothing.
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
