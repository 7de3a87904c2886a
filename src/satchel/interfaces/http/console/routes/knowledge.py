"""Pages about knowledge: intent, graph, packs, tables, instincts, agents."""

from __future__ import annotations

import os
import tempfile
from typing import Annotated

from fastapi import APIRouter, Form, Query, Response
from fastapi.responses import HTMLResponse

from satchel.core.errors import SatchelError
from satchel.features.code.pack_values import Request as PackRequest
from satchel.features.intent.values import RELEVANCES, Link
from satchel.features.tables.rows import as_fields
from satchel.interfaces.http.console.pages import Asked
from satchel.interfaces.http.server.middleware import UNFRAMED

router = APIRouter(prefix="/console/{project}", include_in_schema=False)
_ROWS = 200


@router.get("/intent")
def intent(asked: Asked, task: Annotated[str, Query(max_length=128)] = "") -> Response:
    """The document, its anchors, and who is linked to them; pick an anchor to link a task."""
    work = asked.workspace
    document = work.intent.read() if work.intent.exists else None
    links = work.intent.links.all()
    by_anchor: dict[str, list[Link]] = {}
    for one in links:
        by_anchor.setdefault(one.anchor, []).append(one)
    return asked.show(
        "intent", document=document, by_anchor=by_anchor, task=task, relevances=RELEVANCES
    )


@router.post("/intent/link")
def link(
    asked: Asked,
    task: Annotated[str, Form(min_length=1, max_length=128)],
    anchor: Annotated[str, Form(min_length=1, max_length=200)],
    relevance: Annotated[str, Form(max_length=20)] = "primary",
    note: Annotated[str, Form(max_length=500)] = "",
) -> Response:
    """Link a task to an anchor."""
    kept, _ = asked.workspace.intent.link(
        Link(task, anchor, relevance, "", asked.who.author or "user", note)
    )
    return asked.back("intent", f"{kept.task} is linked to {kept.anchor}.")


@router.post("/intent/unlink")
def unlink(
    asked: Asked,
    task: Annotated[str, Form(min_length=1, max_length=128)],
    anchor: Annotated[str, Form(min_length=1, max_length=200)],
) -> Response:
    """Take a link away."""
    asked.workspace.intent.links.remove(task, anchor)
    return asked.back("intent", f"{task} is not linked to {anchor} any more.")


@router.get("/graph")
def graph(asked: Asked, q: Annotated[str, Query(max_length=300)] = "") -> Response:
    """Figures, a search, and the way to the picture."""
    with asked.workspace.graph as opened:
        figures = opened.statistics()
        answer = opened.search(q, limit=20) if q.strip() else None
    return asked.show("graph", q=q, figures=figures, answer=answer)


@router.get("/graph/picture")
def picture(asked: Asked) -> Response:
    """The interactive picture: one page of its own, with hashes of its script in its policy."""
    with tempfile.TemporaryDirectory(prefix="satchel-") as place:
        path = os.path.join(place, "graph.html")
        with asked.workspace.graph as opened:
            opened.visualize(path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
    policy = text.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
    # A page cannot say this of itself: `frame-ancestors` counts in a header alone.
    headers = {"Content-Security-Policy": f"{policy}; {UNFRAMED}"} if policy else {}
    return HTMLResponse(text, headers=headers)


@router.get("/packs")
def packs(
    asked: Asked,
    q: Annotated[str, Query(max_length=1000)] = "",
    tokens: Annotated[int, Query(ge=500, le=200_000)] = 20_000,
) -> Response:
    """Make a context pack, and see how its budget is spent."""
    made = None
    if q.strip():
        code = asked.workspace.code
        try:
            made = code.pack(PackRequest(q, max_tokens=tokens)).as_json()
        finally:
            code.close()
    return asked.show("packs", q=q, tokens=tokens, made=made)


@router.get("/tables")
def tables(
    asked: Asked,
    table: Annotated[str, Query(max_length=80)] = "",
    q: Annotated[str, Query(max_length=300)] = "",
) -> Response:
    """Tables, and the rows of one."""
    with asked.workspace.tables as opened:
        if not opened.exist():
            return asked.show("tables", names=[], table="", q="", fields=[], rows=[])
        every = opened.tables(strict=False)
        names = sorted(every.schemas)
        rows, fields = [], []
        if table in every.schemas:
            schema = every.schema(table)
            fields = [field.name for field in schema.fields]
            rows = [as_fields(row, schema) for row in every.find(table, q, limit=_ROWS)]
    return asked.show("tables", names=names, table=table, q=q, fields=fields, rows=rows)


@router.get("/instincts")
def instincts(asked: Asked) -> Response:
    """Small rules, the surest first."""
    mine = asked.workspace.instincts
    problem, found = "", []
    try:
        found = [(mine.current_confidence(one), one) for one in mine.read().instincts]
    except SatchelError as error:
        problem = str(error)
    found.sort(key=lambda pair: -pair[0])
    return asked.show("instincts", found=found, problem=problem)


@router.get("/agents")
def agents(asked: Asked, q: Annotated[str, Query(max_length=2000)] = "") -> Response:
    """Profiles, how they have done, and whom a message would go to."""
    with asked.workspace.routing as routing:
        choice = routing.choose(q) if q.strip() else None
        tallies = {one.agent: one for one in routing.tallies()}
        profiles = list(routing.profiles().profiles)
        latest = routing.latest(20)
    return asked.show(
        "agents", q=q, choice=choice, profiles=profiles, tallies=tallies, latest=latest
    )
