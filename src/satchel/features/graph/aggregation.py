"""Aggregates what many texts say about an entity or a relation into one value. Pure.

The result depends on what the texts say and when, never on the order in which they were read, so
rebuilding a graph gives the same graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from satchel.core.quick_json import loads
from satchel.core.values import Any, NamedTuple
from satchel.features.graph.values import NOTE, Entity, Relation, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.features.graph.curation import Curation
    from satchel.storage.database.contract import Row


class AggregatedItem(NamedTuple):
    """An aggregated value with its key, and whether it was pruned."""

    key: Any
    value: Any
    hidden: bool


def entities(rows: Iterable[Row], curation: Curation) -> list[AggregatedItem]:
    """Aggregate mentions, oldest first, into entities."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(curation.key(str(row[0])), []).append(row)
    decided: dict[str, dict[str, Any]] = {}
    for key, fields in curation.entities.items():
        decided.setdefault(curation.key(key), {}).update(fields)
    hidden: dict[str, int] = {}
    for key, at in curation.hidden.items():
        hidden[curation.key(key)] = max(at, hidden.get(curation.key(key), 0))
    found = []
    for key, group in groups.items():
        entity = _entity(key, group, decided.get(key, {}))
        pruned = hidden.get(key, -1) >= entity.last_seen and not entity.listed
        found.append(AggregatedItem(key, entity, pruned))
    return found


def _entity(key: str, rows: Sequence[Row], decided: dict[str, Any]) -> Entity:
    """Merge mentions: names and types by vote, preferring explicit ones; the newest text.

    Entities merged into another add to it; if both say something, its own words count.
    """
    rows = sorted(rows, key=lambda row: row[0] == key)
    purposely = [row for row in rows if not row[6]] or rows
    own = [row for row in purposely if row[0] == key] or [row for row in rows if row[0] == key]
    names = Counter(str(row[1]) for row in own or rows)
    types = Counter(str(row[2]) for row in purposely if row[2] != "concept")
    attributes: dict[str, Any] = {}
    aliases = {str(row[1]) for row in rows if row[0] != key}
    description = ""
    for row in rows:
        if row[5] != "{}":
            attributes.update(loads(str(row[5])))
        if row[4] != "[]":
            aliases.update(loads(str(row[4])))
    for row in purposely:
        description = str(row[3]) or description
    # A name with another meaning would be another entity: renaming is merging.
    spelled = (str(decided.get("name") or ""), _most(names))
    name = next((one for one in spelled if normal(one) == key), key)
    given = decided.get("aliases")
    if isinstance(given, list):
        aliases.update(alias for alias in given if isinstance(alias, str))
    times = [int(row[7] or 0) for row in rows]
    return Entity(
        name=name,
        type=str(decided.get("type") or _most(types) or "concept"),
        description=str(decided.get("description", description)),
        aliases=tuple(sorted(alias for alias in aliases if alias != name)),
        attributes=attributes | (decided.get("attributes") or {}),
        mentions=len({row[8] for row in rows}),
        first_seen=min(times),
        last_seen=max(times),
        listed=any(not row[6] and row[9] == NOTE for row in rows),
    )


def _most(votes: Counter[str]) -> str:
    return min(votes, key=lambda word: (-votes[word], word), default="")


def relations(rows: Iterable[Row], curation: Curation) -> list[AggregatedItem]:
    """Aggregate statements, oldest first, into relations, dropping self-loops from merges."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    merged = bool(curation.merged)
    for row in rows:
        triple = (str(row[0]), str(row[1]), str(row[2]))
        if merged:
            triple = curation.triple(triple)
        if triple[0] != triple[2]:
            groups.setdefault(triple, []).append(row)
    decided = curation.by_triple()
    found = []
    for triple, group in groups.items():
        relation = _relation(triple, group)
        fields = decided.fields.get(triple)
        if fields:
            relation = relation._replace(**_checked(fields))
        ended = decided.closed.get(triple)
        # Upkeep ends and prunes relations, but never those that a sidecar lists.
        if ended and ended[1] >= relation.last_seen and not relation.listed:
            relation = relation._replace(valid_to=ended[0])
        hidden = decided.pruned.get(triple, -1) >= relation.last_seen and not relation.listed
        found.append(AggregatedItem(triple, relation, hidden))
    return found


def _relation(triple: tuple[str, str, str], rows: Sequence[Row]) -> Relation:
    """Merge statements: the greatest weight, the newest wording, the newest end."""
    newest = rows[-1]
    begins = [int(row[5]) for row in rows if row[5] is not None]
    description = next((str(row[4]) for row in reversed(rows) if row[4]), "")
    return Relation(
        source=triple[0],
        target=triple[2],
        type=triple[1],
        weight=max(float(row[3] or 0.0) for row in rows),
        description=description,
        valid_from=min(begins) if len(begins) == len(rows) else None,
        valid_to=None if newest[6] is None else int(newest[6]),
        last_seen=int(newest[7] or 0),
        reinforcements=len({row[8] for row in rows}) - 1,
        first_seen=int(rows[0][7] or 0),
        listed=any(row[9] for row in rows),
    )


def _checked(fields: dict[str, Any]) -> dict[str, Any]:
    """Filter values by type, since a person may have edited the line."""
    kept: dict[str, Any] = {}
    for name, value in fields.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if name == "weight" and number:
            kept[name] = min(1.0, max(0.0, float(value)))
        elif name == "description" and isinstance(value, str):
            kept[name] = value
        elif name in ("valid_from", "valid_to") and (number or value is None):
            kept[name] = None if value is None else int(value)
    return kept


def implied(entities_: Sequence[Entity], relations_: Sequence[Relation]) -> list[Entity]:
    """Return relation ends that nobody listed as entities."""
    known = {entity.key for entity in entities_}
    found: dict[str, Entity] = {}
    for relation in relations_:
        for end in (relation.source, relation.target):
            key = normal(end)
            if key and key not in known:
                found.setdefault(key, Entity(end))
    return list(found.values())
