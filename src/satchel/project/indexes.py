"""Opening indexes: the one place that names the database driver."""

from __future__ import annotations

import os
import time

from satchel.core.errors import NotReadableError, NotWritableError, StoreError
from satchel.engine.search.catching_up import ParseFile
from satchel.engine.search.index import Index
from satchel.engine.search.records import parse_line
from satchel.storage.inbox.faults import note_fault
from satchel.storage.locks import FileLock
from satchel.storage.paths import PrivateState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import Database


def open_index(state: PrivateState, patience: float) -> Index:
    """Open an index; one of another version or with damage is set aside and made anew.

    Where nothing can be written, the index is made in memory: reading still works.
    """
    try:
        return _open(state.index, patience)
    except NotReadableError:
        set_aside(state, None)
        return _open(state.index, patience)
    except NotWritableError:
        return _open(":memory:", patience)


def open_notes_index(
    state: PrivateState, patience: float, parse_file: ParseFile, *, damaged: bool = False
) -> Index:
    """Open an index of notes, as `open_index` does; `damaged`: set it aside first, for certain."""
    if damaged:
        set_aside(state, None, certain=True)
    try:
        return _open_notes(state.index, patience, parse_file)
    except NotReadableError:
        set_aside(state, None)
        return _open_notes(state.index, patience, parse_file)
    except NotWritableError:
        return _open_notes(":memory:", patience, parse_file)


def opened_database(path: str, patience: float) -> Database:
    """Open a database of derived rows; in memory where nothing can be written."""
    from satchel.storage.database.sqlite import SqliteDatabase

    try:
        return SqliteDatabase(path, busy_seconds=patience)
    except NotWritableError:
        return SqliteDatabase(":memory:")


def engine_is_safe() -> bool:
    """Say whether the database engine is of a release that loses nothing."""
    from satchel.storage.database.sqlite import engine_is_safe as is_safe

    return is_safe()


def open_foreign(path: str) -> Database:
    """Open another program's database, to read from it."""
    from satchel.storage.database.sqlite import SqliteDatabase

    return SqliteDatabase(path)


def _open_notes(path: str, patience: float, parse_file: ParseFile) -> Index:
    from satchel.storage.database.sqlite import SqliteDatabase

    database = SqliteDatabase(path, busy_seconds=patience)
    return Index(database, lambda _: "a note is no ledger", parse_file)


def _open(path: str, patience: float) -> Index:
    from satchel.storage.database.sqlite import SqliteDatabase

    return Index(SqliteDatabase(path, busy_seconds=patience), parse_line)


def set_aside(state: PrivateState, index: Index | None, *, certain: bool = False) -> None:
    """Move a damaged index aside, never away: someone may want to know what happened to it.

    `certain`: a question has shown the damage. Otherwise the index is asked first, because
    another process may have mended it.
    """
    if index is not None:
        index.database.close()
    with FileLock(state.lock("index"), timeout=10):
        if not certain and _opens(state):
            return
        for ending in ("", "-wal", "-shm"):
            if os.path.exists(state.index + ending):
                os.replace(state.index + ending, f"{state.index}.damaged{ending}")
        note_fault(
            state.faults, "index", "the index could not be used and is built anew", time.time()
        )


def _opens(state: PrivateState) -> bool:
    """Say whether another process has mended the index meanwhile."""
    from satchel.storage.database.sqlite import SqliteDatabase

    try:
        database = SqliteDatabase(state.index)
        try:
            Index(database, parse_line)
            return not database.problems()
        finally:
            database.close()
    except StoreError:
        return False
