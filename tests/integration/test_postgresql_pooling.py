"""Connections are few and shared; a pooler in transaction mode changes nothing."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from conformance.stores import WordHashes
from integration.test_postgresql_moving import satchel
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from integration.test_team_serving import running
from pgbouncer import pgbouncer
from postgresql_server import Server
from satchel.core.clock import FixedClock
from satchel.core.errors import BusyError, StoreError
from satchel.engine.search.records import parse_line
from satchel.engine.search.team import vectors as team_vectors
from satchel.engine.search.team.index import TeamIndex
from satchel.features.memories.service import Limits, Memories
from satchel.features.memories.team_ledgers import TeamLedgers
from satchel.storage.database import postgresql, postgresql_pool
from satchel.storage.database.acting import MAINTENANCE, SET_UP_FOR
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.database.postgresql_pool import MOST, Connection, Pool, leave, shared_pool
from satchel.storage.paths import UserHome

pytest_plugins = ["postgresql_fixtures"]
HERE = "/api/projects/current"
#: What a session must not keep of a transaction.
_LEAKS = (
    "search_path",
    "statement_timeout",
    "lock_timeout",
    "plan_cache_mode",
    "client_min_messages",
    "hnsw.iterative_scan",
    "hnsw.ef_search",
)


def open_memories(url: str, folder: str, project: str = "one") -> Memories:
    index = TeamIndex(PostgresDatabase(url, project), project, parse_line)
    state, clock = UserHome(folder).project_state(project), FixedClock()
    ledgers = TeamLedgers(index, clock=clock, state=state)
    return Memories(ledgers, index, clock, Limits())


def url_at(url: str, port: int) -> str:
    """The same database, by way of a pooler."""
    name = url.partition("@/")[2].partition("?")[0]
    return f"postgresql://postgres@127.0.0.1:{port}/{name}"


def connections(url: str) -> int:
    with psycopg.connect(url, autocommit=True) as asked:
        row = asked.execute(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND application_name = 'satchel'"
        ).fetchone()
    return int(row[0]) if row else 0


def most_connections(url: str, folder: Path) -> int:
    """Let 40 projects write and read at once; return how many connections are open then."""
    opened = [open_memories(url, str(folder), f"p{n}") for n in range(40)]
    assert connections(url) == 0, "opened when needed"
    with ThreadPoolExecutor(40) as threads:
        list(
            threads.map(
                lambda one: one.remember("the quay is swept at noon", kind="learned"), opened
            )
        )
        list(threads.map(lambda one: one.live(), opened))
    most = connections(url)
    for one in opened:
        one.index.database.close()
    return most


def test_all_projects_of_a_process_share_few_connections(
    postgresql_url: str, tmp_path: Path
) -> None:
    assert 1 <= most_connections(postgresql_url, tmp_path) <= MOST
    # The server counts a connection for a moment after it was closed.
    until = time.monotonic() + 10
    while connections(postgresql_url) and time.monotonic() < until:
        time.sleep(0.05)
    assert connections(postgresql_url) == 0, "the last one closes them"


def test_connections_for_each_project_are_found_out(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""

    def own_pool(url: str) -> Pool:
        pool = Pool(url)
        pool.users = 1
        return pool

    monkeypatch.setattr(postgresql, "shared_pool", own_pool)
    assert most_connections(postgresql_url, tmp_path) > MOST


def test_who_finds_none_free_waits_and_says_so(postgresql_url: str) -> None:
    pool, database = (
        shared_pool(postgresql_url),
        PostgresDatabase(postgresql_url, MAINTENANCE, patience=0.2),
    )
    lent = [pool.lend(1, 2) for _ in range(MOST)]
    with pytest.raises(BusyError, match="in use"):
        database.read("SELECT 1")
    pool.give_back(*lent.pop())
    assert database.read("SELECT 1") == [(1,)]
    for one in lent:
        pool.give_back(*one)
    database.close()
    leave(pool)


def test_connections_that_a_restart_cost_are_forgotten_at_once(postgresql_url: str) -> None:
    pool, database = (
        shared_pool(postgresql_url),
        PostgresDatabase(postgresql_url, MAINTENANCE, patience=2),
    )
    lent = [pool.lend(1, 2) for _ in range(8)]
    for one in lent:
        pool.give_back(*one)
    with psycopg.connect(postgresql_url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    tries: list[bool] = []

    def work(again: bool) -> None:  # noqa: FBT001
        tries.append(again)
        database.read("SELECT 1")

    database.attempt(work)
    assert tries == [False], "the loss is found before anything is written"
    assert all(one.closed for one, _ in lent), "those beside the lost one are not tried"
    database.close()
    leave(pool)


def through_a_pooler(server: Server, url: str, tmp_path: Path) -> dict[str, str]:
    """Work through a pooler, many at once; return what is left in its sessions."""
    with pgbouncer(server) as port:
        several = [open_memories(url_at(url, port), str(tmp_path), f"p{n}") for n in range(6)]

        def work(memories: Memories) -> None:
            for number in range(8):
                memories.remember(f"the quay number {number} is swept at noon", kind="learned")
                found = memories.index.search("quay swept", memories.view())
                assert len(found) == number + 1
            memories.index.rebuild()  # type: ignore[attr-defined]
            vectors, embedder = memories.index.vectors(WordHashes()), WordHashes()
            while vectors.embed_waiting():
                pass
            assert len(vectors.nearest(embedder.embed(["quay"])[0], 3)) == 3

        try:
            with ThreadPoolExecutor(6) as threads:
                list(threads.map(work, several))
            assert [len(one.live()) for one in several] == [8] * len(several)
        finally:
            for one in several:
                one.index.database.close()
        with psycopg.connect(url_at(url, port), autocommit=True, prepare_threshold=None) as asked:
            rows = asked.execute(
                "SELECT name, setting || ' of ' || source FROM pg_settings "
                "WHERE source = 'session' AND name = ANY(%s)",
                (list(_LEAKS),),
            ).fetchall()
            acting = asked.execute(
                "SELECT 'acting', current_user || ' ' || current_setting('satchel.project') "
                "WHERE current_user <> session_user OR current_setting('satchel.project', true) <> ''"
            ).fetchall()
            prepared = asked.execute("SELECT name FROM pg_prepared_statements").fetchall()
    return dict(rows) | dict(acting) | {str(name): "prepared" for (name,) in prepared}


@pytest.mark.parametrize("exact", [0, 20_000])
def test_a_pooler_in_transaction_mode_changes_nothing(
    postgresql_server: Server,
    postgresql_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    exact: int,
) -> None:
    monkeypatch.setattr(team_vectors, "EXACT", exact)
    assert through_a_pooler(postgresql_server, postgresql_url, tmp_path) == {}


def test_a_setting_of_a_session_is_found_out(
    postgresql_server: Server, postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    lasting = SET_UP_FOR.replace(", true)", ", false)")
    monkeypatch.setattr(postgresql, "SET_UP_FOR", lasting)
    left = through_a_pooler(postgresql_server, postgresql_url, tmp_path)
    assert "search_path" in left


def test_a_statement_that_is_prepared_by_name_is_found_out(
    postgresql_server: Server, postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: the pooler is taken for the server."""
    monkeypatch.setattr(Connection, "direct", property(lambda _: True, lambda *_: None))
    with pytest.raises(Exception, match="prepared statement"):
        assert not through_a_pooler(postgresql_server, postgresql_url, tmp_path), (
            "prepared statement"
        )


