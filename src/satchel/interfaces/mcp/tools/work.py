"""Tools about the work: tasks, the knowledge graph, code and context packs."""

from __future__ import annotations

from typing import Any

from satchel.application.learning.listening import task_comments
from satchel.application.recall.graph.unapproved import with_graph_trust
from satchel.application.recall.unapproved import with_warnings
from satchel.core.errors import BadInputError
from satchel.core.quick_json import dumps
from satchel.core.trust import clean_line
from satchel.features.code.packs.text import pack_text
from satchel.features.code.packs.values import PackRequest
from satchel.features.code.service import Code
from satchel.features.code.symbols.values import Symbol
from satchel.features.graph.query import memory_json
from satchel.features.graph.searching import GraphHit
from satchel.features.tasks.dialects import FOUNDATION_STATUSES
from satchel.features.tasks.index import TaskFilter, TaskView, as_beads, with_neighbours
from satchel.features.tasks.project_tasks import ProjectTasks
from satchel.features.tasks.reading import OPEN_STATUSES
from satchel.features.tasks.values import Change
from satchel.features.tasks.view import statuses_from
from satchel.interfaces.mcp import schemas as s
from satchel.interfaces.mcp.formatting import fenced, more_pages, with_warning
from satchel.interfaces.mcp.paging import PAGE_TOKENS, answer_page, offset_of, text_page
from satchel.interfaces.mcp.schemas import Call, Hints, tool
from satchel.interfaces.rendering import cleaned
from satchel.workspace import Workspace

_ACTIONS = ("ready", "list", "show", "create", "claim", "update", "comment", "close")
_STATUSES = (*sorted(OPEN_STATUSES), "closed", *FOUNDATION_STATUSES)
_GRAPH = ("search", "entity", "relationship", "memory", "graph")
_CODE = ("find", "symbols", "refs", "pack")
_METHODS = ("codegraph", "heuristic")


@tool(
    "task",
    "Tasks",
    "What is ready, what blocks what; create, claim, comment on and close tasks.",
    {
        "action": s.text("", default="ready", choices=_ACTIONS),
        "id": s.text("empty with claim: the first that is ready", default=""),
        "title": s.text("", default=""),
        "text": s.text("description, comment, or what was done (close)", default=""),
        "status": s.text("another state, or only in this state", default=""),
        "priority": s.count("0 critical to 4 backlog; -1 leaves it", default=-1, least=-1, most=4),
        "type": s.text("bug, feature, task, epic or chore", default="task"),
        "parent": s.text("epic or task", default=""),
        "blocked_by": s.texts("tasks that it waits for"),
        "labels": s.texts(""),
        "limit": s.count("", default=20, most=100),
        "cursor": s.CURSOR,
    },
    Hints(reads=False, destroys=False, repeats=False),
    reading=("ready", "list", "show"),
)
def _task(call: Call) -> str:
    given, work = call.given, call.workspace
    action = given["action"]
    if action in ("show", "update", "comment", "close") and not given["id"]:
        raise BadInputError(f"`{action}` needs the `id` of a task.", hint="`ready` lists ids.")
    with ProjectTasks(work.project, call.user) as tasks:
        if action in ("ready", "list"):
            return _listed(tasks, call)
        if action == "show":
            shown, needs, needed_by = tasks.view.show(given["id"])
            label = with_warning(work, "task", *work.project.tracked.tasks)
            return fenced(label, dumps(cleaned(with_neighbours(shown, needs, needed_by))))
        return _task_answer("tasks", [as_beads(one) for one in _changed(work, tasks, given)], "")


def _listed(tasks: ProjectTasks, call: Call) -> str:
    given = call.given
    about = f"{given['action']} {given['status']} {given['parent']}"
    start = offset_of(given["cursor"], about)
    only = TaskFilter(labels=tuple(given.get("labels", ())), parent=given["parent"])
    most = start + given["limit"] + 1
    if given["action"] == "ready":
        found = tasks.view.ready(only, limit=most)
    else:
        states = statuses_from([given["status"]] if given["status"] else [], everything=False)
        found = tasks.view.listed(only._replace(statuses=states), limit=most)
    page, more = answer_page(found, start, given["limit"], about)
    label = with_warning(call.workspace, "tasks", *call.workspace.project.tracked.tasks)
    return _task_answer(label, [as_beads(one) for one in page], more)


def _changed(work: Workspace, tasks: ProjectTasks, given: dict[str, Any]) -> list[TaskView]:
    action, ident, text = given["action"], given["id"], given["text"]
    fields: dict[str, Any] = {"description": text} if text else {}
    if given["priority"] >= 0:
        fields["priority"] = given["priority"]
    if action == "create":
        if given["status"] not in ("", "open"):
            raise BadInputError(
                "A new task is open.", hint="Create it without `status`, then `update` it."
            )
        links = [("parent-child", given["parent"])] if given["parent"] else []
        links += [("blocks", one) for one in given.get("blocked_by", ())]
        if given.get("labels"):
            fields["labels"] = list(given["labels"])
        return [tasks.create(given["title"], links=links, issue_type=given["type"], **fields)]
    if action == "claim":
        return [tasks.claim(ident)]
    if action == "comment":
        if not text.strip():
            raise BadInputError("The comment is empty.", hint="Give it as `text`.")
        return [task_comments.comment(work, tasks, ident, text)[0]]
    if action == "close":
        return task_comments.close(work, tasks, [ident], text)[0]
    if given["title"]:
        fields["title"] = given["title"]
    if given["status"] not in ("", *_STATUSES):
        raise BadInputError(
            f"{given['status'][:40]!r} is not a state.", hint=f"One of {', '.join(_STATUSES)}."
        )
    wanted = Change(fields, given["status"], add_labels=tuple(given.get("labels", ())))
    if wanted == Change({}):
        raise BadInputError(
            "Nothing was given to change.", hint="Give status, title, text, labels."
        )
    return [tasks.apply(ident, wanted)]


