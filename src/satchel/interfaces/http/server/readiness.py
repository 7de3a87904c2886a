"""Whether a server is ready: checked in the background, and always answered within a second."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from contextlib import AbstractContextManager

from satchel.application.health.private_state import writable
from satchel.core.errors import SatchelError, StoreAwayError
from satchel.project.server import ServerStore
from satchel.workspace import Workspace

#: Seconds for an answer, and for one check of projects.
_TOLD, _LOOK = 0.8, 0.4


class Readiness:
    """Checks that everything can be read and written.

    Args:
        projects: provide workspaces; each check takes the next ones, so that many projects do not
            slow it.
    """

    def __init__(
        self,
        store: ServerStore,
        projects: Sequence[Callable[[], AbstractContextManager[Workspace]]],
    ) -> None:
        self._store, self._projects = store, projects
        self._next = 0
        self._lock = threading.Lock()
        self._looks = ThreadPoolExecutor(1, thread_name_prefix="readiness")
        self._running: Future[list[str]] | None = None

    def problems(self) -> list[str]:
        """Return what is wrong; a check that takes too long counts as a problem."""
        with self._lock:
            if self._running is None:
                self._running = self._looks.submit(self._look)
            running = self._running
        try:
            wrong = running.result(_TOLD)
        except TookTooLong:
            return ["no answer within a second"]
        with self._lock:
            if self._running is running:
                self._running = None
        return wrong

    def close(self) -> None:
        """Stop checking."""
        self._looks.shutdown(wait=False, cancel_futures=True)

    def _look(self) -> list[str]:
        wrong = ["nothing can be written in Satchel's home"] * bool(writable(self._store.state))
        end, asked_team = time.monotonic() + _LOOK, False
        for _ in self._projects:
            opened = self._projects[self._next % len(self._projects)]
            self._next += 1
            try:
                with opened() as workspace:
                    if writable(workspace.project.state):
                        wrong.append("nothing can be written for a project")
                    own, team = workspace.memories.own, workspace.memories.stores.team
                    own.index.counts(own.view())
                    if team is not None and not asked_team:
                        asked_team = True  # it is the same for all
                        team.readable()
            except StoreAwayError:
                wrong.append("no answer from the team's store")
            except Exception as error:  # noqa: BLE001 -- whatever it is, it is not ready
                wrong.append(type(error).__name__)
            if wrong or time.monotonic() > end:
                break
        if self._store.database is not None and not (wrong or asked_team):
            try:
                self._store.database.ask()
            except SatchelError:
                wrong.append("no answer from the database with the users")
        return wrong
