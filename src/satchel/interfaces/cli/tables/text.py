"""Format rows and schemas as text and as JSON."""

from __future__ import annotations

from typing import Any

from satchel.core import times
from satchel.core.excerpts import clipped
from satchel.core.ids import short_id
from satchel.core.trust import clean_line, clean_text
from satchel.features.tables.filters import Group
from satchel.features.tables.rows import as_fields
from satchel.features.tables.service import Tables
from satchel.features.tables.types import format_value
from satchel.features.tables.values import REFERENCE, Field, Row, Schema
from satchel.interfaces.rendering import Style

_LINE = 100


def row_text(tables: Tables, row: Row, style: Style, *, whole: bool = False) -> str:
    """Format a row, one field a line; references show the name of their target."""
    schema = tables.schema(row.table)
    by = f" by {clean_line(row.agent)}" if row.agent else ""
    gone = ", deleted" if row.deleted else ""
    head = f"{style.bold(clean_line(row.table))} {row.id}"
    lines = [f"{head}  {style.dim(f'version {row.version}{gone}, {times.minute(row.at)}{by}')}"]
    for field in schema.fields:
        value = row.values.get(field.name)
        if value is not None:
            text = clean_text(_named(tables, field, value)).strip().replace("\n", "\n    ")
            lines.append(f"  {field.name}: {text}")
    if whole:
        lines += [
            style.dim(
                f"  {clean_line(name)}: {clean_line(format_value(value))} (not declared any more)"
            )
            for name, value in row.kept.items()
        ]
    lines += [f"  ! {clean_line(problem)}" for problem in row.problems]
    return "\n".join(lines)


def row_line(tables: Tables, row: Row, style: Style) -> str:
    """Format a row on one line: its name, then its other fields."""
    schema = tables.schema(row.table)
    others = [
        f"{field.name} {clean_line(_named(tables, field, row.values[field.name]))}"
        for field in schema.fields
        if field.name != schema.title and row.values.get(field.name) is not None
    ]
    told = ", ".join(others)
    told = clipped(told, _LINE)
    mark = " !" if row.problems else ""
    name = style.bold(clean_line(row.title(schema)))
    return f"{style.dim(short_id(row.id))}  {name}{mark}  {told}"


def schema_text(schema: Schema, style: Style) -> str:
    """Format a table's declaration."""
    lines = [f"{style.bold(schema.name)}  {clean_line(schema.about)}"]
    for field in schema.fields:
        flags = [flag for flag in ("required", "unique") if getattr(field, flag)]
        more = [*flags, *([f"to {field.to}"] if field.to else [])]
        more += [f"of {', '.join(field.of)}"] if field.of else []
        more += [f"in {field.currency}"] if field.currency else []
        more += [f"{field.least or ''}..{field.most or ''}"] if field.least or field.most else []
        more += [f"once {', '.join(field.formerly)}"] if field.formerly else []
        more += [f"{format_value(field.default)} unless given"] if field.default is not None else []
        told = clean_line("; ".join([field.type, *more]))
        lines.append(f"  {field.name}: {told}" + style.dim(f"  {clean_line(field.help)}").rstrip())
    lines += [f"  unique together: {', '.join(names)}" for names in schema.unique]
    return "\n".join(lines)


def group_text(group: Group, style: Style, *, grouped: bool) -> str:
    """Format a group with its figures."""
    head = f"{style.bold(clean_line(format_value(group.group)) or '-')}  " if grouped else ""
    figures = [
        f"{name} {clean_line(format_value(value)) or '-'}" for name, value in group.figures.items()
    ]
    return head + ", ".join([str(group.rows), *figures])


def fields_json(row: Row, schema: Schema) -> dict[str, Any]:
    """Return all fields of a row for `--json`."""
    fields = as_fields(row, schema)
    fields["_at"] = times.minute(row.at)
    if row.agent:
        fields["_agent"] = row.agent
    if row.deleted:
        fields["_deleted"] = True
    if row.kept:
        fields["_kept"] = row.kept
    if row.problems:
        fields["_problems"] = list(row.problems)
    return fields


def _named(tables: Tables, field: Field, value: Any) -> str:
    return tables.named(field, value) if field.type == REFERENCE else format_value(value)
