"""A project's state on a team's servers: in their database, the same on every machine.

Suggestions, what agents were shown and Satchel's own sessions lie beside the project's memories,
under a name of their own: nothing that reads or moves memories meets them.
"""

from __future__ import annotations

from satchel.project.server_ledgers import SharedLedger
from satchel.project.team_store import is_chosen, team_project
from satchel.storage.database.queries import load_queries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from satchel.core.clock import Clock
    from satchel.project.place import Place
    from satchel.project.server_database import ServerDatabase
    from satchel.storage.database.contract import TeamDatabase
    from satchel.storage.settings.table import Settings

#: Its ledgers.
LEDGERS = ("injections", "proposals", "usefulness")


def beside(project: str) -> str:
    """Return the name of a project's state on servers, which the view `projects` leaves out."""
    return f"{project}/servers"


class SharedState:
    """What the servers of a team know of one project. Thread-safe.

    Args:
        database: where it is.
        place: a work tree of the project.
        clock: for the time of its records.
    """

    def __init__(self, database: ServerDatabase, place: Place, clock: Clock) -> None:
        self._database, self._place, self._clock = database, place, clock
        self._sql = load_queries(__file__, "shared_state.sql")

    @property
    def project(self) -> str:
        """The name that its rows have in the database."""
        return beside(team_project(self._place))

    def opened(self) -> AbstractContextManager[TeamDatabase]:
        """Lend a database that sees and changes these rows alone, to one thread."""
        return self._database.opened(self.project)

    def stamp(self) -> tuple[int, int, float]:
        """Return what changes with every line, session and message."""
        with self.opened() as database:
            ((lines, rows, at),) = database.read(self._sql["stamp"], (self.project,))
        return int(lines or 0), int(rows or 0), float(at or 0)

    def ledger(self, name: str) -> SharedLedger:
        """Return one of `LEDGERS`."""
        return SharedLedger(self._database, name, self._clock, self.project)


def shared_state(
    database: ServerDatabase | None, settings: Settings, place: Place, clock: Clock
) -> SharedState | None:
    """Return a project's state on servers; None if its memories are in files."""
    if database is None or not is_chosen(settings, place):
        return None
    return SharedState(database, place, clock)
