"""Explore: the graph, the code, context packs and research; tables and agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from satchel.application.outlet import held_back
from satchel.application.recall.unapproved_graph import with_graph_trust
from satchel.application.thread.explaining import Explainer
from satchel.application.thread.neighbours import neighbours, walk
from satchel.core.errors import BadInputError, SatchelError
from satchel.features.code.pack_text import pack_text
from satchel.features.code.pack_values import Pack
from satchel.features.code.pack_values import Request as PackRequest
from satchel.features.graph.html_export import page
from satchel.features.graph.knowledge_graph import KnowledgeGraph
from satchel.features.tables.rows import as_fields
from satchel.interfaces.http.console.graph_drawing import Drawing, draw, draw_thread
from satchel.interfaces.http.console.pages import Asked, Page, Undo
from satchel.interfaces.http.server.middleware import POLICY
from satchel.interfaces.http.server.overview_cache import is_large
from satchel.interfaces.thread_picture import thread_page
from satchel.interfaces.thread_rendering import because

router = APIRouter(prefix="/console/{project}/explore", include_in_schema=False)
#: The picture of the whole graph is framed by a page of this console, and by nobody else's.
FRAMED_HERE = "frame-ancestors 'self'"
_ROWS = 200
_ENTITIES = 60
#: Characters of a pack that a page shows.
_LONGEST = 60_000


@router.get("")
def graph(
    asked: Asked,
    q: Annotated[str, Query(max_length=300)] = "",
    focus: Annotated[str, Query(max_length=300)] = "",
    view: Annotated[str, Query(max_length=5)] = "",
) -> Response:
    """Show an entity and its neighbours as a drawing and a list, with the texts that say so.

    With `view=whole` the drawing is that of the whole graph, in a frame.
    """
    with asked.workspace.graph as opened:
        if is_large(asked.workspace):
            opened.as_drawn()  # what has changed is drawn beside the requests
        # What is important is known once somebody asks for it: a page does not wait for that.
        figures = opened.retry_after_rebuild(lambda g: g.store.counts())
        found = opened.search(q, limit=12) if q.strip() else None
        names = list(found.entities) if found else []
        important = [] if focus or names else _important(opened)
        middle = focus or (names[0] if names else "") or (important[0] if important else "")
        drawing, texts = _around(opened, middle) if middle else (None, [])
        kind, labels = "entity", dict[str, str]()
        if drawing is None and focus and asked.owns:
            kind, drawing, labels = _on_thread(asked, focus)
        hits = [one.memory.id for one in found.hits if one.memory is not None] if found else []
        held = _held_texts(asked, opened, [*(one.id for one in texts), *hits])
    shown = _shown(
        asked,
        "explore",
        tab="graph",
        q=q,
        focus=middle,
        figures=figures,
        found=found,
        names=names,
        important=important,
        drawing=drawing,
        texts=texts,
        held=held,
        view=view,
        kind=kind,
        labels=labels,
    )
    if view == "whole":
        shown.headers["Content-Security-Policy"] = f"{POLICY}; frame-src 'self'"
    return shown


def _held_texts(asked: Page, graph: KnowledgeGraph, ids: Sequence[str]) -> set[str]:
    """Return the ids of those texts that nobody has approved."""
    rows = with_graph_trust(asked.workspace, graph, [{"id": one} for one in ids])
    return {str(one["id"]) for one in rows if "trust" in one}


def _important(graph: KnowledgeGraph) -> list[str]:
    found = graph.retry_after_rebuild(lambda g: g.store.entities(limit=_ENTITIES))
    return [one.name for one in sorted(found, key=lambda one: -one.importance)]


def _around(graph: KnowledgeGraph, name: str) -> tuple[Drawing | None, list[Any]]:
    """Draw an entity of the project's graph, or of the user's if the project has none."""
    for user in graph.drawable():
        made = graph.retry_after_rebuild(lambda g: _drawn(g.store, name), user=user)
        if made is not None:
            return made
    return None, []


def _drawn(store: Any, name: str) -> tuple[Drawing, list[Any]] | None:
    entity = store.entity(name)
    if entity is None:
        return None
    drawing = draw(entity.name, lambda of, most: store.relations_of(of, limit=most))
    return drawing, store.texts_of([entity.key], limit=20)


def _on_thread(asked: Page, name: str) -> tuple[str, Drawing | None, dict[str, str]]:
    """Draw a line, file, commit, session, task, note or memory; return its kind and names too."""
    try:
        found = neighbours(asked.workspace, name, asked.workspace.project.place.root)
    except SatchelError:
        return "entity", None, {}
    return (found.node.kind, *draw_thread(found))


@router.get("/picture")
def graph_page(asked: Asked, around: Annotated[str, Query(max_length=300)] = "") -> Response:
    """Show the whole graph as a page of its own, with its script's hashes in the policy.

    With `around`, what is joined to that line, file, commit, session, task, note or memory.
    """
    if around:
        root = asked.workspace.project.place.root
        text, _ = thread_page(walk(asked.workspace, around, root))
    else:
        with asked.workspace.graph as opened:
            text, _ = opened.retry_after_rebuild(page)
    policy = text.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
    # A page cannot say this of itself: `frame-ancestors` counts in a header alone.
    headers = {"Content-Security-Policy": f"{policy}; {FRAMED_HERE}"} if policy else {}
    return HTMLResponse(text, headers=headers)


@router.get("/code")
def code(
    asked: Asked,
    q: Annotated[str, Query(max_length=300)] = "",
    path: Annotated[str, Query(max_length=1000)] = "",
) -> Response:
    """Show symbols and files that match a question; or the symbols of one file."""
    with asked.workspace.code as opened:
        symbols, files = opened.find(q, limit=30) if q.strip() else ([], [])
        status = opened.status()
        inside = opened.symbols(path) if path else []
    return _shown(
        asked, "code", q=q, path=path, symbols=symbols, files=files, inside=inside, status=status
    )


@router.get("/packs")
def packs(
    asked: Asked,
    q: Annotated[str, Query(max_length=1000)] = "",
    tokens: Annotated[int, Query(ge=500, le=200_000)] = 20_000,
    saved: Annotated[str, Query(max_length=200)] = "",
    beside: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Build a context pack; show how its budget is spent; copy, save or compare it."""
    opened = asked.workspace.code
    made: Pack | None = None
    try:
        if saved:
            made = opened.saved_pack(saved)
        elif q.strip():
            made = opened.pack(PackRequest(q, max_tokens=tokens))
        other = opened.saved_pack(beside) if beside else None
        every = opened.packs.every()
    finally:
        opened.close()
    text = pack_text(made) if made else ""
    return _shown(
        asked,
        "packs",
        q=q,
        tokens=tokens,
        made=made,
        text=text[:_LONGEST],
        cut=len(text) > _LONGEST,
        every=every,
        saved=saved,
        other=other,
    )


