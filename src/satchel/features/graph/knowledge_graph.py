"""The knowledge graph of one open project, and of the person: opened, kept fresh, asked."""

from __future__ import annotations

import os
from collections.abc import Callable

from satchel.application.recall.graph_inputs import mark_of, note_inputs, note_marks, record_inputs
from satchel.core.errors import BusyError, ConflictError, NotReadableError, NotWritableError
from satchel.core.hashing import digest
from satchel.core.ids import new_ulid
from satchel.features.graph import seeding
from satchel.features.graph.evolution import EvolutionPlan
from satchel.features.graph.evolution_settings import EvolutionSettings, read_evolution
from satchel.features.graph.operations import SEED
from satchel.features.graph.searching import LOCAL, Find, GraphAnswer
from satchel.features.graph.service import Graph, Input, Seen
from satchel.features.graph.store import GraphStore
from satchel.storage.home_paths import lock_name, solutions_of
from satchel.storage.inbox.faults import note_fault
from satchel.storage.ledger.file import Ledger
from satchel.storage.locks import FileLock, read_file
from satchel.storage.paths import PrivateState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, TypeVar

    from satchel.features.graph.values import Drawn
    from satchel.features.memories.service import Memories
    from satchel.project.store import OpenProject
    from satchel.storage.ledger.record import Record

    T = TypeVar("T")

PROJECT, USER = "project", "user"


