"""SQLite through apsw, which bundles its own engine. The only module that imports a driver."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence

import apsw

from satchel.core.errors import BusyError, NotReadableError, NotWritableError, StoreError
from satchel.storage.database.queries import stored_path
from satchel.storage.files import make_private_directory, size_of
from satchel.storage.locks import lock_refusal, not_lockable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from satchel.storage.database.contract import Row, Value

#: Before these releases, a write-ahead log written by two processes can lose committed pages.
_FIXED = ((3, 44, 6), (3, 50, 7), (3, 51, 3))


#: After so many waits, some milliseconds, locks are tried on a file of their own.
_PROBED = 3
_LOCK_ERRORS = (
    apsw.SQLITE_IOERR_LOCK,
    apsw.SQLITE_IOERR_RDLOCK,
    apsw.SQLITE_IOERR_SHMLOCK,
    apsw.SQLITE_IOERR_CHECKRESERVEDLOCK,
)
_READ_ERRORS = (apsw.SQLITE_IOERR_READ, apsw.SQLITE_IOERR_SHORT_READ)
#: The engine's messages for a damaged page; their text may be undecodable.
_REFUSALS = (apsw.Error, UnicodeDecodeError)


def wal_is_safe(version: str) -> bool:
    """Return whether this SQLite is free of the WAL-reset bug (3.7.0 to 3.51.2).

    Fixed in 3.51.3, and backported to 3.50.7 and 3.44.6 for those minor releases.
    """
    number = tuple(int(part) for part in version.split(".")[:3])
    if number < (3, 7, 0) or number >= _FIXED[-1]:
        return True
    return any(number[:2] == fixed[:2] and number >= fixed for fixed in _FIXED)


def engine_is_safe() -> bool:
    """Return whether the SQLite in use is free of that bug."""
    return wal_is_safe(apsw.sqlite_lib_version())


class SqliteDatabase:
    """A SQLite database file.

    Args:
        path: the file; its directory is created. `:memory:` for none.
        busy_seconds: how long a writer waits for another one.
        version: SQLite's version, for the version check; tests pass others.

    Everything in it is derived, so commits are not flushed one by one (`synchronous=NORMAL`): a
    power loss may lose the newest rows, which the next reader indexes again.
    """

    def __init__(self, path: str, *, busy_seconds: float = 5.0, version: str = "") -> None:
        self.path, self._reading = path, False
        version = version or apsw.sqlite_lib_version()
        existed = size_of(path) > 0
        try:
            if path != ":memory:":
                make_private_directory(os.path.dirname(path))
            self._connection = apsw.Connection(path)
            wait = _waiting(path, busy_seconds)
            self._connection.set_busy_handler(wait)
            if path != ":memory:" and not existed:
                if os.path.isfile(path):  # a link to /dev/null must not close that to everybody
                    os.chmod(path, 0o600)
                # The journal mode is set only for new files, never for a file in use.
                mode = "wal" if wal_is_safe(version) else "truncate"
                self._choose_journal(mode, wait)
            self._connection.pragma("synchronous", "normal" if wal_is_safe(version) else "full")
            self._connection.pragma("temp_store", "memory")
        except (apsw.Error, OSError) as error:
            raise _translated(path, error) from error

    def copy_from(self, path: str) -> None:
        """Replace the content by that of a file, which is only read."""
        try:
            source = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
            with source, self._connection.backup("main", source, "main") as copy:
                copy.step()
            source.close()
        except apsw.Error as error:
            raise _translated(path, error) from error

    def _choose_journal(self, mode: str, wait: Callable[[int], bool]) -> None:
        """Set a new file's journal mode, for which the engine does not wait itself."""
        tried = 0
        while True:
            try:
                self._connection.pragma("journal_mode", mode)
            except apsw.BusyError:
                if not wait(tried):
                    raise
                tried += 1
            else:
                return

    def read(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run a query and return every row."""
        try:
            return self._connection.execute(sql, tuple(values)).fetchall()
        except UnicodeEncodeError:
            return self._connection.execute(sql, _storable(values)).fetchall()
        except _REFUSALS as error:
            raise _translated(self.path, error) from error

    def write(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Run a statement; return the inserted row's id."""
        try:
            self._connection.execute(sql, tuple(values))
        except UnicodeEncodeError:
            self._connection.execute(sql, _storable(values))
        except _REFUSALS as error:
            raise _translated(self.path, error) from error
        return self._connection.last_insert_rowid()

    def write_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run a statement once per row of values."""
        try:
            self._connection.executemany(sql, (tuple(row) for row in rows))
        except _REFUSALS as error:
            raise _translated(self.path, error) from error

    def script(self, sql: str) -> None:
        """Run several statements without values."""
        try:
            for _ in self._connection.execute(sql):
                pass
        except _REFUSALS as error:
            raise _translated(self.path, error) from error

    def transaction(self) -> _Transaction:
        """Acquire the write lock at once; commit at the end, roll back on an exception."""
        return _Transaction(self)

    def snapshot(self) -> _Snapshot:
        """Read one consistent state until the end, whatever others write."""
        return _Snapshot(self)

    def begin_reading(self) -> bool:
        """Begin a snapshot unless one is open; return whether it did."""
        if self._connection.in_transaction:
            return False
        self.write("BEGIN")
        self._reading = True
        return True

    def end_reading(self) -> None:
        """End the snapshot, unless a write has already ended it."""
        if self._reading:
            self._reading = False
            if self._connection.in_transaction:
                # Committed, not rolled back: it may have created a scratch table.
                self.write("COMMIT")

    def roll_back(self) -> None:
        """Roll back the transaction. If that fails, SQLite has done it itself."""
        if self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except apsw.Error:
                self._connection.interrupt()

    def problems(self) -> list[str]:
        """Run SQLite's check of the file, its indexes against their tables included."""
        rows = self.read("PRAGMA integrity_check")
        return [str(row[0]) for row in rows if row[0] != "ok"]

    def engine(self) -> str:
        """Return name, version and journal mode."""
        mode = self._connection.pragma("journal_mode")
        return f"SQLite {apsw.sqlite_lib_version()} (apsw), journal {mode}"

    def size(self) -> int:
        """Return the size on disk in bytes, including the write-ahead log."""
        paths = (self.path, self.path + "-wal")
        return sum(size_of(path) for path in paths)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _storable(values: Sequence[Value]) -> tuple[Value, ...]:
    """Encode path bytes that are not text as characters that SQLite accepts."""
    return tuple(stored_path(one) if isinstance(one, str) else one for one in values)


class _Transaction:
    """From BEGIN IMMEDIATE to COMMIT. A class, because `contextlib` is slow at a cold start."""

    __slots__ = ("_database",)

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def __enter__(self) -> None:
        # A read snapshot cannot be upgraded to a write, so it ends.
        self._database.end_reading()
        self._database.write("BEGIN IMMEDIATE")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            try:
                self._database.write("COMMIT")
            except BaseException:
                self._database.roll_back()
                raise
        else:
            self._database.roll_back()


class _Snapshot:
    """A read transaction; inside another, the outer one is used."""

    __slots__ = ("_began", "_database")

    def __init__(self, database: SqliteDatabase) -> None:
        self._database, self._began = database, False

    def __enter__(self) -> None:
        self._began = self._database.begin_reading()

    def __exit__(self, *_: object) -> None:
        if self._began:
            self._database.end_reading()


def _waiting(path: str, seconds: float) -> Callable[[int], bool]:
    """Return what waits for another process's lock, given how often it has waited for this one.

    The engine mistakes locks that do not work for locks that somebody holds: for these it would
    wait each time until `seconds` are over.
    """
    deadline = 0.0

    def wait(tried: int) -> bool:
        nonlocal deadline
        now = time.monotonic()
        if not tried:
            deadline = now + seconds
        if now >= deadline or (tried == _PROBED and lock_refusal(os.path.dirname(path))):
            return False
        time.sleep(min(0.001 * (tried + 1), 0.02))
        return True

    return wait


def _translated(path: str, error: Exception) -> StoreError | BusyError:
    if getattr(error, "extendedresult", 0) in _LOCK_ERRORS:
        return not_lockable(path, lock_refusal(os.path.dirname(path)) or str(error))
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        # The engine mistakes locks that do not work for locks that somebody holds.
        refusal = lock_refusal(os.path.dirname(path)) if path != ":memory:" else ""
        if refusal:
            return not_lockable(path, refusal)
        return BusyError(f"Another process holds {path}.", hint="Try again in a moment.")
    # An I/O error while reading means damage (a truncated file); while writing, a failing disk.
    reading = getattr(error, "extendedresult", 0) in _READ_ERRORS
    if not reading and isinstance(
        error, apsw.ReadOnlyError | apsw.FullError | apsw.CantOpenError | apsw.IOError | OSError
    ):
        return NotWritableError(f"{path} could not be written: {error}.")
    return NotReadableError(f"{path} could not be used: {error}.")
