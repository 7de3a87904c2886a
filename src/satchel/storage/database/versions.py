"""Versions of derived databases: older ones are rebuilt, newer ones left alone."""

from __future__ import annotations

import os

from satchel.core.errors import NewerIndexError, NotReadableError
from satchel.storage.database.queries import load_queries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import Database

_HAS_TABLES = "SELECT 1 FROM sqlite_master WHERE name = 'meta'"


def with_schema(database: Database, beside: str, version: str, what: str) -> dict[str, str]:
    """Create a derived database's tables, or check their version; return its queries.

    `schema.sql` and `queries.sql` are next to the module file `beside`. See `check_version`.
    """
    sql = load_queries(beside, "queries.sql")
    if not database.read(_HAS_TABLES):
        with database.transaction():
            if not database.read(_HAS_TABLES):
                make_schema(database, beside, version, sql)
    rows = database.read(sql["meta"], ("schema",))
    check_version(str(rows[0][0]) if rows else "", version, what)
    return sql


def make_schema(database: Database, beside: str, version: str, sql: dict[str, str]) -> None:
    """Create the tables of `schema.sql`. Needs a transaction."""
    with open(os.path.join(os.path.dirname(beside), "schema.sql"), encoding="utf-8") as file:
        database.script(file.read())
    database.write(sql["put_meta"], ("schema", version))


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
