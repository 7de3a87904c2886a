"""Creates an index's tables, or checks their version."""

from __future__ import annotations

import os

from satchel.storage.database.versions import check_version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import Database

_IS_MADE = "SELECT 1 FROM sqlite_master WHERE name = 'meta'"


def prepare(database: Database, sql: dict[str, str], version: str) -> None:
    """Create the tables if missing, or check their version."""
    if database.read(_IS_MADE):
        rows = database.read("SELECT value FROM meta WHERE name = 'schema'")
        check_version(str(rows[0][0]) if rows else "", version, "The index")
        return
    with database.transaction():
        if not database.read(_IS_MADE):
            make(database, sql, version)


def make(
    database: Database, sql: dict[str, str], version: str, *, from_scratch: bool = False
) -> None:
    """Create the tables, replacing existing ones if `from_scratch`."""
    last = 0
    if from_scratch:
        last = last_number(database)
        for name in database.read(sql["tables"]):
            database.write(f"DROP TABLE {name[0]!s}")
    with open(os.path.join(os.path.dirname(__file__), "schema.sql"), encoding="utf-8") as file:
        database.script(file.read())
    database.write("INSERT INTO meta VALUES ('schema', ?)", (version,))
    if last:
        # A document keeps its number: others may have read it before.
        database.write("INSERT INTO sqlite_sequence VALUES ('documents', ?)", (last,))


def last_number(database: Database) -> int:
    """Return the greatest number ever given to a document."""
    rows = database.read("SELECT seq FROM sqlite_sequence WHERE name = 'documents'")
    return int(rows[0][0] or 0) if rows else 0
