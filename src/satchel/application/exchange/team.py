"""Moves data between this machine and the team's server, and publishes what it shows."""

from __future__ import annotations

import os
from collections.abc import Callable

from satchel.application.exchange.privacy import TOMBSTONES, ended_by
from satchel.application.exchange.publishing import (
    CONVERSATION,
    ENTITY,
    MESSAGE,
    RELATIONSHIP,
    name_project,
    publish,
    publish_tasks,
    published_counts,
    published_sessions,
)
from satchel.application.services import Services
from satchel.core.errors import SatchelError
from satchel.core.values import Any, NamedTuple
from satchel.engine.search.documents import Source
from satchel.features.graph.ingest import NOTE, RECORD
from satchel.features.graph.sharing import shareable_from
from satchel.features.memories.approvals import unapproved_lines
from satchel.features.memories.ledgers import KNOWLEDGE
from satchel.features.memories.store import MemoryStores
from satchel.features.memories.team import TeamMemories, is_local_only
from satchel.features.tables.rows import LEDGER
from satchel.features.tables.store import RowStore
from satchel.features.tasks.board import Board
from satchel.project.approvals.rules import line_mark
from satchel.storage.database import migrating
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.replication import ReplicationReport, pull, push


class Status(NamedTuple):
    """The state of a team's store."""

    engine: str
    replica: str
    version: int
    newest: int
    project: str
    size: int
    counts: dict[str, int] = {}  # noqa: RUF012 -- values are never changed
    published: dict[str, int] = {}  # noqa: RUF012
    waiting: int = 0
    problems: tuple[str, ...] = ()


class TeamExchange:
    """Moves memories between one project on this machine and the team's server."""

    def __init__(self, work: Services, team: TeamMemories) -> None:
        self._work = work
        self._team = team
        self._database = team.store.database
        self._project, self._clock = work.project, work.project.clock
        self._shared_kinds = frozenset(work.project.shared_kinds)

    def push(self, *, everything: bool = False) -> dict[str, ReplicationReport]:
        """Send what the server lacks.

        Sends only what may be shared, including the ledger that git tracks; `everything` sends
        every line of every ledger unchanged, including private ones.
        """
        self._team.writable()
        moved = {}
        for name, ledger in self._local_ledgers(everything=everything):
            moved[name] = self._pushed(ledger, name, None if everything else self._may_go)
        tracked = self._work.memories.own.ledgers.tracked
        if tracked is not None and not everything:
            # What nobody here has approved is not sent on in this user's name.
            waiting = unapproved_lines(self._work.memories)
            moved["tracked"] = self._pushed(
                tracked,
                KNOWLEDGE,
                lambda one: line_mark(one.hash) not in waiting and self._may_go(one),
            )
        name_project(self._database, self._team.project, os.path.basename(self._project.place.root))
        self._publish(everything=everything)
        return moved

    def _pushed(
        self, ledger: Ledger, name: str, wanted: Callable[[Record], bool] | None
    ) -> ReplicationReport:
        there = self._team.ledgers.named(name)
        stones = (raw for mark in TOMBSTONES for raw in there.raws(mark.encode()))
        return push(ledger, there, wanted, ended=ended_by(stones))

    def pull(self) -> dict[str, ReplicationReport]:
        """Append the server's lines to this machine's private ledgers."""
        self._team.writable()
        self._team.look()
        names = self._team.ledgers.held()
        files = dict(self._local_ledgers(everything=True))
        moved = {
            name: pull(self._team.ledgers.named(name), files[name])
            for name in names
            if name in files
        }
        self._team.note_pulled()  # the next question need not read them all again
        return moved

    def _local_ledgers(self, *, everything: bool) -> list[tuple[str, Any]]:
        ledgers = self._work.memories.own.ledgers.every_private()
        named = [(os.path.basename(one.path).removesuffix(".jsonl"), one) for one in ledgers]
        if everything:
            # Table rows are in a ledger unknown to memories.
            state = self._project.state
            rows = Ledger(state.ledger(LEDGER), state.lock(LEDGER), clock=self._clock)
            named.append((LEDGER, rows))
        return named if everything else [pair for pair in named if pair[0] == KNOWLEDGE]

    def _may_go(self, record: Record) -> bool:
        return record.kind in self._shared_kinds and not is_local_only(
            record.kind,
            {"visibility": record.visibility, "content": record.content, "title": record.title},
        )

    def _publish(self, *, everything: bool) -> None:
        """Publish tasks and the knowledge graph for plain SQL queries on the server.

        Of the graph, only what the work tree's notes and the server's memories say; with
        `everything`, all of it, and conversations with their messages.
        """
        now = self._clock.now()
        self.publish_tasks(self._work.tasks.view.board())

        def may_be_shown(idents: list[str]) -> set[str]:
            if everything:
                return set(idents)
            records = [one.removeprefix(RECORD) for one in idents if one.startswith(RECORD)]
            there = self._team.held(records)
            return {one for one in idents if one.startswith(NOTE)} | {RECORD + one for one in there}

        with self._work.graph as graph:
            shown = graph.retry_after_rebuild(
                lambda one: shareable_from(one.store.database, may_be_shown)
            )
        publish(self._database, self._team.project, ENTITY, shown.entities, now)
        publish(self._database, self._team.project, RELATIONSHIP, shown.relations, now)
        if everything:
            said = published_sessions(self._work)
            for subject, things in ((CONVERSATION, said.conversations), (MESSAGE, said.messages)):
                publish(self._database, self._team.project, subject, things, now, keeps_others=True)

    def publish_tasks(self, board: Board) -> int:
        """Publish these tasks, one row each; return their number."""
        self._team.writable()
        return publish_tasks(self._database, self._team.project, board, self._clock.now())

    def status(self) -> Status:
        """Return the state of the server."""
        version, newest = migrating.version_of(self._database), migrating.migrations()[-1].number
        engine, size = self._database.engine(), self._database.size()
        replica = ""
        if self._team.store.replica is not None:
            try:
                replica = self._team.store.replica.engine()
            except SatchelError as error:
                replica = str(error)
        project = self._team.project
        status = Status(engine, replica, version, newest, project, size=size)
        if version != newest:
            return status
        index = self._team.memories.index
        return status._replace(
            counts=index.counts(self._team.memories.view()),
            published=published_counts(self._database, project),
            waiting=index.vector_counts()[0],
            problems=tuple(index.problems()),
        )


def team_rows(stores: MemoryStores) -> RowStore | None:
    """Open the tables' rows on the team's server; None if none is configured."""
    team = stores.team
    if team is None:
        return None
    memories, ledger = team.writable(), team.ledgers.named(LEDGER)
    source = Source(ledger.path, LEDGER)
    return RowStore(ledger, memories.index, [source], stores.project.clock)
