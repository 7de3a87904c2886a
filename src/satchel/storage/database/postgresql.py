"""PostgreSQL through psycopg 3. The only module that imports this driver."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext

from satchel.core.errors import (
    BadInputError,
    BusyError,
    NotWritableError,
    SatchelError,
    StoreError,
)

try:
    import psycopg
    from psycopg import conninfo, errors
    from psycopg.rows import tuple_row
except ImportError:
    # The package is missing, or the C library that it calls.
    raise StoreError(
        "A team's store needs the PostgreSQL driver, which is not installed.",
        hint="pip install 'satchel[postgresql]'",
    ) from None
from satchel.storage.database.migrating import SCHEMA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, TypeVar

    from satchel.storage.database.contract import Row, Value

    T = TypeVar("T")

#: Errors are raised in our words; what the driver says on the side is for nobody.
logging.getLogger("psycopg").addHandler(logging.NullHandler())
_LONGEST_PAUSE = 0.5
#: What the server had no part in refusing, or refuses for a moment only.
_PASSING = (
    errors.SerializationFailure,
    errors.DeadlockDetected,
    errors.LockNotAvailable,
    errors.TooManyConnections,
    errors.CannotConnectNow,
    errors.AdminShutdown,
    errors.CrashShutdown,
)
#: What a server says to a client that will never be let in; the driver gives no code for it.
_WRONG_ADDRESS = ("authentication failed", "does not exist", "no password", "pg_hba.conf")
_REFUSES_WRITING = (
    errors.ReadOnlySqlTransaction,
    errors.DiskFull,
    errors.InsufficientPrivilege,
)


class _TryAgainError(BusyError):
    """The transaction came to nothing as far as is known; another attempt may do better."""


class PostgresDatabase:
    """A connection to a PostgreSQL server, made when first needed and again when it was lost.

    Args:
        url: a libpq URL or connection string. A password belongs into ~/.pgpass or PGPASSWORD.
        patience: seconds to go on trying where the server is away or refuses for a moment.
        statement_seconds: the longest that one statement may take.
        answer_seconds: after so long a silence the connection is given up; 0 for 5 more than
            a statement may take.
        isolation: of transactions; READ COMMITTED suffices, since every writer first locks the
            one row that stands for its project.

    Not to be shared between threads. A commit is acknowledged when it is on the server's disk.
    """

    def __init__(
        self,
        url: str,
        *,
        patience: float = 10.0,
        statement_seconds: float = 30.0,
        answer_seconds: float = 0.0,
        isolation: str = "READ COMMITTED",
    ) -> None:
        self.url = url
        self.patience = patience
        self._statement_seconds = statement_seconds
        self._answer_seconds = answer_seconds or statement_seconds + 5
        self._begin = f"BEGIN ISOLATION LEVEL {isolation}"
        self._connection: _Connection | None = None
        self._in_transaction = False
        self.name = _name_of(url)

    # The seam

    def read(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run a query and return every row; outside of a transaction, again where that helps."""
        if self._in_transaction:
            return self._rows(sql, values)
        return self._again_and_again(lambda _: self._rows(sql, values))

    def write(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Run one statement; return the whole number it returns first, else 0."""
        rows = self._rows(sql, values)
        first = rows[0][0] if rows and rows[0] else 0
        return first if isinstance(first, int) else 0

    def write_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run one statement for each row of values, sent together."""
        numbered = _numbered(sql)
        with self._translating() as connection, connection.cursor() as cursor:
            cursor.executemany(numbered, [tuple(row) for row in rows])

    def script(self, sql: str) -> None:
        """Run several statements without values."""
        with self._translating() as connection:
            connection.execute(sql, prepare=False)

    def snapshot(self) -> AbstractContextManager[None]:
        """Let each question see its own state: numbers of documents are never used twice here."""
        return nullcontext()

    def transaction(self) -> _Transaction:
        """BEGIN to COMMIT; roll back on an exception. See `attempt` for beginning again."""
        return _Transaction(self)

    def problems(self) -> list[str]:
        """What the server says of itself: indexes that were not finished."""
        rows = self.read(
            "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE n.nspname = ?1 AND NOT (i.indisvalid AND i.indisready)",
            (SCHEMA,),
        )
        return [f"the index {row[0]!s} is not valid" for row in rows]

    def engine(self) -> str:
        """Name and version of the server, and whether it only serves reads."""
        version, standby = self.read("SELECT version(), pg_is_in_recovery()::int")[0]
        name = str(version).split(" on ", maxsplit=1)[0]
        return f"{name}, a replica" if standby else name

    def size(self) -> int:
        """Bytes of the database on the server's disk."""
        return int(self.read("SELECT pg_database_size(current_database())")[0][0] or 0)

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def attempt(self, work: Callable[[bool], T]) -> T:
        """Run `work` in a transaction and commit it; begin again where that may help.

        Raises:
            NotWritableError: the server was away for longer than `patience`. What was being
                written is there as a whole or not at all.
        """

        def once(again: bool) -> T:  # noqa: FBT001
            with self.transaction():
                return work(again)

        try:
            return self._again_and_again(once)
        except _TryAgainError as error:
            raise NotWritableError(
                f"{error} What was being written is there completely or not at all.",
                hint="Check with `satchel recall` before you repeat it.",
            ) from error

    # What the seam is made of

    def pid(self) -> int:
        """Process id of the server's end of this connection."""
        with self._translating() as connection:
            return int(connection.info.backend_pid)

    def _again_and_again(self, work: Callable[[bool], T]) -> T:
        end, pause, again = time.monotonic() + self.patience, 0.01, False
        while True:
            try:
                return work(again)
            except _TryAgainError:
                if time.monotonic() + pause > end:
                    raise
            again = True
            time.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 -- spreads clients
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _rows(self, sql: str, values: Sequence[Value]) -> list[Row]:
        numbered = _numbered(sql)
        with self._translating() as connection:
            cursor = connection.execute(numbered, tuple(values))
            return cursor.fetchall() if cursor.description else []

    def _translating(self) -> _Translating:
        return _Translating(self)

    def connected(self) -> _Connection:
        """Return the open connection, a new one if there is none."""
        connection = self._connection
        if connection is not None and not connection.closed:
            return connection
        if self._in_transaction:
            raise _TryAgainError(f"{self.name} closed the connection during a transaction.")
        made: _Connection = _Connection.connect(
            self.url,
            autocommit=True,
            cursor_factory=psycopg.RawCursor,
            row_factory=tuple_row,
            connect_timeout=max(2, min(5, int(self.patience))),
            application_name="satchel",
        )
        made.answer_seconds = self._answer_seconds
        milliseconds = str(int(self._statement_seconds * 1000))
        made.execute(_SET_UP, (f"{SCHEMA}, public", milliseconds))
        made.prepare_threshold = 3
        self._connection = made
        return made

    def translated(self, error: Exception) -> SatchelError:
        """Name server and database, never the password; say what to do."""
        text = getattr(getattr(error, "diag", None), "message_primary", None) or _first_line(error)
        gone = self._connection is None or self._connection.closed
        if gone:
            self._connection = None
        lost = gone and isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
        if lost and any(words in text for words in _WRONG_ADDRESS):
            return BadInputError(
                f"{self.name} refuses: {text}.",
                hint="Look at `store.url`, and at ~/.pgpass for the password.",
            )
        if lost or isinstance(error, _PASSING):
            return _TryAgainError(
                f"{self.name} does not answer: {text}.",
                hint="Is it running, and is `store.url` right? `satchel team status` checks it.",
            )
        if isinstance(error, errors.QueryCanceled):
            return BusyError(f"{self.name} took too long: {text}.", hint="Try again in a moment.")
        if isinstance(error, _REFUSES_WRITING):
            return NotWritableError(f"{self.name} could not be written: {text}.")
        # Not `NotReadableError`: whoever reads would build the index of this machine anew.
        return StoreError(f"{self.name} could not be used: {text}.")


class _Translating:
    """Hands out the connection; turns the driver's errors into ours."""

    __slots__ = ("_database",)

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    def __enter__(self) -> _Connection:
        try:
            return self._database.connected()
        except psycopg.Error as error:
            raise self._database.translated(error) from error

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, psycopg.Error | UnicodeError):
            raise self._database.translated(error) from error


