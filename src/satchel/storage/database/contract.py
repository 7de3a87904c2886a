"""What Satchel requires of a database. SQLite provides it; this is the contract.

For type checkers only: never imported at run time, because `typing` is expensive at a cold start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

Value = str | int | float | bytes | None
Row = tuple[Value, ...]
#: SQL and its values.
Statement = tuple[str, Sequence[Value]]


class Database(Protocol):
    """An open database. Not to be shared between threads."""

    def read(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run a query and return every row. Never takes a write lock."""

    def write(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Run a statement; return the inserted row's id, or 0."""

    def write_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run a statement once per row of values."""

    def script(self, sql: str) -> None:
        """Run several statements without values: a schema."""

    def transaction(self) -> AbstractContextManager[None]:
        """Acquire the write lock at once; commit at the end, roll back on an exception.

        At once, because a read snapshot cannot be upgraded, however long one waits.
        """

    def snapshot(self) -> AbstractContextManager[None]:
        """Read one consistent state until the end, regardless of concurrent writes."""

    def problems(self) -> list[str]:
        """Run the engine's self-check; an empty list does not prove that it is sound."""

    def engine(self) -> str:
        """Return the engine's name, version and journal mode."""

    def size(self) -> int:
        """Return the size on disk in bytes."""

    def close(self) -> None:
        """Release all resources."""


T = TypeVar("T")


class TeamDatabase(Database, Protocol):
    """A database on a server: connections break, and transactions may need a retry."""

    #: Which rows are visible, and whether they may be changed: see `acting`.
    project: str | None
    writes: bool

    def write_rows(
        self, sql: str, rows: Sequence[Sequence[Value]], values: Sequence[Value] = ()
    ) -> int:
        """Run a statement with these values, then an array per column of the rows.

        Returns the first integer it returns, or 0.
        """

    def of_rows(
        self, sql: str, rows: Sequence[Sequence[Value]], values: Sequence[Value] = ()
    ) -> Statement:
        """Return a statement as `write_rows` runs it, for `together`."""

    def together(self, *asked: Statement) -> list[list[Row]]:
        """Run statements in order, sent as one message; return the rows of each."""

    def commit(self, *asked: Statement) -> list[list[Row]]:
        """Run the last statements of an `attempt` and commit it, as one message."""

    def attempt(self, work: Callable[[bool], T]) -> T:
        """Run `work` in a transaction and commit it, retrying where that may help.

        It helps after a lost connection, a serialization failure and a deadlock. `work` receives
        whether it ran before: an earlier commit may have succeeded although its answer was lost, so
        it must check before writing the same again.
        """
