"""Converts rows to ledger records and back, under the current schema. Pure.

A line has a whole row. Values no longer declared in the schema are kept in new versions, so that
schema changes never lose a value; values that no longer fit are reported, never dropped.
"""

from __future__ import annotations

from collections.abc import Mapping

from satchel.core.errors import BadInputError
from satchel.core.values import Any
from satchel.features.tables.types import encode_value, format_value
from satchel.features.tables.values import HEAT, Row, Schema
from satchel.storage.ledger.record import Record

#: The kind of their lines.
KIND = "row"
#: Name of their ledger, here and on a server.
LEDGER = "tables"
_TITLE = 200


def tag_of(table: str) -> str:
    """Return the tag of a table's rows in the index."""
    return f"table:{table}"


def checked(schema: Schema, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored values. Raises `BadInputError` for an unknown field or invalid value."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        field = schema.field(name)
        if field is None:
            names = ", ".join(one.name for one in schema.fields)
            raise BadInputError(
                f"{schema.name} has no field {str(name)[:60]!r}.", hint=f"It has {names}."
            )
        if field.type == HEAT:
            raise BadInputError(f"{name} is computed when it is read; it cannot be written.")
        found[name] = encode_value(field, value)
    return found


def with_defaults(schema: Schema, values: dict[str, Any]) -> dict[str, Any]:
    """Fill in defaults of fields missing in a new row."""
    filled = {one.name: one.default for one in schema.fields if one.default is not None}
    return {**filled, **values}


def check_required(schema: Schema, values: Mapping[str, Any]) -> None:
    """Raise `BadInputError` if a required field has no value."""
    missing = [one.name for one in schema.fields if one.required and values.get(one.name) is None]
    if missing:
        raise BadInputError(
            f"{schema.name} needs {', '.join(missing)}.", hint=f"Give `{missing[0]}=...`."
        )


def record_of(
    schema: Schema, row: Row, *, agent: str = "", source: str = "", deleted_at: int | None = None
) -> Record:
    """Build the line of a row's version; the ledger adds its time, and a new row's id.

    A deletion's line has no values: the earlier ones do.
    """
    gone = deleted_at is not None
    values = {} if gone else {n: value for n, value in row.values.items() if value is not None}
    named = row._replace(values=values)
    title = named.title(schema) if values.get(schema.title) is not None else ""
    return Record(
        kind=KIND,
        id=row.id,
        rev=row.version - 1,
        title=title[:_TITLE],
        content=text_of(schema, values),
        tags=(tag_of(schema.name),),
        agent=agent,
        source=source,
        deleted_at=deleted_at,
        data={"table": schema.name, "values": values if gone else {**row.kept, **values}},
    )


def text_of(schema: Schema, values: Mapping[str, Any]) -> str:
    """Return the searchable text of a row."""
    lines = [
        f"{field.name}: {format_value(values[field.name])}"
        for field in schema.fields
        if values.get(field.name) is not None
    ]
    return "\n".join(lines)


def table_of(record: Record) -> str:
    """Return the table of a line, or ""."""
    name = record.data.get("table") if isinstance(record.data, dict) else None
    return name if isinstance(name, str) else ""


def row_of(record: Record, schema: Schema | None) -> Row:
    """Parse a line by the current schema; without one, values are kept unchanged."""
    data = record.data if isinstance(record.data, dict) else {}
    given = data.get("values")
    held: dict[str, Any] = dict(given) if isinstance(given, dict) else {}
    values: dict[str, Any] = {}
    problems = []
    for field in schema.fields if schema is not None else ():
        if field.type == HEAT:
            continue
        name = next((one for one in (field.name, *field.formerly) if one in held), "")
        value = held.pop(name) if name else None
        try:
            values[field.name] = encode_value(field, value)
        except BadInputError as error:
            values[field.name] = value
            problems.append(str(error))
        if field.required and values[field.name] is None:
            problems.append(f"{field.name} is required and has no value.")
    return Row(
        record.id,
        table_of(record),
        record.rev + 1,
        values=values,
        kept=held,
        at=record.when,
        agent=record.agent,
        deleted=record.deleted_at is not None,
        problems=() if record.deleted_at is not None else tuple(problems),
    )


def as_fields(row: Row, schema: Schema | None, *, everything: bool = False) -> dict[str, Any]:
    """Return a row as a JSON object: id, version, values in schema order."""
    told: dict[str, Any] = {"id": row.id, "version": row.version}
    names = [one.name for one in schema.fields] if schema is not None else list(row.values)
    told.update({name: row.values.get(name) for name in names})
    if everything:
        told.update({f"kept.{name}": value for name, value in row.kept.items()})
    return told
