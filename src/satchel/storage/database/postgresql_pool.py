"""A small pool of stateless PostgreSQL connections, shared by a process.

No session settings, and no named prepared statements behind a pooler, which may use another
connection for every transaction.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Sequence
from typing import Any, TypeVar

import psycopg
from psycopg import conninfo
from psycopg.adapt import Dumper
from psycopg.pq import Format
from psycopg.rows import tuple_row
from psycopg.waiting import Ready

from satchel.core.errors import BadInputError
from satchel.storage.database.postgresql_arrays import (
    PackedArray,
    PackedBytes,
    PackedNumbers,
    PackedTexts,
)

T = TypeVar("T")


#: Connections of one process to one server, however many projects it serves.
MOST = 16
#: A connection that was unused for so many seconds is asked whether it still answers, and given
#: `_PING` seconds for that, as for the first answer to each message.
_FRESH, _PING = 1.0, 2.0
#: A statement that ran so often on a connection is prepared: planning takes longer than running it.
#: Plans are made again after so many seconds, because the tables have grown meanwhile.
_OFTEN, _KEPT = 5, 60.0
#: Statements counted on a connection.
_MOST_COUNTED = 500
#: Ends a connection to a machine that vanished while a statement runs, after some ten seconds.
_WATCHED = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}


class _ArrayDumper(Dumper):
    """Passes on an array that is already encoded."""

    format = Format.BINARY

    def dump(self, obj: PackedArray) -> bytes:
        """Return the array as it is."""
        return obj


def _register(packed: type[PackedArray], array: str) -> None:
    oid = psycopg.adapters.types[array].array_oid
    psycopg.adapters.register_dumper(packed, type(array, (_ArrayDumper,), {"oid": oid}))


for _class, _type in ((PackedNumbers, "int8"), (PackedTexts, "text"), (PackedBytes, "bytea")):
    _register(_class, _type)


class PoolExhaustedError(psycopg.OperationalError):
    """Every connection is in use."""


class Connection(psycopg.Connection):
    """A connection with a timeout, because a stalled network reports nothing."""

    answer_seconds = 35.0
    #: When it was last used, by the monotonic clock.
    used = 0.0
    #: Whether the server is given `answer_seconds`; otherwise `_PING`, until its first answer.
    heard = True
    #: Whether the server itself is at the other end: see `Pool`.
    direct = False
    #: A message failed: what came after the error in it is not prepared, as the driver believes.
    spoiled = False
    _planned = 0.0

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._asked: dict[str, int] = {}

    def wait(self, gen: Any, *given: Any, **options: Any) -> Any:
        """Wait for the server; close the connection on timeout."""
        return super().wait(_within(gen, self), *given, **options)

    def expect_answer(self) -> None:
        """Have the server answer at once, within a pipeline, what was sent so far.

        A slow statement and a network that swallows all bytes look alike, but not from here on.
        """
        self.pgconn.send_flush_request()
        self.heard = False

    def keeps_plans(self, asked: Sequence[str]) -> bool:
        """Count statements; return whether all are asked often enough to be prepared."""
        if not self.direct:
            return False
        if len(self._asked) > _MOST_COUNTED:
            self._asked.clear()
        for text in asked:
            self._asked[text] = self._asked.get(text, 0) + 1
        return all(self._asked[text] > _OFTEN for text in asked)

    def renew_plans(self) -> None:
        """Have the server make its plans again, if they are old."""
        if time.monotonic() - self._planned > _KEPT:
            self._planned = time.monotonic()
            self.execute("DISCARD PLANS", prepare=False)

    @property
    def idle(self) -> bool:
        """Return whether it is open, outside a transaction and not waiting."""
        return not self.closed and self.info.transaction_status == 0

    def answers(self) -> bool:
        """Return whether it can be used; one unused for a while is asked first."""
        if not self.closed:
            try:
                if time.monotonic() - self.used > _FRESH:
                    self.answer_seconds = _PING
                    self.execute("")
                else:
                    # A server that ended it has said so: its last words, and then the end.
                    self.pgconn.consume_input()
                    self.pgconn.consume_input()
            except psycopg.Error:
                self.close()
        return not self.closed


def _within(steps: Generator[Any, Any, T], connection: Connection) -> Generator[Any, Any, T]:
    began = time.monotonic()
    try:
        wanted = next(steps)
        while True:
            ready = yield wanted
            if ready & Ready.R:
                connection.heard = True
            seconds = connection.answer_seconds if connection.heard else _PING
            if not ready and time.monotonic() > began + seconds:
                connection.pgconn.finish()
                raise psycopg.OperationalError("no answer in time")
            wanted = steps.send(ready)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


class Pool:
    """This process's connections to one server.

    Args:
        url: a libpq URL or connection string.
        most: how many may be open at once.
    """

    def __init__(self, url: str, most: int = MOST) -> None:
        self.url = url
        self.users = 0
        self._room = threading.BoundedSemaphore(most)
        self._lock = threading.Lock()
        #: Last in, first out, so that few stay busy.
        self._idle: list[Connection] = []
        self._generation = 0

    def lend(self, wait: float, connect_timeout: int) -> tuple[Connection, int]:
        """Lend a connection, opening one if needed, with its generation.

        Raises `PoolExhaustedError` if none is returned within `wait` seconds.
        """
        if not self._room.acquire(timeout=max(0.0, wait)):
            raise PoolExhaustedError("all connections of this process are in use")
        try:
            with self._lock:
                generation = self._generation
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._opened(connect_timeout), generation
            if connection.answers():
                return connection, generation
            generation = self._lost(generation)
            return self._opened(connect_timeout), generation
        except BaseException:
            self._room.release()
            raise

    def _opened(self, connect_timeout: int) -> Connection:
        chosen = conninfo.conninfo_to_dict(self.url)
        watched = {name: value for name, value in _WATCHED.items() if name not in chosen}
        connection = Connection.connect(
            conninfo.make_conninfo(self.url, **watched),
            autocommit=True,
            cursor_factory=psycopg.RawCursor,
            row_factory=tuple_row,
            connect_timeout=connect_timeout,
            application_name="satchel",
        )
        # A pooler tells its clients a process id of its own.
        (served,) = connection.execute("SELECT pg_backend_pid()", prepare=False).fetchone() or (0,)
        connection.direct = served == connection.info.backend_pid
        return connection

    def _lost(self, generation: int) -> int:
        """Close the idle connections if one of this generation was lost; return the present one."""
        gone: list[Connection] = []
        with self._lock:
            if generation == self._generation:
                self._generation += 1
                gone, self._idle = self._idle, []
            present = self._generation
        for one in gone:
            one.close()
        return present

    def give_back(self, connection: Connection, generation: int) -> None:
        """Return a connection. If it was lost, the others are considered lost too."""
        if connection.closed:
            self._lost(generation)
        with self._lock:
            usable = connection.idle and not connection.spoiled
            kept = usable and generation == self._generation and self.users > 0
            if kept:
                connection.used = time.monotonic()
                self._idle.append(connection)
        self._room.release()
        if not kept:
            connection.close()

    def close(self) -> None:
        """Close idle connections; lent ones are closed on return."""
        with self._lock:
            self._generation += 1
            idle, self._idle = self._idle, []
        for one in idle:
            one.close()


_pools: dict[str, Pool] = {}
_opening = threading.Lock()


def shared_pool(url: str) -> Pool:
    """Return this process's pool for a server; call `leave` when done."""
    with _opening:
        pool = _pools.setdefault(url, Pool(url))
        pool.users += 1
        return pool


def leave(pool: Pool) -> None:
    """Release a pool; the last user closes its connections."""
    with _opening:
        pool.users -= 1
        last = pool.users == 0
        if last and _pools.get(pool.url) is pool:
            del _pools[pool.url]
    if last:
        pool.close()


def first_line(error: Exception) -> str:
    """Return the driver's last message, without a period."""
    return (str(error).strip().splitlines() or [type(error).__name__])[-1].strip().rstrip(".")


def name_of(url: str) -> str:
    """Return a server and database's name for errors."""
    try:
        parts = conninfo.conninfo_to_dict(url)
    except psycopg.Error:
        raise BadInputError(
            "`store.url` is not an address of a PostgreSQL database.",
            hint="For example postgresql://name@host/database; the password goes to ~/.pgpass.",
        ) from None
    host = parts.get("host") or parts.get("service") or "this machine"
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"The team's store {parts.get('dbname') or ''} at {host}{port}"
