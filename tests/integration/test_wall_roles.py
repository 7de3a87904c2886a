"""The roles of the second wall: what they may do, who has them, and what says nothing."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from integration.team_life import live, opened, serve
from postgresql_catalogue import walls
from postgresql_server import Server
from satchel.application.health.team_database import database_findings
from satchel.core.errors import NotWritableError
from satchel.project.server_database import ServerDatabase
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.migrating import migrate
from satchel.storage.database.postgresql import PostgresDatabase

pytest_plugins = ["postgresql_fixtures"]
Url = str


@pytest.fixture
def filled(postgresql_url: Url, tmp_path: object) -> Url:
    """A database with a project and what servers keep."""
    memories = opened(PostgresDatabase(postgresql_url, "one"), str(tmp_path), "one")
    live(memories)
    memories.index.database.close()
    servers = ServerDatabase(postgresql_url)
    serve(servers, str(tmp_path))
    servers.close()
    return postgresql_url


@contextmanager
def logged_in(url: Url) -> Iterator[psycopg.Connection]:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET search_path = satchel, public")
        yield connection


def roles(connection: psycopg.Connection) -> list[str]:
    """The database's reader and writer."""
    found = []
    for writes in (False, True):
        with connection.transaction():
            connection.execute("SELECT act('none', %s)", (writes,))
            found += [str(row[0]) for row in connection.execute("SELECT current_user")]
    return found


def seen(connection: psycopg.Connection, tables: list[str]) -> dict[str, int]:
    """How many rows there are of each table, where any."""
    counts = {}
    for table in tables:
        row = connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()
        counts[table] = int(row[0]) if row else 0
    return {table: count for table, count in counts.items() if count}


def tables_of(url: Url) -> list[str]:
    database = PostgresDatabase(url, MAINTENANCE)
    try:
        return [*walls(database), "searched"]
    finally:
        database.close()


def silent(url: Url) -> list[dict[str, int]]:
    """What each role sees that has not said for whom it acts: at first, and after one that had."""
    tables, found = tables_of(url), []
    with logged_in(url) as connection:
        for role in roles(connection):
            for _ in range(2):
                connection.execute(f"SET ROLE {role}")
                found.append(seen(connection, tables))
                connection.execute("RESET ROLE")
                with connection.transaction():
                    connection.execute("SELECT act('', true)")
                    assert "ledger_lines" in seen(connection, tables)
    return found


def test_every_table_with_a_project_stands_behind_the_wall(postgresql_url: Url) -> None:
    database = PostgresDatabase(postgresql_url, MAINTENANCE)
    assert set(walls(database).values()) == {""}
    assert len(walls(database)) == 10
    database.script("CREATE TABLE satchel.stray (project text)")
    assert walls(database)["stray"] == "no row security, not one policy"
    database.script("CREATE POLICY wide ON satchel.codes_p3 USING (true)")
    assert walls(database)["codes"] == "codes_p3"
    database.close()


def test_what_does_not_say_for_whom_it_acts_sees_nothing(filled: Url) -> None:
    assert silent(filled) == [{}] * 4


def test_servers_rows_for_who_says_nothing_are_found_out(filled: Url) -> None:
    """Seeded bug: after a transaction, its settings are empty, as the servers' name is."""
    with logged_in(filled) as connection:
        connection.execute(
            "CREATE OR REPLACE FUNCTION satchel.acting_for() RETURNS text LANGUAGE sql STABLE "
            "RETURN substr(current_setting('satchel.project', true), 2)"
        )
    assert "ledger_lines" in silent(filled)[1]


def test_a_role_gets_around_the_wall_neither_by_partitions_nor_by_views(filled: Url) -> None:
    with logged_in(filled) as connection:
        every = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'satchel'::regnamespace "
            "AND (relispartition AND relkind = 'r' OR relkind = 'v')"
        ).fetchall()
        names = {str(name) for (name,) in every} - {"searched"}
        assert len(names) > 80 + 11
        for role in roles(connection):
            connection.execute(f"SET ROLE {role}")
            for name in names:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(f"SELECT FROM {name}")
            connection.execute("RESET ROLE")


def of(url: Url, user: str) -> Url:
    return url.replace("//postgres@", f"//{user}@")


