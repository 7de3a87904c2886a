"""Notes, context packs, tables and the thread: a project's knowledge besides memories."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Query

from satchel.application.outlet import held_back
from satchel.application.recall.unapproved import with_warnings
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.trust import UNAPPROVED
from satchel.features.code.packs.values import PackRequest
from satchel.features.tables.rows import as_fields
from satchel.interfaces.http.rest import responses as api
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.models import knowledge as models
from satchel.interfaces.http.rest.models.requests import PackBody, RowBody
from satchel.interfaces.http.rest.models.thread import Explanation
from satchel.interfaces.rendering import cleaned
from satchel.interfaces.thread_rendering import story_json

router = api.routes("/api/projects/{projectId}", "knowledge")


@router.get("/why", **api.described("Say why code is so", Explanation, 400, 409))
def explain(
    project: api.Project,
    what: Annotated[
        str, api.asked("For example `lib/pay.py:42`, a commit, a task or a note.", 500, least=1)
    ],
) -> dict[str, Any]:
    """Where a line (`lib/pay.py:42`), symbol, commit, task, session or note comes from."""
    from satchel.application.thread.explaining import Explainer

    story = Explainer(project, project.project.place.root).why(what)
    if story is None:
        raise NotFoundError(f"Nothing here is called {what[:60]!r}.")
    return story_json(story)


@router.get("/notes", **api.described("Search learning notes", models.NoteHits, 400, 502))
def search_notes(
    project: api.Project,
    query: Annotated[str, api.asked("The question.", 500, "q", least=1)],
    mode: Annotated[
        Literal["hybrid", "keyword", "naive", "local", "global"],
        Query(description="How to search."),
    ] = "hybrid",
    category: Annotated[str, api.asked("Only of this category.", 60)] = "",
    limit: api.Limit = 10,
) -> dict[str, Any]:
    """The project's and the user's notes, best first."""
    with project.notes as notebook:
        found = notebook.search(query, mode=mode, category=category, limit=limit)
    held = held_back(project, (one.path for one in found.items))
    unsaid = "docid fields heading kind through where"
    trusts = [UNAPPROVED if one.path in held else "" for one in found.items]
    items = [
        views.filled(models.NoteHit, one, without=unsaid, trust=trust)
        for one, trust in zip(found.items, trusts, strict=True)
    ]
    return {"notes": items, "mode": found.mode}


@router.post("/packs", **api.described("Make a context pack", models.ContextPack, 400, 409))
def make_pack(body: PackBody, project: api.Project) -> dict[str, Any]:
    """The files and symbols relevant to a task. Nothing is saved, so readers may ask."""
    if not body.task.strip() and body.method != "manual":
        raise BadInputError("A pack needs a `task`.", hint="Or `files`, with the method `manual`.")
    with project.code as code:
        what = (body.task, body.name, body.entry, body.method, body.profile)
        most = body.model_dump(include={"max_tokens", "max_symbols", "max_depth"})
        wanted = PackRequest(*what, files=tuple(body.files), **most)
        made = with_warnings(project, code.pack(wanted))
    return dict(cleaned(made.as_json()))


@router.get("/tables", **api.described("List tables", models.Tables))
def list_tables(project: api.Project) -> dict[str, Any]:
    """Tables with their fields and how many rows each has."""
    told = []
    with project.tables as opened:
        if opened.exist():
            tables = opened.tables(strict=False)
            held = held_back(project, (one.path for one in tables.schemas.values() if one.path))
            for name, schema in sorted(tables.schemas.items()):
                fields = [
                    views.filled(models.TableField, one, without=views.MOST)
                    for one in schema.fields
                ]
                row = {"name": name, "fields": fields, "rows": len(tables.rows(name))}
                told.append({**row, "trust": UNAPPROVED if schema.path in held else ""})
    return dict(cleaned({"tables": told}))


@router.get("/tables/{table}/rows", **api.described("Find rows", models.RowPage, 400))
def find_rows(
    table: api.TableName,
    project: api.Project,
    query: Annotated[str, api.asked("Words in them.", 300, "q")] = "",
    where: Annotated[
        list[str] | None, Query(max_length=10, description="Conditions, as `price>3`.")
    ] = None,
    sort: Annotated[str, api.asked("A field; `-` before it for the largest first.", 80)] = "",
    limit: api.Limit = 50,
    cursor: api.Cursor = "",
) -> dict[str, Any]:
    """Rows by words and by conditions such as `price>3`."""
    with project.tables as opened:
        tables = opened.tables(strict=False)
        schema = tables.schema(table)
        found = tables.find(table, query, where=tuple(where or ()), sort=sort)
        page, following = api.paginate(found, limit, cursor)
        told = [as_fields(row, schema) for row in page]
    return dict(cleaned({"rows": views.plain(told), "total": len(found), "nextCursor": following}))


@router.post(
    "/tables/{table}/rows", **api.described("Add a row", models.TableRow, 400), status_code=201
)
def add_row(
    table: api.TableName, body: RowBody, project: api.Project, asker: api.Asker, once: api.Once
) -> Any:
    """Add a row that fits the table's schema."""

    def make() -> dict[str, Any]:
        with project.tables as opened:
            tables = opened.tables(strict=False)
            schema = tables.schema(table)
            row = tables.add(table, body.values, agent=asker.author, ident=once.ident)
            return dict(cleaned(views.plain(as_fields(row, schema))))

    return once([table, body.values], make)
