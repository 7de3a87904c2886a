"""Exports and imports rows as CSV and JSON, without loss."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from satchel.core.errors import BadInputError
from satchel.core.quick_json import dumps
from satchel.features.tables.rows import as_fields
from satchel.features.tables.types import format_value
from satchel.features.tables.values import JSON, LIST, Row, Schema

CSV, JSON_FILE, LINES = FORMATS = ("csv", "json", "jsonl")
#: Largest file to import, in bytes.
LARGEST = 256 * 1024 * 1024
_LONGEST_CELL = 1_000_000


def format_of(path: str, given: str) -> str:
    """Return a file's format, as given or by its extension."""
    name = (given or path.rpartition(".")[2]).lower()
    name = {"ndjson": LINES}.get(name, name)
    if name not in FORMATS:
        raise BadInputError(
            f"{path[:80] or 'standard input'} has no known format.",
            hint=f"Give --format {', '.join(FORMATS)}.",
        )
    return name


def exported(schema: Schema, rows: Sequence[Row], form: str) -> str:
    """Encode rows as a file: ids and versions, then fields, then older schemas' values."""
    every = [as_fields(row, schema, everything=True) for row in rows]
    if form == JSON_FILE:
        return "[\n" + ",\n".join(dumps(one) for one in every) + "\n]\n"
    if form == LINES:
        return "".join(dumps(one) + "\n" for one in every)
    import csv

    own = ["id", "version", *[one.name for one in schema.fields]]
    more = sorted({name for one in every for name in one if name not in own})
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    # A carriage return is only quoted if everything is.
    quoting = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow([*own, *more])
    kinds = {one.name: one.type for one in schema.fields}
    for one in every:
        cells = [_cell(kinds.get(name, ""), one.get(name)) for name in [*own, *more]]
        (quoting if any("\r" in cell for cell in cells) else writer).writerow(cells)
    return out.getvalue()


def _cell(kind: str, value: Any) -> str:
    """Encode a value so that parsing restores it; some lists need JSON."""
    odd = isinstance(value, list) and any(set(",\r[").intersection(str(one)) for one in value)
    if value is not None and (kind == JSON or (kind == LIST and odd)):
        return str(dumps(value))
    return format_value(value)


def read_rows(data: bytes, form: str) -> list[tuple[str, dict[str, Any]]]:
    """Parse a file into pairs of a position (`line 3`) and a row's values.

    Raises `BadInputError` for any other file; the rows' values are checked later.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(
            f"The file is not UTF-8 (byte {error.start}).", hint="Save it as UTF-8."
        ) from None
    if form == CSV:
        return list(_csv_rows(text))
    if form == LINES:
        numbered = enumerate(text.split("\n"), start=1)
        return [(f"line {n}", _object(line, f"line {n}")) for n, line in numbered if line.strip()]
    value = _json(text, "the file")
    if isinstance(value, dict):
        value = next((one for one in value.values() if isinstance(one, list)), [value])
    if not isinstance(value, list):
        raise BadInputError("The file contains no list of rows.", hint='[{"name": ...}, ...]')
    found = []
    for number, one in enumerate(value, start=1):
        if not isinstance(one, dict):
            raise BadInputError(f"Row {number} is not an object.", hint='{"name": ...}')
        found.append((f"row {number}", one))
    return found


def _csv_rows(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    import csv

    csv.field_size_limit(_LONGEST_CELL)
    head = text.split("\n", 1)[0]
    comma = max((",", ";", "\t"), key=head.count)
    # Otherwise half a file within quotes would become one cell; `strict` raises.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=comma, strict=True)
    try:
        names = [name.strip() for name in next(reader, [])]
        if not names or len(set(names)) != len(names) or "" in names:
            raise BadInputError("The first line must name each column once.")
        for cells in reader:
            place = f"line {reader.line_num}"
            if not any(cells):
                continue
            if len(cells) > len(names):
                raise BadInputError(
                    f"{place} has {len(cells)} cells and {len(names)} columns.",
                    hint="Put texts with commas into quotes.",
                )
            yield place, dict(zip(names, cells, strict=False))
    except csv.Error as error:
        raise BadInputError(f"line {reader.line_num} is not CSV: {error}.") from None


def _object(text: str, place: str) -> dict[str, Any]:
    value = _json(text, place)
    if not isinstance(value, dict):
        raise BadInputError(f"{place} is not a JSON object.")
    return value


def _json(text: str, place: str) -> Any:
    """Parse JSON without changing decimals: 0.10 stays 0.10."""
    import json
    from decimal import Decimal

    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"{place} is not JSON: {error}.") from None


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a number")
