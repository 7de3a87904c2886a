"""The database that several machines' servers keep their own state in."""

from __future__ import annotations

import contextlib
import os
import time

from satchel.core.errors import NotWritableError, StoreAwayError, StoreSlowError
from satchel.project.team_store import EVERY, GLANCE, connect
from satchel.storage.database import migrating
from satchel.storage.files import read_file, replace_file
from satchel.storage.settings.loading import load_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from satchel.storage.database.postgresql import PostgresDatabase
    from satchel.storage.paths import UserHome

#: The project name of the servers' own lines. No project has it: one without an id is refused.
SERVER = ""
#: Longest that one statement may take, seconds.
_STATEMENT = 5.0
#: Seconds before an unreachable database is tried again: requests would queue up.
_AWAY = 0.5


class ServerDatabase:
    """Connections to the database, for any thread, opened on first use.

    Args:
        url: address of the server.
        patience: seconds to keep trying an unreachable database.
    """

    def __init__(self, url: str, patience: float = GLANCE) -> None:
        self.url, self._patience = url, patience
        #: Idle ones. Each keeps the process's pool open, none a connection.
        self._idle: list[PostgresDatabase] = []
        self._away_until = 0.0

    @contextlib.contextmanager
    def opened(self, project: str = SERVER) -> Iterator[PostgresDatabase]:
        """Lend a database to one thread, for the servers' own rows or those of a project.

        Raises `StoreAwayError` at once if it was unreachable a moment ago.
        """
        if time.monotonic() < self._away_until:
            raise StoreAwayError(
                "The team's database does not answer.", hint="Try again in a moment."
            )
        try:
            database = self._idle.pop()
        except IndexError:
            database = connect(self.url, self._patience, project)
            database.statement_seconds = _STATEMENT
        database.project = project
        try:
            yield database
        except StoreSlowError:
            raise  # it waited for a lock, say: that is no reason to refuse everything else
        except (StoreAwayError, NotWritableError):
            self._away_until = time.monotonic() + _AWAY
            raise
        finally:
            self._idle.append(database)

    def ask(self) -> None:
        """Raise if the database does not answer."""
        with self.opened() as database:
            database.read("SELECT 1")

    def migrate(self) -> None:
        """Bring the tables up to this version."""
        with self.opened() as database:
            migrating.migrate(database)

    def prepare(self) -> None:
        """Make the tables of an empty database; raise for one of another version."""
        with self.opened() as database:
            if migrating.version_of(database) == 0:
                migrating.migrate(database)
            migrating.check(database)

    def close(self) -> None:
        """Close the connections; they reopen on next use."""
        while self._idle:
            self._idle.pop().close()


def server_database(home: UserHome, *, team: bool) -> ServerDatabase | None:
    """Return the database for a server's own state; None if that is stored in its home.

    Used by a team's server, and when every project's memories are in the database: the console of
    one person, with a project or two in a team, works while that team's database is unreachable.
    """
    settings = load_settings(home.configuration, "")
    url = settings.text("store.url")
    if not url or not (team or EVERY in settings.words("store.projects")):
        return None
    return ServerDatabase(url, min(settings.number("store.wait_s"), GLANCE))


def note_database(home: UserHome, database: ServerDatabase | None) -> None:
    """Record where the starting server keeps its users, for commands without that option."""
    if database is not None:
        replace_file(home.server_database, f"{database.url}\n".encode(), mode=0o600)
    else:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(home.server_database)


def noted_database(home: UserHome) -> ServerDatabase | None:
    """Return the database of the server last started; None if it had none."""
    url = read_file(home.server_database).decode("utf-8", "replace").strip()
    return ServerDatabase(url) if url else None
