"""The driver: what it translates, what it tries again, and what it never says."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from satchel.core.errors import BadInputError, BusyError, NotWritableError, StoreError
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.postgresql import PostgresDatabase, address_parts

pytest_plugins = ["postgresql_fixtures"]
Open = Callable[..., PostgresDatabase]


@pytest.fixture
def opened(empty_postgresql_url: str) -> Iterator[Open]:
    made: list[PostgresDatabase] = []

    def connect(url: str = "", **options: object) -> PostgresDatabase:
        made.append(PostgresDatabase(url or empty_postgresql_url, MAINTENANCE, **options))  # type: ignore[arg-type]
        return made[-1]

    yield connect
    for one in made:
        one.close()


@pytest.fixture
def counter(opened: Open) -> PostgresDatabase:
    database = opened()
    database.script("CREATE TABLE counters (name text PRIMARY KEY, n int NOT NULL)")
    database.write_many("INSERT INTO counters VALUES (?1, ?2)", [("a", 0), ("b", 0)])
    return database


def terminate(database: PostgresDatabase) -> None:
    pid = database.pid()
    with psycopg.connect(database.url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))


def test_values_come_back_as_they_went(opened: Open) -> None:
    values = ("text ? %s $1", 2**60, 0.1, b"\0\xff", None)
    assert opened().read(
        "SELECT ?1::text, ?2::bigint, ?3::float8, ?4::bytea, ?5::text", values
    ) == [values]


def test_a_write_returns_the_number_it_made(opened: Open) -> None:
    database = opened()
    database.script("CREATE TABLE things (id serial, name text)")
    assert database.write("INSERT INTO things (name) VALUES (?1) RETURNING id", ("x",)) == 1
    assert database.write("INSERT INTO things (name) VALUES ('y')") == 0


def test_a_transaction_that_fails_leaves_nothing(counter: PostgresDatabase) -> None:
    def half() -> None:
        with counter.transaction():
            counter.write("UPDATE counters SET n = 5")
            counter.write("UPDATE nothing SET n = 5")

    with pytest.raises(StoreError):
        half()
    assert counter.read("SELECT SUM(n) FROM counters") == [(0,)]
    with counter.transaction():
        counter.write("UPDATE counters SET n = 1")
    assert counter.read("SELECT SUM(n) FROM counters") == [(2,)]


def test_a_read_goes_on_after_the_connection_was_lost(counter: PostgresDatabase) -> None:
    terminate(counter)
    assert counter.read("SELECT COUNT(*) FROM counters") == [(2,)]


def test_an_attempt_begins_again_and_is_told_so(counter: PostgresDatabase) -> None:
    told = []

    def work(again: bool) -> int:  # noqa: FBT001
        told.append(again)
        counter.write("UPDATE counters SET n = n + 1 WHERE name = 'a'")
        if not again:
            terminate(counter)
        return int(str(counter.read("SELECT n FROM counters WHERE name = 'a'")[0][0]))

    assert counter.attempt(work) == 1
    assert told == [False, True]


@pytest.mark.parametrize("isolation", ["SERIALIZABLE", "READ COMMITTED"])
def test_serialization_failures_and_deadlocks_lose_and_double_nothing(
    counter: PostgresDatabase, opened: Open, isolation: str
) -> None:
    again = [0]
    each, clients = 15, 4

    def client(number: int) -> None:
        database = opened(isolation=isolation, patience=30)
        names = ("a", "b") if number % 2 else ("b", "a")

        def work(repeated: bool) -> None:  # noqa: FBT001
            again[0] += repeated
            for name in names:
                rows = database.read("SELECT n FROM counters WHERE name = ?1", (name,))
                if isolation == "SERIALIZABLE":
                    value = int(str(rows[0][0])) + 1
                    database.write("UPDATE counters SET n = ?2 WHERE name = ?1", (name, value))
                else:
                    database.write("UPDATE counters SET n = n + 1 WHERE name = ?1", (name,))
                time.sleep(0.002)

        for _ in range(each):
            database.attempt(work)

    opened().script("ALTER DATABASE " + str(counter.read("SELECT current_database()")[0][0])
                    + " SET deadlock_timeout = '20ms'")  # fmt: skip
    threads = [threading.Thread(target=client, args=(n,)) for n in range(clients)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    assert again[0] > 0, "nothing went wrong, so nothing was shown"
    assert counter.read("SELECT n FROM counters ORDER BY name") == [(60,), (60,)]


def test_a_server_that_is_away_is_named_and_its_password_is_not(opened: Open) -> None:
    database = opened("postgresql://me:hunter2@127.0.0.1:1/notes", patience=0.1)
    with pytest.raises(BusyError) as read:
        database.read("SELECT 1")
    with pytest.raises(NotWritableError) as written:
        database.attempt(lambda _: database.write("SELECT 1"))
    for error in (read.value, written.value):
        assert "notes at 127.0.0.1:1" in str(error)
        assert "hunter2" not in str(error) + error.hint
        assert error.hint


def test_an_address_that_is_none_is_refused_and_passwords_are_noticed() -> None:
    with pytest.raises(BadInputError):
        PostgresDatabase("postgresql://[broken", MAINTENANCE)
    assert address_parts("postgresql://me:pw@host/x")["password"] == "pw"
    assert address_parts("host=x password=y")["password"] == "y"
    assert "password" not in address_parts("postgresql://me@host/x")


def test_an_address_that_no_waiting_makes_right_is_refused_at_once(opened: Open) -> None:
    database = opened()
    wrong = opened(database.url.replace("@/satchel_", "@/nothing_"), patience=30)
    began = time.monotonic()
    with pytest.raises(BadInputError, match="does not exist") as refused:
        wrong.read("SELECT 1")
    assert time.monotonic() - began < 5
    assert "store.url" in refused.value.hint


def test_a_statement_that_takes_too_long_is_ended(opened: Open) -> None:
    database = opened(statement_seconds=0.2, patience=1)
    began = time.monotonic()
    with pytest.raises(BusyError):
        database.read("SELECT pg_sleep(20)")
    assert time.monotonic() - began < 5
    assert database.read("SELECT 1") == [(1,)]


class Wire:
    """A network between client and server that can go silent: nothing comes, nothing ends."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.silent = threading.Event()
        self.sockets = [socket.create_server(("127.0.0.1", 0))]
        self.port = self.sockets[0].getsockname()[1]
        self.threads = [threading.Thread(target=self._accept)]
        self.threads[0].start()

    def _accept(self) -> None:
        try:
            while True:
                near, _ = self.sockets[0].accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(f"{self.folder}/.s.PGSQL.5432")
                named = {"mortal": not self.silent.is_set()}
                self.sockets += [near, far]
                for ends in ((near, far), (far, near)):
                    self.threads.append(
                        threading.Thread(target=self._carry, args=ends, kwargs=named)
                    )
                    self.threads[-1].start()
        except OSError:
            return

    def _carry(self, source: socket.socket, target: socket.socket, *, mortal: bool) -> None:
        try:
            while data := source.recv(65536):
                if not (mortal and self.silent.is_set()):
                    target.sendall(data)
        except OSError:
            return

    def close(self) -> None:
        for one in self.sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for thread in self.threads:
            thread.join(10)


