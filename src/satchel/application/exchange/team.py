"""The team's store of one project: opened when it is chosen, and what is moved to and from it.

The one place that names the PostgreSQL driver.
"""

from __future__ import annotations

import os

from satchel.core.errors import BadInputError, BusyError, SatchelError
from satchel.core.hashing import digest
from satchel.core.kinds import kind_named
from satchel.core.redaction.personal import is_personal
from satchel.core.values import NamedTuple
from satchel.engine.search.records import parse_line
from satchel.engine.search.team_index import TeamIndex
from satchel.features.memories.service import Memories
from satchel.features.memories.team_ledgers import KNOWLEDGE, TeamLedgers
from satchel.storage import git
from satchel.storage.database import migrating
from satchel.storage.ledger.file import Ledger
from satchel.storage.locks import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from satchel.application.exchange.replication import Moved
    from satchel.core.clock import Clock
    from satchel.features.memories.ledgers import Ledgers
    from satchel.features.memories.service import Limits
    from satchel.features.tasks.board import Board
    from satchel.project.place import Place
    from satchel.storage.database.postgresql import PostgresDatabase
    from satchel.storage.ledger.record import Record
    from satchel.storage.paths import PrivateState, TrackedFiles
    from satchel.storage.settings.table import Settings

    class Opened(Protocol):
        """What is needed of an open project."""

        place: Place
        settings: Settings
        clock: Clock
        state: PrivateState
        tracked: TrackedFiles
        ledgers: Ledgers

        def limits(self) -> Limits:
            """How large a memory may be."""


EVERY = "*"
_GIT_SECONDS = 20
#: Longest that a question waits for a server that does not answer before it goes on without it.
_GLANCE = 2.0
#: Longest that one statement of a write may take, seconds.
_WRITING = 30.0


class Status(NamedTuple):
    """How a team's store stands."""

    engine: str
    replica: str
    version: int
    newest: int
    project: str
    counts: dict[str, int]
    published: dict[str, int]
    waiting: int
    problems: list[str]
    size: int


def is_chosen(settings: Settings, place: Place) -> bool:
    """Say whether this project's memories live on a server. The settings are the person's own."""
    chosen = settings.words("store.projects")
    return bool(settings.text("store.url")) and (EVERY in chosen or place.project_id in chosen)


def team_project(place: Place) -> str:
    """Name a project the same on every machine: its id and its first commit.

    A copied template has the id and another first commit, so it is another project.
    """
    if not place.project_id:
        raise BadInputError("This project has no id.", hint="Run `satchel init` here.")
    if not place.common:
        return place.project_id
    words = ("rev-list", "--max-parents=0", "--first-parent", "HEAD")
    done = git.ask(place.root, *words, seconds=_GIT_SECONDS)
    shallow = os.path.exists(os.path.join(place.common, "shallow"))
    if shallow or done.code or not done.out.split():
        raise BadInputError(
            "The first commit of this repository is not here, which a team's store is keyed by.",
            hint="Commit something, or fetch the whole history: `git fetch --unshallow`.",
        )
    return f"{place.project_id}.{done.out.split()[-1][:12]}"


def refuse_password(url: str) -> None:
    """Raise `BadInputError` for an address with a password: settings and snapshots show it."""
    from satchel.storage.database.postgresql import has_password

    if has_password(url):
        raise BadInputError(
            "The address holds a password, which settings would show.",
            hint="Put it into ~/.pgpass or PGPASSWORD, and leave it out of the address.",
        )


def connect(url: str, wait: float) -> PostgresDatabase:
    """Connect to a server when something is first asked of it."""
    from satchel.storage.database.postgresql import PostgresDatabase

    refuse_password(url)
    return PostgresDatabase(url, patience=wait)


