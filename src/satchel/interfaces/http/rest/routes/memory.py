"""`/api/projects/{id}/memory`: memories, one by one and by scope; search over every tier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from fastapi import Query, Response

from satchel.application.exchange.sharing import shared_deletion
from satchel.application.outlet import Outlet
from satchel.core import times
from satchel.core.errors import NotFoundError
from satchel.core.kinds import kind_named
from satchel.core.trust import AGENT, USER
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import StoredMemory
from satchel.features.sessions.serialization import iso
from satchel.interfaces.http.rest import responses as api
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.listing import page_after
from satchel.interfaces.http.rest.models import memory as models
from satchel.interfaces.http.rest.models.requests import Kind, MemoryBody, MemoryChange, RestoreBody
from satchel.interfaces.rendering import cleaned
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

router = api.routes("/api/projects/{projectId}", "memory")
_VERSIONS = 20
_Task = Annotated[str, api.asked("Id of a task.", 128, "beadId")]
_Kinds = Annotated[list[Kind] | None, Query(max_length=20, description="Only these kinds.")]
_KindLists = Annotated[
    list[str] | None, Query(max_length=20, description="The same, separated by commas.")
]


def _identity(project: Workspace) -> str:
    return project.project.place.project_id or project.project.key


def _kinds(kind: list[Kind] | None, kinds: list[str] | None) -> tuple[str, ...]:
    """Parse kinds, given as repeated parameters or separated by commas."""
    names = [name.strip() for one in kinds or () for name in one.split(",")]
    return (*(kind or ()), *(kind_named(name).name for name in names if name))


@router.get("/memory", **api.described("List memories", models.MemoryPage, 400, 502))
def list_memories(
    project: api.Project,
    kind: _Kinds = None,
    kinds: _KindLists = None,
    bead: _Task = "",
    epic: Annotated[str, api.asked("Id of an epic.", 128, "epicId")] = "",
    query: Annotated[str, api.asked("Words to search for.", 500, "q")] = "",
    deleted: Annotated[
        bool, Query(alias="includeDeleted", description="Include deleted and expired ones.")
    ] = False,
    limit: api.Limit = 50,
    cursor: api.Cursor = "",
) -> dict[str, Any]:
    """List memories, newest first; with `q`, search them, best first.

    A search stops once the page is full, so its `total` is a lower bound.
    """
    only = Filter(kinds=_kinds(kind, kinds), task=bead, epic=epic)
    if query.strip():
        most = min(api.cursor_offset(cursor) + limit + 1, api.MOST)
        records = [one.record for one in project.recall(query, limit=most, only=only).items]
        page, following = api.paginate(records, limit, cursor)
        total = len(records)
    else:

        def fetch(start: int, most: int) -> tuple[list[Record], int]:
            listed, every = project.memories.page(only, start, most, all_versions=deleted)
            return [one.record for one in listed], every

        page, total, following = page_after(fetch, cursor, limit)
    identity = _identity(project)
    found = [views.memory(one, identity) for one in page]
    return {"memories": found, "total": total, "nextCursor": following}


@router.post(
    "/memory", **api.described("Create memory entry", models.WrittenMemory, 400), status_code=201
)
def create_memory(body: MemoryBody, project: api.Project, asker: api.Asker, once: api.Once) -> Any:
    """Remember something; it is on disk when this answers, with what it replaced."""

    def make() -> dict[str, Any]:
        fields: dict[str, Any] = {
            "id": once.ident,
            "title": body.title,
            "task": body.bead_id,
            "epic": body.epic_id,
            "session": body.session_id,
            "chat": body.chat_id,
            "agent": body.agent_name,
            "data": body.data,
            "intent_anchors": project.intent.anchors_of(body.intent_anchors),
            "tags": tuple(body.tags),
            "relevance": body.relevance_score,
            "source": asker.user,
            # A caller that names an agent is an agent; a person's own word weighs more.
            "trust": AGENT if body.agent_name else USER,
        }
        if body.expires_at:
            fields["expires_at"] = int(times.seconds_of(body.expires_at) or 0)
        given = {name: value for name, value in fields.items() if value not in ("", (), None)}
        made = project.remember(body.content, kind=body.kind, **given)
        replaced = [views.replaced(one) for one in project.memories.replaced_by(made)]
        return {**views.memory(made, _identity(project)), "replaced": replaced}

    return once(body.model_dump(), make)


@router.get(
    "/memory/scoped",
    **api.described("Get hierarchical scoped memories", models.ScopedMemories, 400),
)
def get_scoped_memories(
    project: api.Project, bead: _Task = "", kind: _Kinds = None, kinds: _KindLists = None
) -> dict[str, Any]:
    """The task's memories, its epic's, the project's constraints, active constraints."""
    project.refresh()
    scope = project.scope(bead)
    found = Outlet(project, whole=True).scoped(scope, kinds=_kinds(kind, kinds))[0]
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
    return {"beadId": bead, "epicId": scope.epic, **told, "summary": summary}


