"""Queries for parts of the graph, in the format of GraphMem's `graphmem_query`."""

from __future__ import annotations

from typing import Any

from satchel.core.errors import BadInputError
from satchel.engine.ranking.decay import band
from satchel.engine.search.tokens import match_expression
from satchel.features.graph.evolution import current_weight, retention_of
from satchel.features.graph.service import Graph
from satchel.features.graph.values import Entity, Memory, Relation, normal

ENTITY, RELATIONSHIP, MEMORY, GRAPH = "entity", "relationship", "memory", "graph"
TYPES = (ENTITY, RELATIONSHIP, MEMORY, GRAPH)


def answer(
    graph: Graph, text: str, kind: str, *, entity_type: str = "", limit: int = 10, now: float
) -> dict[str, Any]:
    """Return {"query", "type", "count", "results"} for one of the TYPES.

    entity: names and descriptions that contain the text; relationship: relations of such names;
    memory: texts that contain it, or else its words; graph: one entity with its relations.
    """
    if kind not in TYPES:
        raise BadInputError(
            f"There is no query type {kind[:40]!r}.", hint=f"Types are {', '.join(TYPES)}."
        )
    store, part = graph.store, normal(text)
    results: list[dict[str, Any]]
    if kind == ENTITY:
        found = store.entities(part, kind=entity_type, limit=limit, described=text.lower())
        results = [entity_json(entity) for entity in found]
    elif kind == RELATIONSHIP:
        links = store.relations_like(part, limit=limit)
        results = [relation_json(graph, relation, now) for relation in links]
    elif kind == MEMORY:
        texts = store.texts_like(text.strip(), limit=limit, now=now)
        if not texts:
            matched = store.match(match_expression(text), limit=limit, now=now)
            texts = [memory for memory, _ in matched]
        results = [memory_json(memory) for memory in texts]
    else:
        results = _subgraph(graph, text, limit, now)
    return {"query": text, "type": kind, "count": len(results), "results": results}


def _subgraph(graph: Graph, text: str, limit: int, now: float) -> list[dict[str, Any]]:
    store = graph.store
    found = store.entity(text)
    if found is None:
        near = store.entities(normal(text), limit=1) if normal(text) else []
        if not near:
            return []
        found = near[0]
    links = []
    for relation in store.relations_of(found.key, limit=limit):
        outgoing = relation.triple[0] == found.key
        link = relation_json(graph, relation, now)
        link["connected_name"] = relation.target if outgoing else relation.source
        link["direction"] = "outgoing" if outgoing else "incoming"
        links.append(link)
    return [{"entity": entity_json(found), "relationships": links}]


def entity_json(entity: Entity) -> dict[str, Any]:
    """Return an entity as JSON, leaving out empty fields."""
    fields: dict[str, Any] = {
        "name": entity.name,
        "entity_type": entity.type,
        "description": entity.description,
        "aliases": list(entity.aliases),
        "attributes": entity.attributes,
        "mentions": entity.mentions,
        "importance": round(entity.importance, 6),
        "community": entity.community,
        "first_seen": entity.first_seen,
        "last_seen": entity.last_seen,
    }
    return {name: value for name, value in fields.items() if value not in ("", [], {}, -1)}


def relation_json(graph: Graph, relation: Relation, now: float) -> dict[str, Any]:
    """Return a relation as JSON, with its current weight."""
    left = retention_of(relation, now, graph.settings)
    fields: dict[str, Any] = {
        "from_name": relation.source,
        "relationship_type": relation.type,
        "to_name": relation.target,
        "weight": round(relation.weight, 4),
        "current_weight": round(current_weight(relation, now, graph.settings), 4),
        "retention": band(left, graph.settings.bands),
        "strength": relation.strength,
        "description": relation.description,
        "valid_from": relation.valid_from,
        "valid_to": relation.valid_to,
        "holds": relation.holds_at(now),
        "last_seen": relation.last_seen,
        "reinforcements": relation.reinforcements,
        "free_type": relation.free,
    }
    return {name: value for name, value in fields.items() if value not in ("", None)}


def memory_json(memory: Memory) -> dict[str, Any]:
    """Return a text as JSON."""
    fields: dict[str, Any] = {
        "id": memory.id,
        "content": memory.content,
        "title": memory.title,
        "source": memory.source,
        "agent_id": memory.agent,
        "entities": list(memory.entities),
        "ts": memory.ts,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
    }
    return {name: value for name, value in fields.items() if value not in ("", [], None)}
