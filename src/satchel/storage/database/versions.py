"""Versions of derived databases: older ones are rebuilt, newer ones left alone."""

from __future__ import annotations

import os

from satchel.core.errors import NewerIndexError, NotReadableError
from satchel.storage.database.queries import load_queries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.storage.database.contract import Database

_HAS_TABLES = "SELECT 1 FROM sqlite_master WHERE name = 'meta'"
#: Those of word indexes go with them.
_TABLES = """
SELECT name FROM sqlite_master
WHERE type = 'table' AND name NOT GLOB '*words_*' AND name NOT GLOB 'sqlite_*'
"""


class DerivedTables:
    """The tables of a derived database, its named queries, and named values beside them.

    Args:
        database: open; its tables are created if missing, or else their version is checked.
        beside: a module's file, next to which are `schema.sql` and `queries.sql`.
        version: of the schema.
        what: names the database in errors; see `check_version`.
    """

    def __init__(self, database: Database, beside: str, version: str, what: str) -> None:
        self.database, self._beside, self._version = database, beside, version
        named = load_queries(__file__, "named_values.sql")
        self.sql = named | load_queries(beside, "queries.sql")
        prepare(database, beside, version, what)

    def make_again(self) -> None:
        """Drop the tables and create them again. Needs a transaction."""
        make_again(self.database, self._beside, self._version)

    def ask(self, query: str, *values: Any) -> list[Any]:
        """Run a named read query."""
        return self.database.read(self.sql[query], values)

    def meta(self, name: str) -> str:
        """Return a named value, or ""."""
        rows = self.ask("meta", name)
        return str(rows[0][0]) if rows else ""

    def put_meta(self, name: str, value: str) -> None:
        """Set a named value."""
        self.database.write(self.sql["put_meta"], (name, value))


def prepare(database: Database, beside: str, version: str, what: str) -> None:
    """Create the tables of `schema.sql` beside a module if missing; check their version."""
    if not database.read(_HAS_TABLES):
        with database.transaction():
            if not database.read(_HAS_TABLES):
                _create(database, beside, version)
    rows = database.read("SELECT value FROM meta WHERE name = 'schema'")
    check_version(str(rows[0][0]) if rows else "", version, what)


def make_again(database: Database, beside: str, version: str) -> None:
    """Drop all tables and create them again. Needs a transaction."""
    for name in database.read(_TABLES):
        database.write(f"DROP TABLE {name[0]!s}")
    _create(database, beside, version)


def _create(database: Database, beside: str, version: str) -> None:
    with open(os.path.join(os.path.dirname(beside), "schema.sql"), encoding="utf-8") as file:
        database.script(file.read())
    database.write("INSERT INTO meta VALUES ('schema', ?)", (version,))


def check_version(found: str, ours: str, what: str) -> None:
    """Compare a database's schema version with this release's.

    Raises `NewerIndexError` for a newer one, which must not be written to: reading continues in
    memory. Raises `NotReadableError` for any other, which is moved aside and rebuilt.
    """
    if found == ours:
        return
    if found.isascii() and found.isdigit() and int(found[:9]) > int(ours):
        raise NewerIndexError(f"{what} was made by a newer Satchel; it is left as it is.")
    raise NotReadableError(f"{what} has another schema; it is rebuilt.")
