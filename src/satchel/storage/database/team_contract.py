"""What a team's database must add: retries, because a network is involved.

For type checkers, like `database.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from satchel.storage.database.contract import Database, Value

T = TypeVar("T")


class TeamDatabase(Database, Protocol):
    """A database on a server: connections break, and transactions may need a retry."""

    def write_rows(
        self, sql: str, rows: Sequence[Sequence[Value]], values: Sequence[Value] = ()
    ) -> int:
        """Run a statement with these values, then an array per column of the rows.

        Returns the whole number that it returns first, else 0.
        """

    def attempt(self, work: Callable[[bool], T]) -> T:
        """Run `work` in a transaction and commit it, retrying where that may help.

        It helps after a lost connection, a serialization failure and a deadlock. `work` is told
        whether it ran before: an earlier commit may have arrived although its answer did not, so
        it asks what is there before it writes the same again.
        """
