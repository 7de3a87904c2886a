"""A server's own state: users, tokens, the audit log, stored responses.

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
    """The state of the server of a home.

    Args:
        home: the Satchel home of the installation.
        clock: the time.
    """

    def __init__(self, home: UserHome, clock: Clock) -> None:
        self._home, self.clock = home, clock

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
        """The directory of responses by idempotency key."""
        return self.state.derived(ANSWERS)

    @property
    def browser_sessions(self) -> str:
        """The directory of browser sessions."""
        return self.state.derived(BROWSER_SESSIONS)

    def ledger(self, name: str) -> Ledger:
        """Open one of the server's own ledgers: `access` or `audit`."""
        from satchel.storage.ledger.file import Ledger

        return Ledger(self.state.ledger(name), self.state.lock(name), clock=self.clock)
