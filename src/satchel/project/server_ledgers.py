"""Ledgers of servers: users and the audit log, and those of a project that a team shares."""

from __future__ import annotations

import threading
import time

from satchel.project.server_database import SERVER
from satchel.storage.files import file_stamp
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.team import TeamLedger, derive_nothing, path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from satchel.core.clock import Clock
    from satchel.project.server_database import ServerDatabase
    from satchel.storage.database.contract import TeamDatabase
    from satchel.storage.ledger.lines import Line
    from satchel.storage.ledger.record import Record

    #: Called with the ledger's last record, under the write lock; returns what to append.
    Following = Callable[[Record | None], Sequence[Record]]

    class ServerLedger(Protocol):
        """An append-only ledger of a server."""

        path: str

        def append(self, records: Sequence[Record]) -> list[Record]:
            """Append records durably; return them as written."""

        def append_after(self, make: Following) -> list[Record]:
            """Append what `make` returns, told what is there last while nobody else writes."""

        def read(self) -> list[Line]:
            """Return every line, in order."""

        def stamp(self, within: float = 0.0) -> object:
            """Return a stamp that changes with every line, at most `within` seconds old."""


#: Seconds after which a ledger in a database is read again, even if its stamp is unchanged.
_READ_AGAIN = 30.0


class HomeLedger(Ledger):
    """A ledger in the server's home."""

    def append_after(self, make: Following) -> list[Record]:
        """Append what `make` returns, told what is there last while nobody else writes."""
        return self.append_made(lambda: make(self.last()))

    def stamp(self, within: float = 0.0) -> object:  # noqa: ARG002 -- asking is cheap here
        """Return what changes with every line."""
        return file_stamp(self.path) or None


class SharedLedger:
    """A ledger shared by servers on several machines. Thread-safe.

    Args:
        database: where it is stored.
        clock: for the time of its records.
        project: the project whose lines they are; `SERVER` for the servers' own.
    """

    def __init__(
        self, database: ServerDatabase, name: str, clock: Clock, project: str = SERVER
    ) -> None:
        self._database, self._name, self._clock = database, name, clock
        self._project = project
        self.path = path_of(project, name)
        self._looking = threading.Lock()
        self._seen: object = None
        self._seen_at = float("-inf")

    def append(self, records: Sequence[Record]) -> list[Record]:
        """Append records durably; return them as written."""
        with self._database.opened(self._project) as database:
            written = self._on(database).append(records)
        self._seen_at = float("-inf")
        return written

    def append_after(self, make: Following) -> list[Record]:
        """Append what `make` returns, told what is there last while nobody else writes."""
        with self._database.opened(self._project) as database:
            written = self._on(database).append_after(make)
        self._seen_at = float("-inf")
        return written

    def read(self) -> list[Line]:
        """Return every line, in order."""
        with self._database.opened(self._project) as database:
            return self._on(database).read()

    def data(self, saying: bytes = b"", *, archived: bool = True) -> bytes:  # noqa: ARG002
        """Return the lines that contain `saying`, oldest first."""
        with self._database.opened(self._project) as database:
            return b"".join(raw + b"\n" for raw in self._on(database).raws(saying))

    def close(self) -> None:
        """Do nothing: the database lends a connection to each call."""

    def stamp(self, within: float = 0.0) -> object:
        """Return a stamp that changes with every line, at most `within` seconds old.

        One thread asks; others that arrive meanwhile share its answer. It also changes over time: a
        promoted replica may reuse numbers that its primary gave to its last lines.
        """
        with self._looking:
            now = time.monotonic()
            if now - self._seen_at > within or not within:
                with self._database.opened(self._project) as database:
                    self._seen = self._on(database).look().last, int(now / _READ_AGAIN)
                self._seen_at = now
            return self._seen

    def _on(self, database: TeamDatabase) -> TeamLedger:
        return TeamLedger(
            database, self._project, self._name, clock=self._clock, derive=derive_nothing
        )
