"""The Foundation: "PostgreSQL structured data": every table by its name, with rows in each."""

import json
from pathlib import Path

import pytest

from acceptance.foundation_tables import BUSINESS, TABLES, Foundation
from integration.installed import needs_command
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.postgresql import PostgresDatabase

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
pytest_plugins = ["postgresql_fixtures"]


def test_every_table_of_the_document_has_rows(empty_postgresql_url: str, tmp_path: Path) -> None:
    fleet = Foundation(tmp_path, empty_postgresql_url)
    fleet.fill()
    fleet.push()
    counts = fleet.counts()
    assert set(counts) == {*TABLES, *BUSINESS}
    assert [name for name, count in counts.items() if not count] == []
    graph = fleet.run("graph", "stats", "--json")
    database = PostgresDatabase(empty_postgresql_url, MAINTENANCE)

    def rows(sql: str) -> list[tuple[object, ...]]:
        return [tuple(row) for row in database.read(sql)]

    assert counts["facts"] == 2
    assert f'"entities": {counts["entities"]}' in graph
    assert counts["entities"] > 330
    assert counts["relationships"] >= 330
    types = {str(row[0]) for row in rows("SELECT DISTINCT type FROM satchel.activities")}
    assert {"patrol", "session_end"} <= types
    assert "" not in types
    names = {str(row[0]).lower() for row in rows("SELECT name FROM satchel.entities")}
    assert not names & {"rationale", "alternatives considered", "applies"}
    said = rows("SELECT role, content FROM satchel.messages ORDER BY created_at, id")
    assert ("user", "Why does the migration hang?") in said
    assert ("assistant", "A lock.") in said
    assert rows("SELECT 1 FROM satchel.conversations WHERE title = 'Talk'") == [(1,)]
    # What is forgotten leaves the server, too.
    words = ("remember", "the zeppelin hangar burns at dawn in Lakehurst", "--json")
    ident = json.loads(fleet.run(*words))["id"]
    fleet.run("session", "say", "--to", "-", "the zeppelin hangar burns at dawn in Lakehurst, no?")
    fleet.run("team", "push", "--everything")
    assert "zeppelin hangar burns" in str(rows("SELECT content FROM satchel.messages"))
    fleet.run("forget", ident, "--yes")
    told = str(rows("SELECT content FROM satchel.messages"))
    assert "zeppelin hangar burns" not in told
    database.close()
