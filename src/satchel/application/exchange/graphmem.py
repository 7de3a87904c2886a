"""Reads GraphMem's database (`clawd_brain.db`) and its `graphmem-evolution.json`."""

from __future__ import annotations

from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.quick_json import loads
from satchel.core.redaction.redactor import redact
from satchel.core.shapes import dict_of, list_of
from satchel.core.values import Any, NamedTuple
from satchel.features.graph.extraction import phrases_of
from satchel.features.graph.knowledge_graph import KnowledgeGraph
from satchel.features.graph.operations import ingest_records
from satchel.features.graph.values import Entity, Relation, TextGraph, relation_type
from satchel.project.derived_store import open_foreign
from satchel.storage.database.contract import Database
from satchel.storage.ledger.record import Record

SOURCE = "graphmem"
_TABLES = ("entities", "relationships", "memories")
#: Our name of a column -> its possible names there; the first existing one counts.
_ENTITY = {
    "id": ("id",),
    "name": ("name",),
    "type": ("entity_type", "type"),
    "description": ("description",),
    "attributes": ("attributes",),
    "seen": ("updated_at", "created_at"),
}
_RELATION = {
    "from": ("from_entity_id", "from_entity", "from_id"),
    "to": ("to_entity_id", "to_entity", "to_id"),
    "type": ("relationship_type", "type"),
    "weight": ("weight",),
    "seen": ("updated_at", "created_at"),
}
_MEMORY = {
    "content": ("content",),
    "source": ("source",),
    "agent": ("agent_id",),
    "entities": ("entity_ids",),
    "seen": ("created_at",),
    "valid_from": ("valid_from",),
    "valid_to": ("valid_until", "valid_to"),
}


class GraphMemRead(NamedTuple):
    """The database as operations for the ledger, with the number of rows of each kind."""

    records: list[Record]
    entities: int
    relations: int
    memories: int


def is_graphmem(database: Database) -> bool:
    """Return whether a database is GraphMem's."""
    rows = database.read("SELECT name FROM sqlite_master WHERE type = 'table'")
    return set(_TABLES) <= {str(row[0]) for row in rows}


def read_graphmem(database: Database, path: str) -> GraphMemRead:
    """Convert GraphMem's rows to operations. Equal rows give equal operations."""
    if not is_graphmem(database):
        raise BadInputError(
            f"{path} has no tables {', '.join(_TABLES)}.", hint="Is it another program's database?"
        )
    rows = {int(row["id"]): row for row in _rows(database, "entities", _ENTITY) if row.get("name")}
    links = _rows(database, "relationships", _RELATION)
    memories = _rows(database, "memories", _MEMORY)
    records: list[Record] = []
    known = {ident: _entity(row) for ident, row in rows.items()}
    by_key = {entity.key: entity for entity in known.values()}
    relations = [one for one in (_relation(row, known) for row in links) if one is not None]
    if known or relations:
        drawn = TextGraph(tuple(known.values()), tuple(relations), explicit=True)
        records += ingest_records("", drawn, source=SOURCE, more=_newest(rows))
    for row in memories:
        content = str(row.get("content") or "")
        if not content.strip():
            continue
        named = [known[ident] for ident in _ids(row.get("entities")) if ident in known]
        # Its own list is often empty, so entities named in the text are linked too.
        said = [by_key[key].name for key in phrases_of(redact(content)[0]) if key in by_key]
        about = {
            name: moment
            for name in ("seen", "valid_from", "valid_to")
            if (moment := _moment(row.get(name))) is not None
        }
        # Their descriptions are in the first operation; here only the names matter.
        bare = tuple(Entity(entity.name, entity.type) for entity in named)
        records += ingest_records(
            content,
            TextGraph(bare, (), explicit=True),
            agent=str(row.get("agent") or ""),
            source=str(row.get("source") or SOURCE),
            more=about,
            known=said,
        )
    return GraphMemRead(records, len(known), len(relations), len(memories))


def _rows(database: Database, table: str, wanted: dict[str, tuple[str, ...]]) -> list[Any]:
    have = {str(row[1]) for row in database.read(f"PRAGMA table_info({table})")}
    columns = {
        name: next((column for column in given if column in have), "")
        for name, given in wanted.items()
    }
    names = [name for name, column in columns.items() if column]
    if not names:
        return []
    chosen = ", ".join(columns[name] for name in names)
    return [
        dict(zip(names, row, strict=True))
        for row in database.read(f"SELECT {chosen} FROM {table} ORDER BY rowid")
    ]


def _entity(row: dict[str, Any]) -> Entity:
    attributes = _parsed(row.get("attributes"))
    attributes = dict_of(attributes)
    # Importance is computed here, never read.
    attributes.pop("pagerank", None)
    aliases = attributes.pop("aliases", None)
    return Entity(
        str(row["name"]),
        str(row.get("type") or "concept").lower(),
        str(row.get("description") or ""),
        tuple(str(a) for a in list_of(aliases)),
        attributes,
    )


def _relation(row: dict[str, Any], known: dict[int, Entity]) -> Relation | None:
    ends = [known.get(int(row[name])) for name in ("from", "to") if _whole(row.get(name))]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:  # noqa: PLR2004
        return None
    weight = row.get("weight")
    return Relation(
        ends[0].name,
        ends[1].name,
        relation_type(redact(str(row.get("type") or ""))[0]),
        min(1.0, max(0.0, float(weight))) if isinstance(weight, int | float) else 1.0,
        last_seen=_moment(row.get("seen")) or 0,
    )


def _newest(rows: dict[int, dict[str, Any]]) -> dict[str, int]:
    """Return the time of the newest entity, which is used for the whole list."""
    newest = max((_moment(row.get("seen")) or 0 for row in rows.values()), default=0)
    return {"seen": newest} if newest else {}


def _ids(value: Any) -> list[int]:
    parsed = _parsed(value)
    return [int(one) for one in parsed if _whole(one)] if isinstance(parsed, list) else []


def _parsed(value: Any) -> Any:
    try:
        return loads(str(value)) if value else None
    except (ValueError, RecursionError):
        return None


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _moment(value: Any) -> int | None:
    if _whole(value):
        return int(value)
    seconds = times.seconds_of(value)
    return None if seconds is None else int(seconds)


def adopt_database(graph: KnowledgeGraph, path: str, *, user: bool = False) -> tuple[int, int]:
    """Import GraphMem's database; return the number of operations, and of new ones."""
    database = open_foreign(path)
    try:
        read = read_graphmem(database, path)
    finally:
        database.close()
    return len(read.records), graph.import_records(read.records, user=user)
