"""What the database of a team must do beyond the seam: begin again where a network is between.

For type checkers, like `database.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from satchel.storage.database.contract import Database

T = TypeVar("T")


class TeamDatabase(Database, Protocol):
    """A database on a server: connections go, and transactions are refused to be tried again."""

    def attempt(self, work: Callable[[bool], T]) -> T:
        """Run `work` in a transaction and commit it; begin again where that may help.

        It helps after a lost connection, a serialization failure and a deadlock. `work` is told
        whether it ran before: an earlier commit may have arrived although its answer did not, so
        it asks what is there before it writes the same again.
        """
