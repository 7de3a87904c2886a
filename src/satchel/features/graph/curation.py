"""Curation: the combined effect of all operations on entities and relations. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from satchel.core.shapes import dict_of
from satchel.core.values import Any, NamedTuple
from satchel.features.graph.operations import (
    EXPIRE,
    MERGE,
    PRUNE,
    RESTORE,
    UNMERGE,
    UPDATE,
    Operation,
    active,
    keys_of,
    triples_of,
)
from satchel.features.graph.values import normal, relation_type

Triple = tuple[str, str, str]


_ENTITY_FIELDS = ("name", "type", "description", "attributes", "aliases")
_RELATION_FIELDS = ("weight", "description", "valid_from", "valid_to")


class ByTriple(NamedTuple):
    """Set fields, pruning times, and (end, when decided), by relation."""

    fields: dict[Triple, dict[str, Any]]
    pruned: dict[Triple, int]
    closed: dict[Triple, tuple[int, int]]


class Curation:
    """Decisions by name, after the last operation.

    `merged` maps a key to the key it was merged into, directly. Times say when something was pruned
    or closed; statements made after that count again.
    """

    __slots__ = ("closed", "entities", "hidden", "merged", "pruned", "relations")

    def __init__(self, operations: Iterable[Operation] = ()) -> None:
        self.merged: dict[str, str] = {}
        self.entities: dict[str, dict[str, Any]] = {}
        self.relations: dict[Triple, dict[str, Any]] = {}
        self.pruned: dict[Triple, int] = {}
        self.hidden: dict[str, int] = {}
        self.closed: dict[Triple, tuple[int, int]] = {}
        for operation in active(operations):
            self._apply(operation)

    def key(self, key: str) -> str:
        """Return the entity that a name currently stands for."""
        while key in self.merged:
            key = self.merged[key]
        return key

    def triple(self, triple: Triple) -> Triple:
        """Return a relation between the current entities of its names."""
        return (self.key(triple[0]), triple[1], self.key(triple[2]))

    def by_triple(self) -> ByTriple:
        """Return decisions by relation after merges; the latest counts."""
        fields: dict[Triple, dict[str, Any]] = {}
        for triple, given in self.relations.items():
            fields.setdefault(self.triple(triple), {}).update(given)
        pruned: dict[Triple, int] = {}
        for triple, at in self.pruned.items():
            now = self.triple(triple)
            pruned[now] = max(at, pruned.get(now, 0))
        closed: dict[Triple, tuple[int, int]] = {}
        for triple, ended in self.closed.items():
            now = self.triple(triple)
            closed[now] = max(ended, closed.get(now, ended), key=lambda pair: pair[1])
        return ByTriple(fields, pruned, closed)

    def _apply(self, operation: Operation) -> None:
        data, at = operation.data, operation.ts
        if operation.name == MERGE:
            into = self.key(normal(str(data.get("into") or "")))
            for key in keys_of(data, "from"):
                # A merge must not lead back to itself.
                if into and self.key(key) != into and self.key(into) != key:
                    self.merged[key] = into
        elif operation.name == UNMERGE:
            for key in keys_of(data, "entities"):
                self.merged.pop(key, None)
        elif operation.name == UPDATE:
            self._update(data)
        elif operation.name == PRUNE:
            self.pruned.update(dict.fromkeys(triples_of(data), at))
            self.hidden.update(dict.fromkeys(keys_of(data, "entities"), at))
        elif operation.name == RESTORE:
            for triple in triples_of(data):
                self.pruned.pop(triple, None)
                self.closed.pop(triple, None)
            for key in keys_of(data, "entities"):
                self.hidden.pop(key, None)
        elif operation.name == EXPIRE:
            given = data.get("at")
            end = int(given) if isinstance(given, int | float) else at
            self.closed.update(dict.fromkeys(triples_of(data), (end, at)))

    def _update(self, data: dict[str, Any]) -> None:
        given = data.get("set")
        given = dict_of(given)
        key = normal(str(data.get("entity") or ""))
        if key:
            held = self.entities.setdefault(key, {})
            for name in _ENTITY_FIELDS:
                if name == "attributes" and isinstance(given.get(name), dict):
                    held[name] = {**held.get(name, {}), **given[name]}
                elif name in given:
                    held[name] = given[name]
        value = data.get("relation")
        if isinstance(value, list) and len(value) == 3:  # noqa: PLR2004
            source, kind, target = map(str, value)
            triple = (normal(source), relation_type(kind), normal(target))
            fields = {name: given[name] for name in _RELATION_FIELDS if name in given}
            self.relations.setdefault(triple, {}).update(fields)
