"""Databases as earlier and later releases of Satchel leave them, made from their own schemas."""

import glob
import json
import os
import re
from typing import Any, NamedTuple

import apsw

import satchel
from satchel.engine.search.index import SCHEMA as SEARCH
from satchel.features.code.map.store import SCHEMA as CODE
from satchel.features.graph.store import SCHEMA as GRAPH
from satchel.features.tasks.index import SCHEMA as TASKS

_RELEASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "releases")
_PACKAGE = os.path.dirname(os.path.abspath(satchel.__file__))
#: Subject -> its schema now, and where that lies.
SUBJECTS = {
    "search": (SEARCH, "engine/search"), "graph": (GRAPH, "features/graph"),
    "code": (CODE, "features/code/map"),
    "tasks": (TASKS, "features/tasks"),
}  # fmt: skip
GHOST = "ghostofareleasethatisgone"
#: The schema number of a release that is not written yet.
NEWER = "999"


class Release(NamedTuple):
    """One subject's database at one schema number."""

    subject: str
    version: str

    @property
    def schema(self) -> str:
        """The SQL that made it."""
        path = os.path.join(_RELEASES, f"{self.subject}-{self.version}.sql")
        if not os.path.exists(path):
            path = os.path.join(_PACKAGE, SUBJECTS[self.subject][1], "schema.sql")
        with open(path, encoding="utf-8") as file:
            return file.read()


def older_releases() -> list[Release]:
    """Every older schema that there was, and those whose text is that of today."""
    found = []
    for path in sorted(glob.glob(os.path.join(_RELEASES, "*.sql"))):
        name = re.fullmatch(r"([a-z]+)-(\d+)\.sql", os.path.basename(path))
        assert name, path
        found.append(Release(name[1], name[2]))
    return found


def make_store(path: str, release: Release, *, more: str = "") -> int:
    """Make a database of a release, with rows that are in no ledger; return how many."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for ending in ("", "-wal", "-shm"):
        if os.path.exists(path + ending):
            os.unlink(path + ending)
    connection = apsw.Connection(path)
    connection.pragma("journal_mode", "wal")
    for _ in connection.execute(release.schema + more):
        pass
    connection.execute("INSERT INTO meta (name, value) VALUES ('schema', ?)", (release.version,))
    rows = sum(_haunt(connection, str(name)) for (name,) in _tables(connection))
    connection.pragma("wal_checkpoint(TRUNCATE)")
    connection.close()
    return rows


def _tables(connection: Any) -> list[Any]:
    return list(
        connection.execute(
            "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' "
            "AND name NOT LIKE 'sqlite_%' AND name != 'meta' ORDER BY name"
        ).fetchall()
    )


def _haunt(connection: Any, table: str) -> int:
    """Put one row into a table, of whatever types its columns have."""
    columns = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
    values = [
        7 if "INT" in str(kind).upper() else 0.5 if "REAL" in str(kind).upper()
        else GHOST.encode() if "BLOB" in str(kind).upper()
        # The index of what waits reads these as JSON, as every release has written them.
        else json.dumps({"ghost": GHOST}) if name == "fields" else GHOST
        for name, kind in columns
    ]  # fmt: skip
    marks = ", ".join("?" * len(values))
    names = ", ".join(f'"{name}"' for name, _ in columns)
    connection.execute(f'INSERT OR REPLACE INTO "{table}" ({names}) VALUES ({marks})', values)
    return 1


def schema_of(path: str) -> set[tuple[str, str, str]]:
    """What `sqlite_master` says, without what an engine adds by itself."""
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
        return {(str(kind), str(name), str(sql)) for kind, name, sql in rows}
    finally:
        connection.close()


def version_in(path: str) -> str:
    """The schema number that a database says it has."""
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        rows = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchall()
        return str(rows[0][0])
    finally:
        connection.close()
