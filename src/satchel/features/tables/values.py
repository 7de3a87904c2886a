"""The values of tables: fields, schemas, rows, problems."""

from __future__ import annotations

from satchel.core.ids import short_id
from satchel.core.values import Any, NamedTuple

TEXT, INTEGER, DECIMAL, MONEY, BOOLEAN = "text", "integer", "decimal", "money", "boolean"
DATE, TIME, CHOICE, LIST, REFERENCE, JSON = "date", "time", "choice", "list", "reference", "json"
#: Computed when a row is read, never written.
HEAT = "heat"
TYPES = (TEXT, INTEGER, DECIMAL, MONEY, BOOLEAN, DATE, TIME, CHOICE, LIST, REFERENCE, JSON, HEAT)


class Field(NamedTuple):
    """One field of a table.

    `of` are the values of a choice, `to` the table of a reference, `currency` the default of an
    amount, `least` and `most` the bounds of a number, as written, `formerly` its earlier names.
    """

    name: str
    type: str = TEXT
    required: bool = False
    unique: bool = False
    of: tuple[str, ...] = ()
    to: str = ""
    currency: str = ""
    least: str = ""
    most: str = ""
    formerly: tuple[str, ...] = ()
    default: Any = None
    help: str = ""


class Schema(NamedTuple):
    """A table's declaration, as in its file.

    `title` is the field that names a row. `unique` are fields that are unique together. `words` are
    those by which questions mean this table. `due` is the field after whose day a row is overdue,
    unless the field `closed[0]` has one of the values `closed[1:]`. A `private` table stays on this
    machine even if the team has a server.
    """

    name: str
    fields: tuple[Field, ...]
    about: str = ""
    title: str = ""
    unique: tuple[tuple[str, ...], ...] = ()
    words: tuple[str, ...] = ()
    due: str = ""
    closed: tuple[str, ...] = ()
    private: bool = False
    path: str = ""

    def field(self, name: str) -> Field | None:
        """Return a field by its name."""
        return next((one for one in self.fields if one.name == name), None)


class Row(NamedTuple):
    """One version of one row.

    `values` has declared fields in their JSON form: amounts and dates are texts, so that nothing is
    rounded. `kept` has fields declared by older versions of the schema. `problems` say what no
    longer fits. `version` counts from 1; `at` is Unix seconds.
    """

    id: str
    table: str
    version: int
    values: dict[str, Any]
    kept: dict[str, Any]
    at: int = 0
    agent: str = ""
    deleted: bool = False
    problems: tuple[str, ...] = ()

    def title(self, schema: Schema) -> str:
        """Return the row's display name."""
        value = self.values.get(schema.title)
        return " ".join(str(value).split()) if value is not None else short_id(self.id)


class Hit(NamedTuple):
    """A matching row: its schema, the text shown, its score from 0 to 1."""

    row: Row
    schema: Schema
    title: str
    text: str
    score: float


class ImportReport(NamedTuple):
    """The result of an import: rows by result, and errors by position."""

    added: int
    updated: int
    unchanged: int
    wrong: tuple[str, ...] = ()
