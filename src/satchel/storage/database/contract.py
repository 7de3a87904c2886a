"""What a database must do for Satchel. SQLite does it; the contract is in words here.

For type checkers: at run time nobody imports this, because `typing` is dear at a cold start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

Value = str | int | float | bytes | None
Row = tuple[Value, ...]


class Database(Protocol):
    """One open database. Not to be shared between threads."""

    def read(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run a query and return every row. Never takes a write lock."""

    def write(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Run one statement; return the id of the row it inserted, else 0."""

    def write_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run one statement for each row of values."""

    def script(self, sql: str) -> None:
        """Run several statements without values: a schema."""

    def transaction(self) -> AbstractContextManager[None]:
        """Take the write lock at once; commit at the end, roll back on an exception.

        At once, because a read snapshot cannot be upgraded however long one waits.
        """

    def snapshot(self) -> AbstractContextManager[None]:
        """Read one state until the end, whatever others write meanwhile."""

    def problems(self) -> list[str]:
        """Ask the engine to check itself; an empty list is good news, not proof."""

    def engine(self) -> str:
        """Name, version and journal mode of the engine."""

    def size(self) -> int:
        """Bytes on disk."""

    def close(self) -> None:
        """Give everything back."""
