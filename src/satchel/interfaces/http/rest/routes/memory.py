"""`/api/projects/{id}/memory`: memories, one by one and by scope; search over every tier."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from satchel.application.exchange.sharing import shared_deletion
from satchel.application.outlet import Outlet
from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.kinds import kind_named
from satchel.core.trust import AGENT, USER
from satchel.engine.search.documents import Filter
from satchel.features.sessions.serialization import iso
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.bodies import MemoryBody
from satchel.interfaces.http.rest.listing import page_after
from satchel.interfaces.http.rest.responses import (
    Asker,
    Cursor,
    IdempotencyKey,
    Limit,
    Project,
    paginate,
    run_idempotent,
    with_etag,
)
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

router = APIRouter(prefix="/api/projects/{projectId}", tags=["memory"])


def _identity(project: Workspace) -> str:
    return project.project.place.project_id or project.project.key


@router.get("/memory", summary="List memories")
def list_memories(
    request: Request,
    project: Project,
    kind: Annotated[list[str] | None, Query(max_length=20)] = None,
    bead: Annotated[str, Query(alias="beadId", max_length=128)] = "",
    epic: Annotated[str, Query(alias="epicId", max_length=128)] = "",
    query: Annotated[str, Query(alias="q", max_length=500)] = "",
    deleted: Annotated[bool, Query(alias="includeDeleted")] = False,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response:
    """Newest first; with `q`, best first."""
    only = Filter(kinds=tuple(kind_named(k).name for k in kind or ()), task=bead, epic=epic)
    if query.strip():
        records = [one.record for one in project.recall(query, limit=200, only=only).items]
        page, following = paginate(records, limit, cursor)
        total = len(records)
    else:

        def fetch(start: int, most: int) -> tuple[list[Record], int]:
            listed, every = project.memories.page(only, start, most, all_versions=deleted)
            return [one.record for one in listed], every

        page, total, following = page_after(fetch, cursor, limit)
    identity = _identity(project)
    found = [views.memory(one, identity) for one in page]
    return with_etag(request, {"memories": found, "total": total, "nextCursor": following})


@router.post("/memory", status_code=201, summary="Create memory entry")
def create_memory(
    request: Request, body: MemoryBody, project: Project, asker: Asker, key: IdempotencyKey = ""
) -> Response:
    """Remember something; it is on disk when this answers."""

    def make() -> tuple[int, Any]:
        fields: dict[str, Any] = {
            "title": body.title,
            "task": body.bead_id,
            "epic": body.epic_id,
            "session": body.session_id,
            "chat": body.chat_id,
            "agent": body.agent_name,
            "data": body.data,
            "intent_anchors": tuple(body.intent_anchors),
            "tags": tuple(body.tags),
            "relevance": body.relevance_score,
            "source": asker.user,
            # Whoever says which agent it is for is an agent; a person's own word weighs more.
            "trust": AGENT if body.agent_name else USER,
        }
        if body.expires_at:
            fields["expires_at"] = _seconds(body.expires_at)
        kind = kind_named(body.kind).name
        given = {name: value for name, value in fields.items() if value not in ("", (), None)}
        made = project.remember(body.content, kind=kind, **given)
        return 201, views.memory(made, _identity(project))

    return run_idempotent(request, key, body.model_dump(), make)


@router.get("/memory/scoped", summary="Get hierarchical scoped memories")
def scoped(
    request: Request,
    project: Project,
    bead: Annotated[str, Query(alias="beadId", max_length=128)] = "",
    kind: Annotated[list[str] | None, Query(max_length=20)] = None,
) -> Response:
    """The task's memories, its epic's, the project's constraints, active constraints."""
    project.refresh()
    kinds = tuple(kind_named(one).name for one in kind or ())
    scope = project.scope(bead)
    found = Outlet(project).scoped(scope, kinds=kinds)[0]
    identity = _identity(project)
    told = {
        name: [views.memory(one, identity) for one in records]
        for name, records in (
            ("beadMemories", found.task),
            ("epicMemories", found.epic),
            ("projectConstraints", found.project),
            ("activeConstraints", found.active),
        )
    }
    summary = {**{n: len(v) for n, v in told.items()}, "totalReturned": len(found.all())}
    return with_etag(request, {"beadId": bead, "epicId": scope.epic, **told, "summary": summary})


@router.get("/memory/{memId}", summary="Get single entry")
def get_memory(request: Request, memId: str, project: Project) -> Response:
    """One memory with its versions, newest first."""
    versions = project.memories.versions(memId)
    identity = _identity(project)
    told = views.memory(versions[0].record, identity)
    told["history"] = [views.memory(one.record, identity) for one in versions[1:20]]
    return with_etag(request, told)


@router.delete("/memory/{memId}", summary="Soft-delete entry")
def delete_memory(memId: str, project: Project) -> JSONResponse:
    """Delete it; its history stays until it is purged. `note` says if colleagues still see it."""
    gone = project.memories.remove(memId)
    note = shared_deletion(project.memories.own, gone)
    return JSONResponse({"id": gone.id, "deletedAt": iso(gone.deleted_at or 0), "note": note})


@router.post("/memory/{memId}/restore", summary="Restore entry")
def restore_memory(memId: str, project: Project) -> JSONResponse:
    """Bring back what was deleted, as it was."""
    back = project.memories.restore(memId)
    return JSONResponse(views.memory(back, _identity(project)))


@router.get("/search", summary="Search every tier")
def search(
    request: Request,
    project: Project,
    query: Annotated[str, Query(alias="q", min_length=1, max_length=1000)],
    tier: Annotated[str, Query(max_length=40)] = "",
    limit: Limit = 10,
) -> Response:
    """Route a question to its tier and answer, with tier, source and score parts of each piece."""
    routed = project.ask(query, limit=limit, tier=tier)
    items = [views.result(one) for one in routed.pieces]
    return with_etag(request, {"question": views.cleaned(query), "items": items})


def _seconds(text: str) -> int:
    seconds = times.seconds_of(text)
    if seconds is None:
        raise BadInputError("expiresAt is not an ISO 8601 time.", hint="2026-03-16T14:30:00Z")
    return int(seconds)
