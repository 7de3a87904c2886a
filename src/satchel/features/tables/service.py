"""Tables: the operations that interfaces call to add and change rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from satchel.core.errors import BadInputError, BusyError, NotFoundError
from satchel.core.ids import is_ulid, parse_id, short_id
from satchel.core.redaction.redactor import redact_value
from satchel.core.values import Any, cached_property
from satchel.features.tables.reading import TableReader, unique_mark, uniques
from satchel.features.tables.rows import (
    check_required,
    checked,
    record_of,
    row_of,
    table_of,
    with_defaults,
)
from satchel.features.tables.types import format_value, plain_json
from satchel.features.tables.values import HEAT, REFERENCE, Field, ImportReport, Row, Schema
from satchel.storage.ledger.record import Record


class RowChecker:
    """Validates many rows while nobody else writes."""

    def __init__(self, tables: TableReader, schema: Schema) -> None:
        self.tables = tables
        self.schema = schema

    def held(self, ident: str) -> Record | None:
        """Return a row by its full id, deleted or not."""
        return self.tables.store(self.schema).newest(ident)

    def row_with(self, name: str, value: Any) -> Row | None:
        """Return the row with a value in a unique field."""
        field = self.schema.field(name)
        if field is None or not field.unique:
            raise BadInputError(
                f"{name[:60]!r} is not a unique field of {self.schema.name}.",
                hint="--key takes a field that the schema declares `unique`.",
            )
        mark = unique_mark(self.schema, (name,), {name: value})
        return None if mark is None else self._taken.get((name,), {}).get(mark)

    def fitted(
        self, row: Row, *, before: Row | None = None, changed: set[str] | None = None
    ) -> Row:
        """Return a valid row: complete, with references resolved, unique.

        With `before`, only changes are checked: a row allowed by an older schema can be fixed field
        by field.
        """
        schema, values = self.schema, dict(row.values)
        for field in schema.fields:
            value = values.get(field.name)
            if field.type == REFERENCE and value is not None:
                if changed is not None and field.name not in changed:
                    continue
                values[field.name] = self._target(field, str(value), row.id)
        if before is None:
            check_required(schema, values)
        elif changed is not None:
            gone = [
                one.name
                for one in schema.fields
                if one.required and one.name in changed and values.get(one.name) is None
            ]
            if gone:
                raise BadInputError(f"{schema.name} needs {', '.join(gone)}.")
        fitted = row._replace(values=values)
        self._claim(fitted, before)
        return fitted

    def _target(self, field: Field, given: str, own: str) -> str:
        schema = self.tables.schema(field.to)
        self.tables.store(schema).refresh()
        if own and given == own:
            return given
        try:
            return self.tables.resolved(schema, given)
        except NotFoundError:
            raise BadInputError(
                f"{field.name} refers to {given[:60]!r}, which is not a row of {field.to}.",
                hint=f"`satchel tables find {field.to}` shows them.",
            ) from None

    def _claim(self, row: Row, before: Row | None) -> None:
        taken = self._taken
        for names in uniques(self.schema):
            if before is not None and not before.deleted:
                old = unique_mark(self.schema, names, before.values)
                if old is not None and taken[names].get(old, row).id == row.id:
                    taken[names].pop(old, None)
            mark = unique_mark(self.schema, names, row.values)
            if mark is None:
                continue
            holder = taken[names].get(mark)
            if holder is not None and (holder.id != row.id or not row.id):
                told = ", ".join(format_value(row.values[name]) for name in names)
                raise BadInputError(
                    f"{self.schema.name} has {', '.join(names)} {told!r} already"
                    + (f": {short_id(holder.id)}." if holder.id else "."),
                    hint="It must be unique; `satchel tables update` changes a row.",
                )
            taken[names][mark] = row

    @cached_property
    def _taken(self) -> dict[tuple[str, ...], dict[Any, Row]]:
        """Return values in use, read once if anything must be unique."""
        names = uniques(self.schema)
        taken: dict[tuple[str, ...], dict[Any, Row]] = {one: {} for one in names}
        for row in self.tables.rows(self.schema.name) if names else ():
            for one in names:
                mark = unique_mark(self.schema, one, row.values)
                if mark is not None:
                    taken[one].setdefault(mark, row)
        return taken


class Tables(TableReader):
    """A project's tables. Returned results are on disk."""

    def add(
        self, table: str, values: Mapping[str, Any], *, agent: str = "", ident: str = ""
    ) -> Row:
        """Add a row; it is on disk when this returns. An existing one with `ident` is returned."""
        added = self.add_all(table, [values], agent=agent, ident=ident)
        return added[0] if added else self.get(table, ident)

    def add_all(
        self, table: str, given: Sequence[Mapping[str, Any]], *, agent: str = "", ident: str = ""
    ) -> list[Row]:
        """Add rows, all or none. With `ident`, the single row's id: none is added if it exists."""
        schema = self.schema(table)
        clean = [checked(schema, redact_value(dict(values))[0]) for values in given]

        def make() -> Iterator[Record]:
            if ident and self.store(schema).newest(ident) is not None:
                return
            check = RowChecker(self, schema)
            for values in clean:
                row = Row(ident, schema.name, 1, with_defaults(schema, values), {})
                yield record_of(schema, check.fitted(row), agent=agent)

        return [row_of(one, schema) for one in self.store(schema).write(make)]

    def update(
        self,
        table: str,
        given: str,
        values: Mapping[str, Any],
        *,
        expect_version: int = 0,
        agent: str = "",
    ) -> Row:
        """Change some fields of a row. None removes a value.

        Raises `BusyError` if somebody else changed the row since `expect_version`.
        """
        schema = self.schema(table)
        clean = checked(schema, redact_value(dict(values))[0])

        def make() -> Iterator[Record]:
            check = RowChecker(self, schema)
            row = self._expected(schema, given, expect_version)
            after = row._replace(values={**row.values, **clean}, version=row.version + 1)
            yield record_of(
                schema, check.fitted(after, before=row, changed=set(clean)), agent=agent
            )

        (written,) = self.store(schema).write(make)
        return row_of(written, schema)

    def delete(self, table: str, given: str, *, expect_version: int = 0, agent: str = "") -> Row:
        """Delete a row that no other refers to; its history is kept."""
        schema = self.schema(table)

        def make() -> Iterator[Record]:
            row = self._expected(schema, given, expect_version)
            users = list(self.referring(schema, row.id))
            if users:
                raise BadInputError(
                    f"{len(users)} rows refer to {row.title(schema)!r}, "
                    f"for example {users[0].table}/{short_id(users[0].id)}.",
                    hint="Change or delete those first.",
                )
            yield record_of(
                schema,
                row._replace(version=row.version + 1),
                agent=agent,
                deleted_at=int(self.store(schema).clock.now()),
            )

        (written,) = self.store(schema).write(make)
        return row_of(written, schema)

    def restore(self, table: str, given: str, *, agent: str = "") -> Row:
        """Restore a deleted row as it was."""
        schema = self.schema(table)

        def make() -> Iterator[Record]:
            record = self.one(schema, given, deleted=True)
            versions = self.store(schema).history(record.id)
            before = next((one for one in versions if one.deleted_at is None), None)
            if before is None:
                raise NotFoundError(f"No version of {given[:60]!r} is left.")
            row = row_of(before, schema)._replace(version=record.rev + 2)
            yield record_of(schema, RowChecker(self, schema).fitted(row), agent=agent)

        (written,) = self.store(schema).write(make)
        return row_of(written, schema)

    def import_rows(
        self,
        table: str,
        given: Sequence[tuple[str, Mapping[str, Any]]],
        *,
        key: str = "",
        skip_wrong: bool = False,
        dry_run: bool = False,
    ) -> ImportReport:
        """Import rows, all or none, unless `skip_wrong` skips invalid ones.

        Args:
            given: pairs of a position, for error messages, and a row's values; `id` makes it the
                row with that id, which is updated or added.
            key: the field that identifies a row without an id.
            skip_wrong: import the others.
            dry_run: write nothing.
        """
        schema = self.schema(table)
        counts = [0, 0, 0]
        wrong: list[str] = []

        def make() -> list[Record]:
            check = RowChecker(self, schema)
            counts[:] = [0, 0, 0]
            wrong.clear()
            records = []
            for place, values in given:
                try:
                    made = self._brought(schema, check, values, key)
                except (BadInputError, NotFoundError) as error:
                    wrong.append(f"{place}: {error}")
                    continue
                if made is None:
                    counts[2] += 1
                    continue
                counts[1 if made.rev else 0] += 1
                records.append(made)
            refused = wrong and not skip_wrong
            if refused:
                counts[:] = [0, 0, 0]
            return [] if refused or dry_run else records

        self.store(schema).write(make)
        return ImportReport(counts[0], counts[1], counts[2], tuple(wrong))

    def _brought(
        self, schema: Schema, check: RowChecker, given: Mapping[str, Any], key: str
    ) -> Record | None:
        values = dict(redact_value(dict(given))[0])
        ident = parse_id(str(values.pop("id", "") or ""))
        values.pop("version", None)
        heats = [one.name for one in schema.fields if one.type == HEAT]
        for name in heats:
            values.pop(name, None)
        kept = {n.removeprefix("kept."): values.pop(n) for n in list(values) if n[:5] == "kept."}
        kept = {name: plain_json(value) for name, value in kept.items() if value not in (None, "")}
        clean = checked(schema, values)
        before = None
        if ident:
            if not is_ulid(ident):
                raise BadInputError(f"{ident[:60]!r} is not an id of a row.")
            record = check.held(ident)
            if record is not None and table_of(record) != schema.name:
                raise BadInputError(f"{ident} is a row of {table_of(record)}.")
            before = None if record is None else row_of(record, schema)
        elif key:
            before = check.row_with(key, clean.get(key))
        if before is None:
            filled = with_defaults(schema, {n: v for n, v in clean.items() if v is not None})
            row = check.fitted(Row(ident, schema.name, 1, filled, kept))
            return record_of(schema, row, source="import")
        after = before._replace(values={**before.values, **clean}, kept={**before.kept, **kept})
        if (after.values, after.kept, before.deleted) == (before.values, before.kept, False):
            return None
        after = after._replace(version=before.version + 1, deleted=False)
        fitted = check.fitted(after, before=before, changed=set(clean))
        return record_of(schema, fitted, source="import")

    def _expected(self, schema: Schema, given: str, version: int) -> Row:
        row = row_of(self.one(schema, given), schema)
        if version and row.version != version:
            raise BusyError(
                f"{schema.name}/{short_id(row.id)} has version {row.version}, not {version}: "
                "somebody has changed it.",
                hint=f"`satchel tables history {schema.name} {short_id(row.id)}` shows what.",
            )
        return row