class KnowledgeGraph:
    """Two graphs, the project's and the person's, each from its own notes, records, operations.

    Args:
        project: the open project. Whoever opened it closes it; `close` closes the graphs.
        wait: seconds to wait for another process that draws.
    """

    def __init__(self, project: OpenProject, *, wait: float = 30.0) -> None:
        self.project = project
        self._wait = wait
        #: Why the model wrote no report, "" if it did or was not asked.
        self._unwritten = ""
        self._open: dict[str, Graph] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the databases that were opened."""
        for graph in self._open.values():
            graph.store.database.close()
            graph.ledger.close()
        self._open = {}

    def graph(self, *, user: bool = False) -> Graph:
        """Return the project's graph, or the person's, brought up to date."""
        graph = self.opened(user=user)
        try:
            graph.refresh(lambda: self._seen(user=user))
        except NotReadableError:
            graph = self._reopened(user=user)
            graph.refresh(lambda: self._seen(user=user))
        return graph

    def asked(self, ask: Callable[[Graph], T], *, user: bool = False) -> T:
        """Ask a graph; if its database turns out damaged, draw it anew and ask again."""
        graph = self.graph(user=user)
        try:
            return ask(graph)
        except NotReadableError:
            self._reopened(user=user)
            return ask(self.graph(user=user))

    # Changing

    def ingest(self, content: str, drawn: Drawn | None = None, **about: Any) -> list[Record]:
        """Write an observation down and draw it. `user` chooses the person's graph."""
        user = bool(about.pop("user", False))
        written = self.asked(lambda graph: graph.ingest(content, drawn, **about), user=user)
        self.graph(user=user)
        return written

    def seed(self, path: str, *, user: bool = False) -> tuple[int, int]:
        """Seed from a file; return how many items it has and how many of them are new."""
        parts = seeding.read_seed(path)
        run = new_ulid(int(self.project.clock.now() * 1000))

        def write(graph: Graph) -> int:
            new, source = 0, os.path.basename(path)
            for part in parts:
                about = {"name": SEED, "agent": part.agent, "source": source, "run": run}
                new += bool(graph.ingest(part.content, part.drawn, **about))
            return new

        new = self.asked(write, user=user)
        self.graph(user=user)
        return len(parts), new

    def evolve(
        self,
        *,
        apply: bool = False,
        confirmed: bool = False,
        user: bool = False,
        changes: dict[str, Any] | None = None,
    ) -> tuple[EvolutionPlan, str]:
        """Plan what time does to the graph, and with `apply` do it.

        Returns the plan, and the name of the run that `undo` takes back, "" for none. Two runs
        at once follow each other: the second plans on what the first left.
        """

        def planned(graph: Graph) -> EvolutionPlan:
            graph.settings = graph.settings._replace(**(changes or {}))
            return graph.plan(confirmed=confirmed)

        if not apply:
            return self.asked(planned, user=user), ""
        with FileLock(self._state(user=user).lock("graph-evolve"), timeout=60):
            plan = self.asked(planned, user=user)
            run = self.asked(lambda graph: graph.apply(plan), user=user)
            self.graph(user=user)
        return plan, run

    def write(self, do: Callable[[Graph], T], *, user: bool = False) -> T:
        """Run a change of `Graph` (update, merge, undo, ...) and draw what comes of it."""
        done = self.asked(do, user=user)
        self.graph(user=user)
        return done

    def purge(self, *, after_days: float, dry_run: bool = False) -> str:
        """Forget what was taken back more than `after_days` ago; say so, or "" for nothing.

        What memories lost when they were purged leaves the graphs' files too.
        """
        from satchel.features.graph.forgetting import forget_undone

        operations = lines = 0
        for user in (False, True):
            state = self._state(user=user)
            if not os.path.exists(state.graph) and not os.path.exists(state.ledger("graph")):
                continue
            ledger, now = self.opened(user=user).ledger, self.project.clock.now()
            done = forget_undone(ledger, now=now, after_days=after_days, dry_run=dry_run)
            operations, lines = operations + done.operations, lines + done.lines
            if not dry_run and os.path.exists(state.graph):
                try:
                    self.graph(user=user).store.compact()
                except BusyError:
                    note_fault(state.faults, "graph", "in use: not packed after a purge", now)
        if not operations:
            return ""
        would = "would lose" if dry_run else "lost"
        return (
            f"{operations} operations of the graph taken back over {after_days:g} days ago "
            f"{would} their {lines} lines"
        )

    def rebuild(self, *, user: bool = False) -> dict[str, Any]:
        """Draw the graph anew from notes, records and operations; return its counts."""
        try:
            self.opened(user=user).refresh(lambda: self._seen(user=user), anew=True)
        except NotReadableError:
            self._reopened(user=user)
        return self.asked(lambda graph: graph.store.counts(), user=user)

    def adopt_database(self, path: str, *, user: bool = False) -> tuple[int, int]:
        """Import GraphMem's database; return how many operations it gives and how many are new."""
        from satchel.application.exchange.graphmem import read_graphmem
        from satchel.storage.database.sqlite import SqliteDatabase

        database = SqliteDatabase(path)
        try:
            read = read_graphmem(database, path)
        finally:
            database.close()
        written = self.asked(lambda graph: graph.write_new(read.records), user=user)
        self.graph(user=user)
        return len(read.records), len(written)

    def adopt_settings(self, data: bytes, path: str) -> EvolutionSettings:
        """Take over a `graphmem-evolution.json`, after checking every field of it."""
        from satchel.storage.locks import replace_file

        settings = read_evolution(data, path)
        replace_file(self.project.state.graph_settings, data)
        return settings

    # Asking

    def search(
        self,
        question: str,
        *,
        mode: str = LOCAL,
        limit: int = 10,
        find: Find | None = None,
        user: bool | None = None,
    ) -> GraphAnswer:
        """Answer from the project's graph and the person's, or from one of them.

        `find` finds texts by words or meaning, (id, score) best first; the graph's own word
        index is asked if it is None. Hits of two graphs alternate, as ranks, never scores, can.
        """
        answers = [
            self.asked(lambda g: g.search(question, mode, limit=limit, find=find), user=whose)
            for whose in self._whose(user)
        ]
        first, *others = answers
        if not others:
            return first
        lists = [answer.hits for answer in answers]
        longest = max(map(len, lists))
        hits = [one[n] for n in range(longest) for one in lists if n < len(one)]
        named = tuple(dict.fromkeys(name for answer in answers for name in answer.entities))
        return first._replace(hits=tuple(hits[:limit]), entities=named)

    def query(
        self,
        text: str,
        *,
        kind: str = "entity",
        entity_type: str = "",
        limit: int = 10,
        user: bool = False,
    ) -> dict[str, Any]:
        """Look up entities, relationships, memories or a subgraph, in GraphMem's own shape."""
        from satchel.features.graph.query import answer

        now = self.project.clock.now()

        def ask(graph: Graph) -> dict[str, Any]:
            graph.stand()
            return answer(graph, text, kind, entity_type=entity_type, limit=limit, now=now)

        return self.asked(ask, user=user)

    def statistics(self, *, user: bool = False) -> dict[str, Any]:
        """Count everything; with what is wrong with sidecars and operations."""

        def count(graph: Graph) -> dict[str, Any]:
            graph.stand()
            found = graph.store.counts()
            found["problems"] = graph.problems()
            found["damaged_operations"] = int(graph.store.meta("damaged") or 0)
            found["bytes"] = graph.store.database.size()
            return found

        return self.asked(count, user=user)

    def visualize(self, path: str, *, user: bool = False, most: int = 5_000) -> int:
        """Write the graph as one HTML file for offline use; return how many entities it shows.

        A file that is no page is left as it is, and refused.
        """
        from satchel.features.graph.html_export import page
        from satchel.storage.locks import read_file, replace_file

        if os.path.isdir(path) or not _is_page(read_file(path) if os.path.exists(path) else b""):
            raise ConflictError(
                f"{path} is there already and is no HTML page.",
                hint="Name a file that may be replaced, or remove that one first.",
            )
        html, shown = self.asked(lambda graph: page(graph, most=most), user=user)
        replace_file(os.path.abspath(path), html.encode("utf-8", "replace"), mode=0o644)
        return shown

    def _whose(self, user: bool | None) -> list[bool]:  # noqa: FBT001 -- None means both
        if user is not None:
            return [user]
        if not self.project.shows_person:
            return [False]
        exists = os.path.exists(self.project.home.user_state.graph) or self._notes_exist()
        return [False, True] if exists else [False]

    def _notes_exist(self) -> bool:
        return os.path.isdir(self._notes(user=True)) or os.path.isdir(
            self.project.home.user_state.ledgers
        )

    # What there is

    def _state(self, *, user: bool) -> PrivateState:
        return self.project.home.user_state if user else self.project.state

    def _notes(self, *, user: bool) -> str:
        project = self.project
        if not user:
            return solutions_of(project.tracked)
        given = project.settings.text("notes.knowledge_base")
        if given in ("", "auto"):
            return project.home.knowledge_base(project.settings.text("layout.preset"))
        return os.path.abspath(os.path.expanduser(given))

    def _memories(self, *, user: bool) -> Memories:
        memories = self.project.user_memories if user else self.project.memories
        self.project.catch_up(memories)
        return memories

    def _seen(self, *, user: bool) -> Seen:
        """Look at everything that the graph is drawn from: a stat each, nothing is opened."""
        memories = self._memories(user=user)
        notes = dict(note_marks(self._notes(user=user)))
        marks = [f"{path}={mark}" for path, mark in sorted(notes.items())]
        marks += [f"{source.path}={mark_of(source.path)}" for source in memories.sources]
        marks.append(mark_of(self._state(user=user).ledger("graph")))
        fingerprint = digest("\n".join(marks).encode("utf-8", "surrogateescape")).hex()

        def inputs() -> list[Input]:
            return [*note_inputs(self._notes(user=user), notes), *record_inputs(memories)]

        return Seen(fingerprint, inputs)

    # Opening

    def opened(self, *, user: bool) -> Graph:
        """Return a graph as it stands."""
        name = USER if user else PROJECT
        if name not in self._open:
            state = self._state(user=user)
            try:
                store = self._store(state.graph)
            except NotReadableError:
                _set_aside(state)
                store = self._store(state.graph)
            except NotWritableError:
                store = self._store(":memory:")
            ledger = Ledger(
                state.ledger("graph"), state.lock(lock_name("graph")), clock=self.project.clock
            )
            self._open[name] = Graph(store, ledger, self.project.clock, self._settings(state))
            if self.project.settings.text("model.generate") != "none":
                self._open[name].write_report = self._write_report
        return self._open[name]

    def _reopened(self, *, user: bool) -> Graph:
        """Set a damaged database aside, never away, and begin a new one."""
        graph = self._open.pop(USER if user else PROJECT, None)
        if graph is not None:
            graph.store.database.close()
            graph.ledger.close()
        _set_aside(self._state(user=user))
        note_fault(
            self._state(user=user).faults, "graph", "the graph could not be used and is drawn anew",
            self.project.clock.now(),
        )  # fmt: skip
        return self.opened(user=user)

    def _write_report(self, plain: str) -> str:
        """Let the chosen model write a report; the plain one where it does not answer."""
        from satchel.engine.inference.reports import written_report

        if self._unwritten:
            return plain
        generator = self.project.models.generator()
        return plain if generator is None else written_report(plain, generator, tell=self._tell)

    def _tell(self, why: str) -> None:
        # Asked once is enough: a server that is down is down for every report.
        self._unwritten = why
        note_fault(self.project.state.faults, "graph reports", why, self.project.clock.now())

    def _store(self, path: str) -> GraphStore:
        from satchel.storage.database.sqlite import SqliteDatabase

        return GraphStore(SqliteDatabase(path, busy_seconds=max(self._wait, self.project.patience)))

    def _settings(self, state: PrivateState) -> EvolutionSettings:
        for path in (state.graph_settings, self.project.home.user_state.graph_settings):
            if os.path.isfile(path):
                return read_evolution(read_file(path), path)
        return EvolutionSettings()


def _set_aside(state: PrivateState) -> None:
    with FileLock(state.lock("graph"), timeout=10):
        for ending in ("", "-wal", "-shm"):
            if os.path.exists(state.graph + ending):
                os.replace(state.graph + ending, f"{state.graph}.damaged{ending}")


def _is_page(data: bytes) -> bool:
    """Say whether a file may be replaced by a picture: it is empty, or an HTML page."""
    return not data or data[:200].lstrip().lower().startswith((b"<!doctype html", b"<html"))
