"""Beads Console's MCP server `beads-memory`: read_memory, write_memory, search_memory.

Answers are JSON text in that server's format. `projectId` is accepted but always means this
project: a server serves the project it was started in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from satchel.application.outlet import Outlet
from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.kinds import BEADS_CONSOLE, kinds_for
from satchel.core.quick_json import dumps
from satchel.core.scope import Scope
from satchel.core.trust import AGENT
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import expiry_of
from satchel.interfaces.mcp import schemas as s
from satchel.interfaces.mcp.formatting import trust_label
from satchel.interfaces.mcp.schemas import ADDS, Call, tool
from satchel.interfaces.rendering import cleaned, picked
from satchel.storage.ledger.record import Record

#: The six kinds that Beads Console knows.
KINDS = kinds_for(BEADS_CONSOLE)
_DEFAULT, _MOST = 20, 100
_PROJECT: dict[str, Any] = {
    "projectId": s.text("accepted for compatibility; it is always this project", default="")
}
_BEAD = s.text("the task", default="")
_EPIC = s.text("the epic", default="")
_LIMIT = s.count("most memories", default=_DEFAULT, most=_MOST)
_WANTED = s.texts("only these kinds", choices=KINDS)


def json_answer(data: dict[str, Any]) -> str:
    """Return an answer as JSON."""
    return dumps(cleaned(data))


def iso(seconds: int | None) -> str:
    """Format a time as JavaScript does; "" for none."""
    if seconds is None:
        return ""
    try:
        return times.iso(seconds, "milliseconds")
    except (ValueError, OverflowError, OSError):
        return ""


def memory_entry(record: Record, project: str) -> dict[str, Any]:
    """Return a memory as Beads Console's `MemoryEntry`."""
    return {
        **picked(record, "id", "kind", "title", "content", "data"),
        "projectId": project,
        "beadId": record.task or None,
        "epicId": record.epic or None,
        "sessionId": record.session or None,
        "chatId": record.chat or None,
        "agentName": record.agent or None,
        "intentAnchors": list(record.intent_anchors),
        "relevanceScore": 1.0 if record.relevance is None else record.relevance,
        "expiresAt": iso(expiry_of(record)) or None,
        "deletedAt": None,
        "createdAt": iso(record.when),
        "trust": trust_label(record),
    }


def _scope(call: Call) -> Scope:
    given = call.given
    if given["beadId"]:
        scope = call.workspace.scope(given["beadId"])
        return scope._replace(epic=given["epicId"] or scope.epic)
    return Scope("", given["epicId"])


@tool(
    "read_memory",
    "Read memory",
    "Read memories of a task, its epic and the project, most important first.",
    {**_PROJECT, "beadId": _BEAD, "epicId": _EPIC, "kinds": _WANTED, "limit": _LIMIT},
)
def _read(call: Call) -> str:
    work, limit = call.workspace, call.given["limit"]
    work.refresh()
    scope, kinds = _scope(call), tuple(call.given.get("kinds", ()))
    found = work.memories.stores.retry_after_rebuild(
        lambda: Outlet(work, whole=True).scoped(scope, kinds=kinds)[0]
    )
    shown = found.all()[:limit]
    held = {one.id for one in shown}

    def among(records: Sequence[Record]) -> int:
        return sum(one.id in held for one in records)

    return json_answer(
        {
            "summary": {
                "beadMemories": among(found.task),
                "epicMemories": among(found.epic),
                "projectConstraints": among(found.project),
                "activeConstraints": among(found.active),
                "totalReturned": len(shown),
            },
            "memories": [memory_entry(one, work.project.key) for one in shown],
        }
    )


@tool(
    "write_memory",
    "Write memory",
    "Write a memory: a constraint, decision, checkpoint, next step, action report, CI note.",
    {
        **_PROJECT,
        "kind": s.text("what it is", choices=KINDS),
        "title": s.text("a short title"),
        "content": s.text("what to remember"),
        "beadId": _BEAD,
        "epicId": _EPIC,
        "agentName": s.text("who wrote it", default=""),
        "intentAnchors": s.texts("sections of the intent it is about"),
        "expiresAt": s.text("ISO time after which it is forgotten", default=""),
    },
    ADDS,
)
def _write(call: Call) -> str:
    given, work = call.given, call.workspace
    fields: dict[str, Any] = {}
    if given["expiresAt"]:
        fields["expires_at"] = seconds_of(given["expiresAt"])
    if given.get("intentAnchors"):
        # A memory is not lost because its section does not exist yet.
        fields["intent_anchors"] = work.intent.anchors_of(given["intentAnchors"])
    fields |= {"kind": given["kind"], "title": given["title"], "task": given["beadId"]}
    fields |= {"epic": given["epicId"], "agent": given["agentName"], "client": call.client}
    record = work.remember(given["content"], trust=AGENT, **fields)
    return json_answer({"success": True, "memory": memory_entry(record, work.project.key)})


def seconds_of(text: str) -> int:
    """Parse an ISO time."""
    seconds = times.seconds_of(text)
    if seconds is None:
        raise BadInputError(f"{text[:40]!r} is not a time.", hint="Write 2026-05-01T14:30:00Z.")
    return int(seconds)


@tool(
    "search_memory",
    "Search memory",
    "Search memories by their words.",
    {**_PROJECT, "query": s.text("words"), "beadId": _BEAD, "kinds": _WANTED, "limit": _LIMIT},
)
def _search(call: Call) -> str:
    given, work = call.given, call.workspace
    if not given["query"].strip():
        raise BadInputError("There is nothing to search for.", hint="Give words as `query`.")
    only = Filter(kinds=tuple(given.get("kinds", ())) or KINDS)
    found = work.recall(given["query"], limit=given["limit"], only=only, task=given["beadId"])
    memories = [memory_entry(one.record, work.project.key) for one in found.items]
    return json_answer(
        {"query": given["query"], "totalReturned": len(memories), "memories": memories}
    )


TOOLS = (_read, _write, _search)
