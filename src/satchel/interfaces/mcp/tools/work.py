"""Tools about the work: tasks, the knowledge graph, the code and context packs of it."""

from __future__ import annotations

from satchel.application.learning.listening import task_comments
from satchel.core.errors import BadInputError
from satchel.core.token_budget import estimate_tokens
from satchel.core.trust import clean_line, clean_text
from satchel.features.code.pack_text import pack_text
from satchel.features.code.pack_values import Request
from satchel.features.graph.query import memory_json
from satchel.features.tasks.index import TaskFilter, as_beads, with_neighbours
from satchel.features.tasks.values import Change
from satchel.features.tasks.view import statuses_from
from satchel.interfaces.mcp import schemas as s
from satchel.interfaces.mcp.formatting import fenced
from satchel.interfaces.mcp.paging import PAGE_TOKENS, answer_page, offset_of, text_page
from satchel.interfaces.mcp.values import Answer, Call, Hints, Tool
from satchel.interfaces.rendering import cleaned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.features.code.pack_values import Pack
    from satchel.features.code.service import Code
    from satchel.features.code.values import Symbol
    from satchel.features.graph.searching import GraphHit
    from satchel.features.tasks.index import TaskView
    from satchel.features.tasks.project_tasks import ProjectTasks
    from satchel.workspace import Workspace

_ACTIONS = ("ready", "list", "show", "create", "claim", "update", "comment", "close")
_GRAPH = ("search", "entity", "relationship", "memory", "graph")
_CODE = ("find", "symbols", "refs", "pack")
_METHODS = ("codegraph", "heuristic")


def _task(call: Call) -> Answer:
    given, work = call.given, call.workspace
    action = given["action"]
    if action in ("show", "update", "comment", "close") and not given["id"]:
        raise BadInputError(f"`{action}` needs the `id` of a task.", hint="`ready` lists ids.")
    with work.tasks as tasks:
        if action in ("ready", "list"):
            return _listed(tasks, call)
        if action == "show":
            shown, needs, needed_by = tasks.view.show(given["id"])
            return _task_answer([cleaned(with_neighbours(shown, needs, needed_by))], "")
        return _task_answer(
            [cleaned(as_beads(one)) for one in _changed(call.workspace, tasks, given)], ""
        )


def _listed(tasks: ProjectTasks, call: Call) -> Answer:
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
    return _task_answer([cleaned(as_beads(one)) for one in page], more)


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
        return tasks.close([ident], text)
    if given["title"]:
        fields["title"] = given["title"]
    wanted = Change(fields, given["status"], add_labels=tuple(given.get("labels", ())))
    if wanted == Change({}):
        raise BadInputError(
            "Nothing was given to change.", hint="Give status, title, text, labels."
        )
    return [tasks.apply(ident, wanted)]


def _task_answer(rows: list[dict[str, Any]], more: str) -> Answer:
    lines = []
    for row in rows:
        lines.append(
            f"{row.get('id')} P{row.get('priority')} {row.get('status')} "
            f"{clean_line(str(row.get('title', '')))}"
        )
        if len(rows) == 1 and row.get("description"):
            lines.append(clean_text(str(row["description"])))
    data = {"count": len(rows), "tasks": rows, "next_cursor": more}
    return Answer(fenced("tasks", "\n".join(lines) or "No tasks."), data)


def _graph(call: Call) -> Answer:
    given = call.given
    if not given["query"].strip():
        raise BadInputError("There is nothing to look up.", hint="Give a name or words.")
    with call.workspace.graph as own:
        if given["type"] == "search":
            found = own.search(given["query"], limit=given["limit"])
            results = [_hit(one) for one in found.hits]
            told = {
                "query": given["query"],
                "type": "search",
                "count": len(results),
                "results": results,
            }
        else:
            told = own.query(
                given["query"],
                kind=given["type"],
                entity_type=given["entity_type"],
                limit=given["limit"],
            )
    told = cleaned(told)
    lines = [graph_line(one) for one in told["results"]]
    return Answer(fenced("knowledge graph", "\n".join(lines) or "Nothing found."), told)


