"""Validates rows against all others before they are written."""

from __future__ import annotations

from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.ids import short_id
from satchel.features.tables.reading import TableReader, unique_mark, uniques
from satchel.features.tables.rows import check_required
from satchel.features.tables.types import format_value
from satchel.features.tables.values import REFERENCE, Field, Row, Schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.storage.ledger.record import Record


class RowChecker:
    """Validates many rows while nobody else writes."""

    def __init__(self, tables: TableReader, schema: Schema) -> None:
        self.tables = tables
        self.schema = schema
        self._unique: dict[tuple[str, ...], dict[Any, Row]] | None = None

    def held(self, ident: str) -> Record | None:
        """Return a row by its full id, deleted or not."""
        return self.tables.store(self.schema).newest(ident)

    def row_with(self, name: str, value: Any) -> Row | None:
        """Return the row that has a value in a unique field."""
        field = self.schema.field(name)
        if field is None or not field.unique:
            raise BadInputError(
                f"{name[:60]!r} is not a unique field of {self.schema.name}.",
                hint="--key takes a field that the schema declares `unique`.",
            )
        mark = unique_mark(self.schema, (name,), {name: value})
        return None if mark is None else self._taken().get((name,), {}).get(mark)

    def fitted(
        self, row: Row, *, before: Row | None = None, changed: set[str] | None = None
    ) -> Row:
        """Return a valid row: complete, with references resolved, unique.

        With `before`, only what changed is checked: a row that an older schema allowed can be
        mended field by field.
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
        taken = self._taken()
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

    def _taken(self) -> dict[tuple[str, ...], dict[Any, Row]]:
        """Return values in use, read once if anything must be unique."""
        if self._unique is None:
            names = uniques(self.schema)
            self._unique = {one: {} for one in names}
            for row in self.tables.rows(self.schema.name) if names else ():
                for one in names:
                    mark = unique_mark(self.schema, one, row.values)
                    if mark is not None:
                        self._unique[one].setdefault(mark, row)
        return self._unique
