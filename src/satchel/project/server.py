"""What belongs to a server: users, tokens, the audit log, answers that were given.

Neither a project's nor a person's: the rooms of `features` and `application` never see it.
"""

from __future__ import annotations

from satchel.storage.paths import ANSWERS, BROWSER_SESSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.core.clock import Clock
    from satchel.storage.ledger.file import Ledger
    from satchel.storage.paths import PrivateState, UserHome


class ServerStore:
    """The state of the server that serves from a home.

    Args:
        home: the Satchel home of the installation.
        clock: the time.
    """

    def __init__(self, home: UserHome, clock: Clock) -> None:
        self._home, self.clock = home, clock

    @property
    def state(self) -> PrivateState:
        """Where the server keeps what it needs for itself."""
        return self._home.user_state

    @property
    def token(self) -> str:
        """The file with the token of this installation."""
        return self._home.server_token

    @property
    def faults(self) -> str:
        """What went wrong where nobody could be told."""
        return self.state.faults

    @property
    def answers(self) -> str:
        """The directory of answers that were given to requests with a key."""
        return self.state.derived(ANSWERS)

    @property
    def browser_sessions(self) -> str:
        """The directory of who has signed in with a browser."""
        return self.state.derived(BROWSER_SESSIONS)

    def ledger(self, name: str) -> Ledger:
        """Open one of the server's own ledgers: `access` or `audit`."""
        from satchel.storage.ledger.file import Ledger

        return Ledger(self.state.ledger(name), self.state.lock(name), clock=self.clock)
