"""The knowledge graphs of an open project and of the user: opened, refreshed, queried."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.core.errors import BadInputError, BusyError
from satchel.core.ids import new_ulid
from satchel.core.plurals import counted
from satchel.core.values import Closing
from satchel.features.graph import seeding
from satchel.features.graph.evolution import EvolutionPlan
from satchel.features.graph.evolution_settings import EvolutionSettings, read_evolution
from satchel.features.graph.operations import SEED
from satchel.features.graph.searching import LOCAL, Find, GraphAnswer, GraphHit
from satchel.features.graph.service import Graph, GraphInputs, Stored
from satchel.features.graph.store import GraphStore
from satchel.project.derived_store import DerivedStore
from satchel.storage.files import read_file
from satchel.storage.home_paths import lock_name
from satchel.storage.inbox.faults import note_fault
from satchel.storage.ledger.file import Ledger
from satchel.storage.locks import FileLock
from satchel.storage.paths import PrivateState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from satchel.features.graph.values import TextGraph
    from satchel.project.person import PersonStore
    from satchel.project.store import ProjectStore
    from satchel.storage.database.contract import Database
    from satchel.storage.ledger.record import Record

    T = TypeVar("T")


class KnowledgeGraph(Closing):
    """The project's and the user's graph, each from its own notes, records, operations.

    Args:
        person: whose graph is queried too; None to read nothing of a person's.
        seen: returns everything that a graph is currently drawn from, by owner.
        wait: seconds to wait for another process that is drawing.

    `close` closes the graphs; the next query reopens them.
    """

    def __init__(
        self,
        project: ProjectStore,
        person: PersonStore | None,
        seen: Callable[[bool], GraphInputs],
        *,
        wait: float = 30.0,
    ) -> None:
        self.project, self._person = project, person
        self._seen, self._wait = seen, wait
        self._as_drawn = False
        self._stores: dict[bool, DerivedStore[Graph]] = {}

    def close(self) -> None:
        """Close the open databases; whoever opens the graph next redraws it."""
        self._as_drawn = False
        for store in self._stores.values():
            if store.is_open:
                store.open().ledger.close()
                store.close()

    def as_drawn(self) -> None:
        """Until closed, use each graph as it was last drawn, if it ever was."""
        self._as_drawn = True

    def graph(self, *, user: bool = False) -> Graph:
        """Return the project's or the user's graph, refreshed unless `as_drawn`."""
        store = self._store(user=user)

        def refreshed() -> int:
            graph = store.open()
            if self._as_drawn and graph.is_drawn:
                return 0
            return graph.refresh(lambda: self._seen(user))

        store.asked(refreshed)
        return store.open()

    def retry_after_rebuild(self, ask: Callable[[Graph], T], *, user: bool = False) -> T:
        """Query a graph; if its database is damaged, rebuild it and retry."""
        store, _ = self._store(user=user), self.graph(user=user)
        return store.asked(lambda: ask(store.open()), lambda: self.graph(user=user))

    # Changing

    def ingest(
        self, content: str, drawn: TextGraph | None = None, *, user: bool = False, **about: Any
    ) -> list[Record]:
        """Record an observation and draw it; `about`: see `Graph.ingest`."""
        return self.write(lambda graph: graph.ingest(content, drawn, **about), user=user)

    def stored(
        self, content: str, drawn: TextGraph | None = None, *, user: bool = False, **about: Any
    ) -> list[Stored]:
        """Return what was drawn from an ingest, new or not."""
        return self.retry_after_rebuild(
            lambda graph: graph.stored(content, drawn, **about), user=user
        )

    def seed(self, path: str, *, user: bool = False) -> tuple[int, int]:
        """Seed from a file; return the number of items, and of new ones."""
        parts = seeding.read_seed(path)
        run = new_ulid(int(self.project.clock.now() * 1000))

        def ingest(graph: Graph) -> int:
            new, source = 0, os.path.basename(path)
            for part in parts:
                about = {"name": SEED, "agent": part.agent, "source": source, "run": run}
                new += bool(graph.ingest(part.content, part.drawn, **about))
            return new

        return len(parts), self.write(ingest, user=user)

    def evolve(
        self,
        *,
        apply: bool = False,
        confirmed: bool = False,
        user: bool = False,
        changes: dict[str, Any] | None = None,
    ) -> tuple[EvolutionPlan, str]:
        """Plan the graph's evolution, and with `apply` run it.

        Returns the plan, and the name of the run for `undo`, "" for none. Concurrent runs follow
        each other: the second plans with what the first left.
        """

        def planned(graph: Graph) -> EvolutionPlan:
            graph.settings = graph.settings._replace(**(changes or {}))
            return graph.plan(confirmed=confirmed)

        if not apply:
            return self.retry_after_rebuild(planned, user=user), ""
        with FileLock(self._state(user=user).lock("graph-evolve"), timeout=60):
            plan = self.retry_after_rebuild(planned, user=user)
            return plan, self.write(lambda graph: graph.apply(plan), user=user)

    def write(self, do: Callable[[Graph], T], *, user: bool = False) -> T:
        """Run a change of `Graph` (update, merge, undo, ...) and draw the result."""
        done = self.retry_after_rebuild(do, user=user)
        self.graph(user=user)
        return done

    def purge(self, *, after_days: float, dry_run: bool = False) -> str:
        """Purge operations undone more than `after_days` ago; return a report, or "".

        Content of purged memories leaves the graphs' files too.
        """
        from satchel.features.graph.forgetting import forget_undone

        operations = lines = 0
        for user in self.drawable():
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
            f"{counted(operations, 'operation')} of the graph taken back over {after_days:g} "
            f"days ago {would} {counted(lines, 'line')}"
        )

    def rebuild(self, *, user: bool = False) -> dict[str, Any]:
        """Redraw the graph from notes, records and operations; return its counts."""
        store = self._store(user=user)
        store.asked(lambda: store.open().refresh(lambda: self._seen(user), from_scratch=True))
        return self.retry_after_rebuild(lambda graph: graph.store.counts(), user=user)

    def import_records(self, records: Sequence[Record], *, user: bool = False) -> int:
        """Write another program's new operations; return their number."""
        return len(self.write(lambda graph: graph.write_new(records), user=user))

    def adopt_settings(self, data: bytes, path: str) -> None:
        """Adopt a `graphmem-evolution.json` after checking every field."""
        from satchel.storage.files import replace_file

        read_evolution(data, path)
        replace_file(self.project.state.graph_settings, data)

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
        """Search the project's graph and the user's, or one of them.

        `find` finds texts by words or meaning, (id, score) best first; if it is None, the graph's
        own word index does. Hits of two graphs alternate, as ranks, never scores, can.
        """
        answers = [
            self.retry_after_rebuild(
                lambda g: g.search(question, mode, limit=limit, find=find), user=whose
            )
            for whose in self._whose(user)
        ]
        first, *others = answers
        if not others:
            return first
        lists = [answer.hits for answer in answers]
        longest = max(map(len, lists))
        every = [one[n] for n in range(longest) for one in lists if n < len(one)]
        # An accepted note is in the project and in the knowledge base, but is one text.
        hits = list({_text_of(hit): hit for hit in reversed(every)}.values())[::-1]
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
        """Look up entities, relationships, memories or a subgraph, as GraphMem does."""
        from satchel.features.graph.query import answer

        now = self.project.clock.now()

        def ask(graph: Graph) -> dict[str, Any]:
            graph.compute_metrics()
            return answer(graph, text, kind, entity_type=entity_type, limit=limit, now=now)

        return self.retry_after_rebuild(ask, user=user)

    def statistics(self, *, user: bool = False) -> dict[str, Any]:
        """Count everything, and list problems of sidecars and operations."""

        def count(graph: Graph) -> dict[str, Any]:
            graph.compute_metrics()
            found = graph.store.counts()
            found["problems"] = graph.problems()
            found["damaged_operations"] = int(graph.store.meta("damaged") or 0)
            found["bytes"] = graph.store.database.size()
            return found

        return self.retry_after_rebuild(count, user=user)

    def visualize(self, path: str, *, user: bool = False, most: int = 5_000) -> int:
        """Write the graph as an offline HTML file; return the number of entities shown.

        Raises `ConflictError` for an existing file that is not such a page.
        """
        from satchel.features.graph.html_export import page, write_page

        html, shown = self.retry_after_rebuild(lambda graph: page(graph, most=most), user=user)
        write_page(path, html)
        return shown

    def _whose(self, user: bool | None) -> list[bool]:  # noqa: FBT001 -- None means both
        if user is not None:
            return [user]
        person = self._person
        if person is None:
            return [False]
        notes = person.knowledge_base(self.project.settings)
        exists = os.path.exists(person.state.graph) or os.path.isdir(notes) or person.has_memories()
        return [False, True] if exists else [False]

    def drawable(self) -> list[bool]:
        """Return which graphs may exist: the project's (False), the user's (True)."""
        return [False] if self._person is None else [False, True]

    def _state(self, *, user: bool) -> PrivateState:
        if not user:
            return self.project.state
        if self._person is None:
            raise BadInputError("A team's server has no personal graph.")
        return self._person.state

    # Opening

    def opened(self, *, user: bool) -> Graph:
        """Return a graph without refreshing it."""
        return self._store(user=user).open()

    def _store(self, *, user: bool) -> DerivedStore[Graph]:
        if user not in self._stores:
            state = self._state(user=user)
            self._stores[user] = DerivedStore(
                state.graph,
                state,
                lambda database: self._built(state, database),
                what="graph",
                patience=max(self._wait, self.project.patience),
            )
        return self._stores[user]

    def _built(self, state: PrivateState, database: Database) -> Graph:
        clock = self.project.clock
        ledger = Ledger(state.ledger("graph"), state.lock(lock_name("graph")), clock=clock)
        return Graph(GraphStore(database), ledger, clock, self._settings(state))

    def _settings(self, state: PrivateState) -> EvolutionSettings:
        own = [self._person.state.graph_settings] if self._person is not None else []
        for path in (state.graph_settings, *own):
            if os.path.isfile(path):
                return read_evolution(read_file(path), path)
        return EvolutionSettings()


def _text_of(hit: GraphHit) -> object:
    """Return a key that two hits of one text share."""
    return (hit.memory.title, hit.memory.content) if hit.memory else id(hit)
