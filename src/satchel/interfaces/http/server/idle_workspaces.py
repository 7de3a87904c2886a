"""A pool of idle workspaces: a few per server, however many projects it serves."""

from __future__ import annotations

import threading
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.workspace import Workspace

#: How many are kept open, and after how many seconds one is closed.
MOST_IDLE, KEPT_IDLE = 32, 10.0


class IdleWorkspaces:
    """Keeps workspaces open for the next request and closes unused ones."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        #: The longest idle first: of which project, the workspace, since when.
        self._held: list[tuple[object, Workspace, float]] = []

    def take(self, project: object) -> Workspace | None:
        """Return a project's most recently used workspace, or None."""
        with self._lock:
            for place in range(len(self._held) - 1, -1, -1):
                if self._held[place][0] is project:
                    return self._held.pop(place)[1]
        return None

    def give_back(self, project: object, workspace: Workspace) -> None:
        """Keep a workspace for the project's next request."""
        now = time.monotonic()
        with self._lock:
            self._held.append((project, workspace, now))
            stale = sum(since < now - KEPT_IDLE for *_, since in self._held)
            surplus = self._held[: max(stale, len(self._held) - MOST_IDLE)]
            del self._held[: len(surplus)]
        for _, one, _ in surplus:
            one.close()

    def close(self, project: object) -> None:
        """Close a project's workspaces."""
        while (one := self.take(project)) is not None:
            one.close()