def _hit(one: GraphHit) -> dict[str, Any]:
    told: dict[str, Any] = {"score": one.score, "path": list(one.path)}
    if one.memory is not None:
        return {**told, **memory_json(one.memory)}
    if one.cluster is not None:
        return {**told, "title": one.cluster.title, "content": one.cluster.report}
    return told


def graph_line(one: dict[str, Any]) -> str:
    """Return one thing of the graph on a line: an entity, a relation, a text, a subgraph."""
    if "entity" in one and isinstance(one["entity"], dict):
        links = [graph_line(link) for link in one.get("relationships", ())]
        return "\n  ".join([graph_line(one["entity"]), *links])
    if "from_name" in one:
        return clean_line(f"{one['from_name']} -{one['relationship_type']}-> {one['to_name']}")
    name = one.get("name") or one.get("title") or one.get("content") or one.get("text") or ""
    about = one.get("description") or ""
    return clean_line(f"{name}: {about}" if about else str(name))[:400]


def _code(call: Call) -> Answer:
    given = call.given
    if not given["text"].strip():
        raise BadInputError("Nothing to search for was given.", hint="Give it as `text`.")
    opened = call.workspace.code
    try:
        call.tell(0, 0, "reading code")
        opened.progress = lambda done, total: call.tell(done, total, "reading code")
        if given["action"] == "pack":
            return _pack(opened, given)
        return _code_answer(opened, given)
    finally:
        opened.close()


def _pack(opened: Code, given: dict[str, Any]) -> Answer:
    made = opened.pack(
        Request(
            given["text"],
            "",
            "query",
            given["method"],
            given["profile"],
            max_tokens=given["max_tokens"],
        )
    )
    page = text_page(pack_text(made), given["cursor"])
    label = f"code context, page {page.number} of {page.pages}"
    shown = fenced(label, page.text)
    if page.next_cursor:
        shown += f"\nMore: the same call with cursor {page.next_cursor}"
    data: dict[str, Any] = {
        **_EMPTY,
        "action": "pack",
        "count": len(made.files) + len(made.symbols),
        "files": _pack_files(made) if page.number == 1 else [],
        "page": page.number,
        "pages": page.pages,
        "tokens": estimate_tokens(shown),
        "total_tokens": made.tokens,
        "warnings": [clean_line(one) for one in made.warnings],
        "next_cursor": page.next_cursor,
    }
    return Answer(shown, data)


def _pack_files(made: Pack) -> list[dict[str, Any]]:
    files = [
        {
            "path": one.path,
            "relevance": one.relevance,
            "reason": one.reason,
            "lines": [one.start, one.end],
        }
        for one in made.files
    ]
    result: list[dict[str, Any]] = cleaned(files)
    return result


_EMPTY: dict[str, Any] = {
    "symbols": [],
    "files": [],
    "callers": [],
    "callees": [],
    "warnings": [],
    "page": 1,
    "pages": 1,
    "tokens": 0,
    "total_tokens": 0,
    "next_cursor": "",
}