def _task_answer(label: str, rows: list[dict[str, Any]], more: str) -> str:
    lines = [
        f"{row.get('id')} P{row.get('priority')} {row.get('status')} "
        f"{clean_line(str(row.get('title', '')))}"
        for row in rows
    ]
    return fenced(label, "\n".join(lines) or "No tasks.") + more_pages(more)


@tool(
    "graph",
    "Knowledge graph",
    "How named things (people, services, files) relate to each other, and through what.",
    {
        "query": s.text("a name or words"),
        "type": s.text("", default="search", choices=_GRAPH),
        "entity_type": s.text("", default=""),
        "limit": s.count("", default=10, most=100),
    },
)
def _graph(call: Call) -> str:
    given = call.given
    if not given["query"].strip():
        raise BadInputError("There is nothing to look up.", hint="Give a name or words.")
    with call.workspace.graph as own:
        if given["type"] == "search":
            results = [_hit(one) for one in own.search(given["query"], limit=given["limit"]).hits]
        else:
            kind, of, limit = given["type"], given["entity_type"], given["limit"]
            found = own.query(given["query"], kind=kind, entity_type=of, limit=limit)
            results = found["results"]
        results = with_graph_trust(call.workspace, own, results)
    lines = [graph_line(one) for one in results]
    return fenced("knowledge graph", "\n".join(lines) or "Nothing found.")


def _hit(one: GraphHit) -> dict[str, Any]:
    told: dict[str, Any] = {"score": one.score, "path": list(one.path)}
    if one.memory is not None:
        return {**told, **memory_json(one.memory)}
    if one.cluster is not None:
        return {**told, "title": one.cluster.title, "content": one.cluster.report}
    return told


def graph_line(one: dict[str, Any]) -> str:
    """Format a graph item on one line: an entity, a relation, a text or a subgraph."""
    if "entity" in one and isinstance(one["entity"], dict):
        links = [graph_line(link) for link in one.get("relationships", ())]
        return "\n  ".join([graph_line(one["entity"]), *links])
    mark = f" · {one['trust']}" if one.get("trust") else ""
    if "from_name" in one:
        link = f"{one['from_name']} -{one['relationship_type']}-> {one['to_name']}"
        return clean_line(link) + mark
    name = one.get("name") or one.get("title") or one.get("content") or one.get("text") or ""
    about = one.get("description") or ""
    return clean_line(f"{name}: {about}" if about else str(name))[:400] + mark


@tool(
    "code",
    "Code",
    "Find code by words, list a file's symbols, see who uses a symbol, or get a context "
    f"pack for a task in pages of {PAGE_TOKENS:,} tokens.",
    {
        "text": s.text("words, a path (symbols), a symbol (refs), or the task (pack)"),
        "action": s.text("", default="find", choices=_CODE),
        "limit": s.count("", default=10, most=100),
        "method": s.text("of pack", default="codegraph", choices=_METHODS),
        "profile": s.text("of pack: auto, ios, web, infra, generic", default="auto"),
        "max_tokens": s.count("of the whole pack", default=50_000, most=1_000_000),
        "cursor": s.CURSOR,
    },
)
def _code(call: Call) -> str:
    given = call.given
    if not given["text"].strip():
        raise BadInputError("Say what to search for.", hint="Give it as `text`.")
    with call.workspace.code as opened:
        call.tell(0, 0, "reading code")
        opened.progress = lambda done, total: call.tell(done, total, "reading code")
        if given["action"] == "pack":
            return _pack(call.workspace, opened, given)
        return _code_answer(opened, given)


def _pack(work: Workspace, opened: Code, given: dict[str, Any]) -> str:
    how, kind = given["method"], given["profile"]
    most = given["max_tokens"]
    made = opened.pack(PackRequest(given["text"], "", "query", how, kind, max_tokens=most))
    made = with_warnings(work, made)
    page = text_page(pack_text(made), given["cursor"])
    label = f"code context, page {page.number} of {page.pages}, {made.tokens} tokens in all"
    told = [f"warning: {clean_line(one)}" for one in made.warnings if page.number == 1]
    return "\n".join([*told, fenced(label, page.text)]) + more_pages(page.next_cursor)


def _code_answer(opened: Code, given: dict[str, Any]) -> str:
    text, limit = given["text"], given["limit"]
    if given["action"] == "find":
        symbols, files = opened.find(text, limit=limit)
        lines = [_symbol(one.path, one.symbol) for one in symbols]
        lines += [f"file {one.path}" for one in files]
    elif given["action"] == "symbols":
        lines = [_symbol(text, one) for one in opened.symbols(text)][:limit]
    else:
        users = opened.refs(text, limit=limit)
        lines = [_symbol(path, one) for path, one in users.definitions]
        lines += [f"used by {one.path}:{one.line}" for one in users.callers]
        lines += [f"uses {name} {path}:{line}" for name, path, line in users.callees]
    return fenced("code", "\n".join(map(clean_line, lines)) or "Nothing found.")


def _symbol(path: str, symbol: Symbol) -> str:
    return f"{path}:{symbol.line} {symbol.kind} {symbol.signature or symbol.qualified}"


TOOLS = (_task, _graph, _code)
