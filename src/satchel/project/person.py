"""The user's own data, independent of any project.

Code with a `PersonStore` may read the person's instructions, agents' files, preferences, knowledge
base and transcripts. A team's server is never given one.
"""

from __future__ import annotations

import os

from satchel.core.clock import Clock
from satchel.storage.paths import ArchiveState, PrivateState, UserHome
from satchel.storage.settings.table import Settings


class PersonStore:
    """The user's own Satchel directory, and their data elsewhere.

    Args:
        home: the directory.
        clock: the time; None for the machine's.
    """

    def __init__(self, home: UserHome, clock: Clock | None = None) -> None:
        self.home = home
        self.clock = clock or Clock()

    @property
    def state(self) -> PrivateState:
        """The user's ledgers, indexes and graph shared by all projects."""
        return self.home.user_state

    def has_memories(self) -> bool:
        """Return whether the user has stored anything yet."""
        return os.path.isdir(self.state.ledgers)

    def knowledge_base(self, settings: Settings) -> str:
        """Return the user's notes directory, with `learnings/` and `episodes/`."""
        given = settings.text("notes.knowledge_base")
        if given in ("", "auto"):
            return self.home.knowledge_base(settings.text("layout.preset"))
        return os.path.abspath(os.path.expanduser(given))

    def archive(self, key: str) -> ArchiveState:
        """Return the archive of the user's transcripts in a project."""
        return ArchiveState(self.home.project_state(key).path)

    def client_home(self, client: str) -> str:
        """Return the user's directory of an agent client."""
        from satchel.clients.registry import client_home

        return client_home(client)
