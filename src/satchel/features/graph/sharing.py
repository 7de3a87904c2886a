"""The part of the graph supported by given texts, which may be shown to others.

Aggregated entities and relations are drawn from everything a person has, private memories too, so
they are not used here: every word comes from the texts that may be shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection

from satchel.core.values import Any, NamedTuple
from satchel.storage.database.contract import Database
from satchel.storage.database.queries import load_queries


class Shareable(NamedTuple):
    """Entities by name and relations by `source|type|target`, as plain values."""

    entities: dict[str, dict[str, Any]]
    relations: dict[str, dict[str, Any]]


def shareable_from(
    database: Database, may_be_shown: Callable[[list[str]], Collection[str]]
) -> Shareable:
    """Return what texts with an accepted id state, the first one first.

    Args:
        may_be_shown: receives the ids of all texts, `note:…` or `record:…`, and returns the
            accepted ones.
    """
    sql = load_queries(__file__, "sharing.sql")
    passages = database.read(sql["passages"])
    shown = may_be_shown([str(ident) for _, ident in passages])
    numbers = json.dumps([number for number, ident in passages if str(ident) in shown])
    entities: dict[str, dict[str, Any]] = {}
    for name, kind, description, attributes in database.read(sql["mentions"], (numbers,)):
        entities.setdefault(
            str(name),
            {
                "name": str(name),
                "type": str(kind),
                "description": str(description),
                "attributes": json.loads(str(attributes) or "{}"),
            },
        )
    relations: dict[str, dict[str, Any]] = {}
    for source, kind, target, weight, description in database.read(sql["statements"], (numbers,)):
        relations.setdefault(
            "|".join((str(source), str(kind), str(target))),
            {
                "source": str(source),
                "target": str(target),
                "type": str(kind),
                "weight": float(weight or 0.0),
                "description": str(description),
            },
        )
    return Shareable(entities, relations)
