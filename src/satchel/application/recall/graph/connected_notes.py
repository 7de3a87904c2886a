"""The graph as a signal in note search: notes connected to the results.

In addition to the other signals, never instead: without a usable graph, answers are the same as
without this module.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from satchel.application.recall.graph.notes_in_graph import notes_from_answer, starting_points
from satchel.core.errors import BusyError, SatchelError
from satchel.engine.search.contracts import SearchIndex
from satchel.engine.search.documents import View
from satchel.engine.search.hybrid import Scored
from satchel.features.graph.ingest import NOTE
from satchel.features.graph.knowledge_graph import KnowledgeGraph
from satchel.features.graph.passages import PassageGraph, linked_by_title
from satchel.features.graph.searching import passages_in
from satchel.features.graph.service import Graph
from satchel.features.memories.service import Memories
from satchel.features.memories.store import MemoryStores
from satchel.features.notes.finding import NoteMatch, NoteQuery
from satchel.storage.inbox.faults import note_fault

#: How many passages the walk begins at, and how many may get a share.
_SEEDS, _REACHED = 10, 20
#: The most from which a search draws a missing graph: bytes of ledgers, and notes. `satchel notes
#: reindex` draws any.
_FIRST_BYTES, _FIRST_NOTES = 1_000_000, 500
#: With more mentions than this the walk takes too long for a search.
_MOST_MENTIONS = 60_000
#: With more notes than this, their texts are not searched for others' titles.
_MOST_TITLED = 1_000
#: How an answer leads to a note that answers nothing itself: at most this many entities, each in at
#: most this many passages.
_LONGEST, _TELLING = 3, 12
#: Most notes to find only because they are connected.
_MOST_FOUND = 3
#: How long a search waits for another process that is drawing, seconds.
SEARCH_WAIT = 2.0


class Connections:
    """The graphs of a project's and the user's notes, read once per process.

    Args:
        graph: the knowledge graph, which waits for other processes only as long as a search may.
        asked: the same, for queries of the graph itself, which may wait.
        stores: the memories it is drawn from.
    """

    def __init__(self, graph: KnowledgeGraph, asked: KnowledgeGraph, stores: MemoryStores) -> None:
        self._graph, self._asked, self._stores = graph, asked, stores
        self._project = graph.project
        self._held: dict[bool, tuple[str, PassageGraph | None]] = {}

    def close(self) -> None:
        """Close the open databases."""
        self._graph.close()
        self._asked.close()

    def rebuild(self) -> None:
        """Draw both graphs in full."""
        for user in self._graph.drawable():
            self._graph.graph(user=user)

    def through(
        self,
        asked: NoteQuery,
        directories: Sequence[str],
        find: Callable[[str, int], Sequence[NoteMatch]],
    ) -> list[NoteMatch]:
        """Return the notes that the graph leads to, best first."""

        def points(text: str, most: int) -> Sequence[tuple[str, float]]:
            return starting_points(find(text, most), directories)

        answer = self._asked.search(
            asked.question, mode=asked.mode, limit=asked.limit * 2, find=points
        )
        return notes_from_answer(answer, directories, asked) if answer.mode == asked.mode else []

    def arm(
        self, index: SearchIndex, question: str, *, user: bool, directory: str, view: View
    ) -> GraphArm | None:
        """Return the graph's signal for a question; None without a graph."""
        graph = self.passages(user=user, notes=len(view.sources))
        if graph is None:
            return None
        return GraphArm(graph, index, question, directory, view)

    def passages(self, *, user: bool, notes: int) -> PassageGraph | None:
        """Return a graph's passages; None if there are none, or not worth asking."""
        memories = self._stores.person if user else self._stores.own
        if memories is None:
            return None
        state = memories.ledgers.state
        try:
            if not os.path.exists(state.graph) and not _is_small(memories, notes):
                return None
            return self._read(user=user)
        except (SatchelError, OSError, ImportError) as error:
            note_fault(state.faults, "graph", str(error), self._project.clock.now())
            return None

    def _read(self, *, user: bool) -> PassageGraph | None:
        try:
            graph = self._graph.graph(user=user)
        except BusyError:
            # Another process is drawing: use it as it is.
            graph = self._graph.opened(user=user)
        mark = graph.store.meta("fingerprint")
        held = self._held.get(user)
        if held is None or held[0] != mark:
            held = self._held[user] = (mark, _passages(graph))
        return held[1]


def _is_small(memories: Memories, notes: int) -> bool:
    size = sum(os.path.getsize(s.path) for s in memories.sources if os.path.exists(s.path))
    return notes <= _FIRST_NOTES and size <= _FIRST_BYTES


def _passages(graph: Graph) -> PassageGraph | None:
    store = graph.store
    if not 0 < store.mention_count() <= _MOST_MENTIONS:
        return None
    named = passages_in(store)
    notes = list(store.hashes(NOTE))
    if len(notes) <= _MOST_TITLED:
        named += linked_by_title(store.titled(NOTE))
    return PassageGraph(named)


class GraphArm:
    """The graph walk for one question, over an index's documents.

    Args:
        view: the documents that may be found.
    """

    def __init__(
        self, graph: PassageGraph, index: SearchIndex, question: str, directory: str, view: View
    ) -> None:
        self.graph, self.directory = graph, directory
        self._index, self._view = index, view
        self.named = graph.named_in(question)

    def expand(self, scores: Mapping[int, float]) -> Mapping[int, float]:
        """Score the passages that the walk reaches; see `search.hybrid`."""
        best = sorted(scores, key=lambda row: -scores[row])[:_SEEDS]
        top = scores[best[0]] or 1.0
        seeds: dict[str, float] = {}
        rows: dict[str, int] = {}
        hits = self._index.documents_in_rows(best, self._view)
        for hit in sorted(hits, key=lambda one: -scores[one.number]):
            ident = self._ident(hit.path)
            seeds.setdefault(ident, (scores[hit.number] / top) ** 2)
            rows.setdefault(ident, hit.number)
        reached = self.graph.rank(seeds, self.named)
        near = sorted(
            (i for i in reached if i.startswith(NOTE)), key=lambda one: (-reached[one], one)
        )[:_REACHED]
        new = {self._path(ident) for ident in near if ident not in rows}
        wanted = [source for source in self._view.sources if source.path in new]
        for hit in self._index.live(self._view._replace(sources=wanted)) if wanted else ():
            ident = self._ident(hit.path)
            rows[ident] = min(hit.number, rows.get(ident, hit.number))
        return {rows[ident]: reached[ident] for ident in near if ident in rows}

    def connections(
        self, found: Sequence[Scored], answering: Sequence[str]
    ) -> dict[int, tuple[str, ...]]:
        """Return the paths from answers to documents that only they connect.

        Args:
            found: documents, best first.
            answering: paths of those that answer.
        """
        starts = {self._ident(path) for path in answering}
        ways: dict[int, tuple[str, ...]] = {}
        for one in found:
            if "graph" not in one.parts or len(ways) >= _MOST_FOUND:
                continue
            ident = self._ident(one.hit.path)
            if ident in starts:
                continue
            way = self.graph.path(ident, sorted(starts), self.named if starts else ())
            telling = all(self.graph.spread(name) <= _TELLING for name in way)
            if way and len(way) <= _LONGEST and telling:
                ways[one.hit.number] = way
        return ways

    def _ident(self, path: str) -> str:
        return NOTE + os.path.relpath(path, self.directory).replace(os.sep, "/")

    def _path(self, ident: str) -> str:
        return os.path.join(self.directory, *ident.removeprefix(NOTE).split("/"))
