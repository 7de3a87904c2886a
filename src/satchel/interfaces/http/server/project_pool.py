"""The projects a server serves, with a workspace per concurrent request, and its users."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar, cast

from fastapi import Request

from satchel.core.clock import Clock
from satchel.core.errors import NoProjectError, NotFoundError, SatchelError
from satchel.features.access.audit import AuditLog
from satchel.features.access.browser_sessions import LONGEST, BrowserSessions
from satchel.features.access.limits import RateLimit
from satchel.features.access.secrets import InstallationToken, equal_in_constant_time, hash_of
from satchel.features.access.shared_idempotency import idempotency_of
from satchel.features.access.users import ADMIN, ANY, OWNER, WRITER, Identity, UserStore
from satchel.interfaces.http.server.metrics import Metrics, RequestLog
from satchel.interfaces.http.server.overview_cache import OverviewCache, ProjectOverview
from satchel.interfaces.http.server.path_cleaning import PathCleaner
from satchel.interfaces.http.server.readiness import Readiness
from satchel.project.server import ServerStore
from satchel.project.server_database import ServerDatabase
from satchel.project.team_store import is_chosen, team_project
from satchel.storage.paths import UserHome
from satchel.workspace import Workspace

#: How many to keep open, and the seconds before closing an idle one.
MOST_IDLE, KEPT_IDLE = 32, 10.0


class IdleWorkspaces:
    """Keeps workspaces open for the next request and closes unused ones."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        #: The longest idle first: project, workspace, idle since.
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


T = TypeVar("T")

_MOST_OPEN = 16
#: Seconds between two checks of a team's store, for all that wait for changes.
_GLANCE = 1.0


class PooledProject:
    """A project of a server.

    Args:
        root: its work tree.
        idle: holds the server's unused workspaces.
        team: others use it, who must not see the user's own memories for every project.
        servers: the database that a team's servers share.
    """

    def __init__(
        self,
        root: str,
        home: str,
        idle: IdleWorkspaces,
        *,
        team: bool = False,
        servers: ServerDatabase | None = None,
    ) -> None:
        self._root, self._home, self._team, self._servers = root, home, team, servers
        self._idle = idle
        self._lock = threading.Lock()
        self._room = threading.BoundedSemaphore(_MOST_OPEN)
        self._looking = OverviewCache(self.opened)
        self._seen = threading.Lock()
        self._seen_at = -_GLANCE
        self._given: object = None
        self._kept: dict[str, tuple[object, Any]] = {}
        self._generation = 0
        with self.opened() as workspace:
            self.key = workspace.project.key
            self.id = workspace.project.place.project_id or workspace.project.key
            self.name = os.path.basename(workspace.project.place.root)
            self._place, settings = workspace.project.place, workspace.project.settings
            self._in_database = is_chosen(settings, self._place)
        #: Its names in paths and roles.
        self.names: tuple[str, ...] = (self.id, self.key, self.name)

    @property
    def shared_name(self) -> str:
        """Its name on every machine that serves it. Asks git, once, on first use."""
        return team_project(self._place) if self._in_database else self.key

    @contextmanager
    def opened(self, who: Identity | None = None) -> Iterator[Workspace]:
        """Provide exclusive use of a workspace; at most 16 are open at once.

        For a reader the team's database refuses every change, whatever a route forgets to check.
        Without `who` the caller is the server itself. Raises `NoProjectError` if the work tree was
        deleted: writing would recreate it.
        """
        if not os.path.isdir(self._root):
            raise NoProjectError(
                f"The directory of {os.path.basename(self._root)} no longer exists.",
                hint="Restore it, or start the server without it.",
            )
        with self._room:
            workspace = self._idle.take(self)
            if workspace is None:
                workspace = self._open()
            generation = self._generation
            try:
                writes = who is None or who.may(WRITER, *self.names)
                workspace.memories.stores.let_write(writes=writes)
                yield workspace
            except BaseException:
                workspace.close()  # its errors are not passed on to the next user
                raise
            if generation != self._generation:
                workspace.close()
                return
        self._idle.give_back(self, workspace)

    def _open(self) -> Workspace:
        if self._team:
            return Workspace.open_for_others(self._root, home=self._home, servers=self._servers)
        return Workspace.open(self._root, home=self._home)

    def shared(self) -> object:
        """Return what changes with every line in the database, checked at most once a second.

        None if there is none, or it does not answer.
        """
        with self._seen:
            if time.monotonic() - self._seen_at >= _GLANCE:
                try:
                    with self.opened() as workspace:
                        team = workspace.memories.stores.team
                        state = workspace.project.shared_state
                        beside = 0 if state is None else state.stamp()
                        self._given = None if team is None else (team.look().given, beside)
                except (SatchelError, OSError):
                    self._given = None
                self._seen_at = time.monotonic()
            return self._given

    def kept(self, name: str, stamp: object, make: Callable[[T | None], T]) -> T:
        """Return the cached value for this stamp, or compute it from the previous one."""
        with self._lock:
            known = self._kept.get(name)
        if known is not None and known[0] == stamp:
            return cast("T", known[1])
        made = make(None if known is None else cast("T", known[1]))
        with self._lock:
            self._kept[name] = (stamp, made)
        return made

    def overview(self, workspace: Workspace) -> ProjectOverview | None:
        """Return the project's overview; a large one is computed in the background.

        None if it is being computed for the first time.
        """
        return self._looking.latest(workspace)

    def look(self) -> None:
        """Compute the project's overview ahead of time."""
        self._looking.look()

    def keep_sessions(self) -> None:
        """Close sessions in the servers' database that were left; forget here what is gone there.

        Upkeep does this for the sessions of a home, and sees none of these.
        """
        if self._servers is None or not self._in_database:
            return
        with suppress(SatchelError, OSError), self.opened() as workspace:
            archive, state = workspace.sessions.archive, workspace.project.shared_state
            archive.clean_up()
            self.kept("copies", state and state.stamp(), lambda _: archive.follow_servers())

    def reopen(self) -> None:
        """Reopen every workspace on next use, because settings have changed."""
        with self._lock:
            self._generation += 1
            self._kept.clear()
        self._idle.close(self)

    def close(self) -> None:
        """Stop computing, and close unused workspaces."""
        self._looking.close()
        self._idle.close(self)