class _Transaction:
    __slots__ = ("_database",)

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    def __enter__(self) -> None:
        self._database.script(self._database._begin)  # noqa: SLF001 -- one class in two parts
        self._database._in_transaction = True  # noqa: SLF001

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        database = self._database
        try:
            if kind is None:
                database.script("COMMIT")
                return
        except BaseException:
            _roll_back(database)
            raise
        finally:
            database._in_transaction = False  # noqa: SLF001
        _roll_back(database)


def _roll_back(database: PostgresDatabase) -> None:
    connection = database._connection  # noqa: SLF001
    if connection is None or connection.closed:
        return
    try:
        connection.execute("ROLLBACK")
    except psycopg.Error:
        connection.close()


class _Connection(psycopg.Connection):
    """A connection that does not wait for ever: a stalled network says nothing at all."""

    answer_seconds = 35.0

    def wait(self, gen: Any, *given: Any, **options: Any) -> Any:
        """Wait for the server; close the connection where it says nothing for too long."""
        return super().wait(_within(gen, self.answer_seconds, self), *given, **options)


def _within(
    steps: Generator[Any, Any, T], seconds: float, connection: _Connection
) -> Generator[Any, Any, T]:
    end = time.monotonic() + seconds
    try:
        wanted = next(steps)
        while True:
            ready = yield wanted
            if not ready and time.monotonic() > end:
                connection.pgconn.finish()
                raise psycopg.OperationalError("no answer in time")
            wanted = steps.send(ready)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


#: Custom plans see the project, and so the one partition. A server set to acknowledge before it
#: has written is told otherwise; one that asks its replicas too is left alone.
_SET_UP = """
SELECT set_config('search_path', $1, false), set_config('statement_timeout', $2, false),
  set_config('lock_timeout', $2, false),
  set_config('idle_in_transaction_session_timeout', $2, false),
  set_config('client_min_messages', 'warning', false),
  set_config('plan_cache_mode', 'force_custom_plan', false),
  set_config('hnsw.iterative_scan', 'strict_order', false),
  CASE WHEN current_setting('synchronous_commit') = 'off'
    THEN set_config('synchronous_commit', 'on', false) END
"""


def _numbered(sql: str) -> str:
    """Rewrite `?1` as `$1`. Our SQL has no other question marks."""
    return sql.replace("?", "$")


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[-1].strip().rstrip(".")


def _name_of(url: str) -> str:
    """Name a server and its database, as errors may show them."""
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


def has_password(url: str) -> bool:
    """Return whether an address carries a password, which settings would show."""
    try:
        return bool(conninfo.conninfo_to_dict(url).get("password"))
    except psycopg.Error:
        return False
