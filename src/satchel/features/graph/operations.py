"""Operations on the graph by people or agents, as lines of a private ledger.

Everything else in the graph is drawn from texts. These lines have what no text has: observations
ingested, merges, corrections, prunings and undos.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.core.hashing import digest, short_hash
from satchel.core.quick_json import canonical
from satchel.core.shapes import dict_of, list_of
from satchel.core.values import Any, NamedTuple
from satchel.features.graph.values import (
    DEFAULT_WEIGHT,
    LONGEST_NAME,
    Entity,
    Relation,
    TextGraph,
    normal,
    relation_type,
)
from satchel.storage.files import read_file
from satchel.storage.ledger.lines import decode
from satchel.storage.ledger.record import Record

#: The kind of their lines.
KIND = "graph"
INGEST, SEED, UPDATE, MERGE, UNMERGE = "ingest", "seed", "update", "merge", "unmerge"
PRUNE, RESTORE, EXPIRE, LINK, UNDO = "prune", "restore", "expire", "link", "undo"
NAMES = (INGEST, SEED, UPDATE, MERGE, UNMERGE, PRUNE, RESTORE, EXPIRE, LINK, UNDO)
#: Operations that add text or relations; the others change what is drawn from them.
ADDING = (INGEST, SEED, LINK)
#: Most relations and entities in one line: a long ingest takes several lines.
PART = 500


class Operation(NamedTuple):
    """An operation. `data` depends on `name`; `run` groups those done together.

    `mark` tells its line from an edited one.
    """

    id: str
    ts: int
    name: str
    data: dict[str, Any]
    content: str = ""
    agent: str = ""
    source: str = ""
    rev: int = 0
    mark: str = ""

    @property
    def order(self) -> tuple[int, str, int]:
        """Return the sort key in which operations take effect."""
        return (self.ts, self.id, self.rev)

    @property
    def run(self) -> str:
        """Return the id of the run, which is undone as a whole."""
        return str(self.data.get("run") or self.id)


class LedgerOperations(NamedTuple):
    """The result of reading the ledger.

    `mark` is how far it was read. `whole` says that the operations are all there are, not only
    those since the last mark. `damaged` counts lines that do not parse.
    """

    operations: tuple[Operation, ...]
    mark: str
    whole: bool
    damaged: int


def record(
    name: str, data: dict[str, Any], *, content: str = "", agent: str = "", source: str = ""
) -> Record:
    """Build an operation's line; the ledger adds its id and time."""
    return Record(kind=KIND, content=content, agent=agent, source=source, data={"op": name, **data})


