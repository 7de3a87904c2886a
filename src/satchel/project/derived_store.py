"""Databases of derived data, rebuilt when damaged. The only module that names a driver."""

from __future__ import annotations

import os
import time

from satchel.core.errors import NotReadableError, NotWritableError, StoreError
from satchel.storage.files import not_usable
from satchel.storage.inbox.faults import note_fault
from satchel.storage.locks import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Generic, TypeVar

    from satchel.storage.database.contract import Database
    from satchel.storage.database.sqlite import SqliteDatabase
    from satchel.storage.paths import PrivateState

    T = TypeVar("T")
    R = TypeVar("R")
else:
    # `typing` is expensive at a cold start.
    T, Generic = None, {None: object}

MEMORY = ":memory:"
#: Seconds to wait for another process to move a damaged file.
_WAIT = 10.0


class DerivedStore(Generic[T]):
    """A database that can be rebuilt from its sources, opened on first use.

    Args:
        path: its file.
        state: the private state with its lock, where damage is recorded.
        build: builds the object that queries the database; creates the schema and checks its
            version.
        what: the database's name for messages.
        patience: seconds that a writer waits for another.
        begin: called before the file is created.

    A damaged file, or one of an older release, is moved aside and recreated. A newer release's file
    is left alone; then, and where nothing can be written, rows are kept in memory.
    """

    def __init__(
        self,
        path: str,
        state: PrivateState,
        build: Callable[[Database], T],
        *,
        what: str,
        patience: float,
        begin: Callable[[], object] | None = None,
    ) -> None:
        self.path, self.patience = path, patience
        self._state, self._what = state, what
        self._build, self._begin = build, begin
        self._database: Database | None = None
        self._built: T | None = None
        #: Which file is open: another process may replace it.
        self._file: tuple[int, int] | None = None

    @property
    def is_open(self) -> bool:
        """Return whether the database is open."""
        return self._database is not None

    def open(self) -> T:
        """Return the value built on the database. A rebuilt database is empty."""
        if self._built is not None:
            return self._built
        try:
            try:
                return self._opened(self.path)
            except NotReadableError:
                self.set_aside()
                return self._opened(self.path)
        except NotWritableError:
            return self.open_in_memory()

    def open_in_memory(self, *, copied: bool = False) -> T:
        """Return the same in memory, until closed: empty, or `copied` from the file."""
        self.close()
        if copied:
            try:
                return self._opened(MEMORY, copy_of=self.path)
            except StoreError as error:
                note_fault(self._state.faults, self._what, str(error), time.time())
        return self._opened(MEMORY)

    def close(self) -> None:
        """Close the database; it reopens on next use."""
        if self._database is not None:
            self._database.close()
        self._database = self._built = self._file = None

    def asked(self, ask: Callable[[], R], refill: Callable[[], object] | None = None) -> R:
        """Run a query; if the database is damaged, `refill` a new one and retry."""
        try:
            return ask()
        except NotReadableError:
            if not self.set_aside():
                raise
        if refill is not None:
            refill()
        return ask()

    def set_aside(self) -> bool:
        """Close a damaged database and move its file aside; return whether there was one.

        It is never deleted: someone may want to examine it. If another process has already replaced
        it, the new file stays.
        """
        damaged = self._file
        self.close()
        if damaged is None:
            return False
        with FileLock(self._state.lock(os.path.basename(self.path)), timeout=_WAIT):
            if _identity(self.path) == damaged:
                self._move()
                what = f"the {self._what} could not be used and is rebuilt"
                note_fault(self._state.faults, self._what, what, time.time())
        return True

    def _move(self) -> None:
        try:
            for ending in ("", "-wal", "-shm"):
                if os.path.exists(self.path + ending):
                    os.replace(self.path + ending, f"{self.path}.damaged{ending}")
        except OSError as error:
            raise not_usable(self.path, error, writing=True) from error

    def _opened(self, path: str, *, copy_of: str = "") -> T:
        self._file = _identity(path)
        if self._file is None and path != MEMORY and self._begin is not None:
            self._begin()
        database = open_database(path, self.patience)
        try:
            if copy_of:
                database.copy_from(copy_of)
            self._built = self._build(database)
        except BaseException:
            database.close()
            raise
        self._database = database
        self._file = self._file or _identity(path)
        return self._built


def _identity(path: str) -> tuple[int, int] | None:
    """Return a file's identity, which tells it from another with the same name."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def open_database(path: str = MEMORY, patience: float = 5.0) -> SqliteDatabase:
    """Open a private database as is."""
    from satchel.storage.database.sqlite import SqliteDatabase

    return SqliteDatabase(path, busy_seconds=patience)


def open_foreign(path: str) -> Database:
    """Open another program's database for reading."""
    return open_database(path)


def engine_is_safe() -> bool:
    """Return whether the database engine is free of known data-loss bugs."""
    from satchel.storage.database.sqlite import engine_is_safe as is_safe

    return is_safe()
