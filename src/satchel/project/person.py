"""What belongs to the person who works here, in every project.

Whoever holds a `PersonStore` may read the person's instructions, agents' files, preferences,
knowledge base and transcripts. A team's server is never given one.
"""

from __future__ import annotations

import os

from satchel.core.clock import Clock
from satchel.storage.paths import ArchiveState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.paths import PrivateState, UserHome
    from satchel.storage.settings.table import Settings


class PersonStore:
    """The person's own directory of Satchel, and what of theirs lies elsewhere.

    Args:
        home: the directory.
        clock: the time; None for the machine's.
    """

    def __init__(self, home: UserHome, clock: Clock | None = None) -> None:
        self.home = home
        self.clock = clock or Clock()

    @property
    def state(self) -> PrivateState:
        """Ledgers, indexes and graph of what the person keeps for every project."""
        return self.home.user_state

    def has_memories(self) -> bool:
        """Return whether the person has kept anything yet."""
        return os.path.isdir(self.state.ledgers)

    def knowledge_base(self, settings: Settings) -> str:
        """Return the directory of the person's notes, `learnings/` and `episodes/` in it."""
        given = settings.text("notes.knowledge_base")
        if given in ("", "auto"):
            return self.home.knowledge_base(settings.text("layout.preset"))
        return os.path.abspath(os.path.expanduser(given))

    def archive(self, key: str) -> ArchiveState:
        """Return where the transcripts of the person's sessions in one project are kept."""
        return ArchiveState(self.home.project_state(key).path)

    def client_home(self, client: str) -> str:
        """Return the directory in which an agent client keeps what is the person's."""
        from satchel.clients.registry import client_home

        return client_home(client)