def _code_answer(opened: Code, given: dict[str, Any]) -> Answer:
    text, limit = given["text"], given["limit"]
    data = {**_EMPTY, "action": given["action"]}
    if given["action"] == "find":
        symbols, files = opened.find(text, limit=limit)
        data["symbols"] = [_symbol(one.path, one.symbol) for one in symbols]
        data["files"] = [{"path": one.path, "relevance": one.score} for one in files]
    elif given["action"] == "symbols":
        data["symbols"] = [_symbol(text, one) for one in opened.symbols(text)][:limit]
    else:
        users = opened.refs(text, limit=limit)
        data["symbols"] = [_symbol(path, one) for path, one in users.definitions]
        data["callers"] = [one._asdict() for one in users.callers]
        data["callees"] = [
            {"name": name, "path": path, "line": line} for name, path, line in users.callees
        ]
    data = cleaned(data)
    lines = [
        f"{one['path']}:{one['line']} {one['kind']} {one['signature'] or one['name']}"
        for one in data["symbols"]
    ]
    lines += [f"used by {one['path']}:{one['line']}" for one in data["callers"]]
    lines += [f"uses {one['name']} {one['path']}:{one['line']}" for one in data["callees"]]
    lines += [f"file {one['path']}" for one in data["files"]]
    data["count"] = len(lines)
    return Answer(fenced("code", "\n".join(lines) or "Nothing found."), data)


def _symbol(path: str, symbol: Symbol) -> dict[str, Any]:
    return {
        "path": path,
        "name": symbol.qualified,
        "kind": symbol.kind,
        "line": symbol.line,
        "end_line": symbol.end_line,
        "signature": symbol.signature,
    }


TOOLS = (
    Tool(
        "task",
        "Tasks",
        "What is ready, what blocks what; create, claim, comment on and close tasks.",
        {
            "action": s.text("what to do", default="ready", choices=_ACTIONS),
            "id": s.text("the task; empty with claim takes the first that is ready", default=""),
            "title": s.text("title of a new one, or another title", default=""),
            "text": s.text("description, comment, or what was done when it is closed", default=""),
            "status": s.text("another state, or only in this state", default=""),
            "priority": s.count(
                "0 critical to 4 backlog; -1 leaves it", default=-1, least=-1, most=4
            ),
            "type": s.text("bug, feature, task, epic or chore", default="task"),
            "parent": s.text("part of this epic or task", default=""),
            "blocked_by": s.texts("tasks that it waits for"),
            "labels": s.texts("labels"),
            "limit": s.count("most tasks", default=20, most=100),
            "cursor": {**s.CURSOR, "default": ""},
        },
        (),
        {"count": s.COUNT, "tasks": s.OBJECTS, "next_cursor": s.TEXT},
        _task,
        Hints(reads=False, destroys=False, repeats=False),
    ),
    Tool(
        "graph",
        "Knowledge graph",
        "How things are connected: entities, relations, texts that name them.",
        {
            "query": s.text("a name or words"),
            "type": s.text("what to look for", default="search", choices=_GRAPH),
            "entity_type": s.text("only entities of this type", default=""),
            "limit": s.count("most results", default=10, most=100),
        },
        ("query",),
        {"query": s.TEXT, "type": s.TEXT, "count": s.COUNT, "results": s.OBJECTS},
        _graph,
    ),
    Tool(
        "code",
        "Code",
        "Find code by words, list a file's symbols, see who uses a symbol, or get a context "
        f"pack for a task in pages of {PAGE_TOKENS:,} tokens.",
        {
            "text": s.text("words, a path (symbols), a symbol (refs), or the task (pack)"),
            "action": s.text("what to do", default="find", choices=_CODE),
            "limit": s.count("most results", default=10, most=100),
            "method": s.text("of pack", default="codegraph", choices=_METHODS),
            "profile": s.text("of pack: auto, ios, web, infra, generic", default="auto"),
            "max_tokens": s.count("budget of the whole pack", default=50_000, most=1_000_000),
            "cursor": {**s.CURSOR, "default": ""},
        },
        ("text",),
        {
            "action": s.TEXT,
            "count": s.COUNT,
            "symbols": s.OBJECTS,
            "files": s.OBJECTS,
            "callers": s.OBJECTS,
            "callees": s.OBJECTS,
            "warnings": s.TEXTS,
            "page": s.COUNT,
            "pages": s.COUNT,
            "tokens": s.COUNT,
            "total_tokens": s.COUNT,
            "next_cursor": s.TEXT,
        },
        _code,
    ),
)
