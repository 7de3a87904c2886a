"""GraphMem's MCP server (The Foundation): graphmem_ingest, _query, _evolve, _update."""

from __future__ import annotations

import math
from typing import Any

from satchel.application.recall.graph.unapproved import with_graph_trust
from satchel.core.errors import BadInputError
from satchel.core.redaction.redactor import redact_value
from satchel.features.graph.operations import Operation, drawn_from
from satchel.features.graph.query import TYPES
from satchel.interfaces.mcp import schemas as s
from satchel.interfaces.mcp.schemas import ADDS, CHANGES, Call, tool
from satchel.interfaces.mcp.tools.beads_memory import json_answer

#: GraphMem's own figures.
_WEIGHT, _LIMIT, _DAYS = 1.0, 10, 30
_ENTITY = {"name": s.TEXT, "type": s.TEXT, "description": s.TEXT}
_RELATION = {"from": s.TEXT, "to": s.TEXT, "type": s.TEXT, "weight": s.share("its weight, 0 to 1")}


@tool(
    "graphmem_ingest",
    "Ingest",
    "Add a text with the entities and relationships in it; without those it is read for them.",
    {
        "content": s.text("the text"),
        "source": s.text("where it comes from", default=""),
        "agent_id": s.text("who says so", default=""),
        "entities": s.rows("what it names", _ENTITY, ("name",)),
        "relationships": s.rows("what it states", _RELATION, ("from", "to")),
    },
    ADDS,
)
def _ingest(call: Call) -> str:
    # Before types are lower-cased, which would hide secrets.
    row: dict[str, Any] = redact_value(call.given)[0]
    for link in row.get("relationships", ()):
        link.setdefault("weight", _WEIGHT)
    drawn = drawn_from(Operation("", 0, "ingest", row))
    some = drawn.entities or drawn.relations
    about = {"agent": row["agent_id"], "source": row["source"]}
    with call.workspace.graph as own:
        written = own.ingest(row["content"], drawn if some else None, **about)
        stored = own.stored(row["content"], drawn if some else None, **about)
        counts = own.statistics()
    links = [link for one in stored for link in one.relations]
    return json_answer(
        {
            "success": True,
            "ingested": len(written),
            "entities": list(dict.fromkeys(name for one in stored for name in one.memory.entities)),
            "relationships": len(links),
            "stored": [" ".join((a, f"-{kind}->", b)) for a, kind, b in links],
            "totals": counts,
        }
    )


@tool(
    "graphmem_query",
    "Query",
    "Look up entities, relationships, memories or the graph around one entity.",
    {
        "query": s.text("a name, part of one, or words"),
        "type": s.text("what to look for", default="entity", choices=TYPES),
        "entity_type": s.text("only entities of this type", default=""),
        "limit": s.count("most results", default=_LIMIT, most=100),
    },
)
def _query(call: Call) -> str:
    given = call.given
    with call.workspace.graph as own:
        kind, of = given["type"], given["entity_type"]
        found = own.query(given["query"], kind=kind, entity_type=of, limit=given["limit"])
        rows = with_graph_trust(call.workspace, own, found["results"])
    return json_answer({**found, "results": rows})


@tool(
    "graphmem_evolve",
    "Evolve",
    "Age the graph: forgetting, merging, importance. `satchel graph undo` reverts a run.",
    {
        "decay_days": {
            "type": "integer",
            "description": "days of stability (30)",
            "minimum": 1,
            "maximum": 36_500,
        },
        "decay_factor": s.share("share left of an unconfirmed relation after those days"),
        "consolidate": s.flag("merge names that mean the same", default=True),
        "pagerank": s.flag("work out importance", default=True),
        "dry_run": s.flag("only show what would be done"),
    },
    CHANGES,
)
def _evolve(call: Call) -> str:
    given = call.given
    changes: dict[str, Any] = {"consolidation": given["consolidate"], "pagerank": given["pagerank"]}
    days, factor = given.get("decay_days"), given.get("decay_factor")
    if factor is not None:
        if not 0 < factor < 1:
            raise BadInputError("decay_factor must be between 0 and 1.", hint="GraphMem's is 0.9.")
        # Chosen so that an unconfirmed relation has this weight after this many days.
        changes["base_stability_days"] = -(days or _DAYS) / math.log(factor)
    elif days is not None:
        changes["base_stability_days"] = days
    call.tell(0, 2, "planning")
    with call.workspace.graph as own:
        plan, run = own.evolve(apply=not given["dry_run"], changes=changes)
    call.tell(2, 2, "done")
    return json_answer(
        {
            "applied": not given["dry_run"],
            "run": run,
            "retention": plan.bands,
            "steps": [{"kind": one.kind, "what": one.what, "why": one.why} for one in plan.steps],
            "held_back": plan.held_back,
            "important": [{"name": name, "pagerank": rank} for name, rank in plan.important],
        }
    )


@tool(
    "graphmem_update",
    "Update",
    "Correct an entity by its name, or a relationship by from, type and to.",
    {
        "name": s.text("the entity", default=""),
        "new_name": s.text("its new name", default=""),
        "type": s.text("its type; for a relationship, its present type", default=""),
        "description": s.text("its description", default=""),
        "aliases": s.texts("names that mean the same"),
        "attributes": s.mapping("attributes"),
        "from": s.text("where a relationship begins", default=""),
        "to": s.text("where it ends", default=""),
        "weight": s.share("its weight, 0 to 1"),
        "agent_id": s.text("who says so", default=""),
    },
    CHANGES,
)
def _update(call: Call) -> str:
    given = redact_value(call.given)[0]
    ends = (given["from"], given["to"])
    names = ("description", "weight") if any(ends) else ("description", "aliases", "attributes")
    fields = {name: given[name] for name in names if given.get(name) not in (None, "", [], {})}
    if not any(ends) and given["type"]:
        fields["type"] = given["type"]
    if not any(ends) and given["new_name"]:
        fields["name"] = given["new_name"]
    if not fields:
        raise BadInputError("There is nothing to update.", hint="Give a field with its new value.")
    with call.workspace.graph as own:
        if any(ends):
            if not (all(ends) and given["type"]):
                raise BadInputError("A relationship is `from`, `type` and `to`.")
            own.write(
                lambda graph: graph.update_relation(
                    given["from"], given["type"], given["to"], fields, agent=given["agent_id"]
                )
            )
        elif given["name"]:
            own.write(lambda graph: graph.update(given["name"], fields, agent=given["agent_id"]))
        else:
            raise BadInputError(
                "Nothing was given to update.", hint="Give `name`, or `from` and `to`."
            )
    return json_answer({"success": True, "updated": sorted(fields)})


TOOLS = (_ingest, _query, _evolve, _update)