def ingest_records(
    content: str,
    drawn: TextGraph,
    *,
    name: str = INGEST,
    agent: str = "",
    source: str = "",
    run: str = "",
    more: dict[str, Any] | None = None,
    known: Sequence[str] = (),
) -> list[Record]:
    """Build an ingest's lines. Equal ingests share a `text` id, and count once.

    The content is in the first line; a long list of relations continues in more lines. `known` are
    existing entities that the content names.
    """
    entities = [_entity_fields(entity) for entity in drawn.entities]
    relations = [_relation_fields(relation) for relation in drawn.relations]
    mark = canonical([content, agent, source, entities, relations, more or {}])
    text = digest(mark.encode("utf-8", "replace")).hex()[:24]
    parts = max(1, -(-max(len(entities), len(relations)) // PART))
    records = []
    for part in range(parts):
        data: dict[str, Any] = {"text": text, "part": part, **(more or {})}
        if run:
            data["run"] = run
        if not part:
            # Also if empty: lines of other programs lack it (see `ingest.with_known`).
            data["known"] = list(known)
        begin, end = part * PART, (part + 1) * PART
        data["entities"], data["relationships"] = entities[begin:end], relations[begin:end]
        records.append(
            record(name, data, content="" if part else content, agent=agent, source=source)
        )
    return records


def read_operations(path: str, mark: str = "") -> LedgerOperations:
    """Read the ledger: new lines since `mark`, or everything if read lines have changed."""
    data = read_file(path)
    size, _, before = mark.partition(":")
    at = int(size) if size.isdigit() else 0
    same = bool(at) and len(data) >= at and _hash(data[:at]) == before
    lines = data[at if same else 0 :].split(b"\n")
    tail = lines[-1]
    if tail.strip() and _operation(tail) is None:
        # Torn, or still being written: it is read once its line is complete.
        lines.pop()
    else:
        tail = b""
    newest: dict[str, Operation] = {}
    damaged = 0
    for raw in lines:
        if raw.strip():
            operation = _operation(raw)
            if operation is None:
                damaged += 1
            elif operation.id not in newest or newest[operation.id].order < operation.order:
                newest[operation.id] = operation
    read = data[: len(data) - len(tail)]
    operations = tuple(sorted(newest.values(), key=lambda one: one.order))
    return LedgerOperations(operations, f"{len(read)}:{_hash(read)}", not same, damaged)


def active(operations: Iterable[Operation]) -> list[Operation]:
    """Return operations in force, in order. An undo can itself be undone."""
    undone: set[str] = set()
    kept = []
    for operation in sorted(operations, key=lambda one: one.order, reverse=True):
        if operation.id in undone:
            continue
        kept.append(operation)
        if operation.name == UNDO:
            undone.update(_texts(operation.data.get("undoes")))
    return kept[::-1]


def drawn_from(operation: Operation) -> TextGraph:
    """Return what an adding operation names and states, skipping nameless items."""
    data = operation.data
    entities = []
    for fields in _mappings(data.get("entities")):
        name = _name(fields.get("name"))
        if name:
            attributes = fields.get("attributes")
            entities.append(
                Entity(
                    name,
                    str(fields.get("type") or "concept").lower(),
                    str(fields.get("description") or ""),
                    tuple(a for a in _texts(fields.get("aliases")) if normal(a)),
                    dict_of(attributes),
                )
            )
    relations = []
    for fields in _mappings(data.get("relationships")):
        source, target = _name(fields.get("from")), _name(fields.get("to"))
        if source and target:
            relations.append(
                Relation(
                    source,
                    target,
                    relation_type(str(fields.get("type") or "")),
                    weight=_weight(fields.get("weight")),
                    description=str(fields.get("description") or ""),
                    valid_from=seconds_in(fields.get("valid_from")),
                    valid_to=seconds_in(fields.get("valid_to")),
                    last_seen=seconds_in(fields.get("seen")) or operation.ts,
                )
            )
    return TextGraph(tuple(entities), tuple(relations), explicit=True)


def known_to(operation: Operation) -> list[str]:
    """Return the names of entities existing at the time that an ingest's text contains."""
    return [name for name in map(_name, _texts(operation.data.get("known"))) if name]


def triples_of(data: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return the relations an operation affects, by normalized names."""
    found = []
    value = data.get("relations")
    for item in list_of(value):
        if isinstance(item, list) and len(item) == 3:  # noqa: PLR2004
            source, kind, target = map(str, item)
            found.append((normal(source), relation_type(kind), normal(target)))
    return found


def keys_of(data: dict[str, Any], field: str) -> list[str]:
    """Return the entities an operation affects, by normalized names."""
    return [key for key in map(normal, _texts(data.get(field))) if key]


def _operation(raw: bytes) -> Operation | None:
    found = decode(raw).record
    if found is None or found.kind != KIND or not isinstance(found.data, dict):
        return None
    name = found.data.get("op")
    if name not in NAMES:
        return None
    return Operation(
        found.id,
        found.ts,
        str(name),
        data=found.data,
        content=found.content,
        agent=found.agent,
        source=found.source,
        rev=found.rev,
        mark=short_hash(raw),
    )


def _entity_fields(entity: Entity) -> dict[str, Any]:
    more: dict[str, Any] = {"description": entity.description, "aliases": list(entity.aliases)}
    more["attributes"] = entity.attributes
    told = {name: value for name, value in more.items() if value}
    return {"name": entity.name, "type": entity.type, **told}


def _relation_fields(relation: Relation) -> dict[str, Any]:
    fields: dict[str, Any] = {"from": relation.source, "to": relation.target}
    fields |= {"type": relation.type, "weight": relation.weight}
    for name in ("description", "valid_from", "valid_to"):
        value = getattr(relation, name)
        if value or value == 0:
            fields[name] = value
    if relation.last_seen:
        fields["seen"] = relation.last_seen
    return fields


def _hash(data: bytes) -> str:
    return digest(data).hex()[:32]


def _mappings(value: Any) -> Sequence[dict[str, Any]]:
    items = list_of(value)
    return [item for item in items if isinstance(item, dict)]


def _texts(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    return [str(item) for item in items if isinstance(item, str)]


def _name(value: Any) -> str:
    text = " ".join(str(value or "").split())[:LONGEST_NAME]
    return text if normal(text) else ""


def _weight(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return DEFAULT_WEIGHT
    return min(1.0, max(0.0, float(value)))


def seconds_in(value: Any) -> int | None:
    """Return a time in JSON as Unix seconds; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 2**53 else None