class Team:
    """The memories of one project on a server.

    Args:
        project: the open project; whoever opened it closes this.
        url: address of the server; "" for the settings.

    `memories` reads and writes at the server itself. `reader` reads from the replica, if one is
    set, and writes where `memories` does; what was written a moment ago may be missing from it.
    """

    def __init__(self, project: Opened, url: str = "") -> None:
        settings = project.settings
        self._open = project
        self.project = team_project(project.place)
        self.wait = settings.number("store.wait_s")
        self.database = connect(url or settings.text("store.url"), self.wait)
        replica = settings.text("store.replica_url")
        self.replica = connect(replica, min(self.wait, _GLANCE)) if replica else None
        index = TeamIndex(self.database, self.project, parse_line)
        self.ledgers = TeamLedgers(index, clock=project.clock, state=project.state)
        self.memories = Memories(self.ledgers, index, project.clock, project.limits())
        self.reader = self.memories
        if self.replica is not None:
            read_from = TeamIndex(self.replica, self.project, parse_line, primary=self.database)
            self.reader = Memories(self.ledgers, read_from, project.clock, project.limits())
        self._checked = False

    def close(self) -> None:
        """Close the connections."""
        self.database.close()
        if self.replica is not None:
            self.replica.close()

    def checked(self) -> Memories:
        """Return the memories for writing; the version of the store is looked at once."""
        if not self._checked:
            migrating.check(self.database)
            self._checked = True
        _allow(self.database, _WRITING)
        return self.memories

    def readable(self) -> Memories | None:
        """Return the memories for reading; None where no server answers, after a moment.

        Raises `NewerFormatError` or `ConflictError`: another version is no absence.
        """
        database = self.replica or self.database
        patience, database.patience = database.patience, min(database.patience, _GLANCE)
        try:
            migrating.check(database)
            _allow(database, _GLANCE)
        except BusyError:
            return None
        finally:
            database.patience = patience
        return self.reader

    def lines_given(self) -> int | None:
        """How many lines the project was ever given, by anybody; None where no server answers."""
        return None if self.readable() is None else self.ledgers.lines_given()

    # Moving

    def migrate(self) -> list[str]:
        """Bring the store up to the version of this Satchel; return what was done."""
        return [f"{s.number:04} {s.name}" for s in migrating.migrate(self.database)]

    def rebuild(self) -> int:
        """Derive every document of the project anew from its lines."""
        self.checked()
        index = self.memories.index
        return index.rebuild() if isinstance(index, TeamIndex) else 0

    def push(self, *, everything: bool = False) -> dict[str, Moved]:
        """Send what this machine has and the server has not.

        Only what may be shared goes, and from the ledger that git tracks too; `everything` sends
        each line of each ledger as it is, private ones as well.
        """
        from satchel.application.exchange.publishing import name_project
        from satchel.application.exchange.replication import push

        self.checked()
        moved = {}
        for name, ledger in self._local_ledgers(everything=everything):
            moved[name] = push(
                ledger, self.ledgers.named(name), None if everything else self._may_go
            )
        tracked = self._open.ledgers.tracked
        if tracked is not None and not everything:
            moved["tracked"] = push(tracked, self.ledgers.named(KNOWLEDGE), self._may_go)
        name_project(self.database, self.project, os.path.basename(self._open.place.root))
        self._publish()
        return moved

    def pull(self) -> dict[str, Moved]:
        """Bring what the server has into this machine's private ledgers, line by line."""
        from satchel.application.exchange.replication import pull

        self.checked()
        names = self.ledgers.held()
        files = dict(self._local_ledgers(everything=True))
        return {
            name: pull(self.ledgers.named(name), files[name]) for name in names if name in files
        }

    def follow(self, local: Memories) -> int:
        """Bring new versions of memories that this machine has copies of; return how many.

        Without it, what somebody deleted on the server would still be shown from here.
        """
        from satchel.application.exchange.replication import follow
        from satchel.storage.ledger.team import TeamLedger

        def is_newer_copy(record: Record) -> bool:
            copies = local.index.history(record.identity, local.sources)
            hashes = {hit.document.hash for hit in copies}
            return bool(copies) and record.version[3] not in hashes

        team = TeamLedger(
            self.replica or self.database, self.project, KNOWLEDGE, clock=self._open.clock,
            derive=lambda *_: None,
        )  # fmt: skip
        mark = digest(f"{self.database.url}\0{self.project}".encode()).hex()[:16]
        with FileLock(self._open.state.lock("team"), timeout=_GLANCE) as lock:
            held = os.pread(lock.fd, 64, 0).decode("ascii", "replace").split()
            seen = int(held[1]) if held[:1] == [mark] and held[1:] and held[1].isdigit() else 0
            last, brought = follow(team, local.ledgers.private(""), seen, is_newer_copy)
            if last != seen:
                # After what was brought is on disk: a crash in between brings it again.
                os.ftruncate(lock.fd, 0)
                os.pwrite(lock.fd, f"{mark} {last}\n".encode(), 0)
        return brought

    def _local_ledgers(self, *, everything: bool) -> list[tuple[str, Any]]:
        ledgers = self._open.ledgers.every_private()
        named = [(os.path.basename(one.path).removesuffix(".jsonl"), one) for one in ledgers]
        if everything:
            # Rows of tables live in a ledger that memories know nothing of.
            from satchel.features.tables.rows import LEDGER

            state = self._open.state
            rows = Ledger(state.ledger(LEDGER), state.lock(LEDGER), clock=self._open.clock)
            named.append((LEDGER, rows))
        return named if everything else [pair for pair in named if pair[0] == KNOWLEDGE]

    def _may_go(self, record: Record) -> bool:
        kinds = self._open.settings.words("share.kinds")
        return record.kind in kinds and not stays_here(record.kind, {
            "visibility": record.visibility, "content": record.content, "title": record.title,
        })  # fmt: skip

    def _publish(self) -> None:
        """Show tasks and the knowledge graph to whoever asks the server with plain SQL.

        Of the graph only what notes of the work tree and memories on the server say.
        """
        from satchel.application.exchange.publishing import ENTITY, RELATIONSHIP, publish

        opened, now = self._open, self._open.clock.now()
        tasks = getattr(opened, "tasks", None)
        if tasks is not None:
            self.publish_tasks(tasks.board())
        graph = getattr(opened, "graph", None)
        if graph is None:
            return
        from satchel.features.graph.ingest import NOTE, RECORD
        from satchel.features.graph.sharing import said_by

        index, sources = self.memories.index, self.memories.sources
        there = {hit.document.identity for hit in index.latest(sources, limit=1_000_000)}

        def may_be_shown(ident: str) -> bool:
            return ident.startswith(NOTE) or (
                ident.startswith(RECORD) and ident.removeprefix(RECORD) in there
            )

        with graph:
            shown = graph.asked(lambda one: said_by(one.store.database, may_be_shown))
        publish(self.database, self.project, ENTITY, shown.entities, now)
        publish(self.database, self.project, RELATIONSHIP, shown.relations, now)

    def publish_tasks(self, board: Board) -> int:
        """Show these tasks on the server, each in one row; return how many those are."""
        from satchel.application.exchange.publishing_tasks import publish_tasks

        self.checked()
        return publish_tasks(self.database, self.project, board, self._open.clock.now())

    def status(self) -> Status:
        """Ask the server how it stands."""
        from satchel.application.exchange.publishing import published_counts

        version, newest = migrating.version_of(self.database), migrating.migrations()[-1].number
        engine, size = self.database.engine(), self.database.size()
        replica = ""
        if self.replica is not None:
            try:
                replica = self.replica.engine()
            except SatchelError as error:
                replica = str(error)
        if version != newest:
            return Status(engine, replica, version, newest, self.project, {}, {}, 0, [], size)
        index, sources = self.memories.index, self.memories.sources
        return Status(
            engine, replica, version, newest, self.project,
            index.counts(sources, now=self._open.clock.now()),
            published_counts(self.database, self.project),
            index.vector_counts()[0], index.problems(), size,
        )  # fmt: skip


def _allow(database: PostgresDatabase, seconds: float) -> None:
    """Set how long one statement may take on this connection."""
    milliseconds = str(int(seconds * 1000))
    database.read("SELECT set_config('statement_timeout', ?1, false)", (milliseconds,))


def stays_here(kind: str, fields: dict[str, Any]) -> bool:
    """Say whether a memory is this machine's: short-lived, private, or with somebody's address."""
    text = f"{fields.get('title', '')} {fields.get('content', '')}"
    return (
        not kind_named(kind).long_lived
        or fields.get("visibility") == "private"
        or is_personal(text)
    )


def open_team(project: Opened) -> Team | None:
    """Open the team's store of a project; None where its memories live in files alone."""
    if not is_chosen(project.settings, project.place):
        return None
    return Team(project)
