"""Remembering and recalling in one project, and the parts that it is made of.

The middle of `Workspace`: what tiers, briefs and research are composed from.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.core.errors import BadInputError, BusyError, NotFoundError
from satchel.core.scope import Scope
from satchel.engine.search.documents import Filter
from satchel.features.memories.ledgers import TEAM, USER
from satchel.project.place import branch_of
from satchel.project.store import OpenProject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.application.health.findings import Finding
    from satchel.application.recall.answers import Answer
    from satchel.application.recall.questions import Method
    from satchel.features.agents.service import AgentFiles
    from satchel.features.code.anchored import Standing
    from satchel.features.code.service import Code
    from satchel.features.graph.knowledge_graph import KnowledgeGraph
    from satchel.features.guards.service import ProjectGuards
    from satchel.features.instincts.service import ProjectInstincts
    from satchel.features.instructions.facade import Instructions
    from satchel.features.intent.service import ProjectIntent
    from satchel.features.memories.service import Memories, Remembered
    from satchel.features.notes.service import Notebook
    from satchel.features.routing.service import AgentRouting
    from satchel.features.sessions.service import Conversations
    from satchel.features.tables.project_tables import ProjectTables
    from satchel.features.tasks.project_tasks import ProjectTasks
    from satchel.storage.ledger.record import Record

#: Characters of a question that its code is made of: more would take longer than the search.
_CODED = 4000
#: A list that has to be read whole is read no further.
_EVERY = 100_000
_TRUNKS = ("", "main", "master", "trunk", "develop")


def _place_of(place: str) -> tuple[str, str]:
    """Cut `src/store.py:Store.open` at its last colon; a drive's letter is no path."""
    path, colon, symbol = place.rpartition(":")
    return (path, symbol) if colon and len(path) > 1 else (place, "")


