"""A server's own state: users, tokens, the audit log, stored responses.

Neither a project's nor a person's: the rooms of `features` and `application` never see it. It lies
in the home, or, with a database, there, so that a server on any machine knows all of it.
"""

from __future__ import annotations

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

#: Seconds for which the answer of a request with a key is known.
DAY = 86_400


class ServerStore:
    """The state of the server of a home.

    Args:
        home: the Satchel home of the installation.
        clock: the time.
        database: where it lies instead; None for the home.
    """

    def __init__(
        self, home: UserHome, clock: Clock, database: ServerDatabase | None = None
    ) -> None:
        self._home, self.clock, self.database = home, clock, database

    @classmethod
    def open(cls, home: UserHome, clock: Clock, *, team: bool) -> ServerStore:
        """Open the state where the settings say that it lies; see `server_database`."""
        return cls(home, clock, server_database(home, team=team))

    @classmethod
    def of_team(cls, home: UserHome, clock: Clock) -> ServerStore:
        """Open what a team's server of this home knows, while none need be running."""
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
        """Return browser sessions and links that sign in, each kept for so many seconds."""
        if self.database is not None:
            return SharedDocuments(self.database, SERVER, "session", seconds)
        return HomeDocuments(self.state.derived(BROWSER_SESSIONS), self.clock, seconds)

    def ledger(self, name: str) -> ServerLedger:
        """Open one of the server's own ledgers: `access` or `audit`."""
        if self.database is not None:
            return SharedLedger(self.database, name, self.clock)
        return self.home_ledger(name)

    def home_ledger(self, name: str) -> HomeLedger:
        """Open a ledger of this home, also where the database has its own."""
        return HomeLedger(self.state.ledger(name), self.state.lock(name), clock=self.clock)

    def close(self) -> None:
        """Close the database's connections; they reopen on next use."""
        if self.database is not None:
            self.database.close()
