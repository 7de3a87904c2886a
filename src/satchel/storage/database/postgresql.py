"""PostgreSQL through psycopg 3: statements, transactions, and translated errors."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress

from satchel.core.errors import (
    BadInputError,
    NotWritableError,
    SatchelError,
    StoreAwayError,
    StoreError,
    StoreSlowError,
)

try:
    import psycopg
    from psycopg import conninfo, errors

    from satchel.storage.database.postgresql_arrays import packed
    from satchel.storage.database.postgresql_pool import (
        Connection,
        Pool,
        PoolExhaustedError,
        first_line,
        leave,
        name_of,
        shared_pool,
    )
except ImportError:
    # The package or its C library is missing.
    raise StoreError(
        "A team's store needs the PostgreSQL driver, which is not installed.",
        hint="pip install 'satchel[postgresql]'",
    ) from None
from typing import TypeVar

from satchel.storage.database.acting import MAINTENANCE, SET_PLANS, SET_UP, SET_UP_FOR
from satchel.storage.database.contract import Row, Statement, Value
from satchel.storage.database.migrating import SCHEMA

T = TypeVar("T")

#: Errors are raised in our own words; nobody needs the driver's log messages.
logging.getLogger("psycopg").addHandler(logging.NullHandler())
_LONGEST_PAUSE = 0.5
#: Errors that the server did not cause, or that are temporary.
_PASSING = (
    errors.SerializationFailure,
    errors.DeadlockDetected,
    errors.LockNotAvailable,
    errors.TooManyConnections,
    errors.CannotConnectNow,
    errors.AdminShutdown,
    errors.CrashShutdown,
)
#: A server's messages to a client it will never admit; the driver gives no code for them.
_WRONG_ADDRESS = ("authentication failed", "does not exist", "no password", "pg_hba.conf")
_REFUSES_WRITING = (errors.ReadOnlySqlTransaction, errors.DiskFull, errors.InsufficientPrivilege)
#: Told to a login user who is neither the owner nor a member of the store's roles.
_NO_MEMBER = "Its owner can GRANT you the two roles of the store: see docs/postgresql.md."
_FULL = "Make room on the disk of the database; nothing was written."


#: How PostgreSQL plans: without looking at values, or for the values of each time.
GENERIC, CUSTOM = "force_generic_plan", "auto"
#: Lists of more bytes than this name many rows, each of which is looked up by an index. What the
#: tables' statistics do not know yet, such as a new project, they take for empty: then every index
#: seems right, and each look-up may read the whole project. A generic plan knows no project.
_MANY = 2000


class _TryAgainError(StoreAwayError):
    """The transaction probably failed; a retry may succeed."""


class PostgresDatabase:
    """A PostgreSQL server, over connections shared by the process.

    Args:
        url: a libpq URL or connection string. A password belongs in ~/.pgpass or PGPASSWORD.
        project: whose rows may be read and written; see `acting`. `MAINTENANCE` for the
            unrestricted login user.
        patience: seconds to keep trying while the server is unreachable or temporarily refuses.
        statement_seconds: the longest one statement may take.
        answer_seconds: after this long without an answer the connection is dropped; 0 for
            statement_seconds + 5.
        isolation: of transactions; READ COMMITTED suffices, since every writer first locks its
            project's row.

    Not to be shared between threads. A commit is acknowledged when it is on the server's disk.
    Statements outside a transaction may use different connections; each sends the settings it needs
    in the same message.
    """

    def __init__(
        self,
        url: str,
        project: str | None,
        *,
        patience: float = 10.0,
        statement_seconds: float = 30.0,
        answer_seconds: float = 0.0,
        isolation: str = "READ COMMITTED",
    ) -> None:
        self.url = url
        self.project = project
        #: Whether the current caller may change rows.
        self.writes = True
        self.patience = patience
        #: The same for queries outside transactions, unless `patience` is less.
        self.asking_patience = patience
        self.statement_seconds = statement_seconds
        self._answer_seconds = answer_seconds
        self._begin = f"BEGIN ISOLATION LEVEL {isolation}"
        self._pool: Pool | None = None
        #: The borrowed connection, and whether its BEGIN is still unsent.
        self._held: tuple[Connection, int] | None = None
        self._in_transaction = False
        self._untold = False
        #: How the present transaction plans.
        self._plans = CUSTOM
        #: When to stop retrying what runs now, by the monotonic clock.
        self._end = 0.0
        self.name = name_of(url)

    def read(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run a query and return every row, retrying outside transactions."""
        return self.together((sql, values))[0]

    def write(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Run a statement; return the first integer it returns, or 0."""
        rows = self._answers(((sql, values),))[0]
        first = rows[0][0] if rows and rows[0] else 0
        return first if isinstance(first, int) else 0

    def together(self, *asked: Statement) -> list[list[Row]]:
        """Run statements, or queries outside transactions, as one message.

        Each sees the effects of earlier ones, and of other clients meanwhile.
        """
        if self._in_transaction or not asked:
            return self._answers(asked) if asked else []
        patience = min(self.patience, self.asking_patience)
        return self._again_and_again(lambda _: self._answers(asked), patience)

    def commit(self, *asked: Statement) -> list[list[Row]]:
        """Run a transaction's last statements and commit it, as one message."""
        *rows, _ = self._answers((*asked, ("COMMIT", ())))
        self._untold = True  # nothing is left to be committed
        return rows

    def write_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run a statement once per row of values, sent together, all or none."""
        with nullcontext() if self._in_transaction else self.transaction():
            numbered = sql.replace("?", "$")  # our SQL has no other question marks
            with self._lent() as connection, connection.pipeline():
                self._tell(connection)
                for row in rows:
                    connection.execute(numbered, tuple(row), prepare=False)

    def write_rows(
        self, sql: str, rows: Sequence[Sequence[Value]], values: Sequence[Value] = ()
    ) -> int:
        """Run a statement with these values, then an array per column of the rows."""
        return self.write(*self.of_rows(sql, rows, values)) if rows else 0

    def of_rows(
        self, sql: str, rows: Sequence[Sequence[Value]], values: Sequence[Value] = ()
    ) -> Statement:
        """Return a statement as `write_rows` runs it, for `together`."""
        try:
            return sql, (*values, *map(packed, zip(*rows, strict=True)))
        except UnicodeError as error:
            raise self.translated(error) from error

    def script(self, sql: str) -> None:
        """Run statements without values; outside transactions, names need a schema."""
        with self._lent() as connection:
            if self._untold:
                with connection.pipeline():
                    self._tell(connection)
            connection.execute(sql, prepare=False)

    def snapshot(self) -> AbstractContextManager[None]:
        """Do nothing: each query sees its own state, and document numbers are unique."""
        return nullcontext()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run from BEGIN to COMMIT; roll back on an exception. See `attempt` for retries."""
        self._untold = self._in_transaction = True
        try:
            yield
            if not self._untold:
                self.script("COMMIT")
        finally:
            self._untold = self._in_transaction = False
            self._roll_back()
            self._give_back()

    def problems(self) -> list[str]:
        """Return what the server reports about itself: unfinished indexes."""
        rows = self.read(
            "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE n.nspname = ?1 AND NOT (i.indisvalid AND i.indisready)",
            (SCHEMA,),
        )
        return [f"the index {row[0]!s} is not valid" for row in rows]

    def engine(self) -> str:
        """Return the server's name and version, and whether it is read-only."""
        version, standby = self.read("SELECT version(), pg_is_in_recovery()::int")[0]
        name = str(version).split(" on ", maxsplit=1)[0]
        return f"{name}, a replica" if standby else name

    def size(self) -> int:
        """Return the database's size on the server in bytes."""
        return int(self.read("SELECT pg_database_size(current_database())")[0][0] or 0)

    def close(self) -> None:
        """Release the connections; the last user closes them."""
        self._give_back()
        pool, self._pool = self._pool, None
        if pool is not None:
            leave(pool)

    def attempt(self, work: Callable[[bool], T]) -> T:
        """Run `work` in a transaction and commit it, retrying where that may help.

        Raises:
            NotWritableError: the server was unreachable for longer than `patience`. The write
            happened completely or not at all.
        """

        def once(again: bool) -> T:  # noqa: FBT001
            with self.transaction():
                return work(again)

        try:
            return self._again_and_again(once, self.patience)
        except _TryAgainError as error:
            raise NotWritableError(
                f"{error} What was being written is there completely or not at all.",
                hint="Check with `satchel recall` before you repeat it.",
            ) from error

    # What the seam is made of

    def pid(self) -> int:
        """Return the server process id of the next connection."""
        with self._lent() as connection:
            return int(connection.info.backend_pid)

    def _again_and_again(self, work: Callable[[bool], T], patience: float) -> T:
        self._end, pause, again = time.monotonic() + patience, 0.01, False
        while True:
            try:
                return work(again)
            except _TryAgainError:
                if time.monotonic() + pause > self._end:
                    raise
            again = True
            time.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 -- spreads clients
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _answers(self, asked: Sequence[Statement]) -> list[list[Row]]:
        # A plan is for one role: where both asked the same, each would have it made again.
        role = "" if self.writes else "\n"
        texts = [sql.replace("?", "$") + role for sql, _ in asked]
        with self._lent() as connection:
            kept = connection.keeps_plans(texts)
            plans = GENERIC if kept or any(map(_has_many, asked)) else CUSTOM
            with connection.pipeline():
                # No explicit transaction: one message is one transaction, and settings end with it.
                begin = self._tell if self._in_transaction else self._set
                begin(connection, plans, kept=kept)
                cursors = [
                    connection.execute(text, tuple(values), prepare=kept)
                    for text, (_, values) in zip(texts, asked, strict=True)
                ]
            return [cursor.fetchall() if cursor.description else [] for cursor in cursors]

    def _tell(self, connection: Connection, plans: str = CUSTOM, *, kept: bool = False) -> None:
        """Send the start of the transaction, if not sent yet, and how to plan its statements."""
        if self._untold:
            self._untold = False
            connection.execute(self._begin, prepare=False)
            self._set(connection, plans, kept=kept)
        elif plans != self._plans:
            self._plans = plans
            connection.execute(SET_PLANS, (plans,), prepare=kept)

    def _set(self, connection: Connection, plans: str, *, kept: bool) -> None:
        """Send the settings of a transaction; `kept` if its statements keep their plans."""
        if kept:
            connection.renew_plans()
        self._plans = plans
        settings = (f"{SCHEMA}, public", str(int(self.statement_seconds * 1000)), plans)
        if self.project is MAINTENANCE:
            connection.execute(SET_UP, settings, prepare=kept)
        else:
            connection.execute(SET_UP_FOR, (*settings, self.project, self.writes), prepare=kept)
        connection.expect_answer()

    @contextmanager
    def _lent(self) -> Iterator[Connection]:
        """Lend a connection for one statement or transaction, translating its errors."""
        try:
            connection = self._connected()
        except psycopg.Error as error:
            raise self.translated(error) from error
        try:
            yield connection
        except (psycopg.Error, UnicodeError) as error:
            connection.spoiled = True
            raise self.translated(error) from error
        finally:
            if not self._in_transaction:
                self._give_back()

    def _connected(self) -> Connection:
        """Return this transaction's connection, or borrow one."""
        if self._held is not None:
            if self._in_transaction and self._held[0].closed:
                raise _TryAgainError(f"{self.name} closed the connection during a transaction.")
            return self._held[0]
        if self._pool is None:
            self._pool = shared_pool(self.url)
        left = self._end - time.monotonic()
        wait = max(2, min(5, int(left if left > 0 else self.patience)))
        self._held = self._pool.lend(min(self.patience, wait), wait)
        connection = self._held[0]
        connection.answer_seconds = self._answer_seconds or self.statement_seconds + 5
        return connection

    def _give_back(self) -> None:
        held, self._held = self._held, None
        if held is not None and self._pool is not None:
            self._pool.give_back(*held)

    def _roll_back(self) -> None:
        """Roll back an uncommitted transaction; if that fails, drop the connection."""
        held = self._held
        if held is None or held[0].closed or held[0].idle:
            return
        with suppress(psycopg.Error):
            held[0].execute("ROLLBACK")
        if not held[0].idle:
            held[0].close()

    def translated(self, error: Exception) -> SatchelError:
        """Return an error naming server and database, without password, with a hint."""
        text = getattr(getattr(error, "diag", None), "message_primary", None) or first_line(error)
        if isinstance(error, PoolExhaustedError):
            return _TryAgainError(f"{self.name}: {text}.", hint="Try again in a moment.")
        gone = self._held is None or self._held[0].closed
        lost = gone and isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
        if lost and any(words in text for words in _WRONG_ADDRESS):
            return BadInputError(
                f"{self.name} refuses: {text}.",
                hint="Check `store.url`, and ~/.pgpass for the password.",
            )
        if lost or isinstance(error, _PASSING):
            return _TryAgainError(
                f"{self.name} does not answer: {text}.",
                hint="Is it running, and is `store.url` right? `satchel team status` checks it.",
            )
        if isinstance(error, errors.QueryCanceled):
            return StoreSlowError(
                f"{self.name} took too long: {text}.", hint="Try again in a moment."
            )
        if isinstance(error, _REFUSES_WRITING):
            hint = _NO_MEMBER if "set role" in text else ""
            hint = _FULL if isinstance(error, errors.DiskFull) else hint
            return NotWritableError(f"{self.name} could not be written: {text}.", hint=hint)
        # Not `NotReadableError`: readers would rebuild this machine's index.
        return StoreError(f"{self.name} could not be used: {text}.")


def address_parts(url: str) -> dict[str, str]:
    """Parse an address (`host`, `password`, `sslmode`, ...); {} if invalid."""
    try:
        return {name: str(value) for name, value in conninfo.conninfo_to_dict(url).items()}
    except psycopg.Error:
        return {}


def _has_many(asked: Statement) -> bool:
    """Return whether a statement is given a long list."""
    return any(isinstance(one, str | bytes) and len(one) > _MANY for one in asked[1])