def _with_history(project: Workspace, versions: Sequence[StoredMemory]) -> dict[str, Any]:
    identity = _identity(project)
    told = views.memory(versions[0].record, identity)
    told["history"] = [views.memory(one.record, identity) for one in versions[1:_VERSIONS]]
    return told


def _only_if(project: Workspace, if_match: str) -> Callable[[Sequence[StoredMemory]], None] | None:
    """Return a check of `If-Match` that runs under the memory's lock; None without the header."""
    if not if_match:
        return None
    return lambda versions: api.require_if_match(
        if_match, api.etag_of_value(_with_history(project, versions))
    )


@router.get("/memory/{memId}", **api.described("Get single entry", models.MemoryWithHistory, 409))
def get_memory(response: Response, memId: api.MemoryRef, project: api.Project) -> dict[str, Any]:
    """One memory with its versions, newest first."""
    told = _with_history(project, project.memories.versions(memId))
    response.headers["ETag"] = api.etag_of_value(told)
    return told


@router.patch("/memory/{memId}", **api.described("Correct a memory", models.Memory, 400, 409))
def edit_memory(
    memId: api.MemoryRef, body: MemoryChange, project: api.Project, if_match: api.IfMatch = ""
) -> dict[str, Any]:
    """Write a new version with another text; the earlier one stays in the history."""
    ident = project.memories.versions(memId)[0].record.id
    edited = project.memories.edit(ident, body.content, check=_only_if(project, if_match))
    return views.memory(edited, _identity(project))


@router.delete("/memory/{memId}", **api.described("Soft-delete entry", models.DeletedMemory, 409))
def delete_memory(
    memId: api.MemoryRef, project: api.Project, if_match: api.IfMatch = ""
) -> dict[str, Any]:
    """Delete it; its history stays until it is purged. `note` says if colleagues still see it."""
    gone = project.memories.remove(memId, check=_only_if(project, if_match))
    note = shared_deletion(project.memories.own, gone)
    return {"id": gone.id, "deletedAt": iso(gone.deleted_at or 0), "note": note}


@router.post("/memory/{memId}/restore", **api.described("Restore entry", models.Memory, 400, 409))
def restore_memory(
    memId: api.MemoryRef,
    project: api.Project,
    body: RestoreBody | None = None,
    if_match: api.IfMatch = "",
) -> dict[str, Any]:
    """Restore a deleted memory as it was; or, with `version`, an earlier version's text."""
    now = _with_history(project, project.memories.versions(memId))
    check = _only_if(project, if_match)
    if body is None or not body.version:
        back = project.memories.restore(now["id"], check=check)
    elif body.version > len(now["history"]):
        raise NotFoundError("It has no such version.", hint="Its `history` has every version.")
    else:
        earlier = now["history"][body.version - 1]
        back = project.memories.edit(now["id"], earlier["content"], check=check)
    return views.memory(back, _identity(project))


@router.get("/search", **api.described("Search every tier", models.SearchAnswer, 400, 502))
def search(
    project: api.Project,
    query: Annotated[str, api.asked("The question.", 1000, "q", least=1)],
    tier: Annotated[str, api.asked("Only this tier: hot, warm, structured, ...", 40)] = "",
    limit: api.Limit = 10,
) -> dict[str, Any]:
    """Answer a question from the matching tier, with each result's tier, source and score."""
    routed = project.ask(query, limit=limit, tier=tier)
    items = [views.result(one) for one in routed.pieces]
    return {**cleaned({"question": query, "problem": routed.problem}), "items": items}
