"""Notes, the graph, context packs, tables: what a project knows besides memories."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from satchel.core.errors import BadInputError
from satchel.features.code.pack_values import Request as PackRequest
from satchel.features.tables.rows import as_fields
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.bodies import PackBody, RowBody
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

router = APIRouter(prefix="/api/projects/{projectId}", tags=["knowledge"])


@router.get("/notes", summary="Search learning notes")
def notes(
    request: Request,
    project: Project,
    query: Annotated[str, Query(alias="q", min_length=1, max_length=500)],
    mode: Literal["hybrid", "keyword", "naive", "local", "global"] = "hybrid",
    category: Annotated[str, Query(max_length=60)] = "",
    limit: Limit = 10,
) -> Response:
    """Notes of the project and of the person, best first."""
    with project.notes as notebook:
        found = notebook.search(query, mode=mode, category=category, limit=limit)
    items = [
        {
            "id": one.id,
            "title": one.title,
            "path": one.path,
            "score": one.score,
            "parts": dict(one.parts),
            "excerpt": one.excerpt,
            "keyInsight": one.key_insight,
        }
        for one in found.items
    ]
    return with_etag(request, views.cleaned({"notes": items, "mode": found.mode}))


@router.get("/graph", summary="Query the knowledge graph")
def graph(
    request: Request,
    project: Project,
    query: Annotated[str, Query(alias="q", max_length=300)] = "",
    kind: Annotated[
        Literal["entity", "relationship", "memory", "graph"], Query(alias="type")
    ] = "entity",
    limit: Limit = 10,
) -> Response:
    """Entities, relationships, memories or a subgraph, as GraphMem answers; figures without `q`."""
    with project.graph as opened:
        found = (
            opened.query(query, kind=kind, limit=limit) if query.strip() else opened.statistics()
        )
    return with_etag(request, views.cleaned(views.plain(found)))


@router.post("/packs", summary="Make a context pack")
def make_pack(body: PackBody, project: Project) -> JSONResponse:
    """The files and symbols that a task is about. Nothing is kept, so a reader may ask."""
    if not body.task.strip() and body.method != "manual":
        raise BadInputError("A pack needs a `task`.", hint="Or `files`, with the method `manual`.")
    code = project.code
    try:
        wanted = PackRequest(
            body.task,
            body.name,
            body.entry,
            body.method,
            body.profile,
            files=tuple(body.files),
            max_tokens=body.max_tokens,
            max_symbols=body.max_symbols,
            max_depth=body.max_depth,
        )
        made = code.pack(wanted)
    finally:
        code.close()
    return JSONResponse(views.cleaned(made.as_json()))


@router.get("/tables", summary="List tables")
def list_tables(request: Request, project: Project) -> Response:
    """Tables with their fields and how many rows each has."""
    told = []
    with project.tables as opened:
        if opened.exist():
            tables = opened.tables(strict=False)
            for name, schema in sorted(tables.schemas.items()):
                fields = [
                    {"name": f.name, "type": f.type, "required": f.required} for f in schema.fields
                ]
                told.append({"name": name, "fields": fields, "rows": len(tables.rows(name))})
    return with_etag(request, views.cleaned({"tables": told}))


@router.get("/tables/{table}/rows", summary="Find rows")
def rows(
    request: Request,
    table: str,
    project: Project,
    query: Annotated[str, Query(alias="q", max_length=300)] = "",
    where: Annotated[list[str] | None, Query(max_length=10)] = None,
    sort: Annotated[str, Query(max_length=80)] = "",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response:
    """Rows by words and by conditions such as `price>3`."""
    with project.tables as opened:
        tables = opened.tables(strict=False)
        schema = tables.schema(table)
        found = tables.find(table, query, where=tuple(where or ()), sort=sort)
        page, following = paginate(found, limit, cursor)
        told = [as_fields(row, schema) for row in page]
    answer = {"rows": views.plain(told), "total": len(found), "nextCursor": following}
    return with_etag(request, views.cleaned(answer))


@router.post("/tables/{table}/rows", status_code=201, summary="Add a row")
def add_row(
    request: Request,
    table: str,
    body: RowBody,
    project: Project,
    asker: Asker,
    key: IdempotencyKey = "",
) -> Response:
    """Add a row that fits the table's schema."""

    def make() -> tuple[int, Any]:
        with project.tables as opened:
            tables = opened.tables(strict=False)
            schema = tables.schema(table)
            row = tables.add(table, body.values, agent=asker.author)
            return 201, views.cleaned(views.plain(as_fields(row, schema)))

    return run_idempotent(request, key, [table, body.values], make)
