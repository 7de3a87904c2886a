"""A server's own state: users, tokens, the audit log, stored responses.

It belongs to neither a project nor a person: `features` and `application` never see it. It is
stored in the home, or in a database if there is one, so that servers on all machines share it.
"""

from __future__ import annotations

from satchel.core.times import DAY
from satchel.project.server_database import SERVER, noted_database, server_database
from satchel.project.server_documents import HomeDocuments, SharedDocuments
from satchel.project.server_ledgers import HomeLedger, SharedLedger
from satchel.storage.paths import ANSWERS, BROWSER_SESSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.core.clock import Clock
    from satchel.project.server_database import ServerDatabase
    from satchel.project.server_documents import ServerDocuments
    from satchel.project.server_ledgers import ServerLedger
    from satchel.storage.paths import PrivateState, UserHome


class ServerStore:
    """The state of the server of a home.

    Args:
        home: the Satchel home of the installation.
        clock: the time.
        database: where it is stored instead; None for the home.
    """

    def __init__(
        self, home: UserHome, clock: Clock, database: ServerDatabase | None = None
    ) -> None:
        self._home, self.clock, self.database = home, clock, database

    @classmethod
    def open(cls, home: UserHome, clock: Clock, *, team: bool) -> ServerStore:
        """Open the state where the settings say it is stored; see `server_database`."""
        return cls(home, clock, server_database(home, team=team))

    @classmethod
    def of_team(cls, home: UserHome, clock: Clock) -> ServerStore:
        """Open the state of this home's team server, whether or not it is running."""
        return cls(home, clock, server_database(home, team=True) or noted_database(home))

    @property
    def state(self) -> PrivateState:
        """The server's own directory."""
        return self._home.user_state

    @property
    def token(self) -> str:
        """The file with this installation's token."""
        return self._home.server_token

    @property
    def faults(self) -> str:
        """Errors that could not be reported."""
        return self.state.faults

    @property
    def answers(self) -> str:
        """The directory of responses by idempotency key, without a database."""
        return self.state.derived(ANSWERS)

    def shared_answers(self, project: str) -> SharedDocuments:
        """Return a project's responses by idempotency key, in the database."""
        assert self.database is not None  # noqa: S101 -- without one, `answers` has them
        return SharedDocuments(self.database, project, "answer", DAY)

    def browser_sessions(self, seconds: float) -> ServerDocuments:
        """Return browser sessions and sign-in links, each kept for a number of seconds."""
        if self.database is not None:
            return SharedDocuments(self.database, SERVER, "session", seconds)
        return HomeDocuments(self.state.derived(BROWSER_SESSIONS), self.clock, seconds)

    def ledger(self, name: str) -> ServerLedger:
        """Open one of the server's own ledgers: `access` or `audit`."""
        if self.database is not None:
            return SharedLedger(self.database, name, self.clock)
        return self.home_ledger(name)

    def home_ledger(self, name: str) -> HomeLedger:
        """Open a ledger of this home, even if the database has its own."""
        return HomeLedger(self.state.ledger(name), self.state.lock(name), clock=self.clock)

    def close(self) -> None:
        """Close the database's connections; they reopen on next use."""
        if self.database is not None:
            self.database.close()
