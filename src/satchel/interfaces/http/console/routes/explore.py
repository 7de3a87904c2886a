"""Explore: the graph, the code, context packs, research, and why a line is so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse

from satchel.application.recall.graph.unapproved import with_graph_trust
from satchel.application.thread.explaining import Explainer
from satchel.application.thread.neighbours import neighbours, walk
from satchel.core.errors import SatchelError
from satchel.features.code.packs.text import pack_text
from satchel.features.code.packs.values import PackRequest
from satchel.features.graph.html_export import page
from satchel.features.graph.knowledge_graph import KnowledgeGraph
from satchel.interfaces.http.console.graph_drawing import Drawing, draw, draw_thread
from satchel.interfaces.http.console.pages import Asked, Page
from satchel.interfaces.http.server.messages import POLICY
from satchel.interfaces.http.server.overview_cache import is_large
from satchel.interfaces.thread_picture import thread_page
from satchel.interfaces.thread_rendering import because

router = APIRouter(prefix="/console/{project}/explore", include_in_schema=False)
#: Only a page of this console may frame the picture of the whole graph.
FRAMED_HERE = "frame-ancestors 'self'"
_ENTITIES = 60
#: What is asked for as a line, a file or a commit is, and hardly as an entity.
_THING = re.compile(r"[^\s./:~^]*[./:~^]\S*\Z|[0-9a-f]{7,64}\Z|HEAD\Z")
#: How much of a pack a page shows, in characters.
_LONGEST = 60_000


@router.get("")
def graph(
    asked: Asked,
    q: Annotated[str, Query(max_length=300)] = "",
    focus: Annotated[str, Query(max_length=300)] = "",
    view: Annotated[str, Query(max_length=5)] = "",
) -> Response:
    """Show an entity and its neighbours as a drawing and a list, with the texts that say so.

    With `view=whole` the drawing shows the whole graph, in a frame.
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
        thing = focus if drawing is None else ""
        thing = thing or ("" if focus or q in names else _thing_in(q))
        on_thread = _on_thread(asked, thing) if thing and asked.owns else None
        if on_thread is not None:
            (kind, drawing, labels), texts, middle = on_thread, [], thing
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


def _thing_in(question: str) -> str:
    """Return what a question names, if it can only be a line, a file or a commit, or ""."""
    text = question.strip()
    return text if _THING.match(text) else ""


def _on_thread(asked: Page, name: str) -> tuple[str, Drawing, dict[str, str]] | None:
    """Draw a line, file, commit, session, task, note or memory; return its kind and names too."""
    try:
        found = neighbours(asked.workspace, name, asked.workspace.project.place.root)
    except SatchelError:
        return None
    return (found.node.kind, *draw_thread(found))


@router.get("/picture")
def graph_page(asked: Asked, around: Annotated[str, Query(max_length=300)] = "") -> Response:
    """Show the whole graph as a page of its own, with its script's hashes in the policy.

    With `around`, what that line, file, commit, session, task, note or memory is connected to.
    """
    if around:
        text, _ = thread_page(walk(asked.workspace, around, asked.workspace.project.place.root))
    else:
        with asked.workspace.graph as opened:
            text, _ = opened.retry_after_rebuild(page)
    policy = text.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
    # A page cannot set this itself: `frame-ancestors` only works in a header.
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
) -> Response:
    """Build a context pack; show how its budget is spent; copy it."""
    with asked.workspace.code as opened:
        made = opened.pack(PackRequest(q, max_tokens=tokens)) if q.strip() else None
    text = pack_text(made) if made else ""
    cut, shown = len(text) > _LONGEST, text[:_LONGEST]
    return _shown(asked, "packs", q=q, tokens=tokens, made=made, text=shown, cut=cut)


@router.get("/research")
def research(asked: Asked, q: Annotated[str, Query(max_length=500)] = "") -> Response:
    """Show what notes, memories, code and documents say, and where they disagree."""
    dossier = asked.workspace.research.ask(q, save=False) if q.strip() else None
    return _shown(asked, "research", q=q, dossier=dossier)


@router.get("/why")
def why(asked: Asked, what: Annotated[str, Query(max_length=500)] = "") -> Response:
    """Show where a line, symbol, commit, task, session or note comes from, with the evidence."""
    work = asked.owned("Only the owner of this machine can see this, because it shows sessions.")
    story = None
    if what.strip():
        story = Explainer(work, work.project.place.root).why(what.strip())
    asking = {
        (session.session, one.place): one.text
        for session in (story.sessions if story else ())
        for one in session.prompts
    }
    return _shown(asked, "why", what=what, story=story, asking=asking, because=because)


def _shown(asked: Page, template: str, **values: Any) -> HTMLResponse:
    values = {"tab": template, **values}
    return asked.show(template, page="explore", **values)
