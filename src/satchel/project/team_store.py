"""A team's database: whether a project uses one, its connections, its project names."""

from __future__ import annotations

import os
from functools import lru_cache

from satchel.core.errors import BadInputError, StoreError
from satchel.storage import git
from satchel.storage.database import migrating

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from satchel.project.place import Place
    from satchel.storage.database.postgresql import PostgresDatabase
    from satchel.storage.settings.table import Settings

    T = TypeVar("T")

#: The value of `store.projects` that puts every project on the server.
EVERY = "*"
_GIT_SECONDS = 20
#: Longest that a query waits for an unresponsive server before continuing without it, seconds.
GLANCE = 2.0
#: Longest that one statement of a write may take, seconds.
_WRITING = 30.0


def is_chosen(settings: Settings, place: Place) -> bool:
    """Return whether this project's memories are on a server, by the user's settings."""
    chosen = settings.words("store.projects")
    return bool(settings.text("store.url")) and (EVERY in chosen or place.project_id in chosen)


def team_project(place: Place) -> str:
    """Return a project's name on every machine: its id and its first commit.

    A copied template has the same id but another first commit, so it is another project. An id with
    a `.` or `/` in it could spell another project's whole name.
    """
    if not place.project_id:
        raise BadInputError("This project has no id.", hint="Run `satchel init` here.")
    if not place.project_id.replace("-", "").replace("_", "").isalnum():
        raise BadInputError(
            f"{place.project_id[:60]!r} is not an id that `satchel init` writes.",
            hint="Take .satchel/project.toml from git again.",
        )
    if not place.common:
        return place.project_id
    first = _first_commit(place.root, place.common)
    return f"{place.project_id}.{first[:12]}"


@lru_cache(maxsize=4096)
def _first_commit(root: str, common: str) -> str:
    """Return a repository's first commit, cached per process."""
    words = ("rev-list", "--max-parents=0", "--first-parent", "HEAD")
    done = git.ask(root, *words, seconds=_GIT_SECONDS)
    shallow = os.path.exists(os.path.join(common, "shallow"))
    if shallow or done.code or not done.out.split():
        raise BadInputError(
            "The first commit, which identifies this repository to a team's store, is not here.",
            hint="Commit something, or fetch the whole history: `git fetch --unshallow`.",
        )
    return str(done.out.split()[-1])


def parts_of(url: str) -> dict[str, str]:
    """Parse a server's address: `host`, `password`, `sslmode`, ...; {} if invalid."""
    from satchel.storage.database.postgresql import address_parts

    return address_parts(url)


def refuse_password(url: str) -> None:
    """Raise `BadInputError` for an address with a password, since settings are shown."""
    if parts_of(url).get("password"):
        raise BadInputError(
            "The address contains a password, which settings would show.",
            hint="Put it into ~/.pgpass or PGPASSWORD, and leave it out of the address.",
        )


def connect(url: str, wait: float, project: str | None) -> PostgresDatabase:
    """Connect to a server on first use, for one project; see `storage.database.acting`."""
    from satchel.storage.database.postgresql import PostgresDatabase

    refuse_password(url)
    return PostgresDatabase(url, project, patience=wait)


class TeamStore:
    """A project's connections to a team's database, and to its replica if configured.

    Args:
        settings: the person's.
        place: a work tree of the project.
        url: address of the server; "" for the settings.
    """

    def __init__(self, settings: Settings, place: Place, url: str = "") -> None:
        self.project = team_project(place)
        self.wait = settings.number("store.wait_s")
        self.database = connect(url or settings.text("store.url"), self.wait, self.project)
        replica, wait = settings.text("store.replica_url"), min(self.wait, GLANCE)
        self.replica = connect(replica, wait, self.project) if replica else None
        if self.replica is not None:
            self.replica.writes = False
        self._checked = False

    def close(self) -> None:
        """Close the connections."""
        self.database.close()
        if self.replica is not None:
            self.replica.close()

    def prepare_to_write(self) -> None:
        """Check the store's version, once, and set the timeouts for writes.

        Raises `NewerFormatError` or `ConflictError` for a store of another version.
        """
        if not self._checked:
            migrating.check(self.database)
            self._checked = True
        self.database.statement_seconds, self.database.asking_patience = _WRITING, self.wait

    def prepare_to_read(self) -> None:
        """Set the timeouts for questions, which fail quickly."""
        database = self.replica or self.database
        database.statement_seconds = database.asking_patience = GLANCE

    def glance(self, ask: Callable[[], T]) -> T:
        """Run a small query, to check quickly that the server responds.

        Raises `StoreAwayError` if it does not, `NewerFormatError` or `ConflictError` if it is of
        another version.
        """
        self.prepare_to_read()
        try:
            return ask()
        except StoreError:
            migrating.check(self.replica or self.database)
            raise

    def migrate(self) -> list[str]:
        """Migrate the store to this Satchel's version; return what was done."""
        return [f"{s.number:04} {s.name}" for s in migrating.migrate(self.database)]