@router.post("/packs")
def save(
    asked: Asked,
    q: Annotated[str, Form(min_length=1, max_length=1000)],
    name: Annotated[str, Form(min_length=1, max_length=120)],
    tokens: Annotated[int, Form(ge=500, le=200_000)] = 20_000,
) -> RedirectResponse:
    """Save a pack under a name."""
    with asked.workspace.code as opened:
        kept = opened.packs.save(opened.pack(PackRequest(q, name=name, max_tokens=tokens)), name)
    undo = Undo("explore/packs/delete", (("name", kept.id),))
    return asked.back(f"explore/packs?saved={kept.id}", f"Saved as {name}.", undo)


@router.post("/packs/delete")
def delete(asked: Asked, name: Annotated[str, Form(max_length=200)]) -> RedirectResponse:
    """Delete a saved pack."""
    with asked.workspace.code as opened:
        gone = opened.packs.delete(name)
    return asked.back("explore/packs", f"{gone.name} is deleted.")


@router.get("/research")
def research(asked: Asked, q: Annotated[str, Query(max_length=500)] = "") -> Response:
    """Show what notes, memories, code and documents say, and where they disagree."""
    dossier = asked.workspace.research.ask(q, save=False) if q.strip() else None
    return _shown(asked, "research", q=q, dossier=dossier)


@router.get("/why")
def why(asked: Asked, what: Annotated[str, Query(max_length=500)] = "") -> Response:
    """Show where a line, symbol, commit, task, session or note comes from, with the evidence."""
    if not asked.owns:
        raise BadInputError(
            "Only the owner of this machine can see this, because it shows sessions."
        )
    story = None
    if what.strip():
        story = Explainer(asked.workspace, asked.workspace.project.place.root).why(what.strip())
    asking = {
        (session.session, one.place): one.text
        for session in (story.sessions if story else ())
        for one in session.prompts
    }
    return _shown(asked, "why", what=what, story=story, asking=asking, because=because)


@router.get("/tables")
def tables(
    asked: Asked,
    table: Annotated[str, Query(max_length=80)] = "",
    q: Annotated[str, Query(max_length=300)] = "",
) -> Response:
    """Show tables, and the rows of one."""
    names, rows, fields, held = list[str](), [], list[str](), False
    with asked.workspace.tables as opened:
        if opened.exist():
            every = opened.tables(strict=False)
            names = sorted(every.schemas)
            if table in every.schemas:
                schema = every.schema(table)
                fields = [field.name for field in schema.fields]
                rows = [as_fields(row, schema) for row in every.find(table, q, limit=_ROWS)]
                held = bool(schema.path and held_back(asked.workspace, [schema.path]))
    values = {"names": names, "table": table, "q": q, "fields": fields, "rows": rows}
    return _shown(asked, "tables", held=held, **values)


@router.get("/agents")
def agents(asked: Asked, q: Annotated[str, Query(max_length=2000)] = "") -> Response:
    """Show profiles, their success, and which agent would get a message."""
    with asked.workspace.routing as routing:
        choice = routing.choose(q) if q.strip() else None
        tallies = {one.agent: one for one in routing.tallies()}
        profiles = list(routing.profiles().profiles)
        latest = routing.latest(20)
    return _shown(
        asked, "agents", q=q, choice=choice, profiles=profiles, tallies=tallies, latest=latest
    )


def _shown(asked: Page, template: str, **values: Any) -> HTMLResponse:
    values = {"tab": template, **values}
    return asked.show(template, page="explore", configured=_configured(asked), **values)


def _configured(asked: Page) -> list[str]:
    """Return which of tables and agents this project has."""
    found = []
    with asked.workspace.tables as opened:
        found += ["tables"] if opened.exist() else []
    try:
        with asked.workspace.routing as routing:
            found += ["agents"] if routing.has_own() or routing.latest(1) else []
    except (SatchelError, BadInputError):
        pass
    return found