def plan_kept(database: PostgresDatabase, table: str) -> str:
    """Ask for a row more often than is worth planning; return the plan that the server keeps."""
    for _ in range(10):
        database.read(f"SELECT id FROM {table} WHERE id = ?1", (1,))
    pool = shared_pool(database.url)
    connection, generation = pool.lend(1, 2)
    rows = connection.execute(
        "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%FROM public.%'"
    )
    name = rows.fetchall()[0][0]
    connection.execute("BEGIN")
    # With another search path it would be planned again.
    connection.execute("SET LOCAL search_path = satchel, public")
    connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
    told = connection.execute(f"EXPLAIN (COSTS off) EXECUTE {name} (1)").fetchall()
    connection.execute("COMMIT")
    pool.give_back(connection, generation)
    leave(pool)
    return str(told[0][0])


def test_a_plan_is_kept_until_it_is_old(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = PostgresDatabase(postgresql_url, MAINTENANCE)
    table = "public.grown"
    database.script(
        f"CREATE TABLE {table} (id bigint PRIMARY KEY) WITH (autovacuum_enabled = off); "
        f"INSERT INTO {table} VALUES (1)"
    )
    database.script(f"VACUUM ANALYZE {table}")
    assert plan_kept(database, table).startswith("Seq Scan")
    database.script(f"INSERT INTO {table} SELECT generate_series(2, 50000)")
    assert plan_kept(database, table).startswith("Seq Scan"), "kept, though the table has grown"
    monkeypatch.setattr(postgresql_pool, "_KEPT", 0.0)
    assert plan_kept(database, table).startswith("Index Only Scan")
    database.close()


def test_each_role_has_plans_of_its_own(postgresql_url: str) -> None:
    """A plan for one role was made again for the other, at each turn."""
    database = PostgresDatabase(postgresql_url, "one")
    for number in range(20):
        database.writes = bool(number % 2)
        database.read("SELECT documents FROM project_heads WHERE project = ?1", ("one",))
    owner = PostgresDatabase(postgresql_url, MAINTENANCE)
    asked = (
        "SELECT COUNT(*) FROM pg_prepared_statements WHERE statement LIKE '%FROM project_heads%'"
    )
    assert owner.read(asked) == [(2,)]  # on the same connection: it is the only one
    owner.close()
    database.close()


def test_what_an_error_kept_from_being_prepared_is_not_taken_for_prepared(
    postgresql_url: str,
) -> None:
    database = PostgresDatabase(postgresql_url, MAINTENANCE)
    assert database.read("SELECT 2") == [(2,)]
    for _ in range(10):
        with pytest.raises(StoreError, match="division by zero"):
            database.together(("SELECT 1 / ?1::int", (0,)), ("SELECT 2", ()))
    assert database.read("SELECT 2") == [(2,)]
    database.close()


def test_the_product_works_through_a_pooler(
    postgresql_server: Server, empty_postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    ada = str(tmp_path / "ada")
    with pgbouncer(postgresql_server) as port:
        url = url_at(empty_postgresql_url, port)
        for words in (
            ("team", "init", url),
            ("learn", "The pump is primed by hand on Mondays."),
            ("remember", "--kind", "decision", "The tunnel is on port 5433"),
            ("team", "push"),
            ("team", "pull"),
            ("team", "status"),
        ):
            code, text = satchel(repository, ada, *words)
            assert code == 0, (words, text)
        for method in ("keyword", "fast", "hybrid"):
            code, text = satchel(
                repository, ada, "recall", "port of the tunnel", "--method", method
            )
            assert code == 0, text
            assert "5433" in text
        with running(
            repository, str(tmp_path / "home"), "--database", url, "--workers", "2"
        ) as server:
            with server.client() as client, ThreadPoolExecutor(8) as threads:
                body = {"kind": "learned", "content": "the quay is swept at noon"}
                made = [threads.submit(client.post, f"{HERE}/memory", json=body) for _ in range(8)]
                assert {one.result().status_code for one in made} == {201}
                asked = [
                    threads.submit(client.get, f"{HERE}/search?q=tunnel port") for _ in range(24)
                ]
                assert all("5433" in one.result().text for one in asked)
    assert os.path.isdir(ada)
