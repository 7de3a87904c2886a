"""The Foundation's Memory MCP server: memory_store, _retrieve, _search, _delete, _list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from satchel.application.exchange.sharing import shared_deletion
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.kinds import FOUNDATION, kinds_for
from satchel.core.trust import AGENT
from satchel.engine.search.documents import EVERYTHING, Filter
from satchel.interfaces.mcp import schemas as s
from satchel.interfaces.mcp.formatting import trust_label
from satchel.interfaces.mcp.schemas import ADDS, CHANGES, Call, tool
from satchel.interfaces.mcp.tools.beads_memory import iso, json_answer
from satchel.interfaces.rendering import picked
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

TYPES = kinds_for(FOUNDATION)
PREFERENCE, FACT = "preference", "fact"
CONTEXT = "context"
_DEFAULT, _MOST = 20, 100
_WHOLE = ("subject", "predicate", "object")
_NEEDS = {
    PREFERENCE: "A preference has `key` and `value`.",
    FACT: "A fact has `subject`, `predicate` and `object`, or `content` as a sentence.",
}
_TYPE = s.text(
    "only this type: preference, fact or context; all if empty", default="", choices=("", *TYPES)
)
_LIMIT = s.count("most entries", default=_DEFAULT, most=_MOST)
_CATEGORY = s.text("only of this category", default="")


def entry(record: Record) -> dict[str, Any]:
    """Return a record with the column names of The Foundation's tables."""
    data = record.data or {}
    told: dict[str, Any] = {
        **picked(record, "id", "category", "key", "content", "agent"),
        "type": record.kind,
        "trust": trust_label(record),
        "created_at": iso(record.when),
    }
    if record.kind == PREFERENCE:
        told["value"] = record.content
    if record.kind == FACT:
        told |= {name: data.get(name, "") for name in _WHOLE}
        told["confidence"] = record.confidence
        told["valid_from"], told["valid_to"] = iso(record.valid_from), iso(record.valid_to)
    if record.expires_at is not None:
        told["expires_at"] = iso(record.expires_at)
    return told


def entries(work: Workspace, types: Sequence[str] = TYPES) -> list[Record]:
    """Return live records of these types, newest first; for facts, only the current ones."""
    found = [one.record for one in work.memories.list(Filter(kinds=tuple(types)), EVERYTHING)]
    now = work.project.clock.now()
    return [one for one in found if one.valid_to is None or one.valid_to > now]


@tool(
    "memory_store",
    "Store",
    "Store a preference (key, value), a fact (subject, predicate, object) or a context entry.",
    {
        "type": s.text("what it is", choices=TYPES),
        "category": s.text("its category", default=""),
        "key": s.text("name of a preference or context", default=""),
        "value": s.text("value of a preference", default=""),
        "subject": s.text("of a fact", default=""),
        "predicate": s.text("of a fact", default=""),
        "object": s.text("of a fact", default=""),
        "content": s.text("text of a context, or a fact as a sentence", default=""),
        "confidence": s.share("of a fact, 0 to 1"),
        "single": s.flag("a fact that has one value at a time: ends the older one"),
        "agent": s.text("whose it is", default=""),
        "ttl_seconds": s.count("forget after; 0 never", default=0, least=0, most=3_000_000_000),
    },
    ADDS,
)
def _store(call: Call) -> str:
    given, work = call.given, call.workspace
    kind = given["type"]
    if kind == FACT and not given["content"]:
        content = " | ".join(_needed(given, name, kind) for name in _WHOLE)
    else:
        content = given["value"] or given["content"]
    if kind == PREFERENCE:
        _needed(given, "key", kind)
    if not content.strip():
        raise BadInputError(f"There is nothing to store as a {kind}.", hint="Give `content`.")
    fields = {name: given[name] for name in ("key", "category", "agent")}
    fields |= {"confidence": given.get("confidence"), "expires_in": given["ttl_seconds"] or None}
    fields["data"] = {"single": True} if given["single"] and kind == FACT else None
    record = work.remember(content, kind=kind, trust=AGENT, client=call.client, **fields)
    replaced = [entry(one) for one in work.memories.replaced_by(record)]
    return json_answer({"stored": True, "entry": entry(record), "replaced": replaced})


def _needed(given: dict[str, Any], name: str, kind: str) -> str:
    value = str(given[name])
    if not value.strip():
        raise BadInputError(f"A {kind} needs `{name}`.", hint=_NEEDS[kind])
    return value


@tool(
    "memory_retrieve",
    "Retrieve",
    "Retrieve entries by type, category and key.",
    {
        "type": _TYPE,
        "category": _CATEGORY,
        "key": s.text("only this exact key", default=""),
        "agent": s.text("only of this agent", default=""),
        "limit": _LIMIT,
    },
)
def _retrieve(call: Call) -> str:
    given = call.given
    types = [given["type"]] if given["type"] else TYPES
    found = [
        one
        for one in entries(call.workspace, types)
        if (not given["category"] or one.category == given["category"])
        and (not given["key"] or one.key == given["key"])
        and (not given["agent"] or one.agent == given["agent"])
    ]
    shown = [entry(one) for one in found[: given["limit"]]]
    return json_answer({"count": len(shown), "entries": shown})


@tool(
    "memory_search",
    "Search",
    "Search preferences, facts and context by words.",
    {"query": s.text("words"), "type": _TYPE, "limit": _LIMIT},
)
def _search(call: Call) -> str:
    given, work = call.given, call.workspace
    if not given["query"].strip():
        raise BadInputError("There is nothing to search for.", hint="Give words as `query`.")
    types = (given["type"],) if given["type"] else TYPES
    found = work.recall(given["query"], limit=given["limit"], only=Filter(kinds=types), weak=True)
    shown = [{**entry(one.record), "score": float(f"{one.score:.4g}")} for one in found.items]
    return json_answer({"query": given["query"], "count": len(shown), "entries": shown})


@tool(
    "memory_delete",
    "Delete",
    "Delete an entry by its id (UUID or ULID); its history stays.",
    {"id": s.text("its id")},
    CHANGES,
)
def _delete(call: Call) -> str:
    item = call.workspace.memories.find(call.given["id"])
    if item.record.kind not in TYPES:
        raise NotFoundError(
            f"{call.given['id'][:40]} is not a preference, fact or context.",
            hint="memory_list shows their ids.",
        )
    gone = call.workspace.memories.delete(item.record.id)
    note = shared_deletion(call.workspace.memories.own, gone)
    return json_answer({"deleted": True, "id": gone.id, "note": note})


@tool("memory_list", "List", "List entries grouped by category.", {"type": _TYPE, "limit": _LIMIT})
def _list(call: Call) -> str:
    given = call.given
    found = entries(call.workspace, [given["type"]] if given["type"] else TYPES)
    groups: dict[str, list[dict[str, Any]]] = {}
    for one in found[: given["limit"]]:
        groups.setdefault(one.category or "uncategorized", []).append(entry(one))
    return json_answer(
        {"total": len(found), "returned": min(len(found), given["limit"]), "categories": groups}
    )


TOOLS = (_store, _retrieve, _search, _delete, _list)
