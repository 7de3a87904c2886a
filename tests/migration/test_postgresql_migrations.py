"""Migrations of a team's store: their sum is the schema, and nothing stops them half way."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from postgresql_catalogue import catalogue
from satchel.core.clock import FixedClock
from satchel.core.errors import ConflictError, NewerFormatError, SatchelError
from satchel.engine.search.records import parse_line
from satchel.engine.search.team.index import TeamIndex
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.migrating import (
    Migration,
    check,
    migrate,
    migrations,
    statements,
    version_of,
)
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.team import TeamLedger, derive_nothing

pytest_plugins = ["postgresql_fixtures"]
STEPS = migrations()
#: The schema as it was reviewed. This file, run with the address of an empty database, writes it.
SCHEMA = os.path.join(os.path.dirname(__file__), "postgresql_schema.txt")


@contextmanager
def connected(url: str) -> Iterator[PostgresDatabase]:
    database = PostgresDatabase(url, MAINTENANCE, patience=2)
    try:
        yield database
    finally:
        database.close()


def reviewed() -> list[str]:
    with open(SCHEMA, encoding="utf-8") as file:
        return file.read().splitlines()


def test_migrations_are_numbered_without_a_gap() -> None:
    assert [step.number for step in STEPS] == list(range(1, len(STEPS) + 1))
    assert all(step.statements for step in STEPS)


def test_a_script_is_cut_at_its_statements() -> None:
    text = "-- why; not here\nSELECT 1;\nDO $$\nBEGIN\n  SELECT 2;\nEND $$;\nSELECT\n 3;\n"
    assert [s.count("SELECT") for s in statements(text)] == [1, 1, 1]


def test_the_sum_of_the_migrations_is_the_schema(empty_postgresql_url: str) -> None:
    with connected(empty_postgresql_url) as database:
        assert [step.number for step in migrate(database)] == [s.number for s in STEPS]
        assert migrate(database) == []
        assert catalogue(database) == reviewed()


def kill_at(database: PostgresDatabase, url: str, place: int, step: Migration) -> None:
    """Migrate by one step, and let the server end the connection before a statement."""

    def before(at: Migration, number: int) -> None:
        if (at.number, number) == (step.number, place):
            pid = database.pid()
            with psycopg.connect(url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))

    migrate(database, up_to=step.number, before=before)


@pytest.mark.parametrize("version", range(len(STEPS)))
def test_up_from_every_version_whatever_statement_the_connection_is_killed_at(
    empty_postgresql_url: str, version: int
) -> None:
    url, step = empty_postgresql_url, STEPS[version]
    with connected(url) as database:
        if version:
            migrate(database, up_to=version)
        before = catalogue(database)
        for place in range(len(step.statements)):
            with pytest.raises(SatchelError):
                kill_at(database, url, place, step)
            assert version_of(database) == version
            assert catalogue(database) == before, f"half of statement {place} is there"
        migrate(database)
        assert catalogue(database) == reviewed()


def test_lines_of_every_older_version_are_all_there_and_found_after_the_way_up(
    empty_postgresql_url: str,
) -> None:
    with connected(empty_postgresql_url) as database:
        migrate(database, up_to=1)
        old = TeamLedger(database, "p", "knowledge", clock=FixedClock(), derive=derive_nothing)
        written = old.append([Record(kind="decision", content=f"of version one {n}")
                              for n in range(5)])  # fmt: skip
        migrate(database)
        index = TeamIndex(database, "p", parse_line)
        assert index.problems() != [], "lines without documents have to be noticed"
        assert index.rebuild() == 5
        assert index.problems() == []
        assert index.hashes()[old.path] == {record.hash for record in written}


def test_a_store_of_another_version_is_refused_with_the_next_step(
    empty_postgresql_url: str,
) -> None:
    with connected(empty_postgresql_url) as database:
        with pytest.raises(ConflictError) as older:
            check(database)
        assert "satchel team migrate" in older.value.hint
        migrate(database)
        check(database)
        database.write("INSERT INTO migrations (number, name, checksum) VALUES (999, 'x', 'y')")
        with pytest.raises(NewerFormatError):
            check(database)
        with pytest.raises(NewerFormatError):
            migrate(database)


def test_a_newer_store_is_used_as_long_as_its_migrations_say_so(
    empty_postgresql_url: str,
) -> None:
    known = len(STEPS)
    with connected(empty_postgresql_url) as database:
        migrate(database)
        for number, usable_from, fits in (
            (1, known, True),
            (2, known - 3, True),
            (3, known + 3, False),
        ):
            step = Migration(known + number, "later", ("SELECT 1;",), "", usable_from)
            migrate(database, [step], up_to=step.number)
            if fits:
                check(database)
            else:
                with pytest.raises(NewerFormatError):
                    check(database)


def test_clients_that_migrate_at_once_do_it_once(empty_postgresql_url: str) -> None:
    done: list[int] = []

    def client() -> None:
        with connected(empty_postgresql_url) as database:
            done.extend(step.number for step in migrate(database))

    clients = [threading.Thread(target=client) for _ in range(4)]
    for one in clients:
        one.start()
    for one in clients:
        one.join(60)
    assert sorted(done) == [step.number for step in STEPS]


if __name__ == "__main__":
    with connected(sys.argv[1]) as made, open(SCHEMA, "w", encoding="utf-8") as out:
        migrate(made)
        out.write("\n".join(catalogue(made)) + "\n")