class ProjectPool:
    """Everything behind one server.

    Args:
        team: users with tokens of their own, besides the installation's.
        hosts: allowed values of `Host`, such as `127.0.0.1:8377`.
        log: write a line of JSON for each request to standard error.
    """

    def __init__(
        self,
        roots: Sequence[str],
        home: str,
        *,
        team: bool = False,
        hosts: Sequence[str] = (),
        log: bool = False,
    ) -> None:
        self.clock = Clock()
        self.store = ServerStore.open(UserHome(home), self.clock, team=team)
        self.team = team
        self.hosts = frozenset(host.lower() for host in hosts)
        idle = IdleWorkspaces()
        servers = self.store.database
        self.projects = [
            PooledProject(root, home, idle, team=team, servers=servers) for root in roots
        ]
        self.readiness = Readiness(self.store, [one.opened for one in self.projects])
        self._name_apart()
        self.paths = PathCleaner(
            [(root, one.name) for root, one in zip(roots, self.projects, strict=True)], home
        )
        self._token = InstallationToken(self.store.token)
        self.book = UserStore(self.store.ledger("access"))
        self.audit = AuditLog(self.store.ledger("audit"))
        self.answers = idempotency_of(self.store)
        self.sessions = BrowserSessions(self.store.browser_sessions(LONGEST))
        self.limit = RateLimit()
        self.metrics = Metrics()
        self.log = RequestLog(self.clock) if log else None
        #: Set on shutdown, to end streams, which would continue forever.
        self.stopping = threading.Event()

    def _name_apart(self) -> None:
        """Drop names that several projects share, because a role names only one project.

        The id is read from a tracked file, so a repository could call itself what another is
        called. The key is the server's own.
        """
        for one in self.projects:
            others = {
                name
                for other in self.projects
                if other.key != one.key
                for name in (other.id, other.key, other.name)
            }
            one.names = (one.key, *(name for name in (one.id, one.name) if name not in others))

    @property
    def token(self) -> str:
        """Return this installation's current token."""
        return self._token.now()

    def project(self, given: str) -> PooledProject:
        """Return a project by id, key or name; `current` is the first."""
        if given == "current":
            return self.projects[0]
        for project in self.projects:
            if given in project.names:
                return project
        several = sum(given in (project.id, project.name) for project in self.projects) > 1
        raise NotFoundError(
            f"This server has {'more than one' if several else 'no'} project {given[:60]!r}.",
            hint="GET /api/projects lists them" + (" with their ids." if several else "."),
        )

    def identify(self, token: str) -> Identity | None:
        """Return the user of a token; the installation's token is the owner's."""
        return self._with_hash(hash_of(token)) if token else None

    def signed_in(self, session: str, browser: str, *, active: bool = True) -> Identity | None:
        """Return the user of a browser session, while their token is valid."""
        return self._with_hash(self.sessions.token_of(session, browser, active=active))

    def _with_hash(self, wanted: str) -> Identity | None:
        if not wanted:
            return None
        if equal_in_constant_time(wanted, hash_of(self.token)):
            return Identity(OWNER, ((ANY, ADMIN),), "installation")
        return self.book.with_hash(wanted) if self.team else None

    def close(self) -> None:
        """Close every project."""
        self.readiness.close()
        for project in self.projects:
            project.close()
        self.store.close()


def served_by(request: Request) -> ProjectPool:
    """Return the project pool behind the server."""
    served: ProjectPool = request.app.state.served
    return served


def who_asks(request: Request) -> Identity:
    """Return the user of the request, which the gate has authenticated."""
    identity: Identity = request.scope["satchel.identity"]
    return identity
