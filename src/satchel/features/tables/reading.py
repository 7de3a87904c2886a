"""Reads tables: rows by id, name, words and conditions; validation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from satchel.core.errors import AmbiguousIdError, NotFoundError
from satchel.core.ids import parse_id, short_id
from satchel.core.times import DAY
from satchel.core.values import Any
from satchel.engine.search.documents import EVERYTHING
from satchel.features.tables.filters import Group, aggregated, condition, holds, ordered
from satchel.features.tables.rows import row_of, table_of
from satchel.features.tables.store import RowStore
from satchel.features.tables.types import format_value, key_of
from satchel.features.tables.values import HEAT, REFERENCE, Field, Row, Schema
from satchel.storage.ledger.record import Record

#: Days after which a change counts half.
HALF_LIFE = 14.0
#: How many fresh changes make half of the maximum.
_HALF_WAY = 4.0
MOST = 10.0


def heat_of(changes: Iterable[int], now: float) -> str:
    """Return the heat of something changed at these times (Unix seconds), such as `3.1`.

    Every change counts one at first and half after each fourteen days; four fresh ones make 5, and
    10 is never reached.
    """
    weight = sum(0.5 ** (max(0.0, now - at) / DAY / HALF_LIFE) for at in changes)
    return f"{MOST * (1 - 0.5 ** (weight / _HALF_WAY)):.1f}"


_SHORT_ID = 4


class TableReader:
    """The tables of a project, for reading.

    Args:
        schemas: by name.
        stores: the stores of each table's rows.
    """

    def __init__(self, schemas: Mapping[str, Schema], stores: Mapping[str, RowStore]) -> None:
        self.schemas = schemas
        self._stores = stores

    def schema(self, table: str) -> Schema:
        """Return a schema by name. Raises `NotFoundError` if there is none."""
        found = self.schemas.get(table.strip().lower())
        if found is None:
            names = ", ".join(self.schemas)
            raise NotFoundError(
                f"There is no table {table[:60]!r}.",
                hint=f"There are {names}." if names else "`satchel tables init foundation`",
            )
        return found

    def store(self, schema: Schema) -> RowStore:
        """Return the store of a table's rows."""
        return self._stores[schema.name]

    # Reading

    def get(self, table: str, given: str) -> Row:
        """Return a row by id or prefix, or by the value of a unique field or title."""
        schema = self.schema(table)
        self.store(schema).refresh()
        return self._warmed(schema, [row_of(self.one(schema, given), schema)])[0]

    def history(self, table: str, given: str) -> list[Row]:
        """Return every version of a row, newest first, deleted or not."""
        schema = self.schema(table)
        self.store(schema).refresh()
        record = self.one(schema, given, deleted=None)
        return [row_of(one, schema) for one in self.store(schema).history(record.id)]

    def rows(self, table: str) -> list[Row]:
        """Return a table's current rows, newest first."""
        schema = self.schema(table)
        self.store(schema).refresh()
        return self._warmed(schema, self._rows(schema))

    def find(
        self,
        table: str,
        words: str = "",
        *,
        where: Sequence[str] = (),
        sort: str = "",
        limit: int = EVERYTHING,
    ) -> list[Row]:
        """Find rows by words, conditions or both; by words, best first unless sorted."""
        schema = self.schema(table)
        store = self.store(schema)
        store.refresh()
        conditions = [condition(schema, one, store.clock.now()) for one in where]
        if words.strip():
            hits = store.found(words, schema.name, EVERYTHING if conditions or sort else limit)
            rows = [row_of(record, schema) for record, _ in hits]
        else:
            rows = self._rows(schema)
        rows = self._warmed(schema, rows)
        rows = [row for row in rows if all(holds(one, row) for one in conditions)]
        return (rows if words.strip() and not sort else ordered(schema, rows, sort))[:limit]

    def find_anywhere(self, words: str, limit: int) -> list[Row]:
        """Find rows of any table by words, each store's best first."""
        found = []
        for store in {id(one): one for one in self._stores.values()}.values():
            store.refresh()
            for record, _ in store.found(words, "", limit):
                schema = self.schemas.get(table_of(record))
                if schema is not None:
                    found.append(row_of(record, schema))
        return found

    def aggregate(
        self,
        table: str,
        wanted: Sequence[tuple[str, str]] = (),
        *,
        where: Sequence[str] = (),
        group_by: str = "",
    ) -> list[Group]:
        """Count rows and compute aggregates: see `filters.aggregated`."""
        schema = self.schema(table)
        groups = aggregated(schema, self.find(table, where=where), wanted, group_by)
        field = schema.field(group_by)
        if field is None or field.type != REFERENCE:
            return groups
        return [one._replace(group=self.named(field, one.group)) for one in groups]

    def check(self, table: str) -> list[str]:
        """Return invalid values, missing fields, broken references and duplicates."""
        schema = self.schema(table)
        rows = self.rows(table)
        found = [f"{short_id(row.id)}: {one}" for row in rows for one in row.problems]
        for field in schema.fields:
            if field.type == REFERENCE and field.to in self.schemas:
                held = {row.id for row in self._rows(self.schema(field.to))}
                found += [
                    f"{short_id(row.id)}: {field.name} refers to {row.values[field.name]!r}, "
                    "which is not a row."
                    for row in rows
                    if row.values.get(field.name) is not None and row.values[field.name] not in held
                ]
        for names in uniques(schema):
            seen: dict[Any, str] = {}
            for row in reversed(rows):
                mark = unique_mark(schema, names, row.values)
                if mark is not None and seen.setdefault(mark, row.id) != row.id:
                    told = ", ".join(format_value(row.values[name]) for name in names)
                    found.append(f"{short_id(row.id)}: {', '.join(names)} {told!r} occurs twice.")
        return found

    def named(self, field: Field, ident: Any) -> str:
        """Return the title of a referenced row, or its id if it is missing."""
        schema = self.schemas.get(field.to)
        if schema is None or not isinstance(ident, str):
            return format_value(ident)
        record = self.store(schema).newest(ident)
        return ident if record is None else row_of(record, schema).title(schema)

    def resolved(self, schema: Schema, given: str) -> str:
        """Return a row's id, given an id or a name."""
        return self.one(schema, given).id

    def _rows(self, schema: Schema) -> list[Row]:
        store = self.store(schema)
        return [row_of(record, schema) for record in store.rows(schema.name)]

    def _warmed(self, schema: Schema, rows: Sequence[Row]) -> list[Row]:
        fields = [one.name for one in schema.fields if one.type == HEAT]
        if not fields:
            return list(rows)
        touched = self._touches(schema)
        now = self.store(schema).clock.now()
        return [
            row._replace(
                values={
                    **row.values,
                    **dict.fromkeys(fields, heat_of([row.at, *touched.get(row.id, ())], now)),
                }
            )
            for row in rows
        ]

    def _touches(self, schema: Schema) -> dict[str, list[int]]:
        """Return when rows referring to this table were last written, by target row."""
        found: dict[str, list[int]] = {}
        for other, field in self._users_of(schema):
            for row in self._rows(other):
                ident = row.values.get(field.name)
                if isinstance(ident, str):
                    found.setdefault(ident, []).append(row.at)
        return found

    def _users_of(self, schema: Schema) -> Iterator[tuple[Schema, Field]]:
        for other in self.schemas.values():
            for field in other.fields:
                if field.type == REFERENCE and field.to == schema.name:
                    self.store(other).refresh()
                    yield other, field

    def referring(self, schema: Schema, ident: str) -> Iterator[Row]:
        """Yield rows of any table that refer to a row of this one."""
        for other, field in self._users_of(schema):
            yield from (row for row in self._rows(other) if row.values.get(field.name) == ident)

    def one(self, schema: Schema, given: str, *, deleted: bool | None = False) -> Record:
        """Return a row; `deleted` selects deleted or live ones, None either."""
        found: dict[str, Record] = {}
        ident = parse_id(given)
        if len(ident) >= _SHORT_ID:
            for record in self.store(schema).with_id(ident.upper()):
                if table_of(record) == schema.name:
                    found[record.id] = record
        wanted = {
            one.id: one
            for one in found.values()
            if deleted is None or (one.deleted_at is not None) == deleted
        }
        if not wanted and not deleted:
            wanted = {one.id: one for one in self._called(schema, given)}
        if len(wanted) > 1:
            names = ", ".join(sorted(wanted)[:5])
            raise AmbiguousIdError(f"{given[:60]!r} could be {names}.", hint="Give more of the id.")
        if not wanted:
            told = " any more: it is deleted" if found else ""
            raise NotFoundError(
                f"{schema.name} has no row {given[:60]!r}{told}.",
                hint=f"`satchel tables find {schema.name}` shows them.",
            )
        return next(iter(wanted.values()))

    def _called(self, schema: Schema, given: str) -> Iterable[Record]:
        name = given.strip().casefold()
        unique = [schema.title, *[one.name for one in schema.fields if one.unique]]
        if not name:
            return []
        found: list[Record] = []
        for record in self.store(schema).rows(schema.name):
            values = row_of(record, schema).values
            if name in [format_value(values.get(one)).casefold() for one in unique]:
                found.append(record)
        return found


def uniques(schema: Schema) -> list[tuple[str, ...]]:
    """Return a table's unique constraints: single fields, and combinations."""
    return [(one.name,) for one in schema.fields if one.unique] + list(schema.unique)


def unique_mark(schema: Schema, names: Sequence[str], values: Mapping[str, Any]) -> Any:
    """Return the value compared for uniqueness; None if a field is empty."""
    found = []
    for name in names:
        field, value = schema.field(name), values.get(name)
        if field is None or value is None:
            return None
        found.append(key_of(field, value))
    return tuple(found)