@contextmanager
def user(server: Server, name: str, *rights: str) -> Iterator[None]:
    with psycopg.connect(server.url(), autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {name} LOGIN")
        for right in rights:
            admin.execute(right)
    yield


def test_a_server_s_user_needs_no_more_than_the_two_roles(
    postgresql_server: Server, postgresql_url: Url, tmp_path: object
) -> None:
    with logged_in(postgresql_url) as connection:
        reader, writer = roles(connection)
    with user(postgresql_server, "clerk", f"GRANT {reader}, {writer} TO clerk"):
        url = of(postgresql_url, "clerk")
        servers = ServerDatabase(url)
        servers.prepare()
        servers.migrate()
        serve(servers, str(tmp_path))
        servers.close()
        memories = opened(PostgresDatabase(url, "one"), str(tmp_path), "one")
        live(memories)
        memories.index.database.close()
        database = PostgresDatabase(url, MAINTENANCE)
        assert seen_by(database) == {}
        assert not any("wall" in one for one in told(url))
        with pytest.raises(NotWritableError):
            database.script("ALTER TABLE satchel.documents DISABLE ROW LEVEL SECURITY")
        database.close()


def told(url: Url) -> list[str]:
    """What `serve --check` finds, but for what is of the tests' server."""
    found = [f"{one.severity}: {one.what}" for one in database_findings(url)]
    return [one for one in found if "fsync" not in one]


def test_a_wall_that_does_not_stand_is_told(
    postgresql_server: Server, empty_postgresql_url: Url
) -> None:
    database = PostgresDatabase(empty_postgresql_url, MAINTENANCE)
    migrate(database)
    (one,) = told(empty_postgresql_url)
    assert one.startswith("note: postgres owns the tables or is a superuser")
    database.script("ALTER TABLE satchel.vectors DISABLE ROW LEVEL SECURITY")
    assert [" in vectors: " in one for one in told(empty_postgresql_url)] == [True, True]
    database.script("ALTER TABLE satchel.vectors ENABLE ROW LEVEL SECURITY")
    with logged_in(empty_postgresql_url) as connection:
        reader, _ = roles(connection)
        connection.execute(f"ALTER ROLE {reader} BYPASSRLS")
    (one,) = told(empty_postgresql_url)
    assert one.startswith(f"warning: row security does not bind {reader} in codes, documents")
    with user(postgresql_server, "stranger", f"GRANT {reader} TO stranger"):
        (one,) = told(of(empty_postgresql_url, "stranger"))
        assert "permission denied to set role" in one
        (finding,) = database_findings(of(empty_postgresql_url, "stranger"))[1:]
        assert "GRANT you the two roles" in finding.next_step
    database.close()


def seen_by(database: PostgresDatabase) -> dict[str, int]:
    counts = {
        t: int(database.read(f"SELECT COUNT(*) FROM {t}")[0][0] or 0) for t in walls(database)
    }
    return {table: count for table, count in counts.items() if count}


@pytest.mark.parametrize("may", ["CREATEROLE", "NOCREATEROLE"])
def test_tables_of_an_owner_who_is_no_superuser_stand_behind_the_wall(
    postgresql_server: Server, empty_postgresql_url: Url, tmp_path: object, may: str
) -> None:
    owner = f"owner_{may.lower()}"
    name = empty_postgresql_url.partition("@/")[2].partition("?")[0]
    with logged_in(empty_postgresql_url) as admin:
        admin.execute("CREATE EXTENSION vector")
    rights = (f"ALTER ROLE {owner} {may}", f"ALTER DATABASE {name} OWNER TO {owner}")
    with user(postgresql_server, owner, *rights):
        database = PostgresDatabase(of(empty_postgresql_url, owner), "one")
        if may == "NOCREATEROLE":
            (finding,) = database_findings(of(empty_postgresql_url, owner))[1:]
            with pytest.raises(NotWritableError, match="CREATE ROLE") as refused:
                migrate(database)
            steps = str(refused.value).partition("has to say first: ")[2].rstrip(".")
            assert steps in finding.next_step
            with psycopg.connect(postgresql_server.url(), autocommit=True) as superuser:
                superuser.execute(steps)
        migrate(database)
        live(opened(database, str(tmp_path), "one"))
        assert seen_by(database) != {}
        database.project = "two"
        assert seen_by(database) == {}
        database.close()
