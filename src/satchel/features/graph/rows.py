"""Converts values to rows of the graph's database and back. Shown values carry a seal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satchel.core.errors import NotReadableError
from satchel.core.hashing import short_hash
from satchel.core.quick_json import canonical, loads
from satchel.core.values import Any, NamedTuple
from satchel.features.graph import aggregation
from satchel.features.graph.values import NOTE, Entity, Memory, Relation, TextGraph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import Row, Value

_SEALED_ENTITY, _SEALED_RELATION = 11, 12


class Text(NamedTuple):
    """A text and what was drawn from it. `hash` identifies its version."""

    memory: Memory
    drawn: TextGraph
    hash: str


def mention_rows(number: int, drawn: TextGraph) -> Iterator[tuple[Value, ...]]:
    """Return rows for what a text names, including the ends of its relations."""
    listed = [(entity, not drawn.explicit) for entity in drawn.entities]
    listed += [(entity, True) for entity in aggregation.implied(drawn.entities, drawn.relations)]
    for entity, plain in listed:
        key = entity.key
        if key:
            yield (
                number, key, entity.name, entity.type, entity.description,
                canonical(list(entity.aliases)), canonical(entity.attributes), int(plain),
            )  # fmt: skip


def statement_rows(number: int, text: Text) -> Iterator[tuple[Value, ...]]:
    """Return rows for what a text states; of duplicates, the greater weight counts."""
    strongest: dict[tuple[str, str, str], Relation] = {}
    listed = int(text.drawn.explicit and text.memory.origin == NOTE)
    for r in text.drawn.relations:
        source, kind, target = r.triple
        before = strongest.get((source, kind, target))
        if source and target and source != target and not (before and before.weight >= r.weight):
            strongest[source, kind, target] = r
    for triple, r in strongest.items():
        seen = r.last_seen or text.memory.ts
        yield (number, *triple, r.weight, r.description, r.valid_from, r.valid_to, seen, listed)


def sealed(values: Sequence[Any]) -> str:
    """Return a hash of what is shown, so that a damaged page is noticed."""
    return short_hash("\0".join(map(str, values)).encode("utf-8", "replace"))


def entity_row(one: aggregation.AggregatedItem) -> tuple[Value, ...]:
    """Return an entity's row."""
    e: Entity = one.value
    row = (
        str(one.key), e.name, e.type, e.description, canonical(list(e.aliases)),
        canonical(e.attributes), e.mentions, e.first_seen, e.last_seen,
        int(e.listed), int(one.hidden),
    )  # fmt: skip
    return (*row, sealed(row))


def relation_row(one: aggregation.AggregatedItem) -> tuple[Value, ...]:
    """Return a relation's row."""
    r: Relation = one.value
    row = (
        r.source, r.type, r.target, r.weight, r.description, r.valid_from, r.valid_to,
        r.first_seen, r.last_seen, r.reinforcements, int(r.listed), int(one.hidden),
    )  # fmt: skip
    return (*row, sealed(row))


def entity_of(row: Row) -> Entity:
    """Return a row's entity."""
    if sealed(row[:_SEALED_ENTITY]) != row[_SEALED_ENTITY]:
        raise NotReadableError("An entity of the graph is damaged.")
    return Entity(
        name=str(row[1]), type=str(row[2]), description=str(row[3]),
        aliases=tuple(loads(str(row[4]))), attributes=loads(str(row[5])),
        mentions=int(row[6] or 0), first_seen=int(row[7] or 0), last_seen=int(row[8] or 0),
        listed=bool(row[9]), importance=float(row[12] or 0.0), community=int(row[13] or 0),
    )  # fmt: skip


def relation_of(row: Row) -> Relation:
    """Return a row's relation."""
    if sealed(row[:_SEALED_RELATION]) != row[_SEALED_RELATION]:
        raise NotReadableError("A relation of the graph is damaged.")
    return Relation(
        source=str(row[13]), target=str(row[14]), type=str(row[1]), weight=float(row[3] or 0.0),
        description=str(row[4]), valid_from=_time(row[5]), valid_to=_time(row[6]),
        first_seen=int(row[7] or 0), last_seen=int(row[8] or 0), reinforcements=int(row[9] or 0),
        listed=bool(row[10]),
    )  # fmt: skip


def memory_of(row: Row, names: tuple[str, ...]) -> Memory:
    """Return a row's text; `names` are the entities it names."""
    if row[9] != sealed((row[0], row[1], row[2], row[3], row[6])):
        raise NotReadableError("A text of the graph is damaged.")
    return Memory(
        id=str(row[0]), content=str(row[1]), origin=str(row[2]), title=str(row[3]),
        source=str(row[4]), agent=str(row[5]), entities=names, ts=int(row[6] or 0),
        valid_from=_time(row[7]), valid_to=_time(row[8]),
    )  # fmt: skip


def _time(value: Value) -> int | None:
    return None if value is None else int(value)