def test_a_network_that_goes_silent_is_given_up_and_connected_anew(
    opened: Open, empty_postgresql_url: str
) -> None:
    wire = Wire(empty_postgresql_url.partition("host=")[2])
    name = empty_postgresql_url.partition("@/")[2].partition("?")[0]
    url = f"postgresql://postgres@127.0.0.1:{wire.port}/{name}"
    database = opened(url, patience=20, answer_seconds=0.5)
    assert database.read("SELECT 1") == [(1,)]
    wire.silent.set()
    began = time.monotonic()
    assert database.read("SELECT 2") == [(2,)]
    assert time.monotonic() - began < 10
    database.close()
    wire.close()


def test_of_two_servers_the_one_that_can_be_written_to_is_taken(
    opened: Open, empty_postgresql_url: str
) -> None:
    parts = conninfo_to_dict(empty_postgresql_url)
    host, port = str(parts["host"]), str(parts.get("port") or 5432)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = free.getsockname()[1]
    both = {"host": f"127.0.0.1,{host}", "port": f"{closed},{port}"}
    url = make_conninfo("", **{**parts, **both, "target_session_attrs": "read-write"})
    database = opened(url)
    assert database.read("SELECT 1") == [(1,)]


def test_columns_are_written_as_they_are(opened: Open) -> None:
    """Rows go as one array for each column, in the binary form that the server takes."""
    database = opened()
    database.script("CREATE TABLE kept (n int, t text, b bytea, none bigint)")
    rows = [
        (2**31 - 1, 'ä "quoted" \\ {,} NULL', b"\0\xff", None),
        (-1, "", b"", None),
        (None, None, None, None),
    ]
    sql = (
        "INSERT INTO kept SELECT ?1::int + u.n, u.t, u.b, u.none FROM unnest(?2::int[], "
        "?3::text[], ?4::bytea[], ?5::bigint[]) AS u (n, t, b, none)"
    )
    database.write_rows(sql, rows, (0,))
    assert database.read("SELECT n, t, b, none FROM kept") == rows
    with pytest.raises(StoreError):
        database.write_rows(sql, [(1, "half \ud83d", b"", None)], (0,))