class RememberingProject(OpenProject):
    """One project that remembers, is asked, and knows its parts."""

    # Writing

    def learn(self, content: str, **fields: Any) -> Record:
        """Remember something learnt. See `remember`."""
        return self.remember(content, kind="learned", **fields)

    def remember(self, content: str, *, kind: str, user: bool = False, **fields: Any) -> Record:
        """Remember one thing and return it as saved; it is on disk when this returns.

        Args:
            content: what to remember.
            kind: a kind of memory.
            user: keep it for the person, in every project, instead of for this project.
            fields: other fields of the record (see `Memories.remember`).
        """
        memories = (
            self.user_memories if user else self.home_of(kind, {"content": content, **fields})
        )
        self.catch_up(memories)
        written = memories.remember(content, kind=kind, **fields)
        self.rotate(memories)
        self.catch_up(memories)
        return written

    def delete(self, given: str) -> Record:
        """Delete a memory softly, by id or key."""
        memories = self._holding(given)
        deleted = memories.delete(given)
        self.catch_up(memories)
        return deleted

    def _holding(self, given: str, among: Sequence[Memories] = ()) -> Memories:
        """Return the store that holds a memory: the project's, or else the person's own."""
        self.fresh()
        # A copy on this machine follows what the team's store says, never the other way.
        *others, last = sorted(
            among or self.stores(), key=lambda store: store.ledgers.owner != TEAM
        )
        for store in others:
            try:
                store.find(given)
            except NotFoundError:
                continue
            return store
        return last

    # Reading

    def recall(
        self,
        question: str,
        *,
        limit: int = 0,
        only: Filter | None = None,
        task: str = "",
        method: str = "",
        weak: bool = False,
    ) -> Answer:
        """Answer a question from everything remembered here and by the person.

        Args:
            question: any text.
            limit: how many items; 0 for the setting.
            only: which memories to consider.
            task: prefer memories of this task.
            method: keyword, fast, hybrid or semantic; "" for the setting `recall.method`.
            weak: give matches too that only seem to answer.
        """
        from satchel.application.recall.questions import Asking
        from satchel.application.recall.search import recall

        self.fresh()
        most = limit or self.settings.integer("recall.limit")
        asking = Asking(
            question, most, only or Filter(), self.scope(task), self.pending(),
            self.method(question, method), weak,
        )  # fmt: skip
        try:
            return self.mended(lambda: recall(asking, self.stores()))
        except BusyError:
            if self.team is None:
                raise
            return self.mended(lambda: recall(asking, self.stores_here()))

    def method(self, question: str, name: str = "") -> Method:
        """How a question is asked, with the code or the vectors that it takes."""
        from satchel.application.recall.questions import FAST, HYBRID, METHODS, SEMANTIC, Method

        name = name or self.settings.text("recall.method")
        if name not in METHODS:
            raise BadInputError(
                f"There is no method {name!r}.", hint=f"Methods are {', '.join(METHODS)}."
            )
        if name == FAST:
            table = self.models.table()
            return Method(name, b"" if table is None else table.code(question[:_CODED]))
        if name in (HYBRID, SEMANTIC):
            models = self.models
            return Method(
                name,
                vectors_of=models.vectors,
                expand=models.expansion(),
                rerank=models.reranking(),
                late=self.settings.text("model.rerank") != "none",
            )
        return Method(name)

    def find(self, given: str) -> Remembered:
        """Find one memory by id or key."""
        return self.mended(lambda: self._holding(given).find(given))

    def history(self, given: str) -> list[Remembered]:
        """Every version of a memory, newest first."""
        return self.mended(lambda: self._holding(given).history(given))

    def list(self, only: Filter, limit: int, *, all_versions: bool = False) -> Sequence[Remembered]:
        """Memories, newest first."""
        self.fresh()
        return self.mended(lambda: self._listed(only, limit, all_versions=all_versions))

    def _listed(
        self, only: Filter, limit: int, *, all_versions: bool, stores: Sequence[Memories] = ()
    ) -> Sequence[Remembered]:
        found = []
        for store in stores or self.stores():
            found += store.listed(only, limit, all_versions=all_versions)
        # The same line may be in the team's store and, as a copy, on this machine.
        once = {(item.record.identity, item.record.version): item for item in found}
        return sorted(once.values(), key=lambda item: item.record.version, reverse=True)[:limit]

    def page(
        self, only: Filter, start: int, limit: int, *, all_versions: bool = False
    ) -> tuple[Sequence[Remembered], int]:
        """Memories of this project, here and on the team's server, newest first; none of a person.

        Returns those from `start` on, `limit` at most, and how many there are in all.
        """
        stores = self._of_project()
        now = self.clock.now()
        counts = [sum(s.index.counts(s.sources, now=now, only=only).values()) for s in stores]
        filled = [store for store, count in zip(stores, counts, strict=True) if count]
        if len(filled) <= 1 and not all_versions:
            found = filled[0].listed(only, limit, start=start) if filled else []
            return found, sum(counts)
        # The same line may be in both, so that only a whole list can be counted.
        every = self._listed(only, _EVERY, all_versions=all_versions, stores=stores)
        return every[start : start + limit], len(every)

    def versions(self, given: str) -> Sequence[Remembered]:
        """Every version of a memory of this project, newest first; of none of a person."""
        return self.mended(lambda: self._holding(given, self._of_project()).history(given))

    def remove(self, given: str) -> Record:
        """Delete a memory of this project softly; never one of a person."""
        store = self._holding(given, self._of_project())
        deleted = store.delete(given)
        self.catch_up(store)
        return deleted

    def _of_project(self) -> Sequence[Memories]:
        """Return the project's store, and the team's where one is chosen and answers."""
        self.fresh()
        if self.team is None:
            return [self.memories]
        return [one for one in self.stores() if one.ledgers.owner != USER]

    def standings(self, records: Sequence[Record]) -> dict[str, Standing]:
        """Return how the code stands that records are about, by record id; see `anchored`."""
        from satchel.features.code.anchored import standings

        return standings(self, records)

    def pinned(self, places: Sequence[str]) -> dict[str, Any]:
        """Return what a record's `data` holds for places in the code, `path` or `path:symbol`.

        Raises `NotFoundError` for a file or symbol that is not there.
        """
        from satchel.features.code.anchored import map_for_anchors
        from satchel.features.code.anchors import as_data

        code = self.code
        try:
            anchors = [code.pin(*_place_of(place)) for place in places]
        finally:
            code.close()
        map_for_anchors(self)
        return as_data(anchors)

    def scope(self, task: str = "") -> Scope:
        """Return the scope of a task; without one, of the task the branch is named after."""
        paths = [path for path in self.tracked.tasks if os.path.isfile(path)]
        branch = "" if task else branch_of(self.place.root)
        if not task and (branch in _TRUNKS or not paths):
            return Scope()
        if not paths:
            return Scope(task)
        from satchel.features.tasks.reading import epic_of, read_tasks

        tasks = read_tasks(paths)
        named = task or next(
            (part for part in (branch, branch.split("/")[-1]) if part in tasks), ""
        )
        return Scope(named, epic_of(named, tasks) if named else "")

    def shareable_count(self) -> int:
        """Count memories that could go to the team's ledger and are not in it."""
        tracked = [s for s in self.memories.sources if s.label == "tracked"]
        only = Filter(kinds=self.settings.words("share.kinds"))
        index, now = self.memories.index, self.clock.now()
        return index.count_unshared(tracked, self.memories.sources, now=now, only=only)

    # Parts

    @property
    def notebook(self) -> Notebook:
        """Learning notes and collections. Whoever asks closes it."""
        from satchel.features.notes.service import Notebook

        return Notebook(self.home, self.settings, self.clock, self)

    @property
    def graph(self) -> KnowledgeGraph:
        """The knowledge graph. Whoever asks closes it."""
        from satchel.features.graph.knowledge_graph import KnowledgeGraph

        return KnowledgeGraph(self)

    @property
    def instructions(self) -> Instructions:
        """Memory files: what agents are told by AGENTS.md, CLAUDE.md and their kin."""
        from satchel.features.instructions.facade import Instructions

        return Instructions(self)

    @property
    def intent(self) -> ProjectIntent:
        """What the project is for, and which tasks are about which part of it."""
        from satchel.features.intent.service import ProjectIntent

        return ProjectIntent(self)

    @property
    def instincts(self) -> ProjectInstincts:
        """Micro-learnings with a confidence."""
        from satchel.features.instincts.service import ProjectInstincts

        return ProjectInstincts(self)

    @property
    def guards(self) -> ProjectGuards:
        """Lessons that act before a tool runs."""
        from satchel.features.guards.service import ProjectGuards

        return ProjectGuards(self)

    @property
    def tasks(self) -> ProjectTasks:
        """The tasks: what is ready, what blocks what. Whoever asks closes it."""
        from satchel.features.tasks.project_tasks import ProjectTasks

        return ProjectTasks(self, self)

    @property
    def sessions(self) -> Conversations:
        """Sessions, and the archive of transcripts. Whoever asks closes it."""
        from satchel.features.sessions.service import Conversations

        return Conversations(self, self)

    @property
    def agent_files(self) -> AgentFiles:
        """Identity files of agents."""
        from satchel.features.agents.service import AgentFiles

        return AgentFiles(self, self)

    @property
    def routing(self) -> AgentRouting:
        """Which agent a message goes to. Whoever asks closes it."""
        from satchel.features.routing.service import AgentRouting

        return AgentRouting(self)

    @property
    def tables(self) -> ProjectTables:
        """Business records by declared schema. Whoever asks closes it."""
        from satchel.features.tables.project_tables import ProjectTables

        return ProjectTables(self)

    @property
    def code(self) -> Code:
        """The map of the code: symbols, ranking, packs, anchors. Whoever asks closes it."""
        from satchel.features.code.service import Code

        return Code(self)

    # Health

    def examine(self) -> Sequence[Finding]:
        """Find and explain whatever is wrong. Changes nothing but the index."""
        from satchel.application.health.derived_stores import findings_of
        from satchel.application.health.doctor import examine
        from satchel.application.health.findings import without_places
        from satchel.application.health.lesson_findings import lesson_findings
        from satchel.storage.database.sqlite import engine_is_safe

        self.catch_up(self.memories)
        found = examine(
            engine_is_safe=engine_is_safe(),
            memories=self.memories,
            state=self.state,
            tracked=self.tracked,
            inbox=self.inbox,
            injections=self.injections,
            root=self.place.root,
            clock=self.clock,
            derived=[*findings_of(self), *lesson_findings(self)],
        )
        if self.shows_person:
            return found
        return without_places(found, ((self.place.root, "."), (self.home.path, "(home)")))
