"""Every statement of a project reads one partition: asked of the server's plans, statement by statement."""

import re
from collections.abc import Sequence
from pathlib import Path

import psycopg
import pytest

from integration.team_life import Watched, live, opened, serve
from satchel.engine.search.team import index
from satchel.project.server_database import ServerDatabase
from satchel.storage.database.contract import Value

pytest_plugins = ["postgresql_fixtures"]
#: How a plan names a partition of a table; its indexes are named so too.
_PARTITION = re.compile(r" on (\w+_p\d)\b")
_PLANNED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")


def planned(url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """Do what a project does in its life; return the partitions that each statement reads."""
    seen: dict[str, set[str]] = {}

    def plan(database: Watched, sql: str, values: Sequence[Value]) -> None:
        bare = "\n".join(line for line in sql.splitlines() if not line.startswith("--")).strip()
        if bare.startswith(_PLANNED):
            with psycopg.connect(database.url, cursor_factory=psycopg.RawCursor) as other:
                other.execute("SET LOCAL search_path = satchel, public")
                other.execute("SELECT act($1, true)", (database.project,))
                plan = other.execute("EXPLAIN " + bare.replace("?", "$"), list(values)).fetchall()
                other.rollback()
            parts = {name[-2:] for line in plan for name in _PARTITION.findall(str(line[0]))}
            seen[" ".join(sql.split())[:200]] = parts

    monkeypatch.setattr(Watched, "told", plan)
    memories = opened(Watched(url, "one"), str(folder), "one")
    live(memories)
    memories.index.database.close()
    monkeypatch.setattr(
        "satchel.project.server_database.connect", lambda at, _, whose: Watched(at, whose)
    )
    database = ServerDatabase(url)
    serve(database, str(folder))
    database.close()
    return seen


def test_every_statement_of_a_project_reads_one_partition(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = planned(postgresql_url, tmp_path, monkeypatch)
    assert sum(bool(parts) for parts in seen.values()) > 30
    assert {sql: parts for sql, parts in seen.items() if len(parts) > 1} == {}


def test_a_join_that_does_not_name_the_project_is_found_out(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    complete = index._complete

    def careless(queries: dict[str, str]) -> dict[str, str]:
        parts = {
            name: queries[name].replace("p.project = ?1", "p.project = d.project")
            for name in ("columns", "newest_visible")
        }
        return complete(queries | parts)

    monkeypatch.setattr(index, "_complete", careless)
    seen = planned(postgresql_url, tmp_path, monkeypatch)
    assert [parts for parts in seen.values() if len(parts) > 1]
