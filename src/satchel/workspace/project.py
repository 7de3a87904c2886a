"""What people ask a project for: remember, recall, briefs, upkeep, health."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.errors import BadInputError, BusyError, NotFoundError
from satchel.memories.ledgers import TEAM
from satchel.projects.finding import branch_of
from satchel.scopes import Scope
from satchel.search.index import Filter
from satchel.workspace.stores import OpenProject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.briefs.sections import Brief
    from satchel.health.doctor import Finding
    from satchel.health.statistics import Statistics
    from satchel.ledger.record import Record
    from satchel.memories.service import Memories, Remembered
    from satchel.recall.answers import Answer
    from satchel.recall.questions import Method
    from satchel.storage.database import Database
    from satchel.workspace.knowledge_graph import KnowledgeGraph
    from satchel.workspace.notebook import Notebook

#: Characters of a question that its code is made of: more would take longer than the search.
_CODED = 4000
_TRUNKS = ("", "main", "master", "trunk", "develop")


class Workspace(OpenProject):
    """One project, opened from one of its work trees: the public API."""

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

    def _holding(self, given: str) -> Memories:
        """Return the store that holds a memory: the project's, or else the person's own."""
        self.fresh()
        # A copy on this machine follows what the team's store says, never the other way.
        *others, last = sorted(self.stores(), key=lambda store: store.ledgers.owner != TEAM)
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
        from satchel.recall.asking import recall
        from satchel.recall.questions import Asking

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
        from satchel.recall.questions import FAST, HYBRID, METHODS, SEMANTIC, Method

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

    def _listed(self, only: Filter, limit: int, *, all_versions: bool) -> Sequence[Remembered]:
        found = []
        for store in self.stores():
            found += store.listed(only, limit, all_versions=all_versions)
        # The same line may be in the team's store and, as a copy, on this machine.
        once = {(item.record.identity, item.record.version): item for item in found}
        return sorted(once.values(), key=lambda item: item.record.version, reverse=True)[:limit]

    def scope(self, task: str = "") -> Scope:
        """Return the scope of a task; without one, of the task the branch is named after."""
        paths = [path for path in self.tracked.tasks if os.path.isfile(path)]
        branch = "" if task else branch_of(self.place.root)
        if not task and (branch in _TRUNKS or not paths):
            return Scope()
        if not paths:
            return Scope(task)
        from satchel.tasks.reading import epic_of, read_tasks

        tasks = read_tasks(paths)
        named = task or next(
            (part for part in (branch, branch.split("/")[-1]) if part in tasks), ""
        )
        return Scope(named, epic_of(named, tasks) if named else "")

    # Briefs

    def session_brief(self, *, task: str = "", role: str = "", most: int = 0) -> Brief:
        """Compose what a session starts with; `most` is the client's own limit, in tokens."""
        from satchel.briefs.session_start import session_brief
        from satchel.trust import new_nonce

        self.fresh()
        scope, budget = self.scope(task), self._budget("brief.max_tokens", most)
        return self.mended(
            lambda: session_brief(
                self.stores(),
                self.settings,
                scope=scope,
                nonce=new_nonce(),
                waiting_to_share=self.shareable_count(),
                role=role,
                budget=budget,
            )
        )

    def prompt_brief(self, prompt: str, *, session: str, most: int = 0) -> Brief:
        """Compose what a prompt gets: new memories that matter to it, or nothing."""
        from satchel.briefs.prompt import prompt_brief
        from satchel.trust import new_nonce

        self.fresh()
        shown = self.injections.of_session(session) if session else []
        scope, pending = self.scope(), self.pending()
        method = self.method(prompt, "keyword")
        return self.mended(
            lambda: prompt_brief(
                prompt,
                self.stores(),
                self.settings,
                scope=scope,
                nonce=new_nonce(),
                already={item.identity for one in shown for item in one.items},
                pending=pending,
                method=method,
                budget=self._budget("prompt.max_tokens", most),
            )
        )

    def _budget(self, name: str, most: int) -> int:
        wanted = self.settings.integer(name)
        return min(wanted, most) if most else wanted

    def note_injection(self, brief: Brief, *, session: str, event: str, agent: str = "") -> None:
        """Write down what was put before an agent."""
        from satchel.injections.injection_ledger import Injected, Injection

        items = tuple(
            Injected(
                p.item.identity, p.item.id, p.section, p.rank, p.tokens, p.item.why, p.item.raw
            )
            for p in brief.placed
        )
        injection = Injection(
            int(self.clock.now()), session, event, agent, brief.tokens, brief.budget,
            brief.left_out, items,
        )  # fmt: skip
        self.injections.note(injection)

    def shareable_count(self) -> int:
        """Count memories that could go to the team's ledger and are not in it."""
        tracked = [s for s in self.memories.sources if s.label == "tracked"]
        only = Filter(kinds=self.settings.words("share.kinds"))
        index, now = self.memories.index, self.clock.now()
        return index.count_unshared(tracked, self.memories.sources, now=now, only=only)

    @property
    def notebook(self) -> Notebook:
        """Learning notes and collections. Whoever asks closes it."""
        from satchel.workspace.notebook import Notebook

        return Notebook(self.home, self.settings, self.clock, self)

    @property
    def graph(self) -> KnowledgeGraph:
        """The knowledge graph. Whoever asks closes it."""
        from satchel.workspace.knowledge_graph import KnowledgeGraph

        return KnowledgeGraph(self)

    # Upkeep of derived things

    def rebuild(self, only: str = "memories") -> int:
        """Build an index anew: of memories, notes or the graph, or all for ""; count what it has.

        Whoever has it open meanwhile goes on with it; nothing that is only there is lost.
        """
        from satchel.workspace.derived import rebuild

        return sum(rebuild(self, only).values())

    def upkeep(self, step: str, *, dry_run: bool, confirmed: bool) -> dict[str, str]:
        """Run one step of upkeep, or all; return what each did, in words."""
        from satchel.upkeep.rounds import run_rounds

        self.fresh()
        report = {}
        if step in ("all", "drain") and not dry_run:
            drained = self.drain(60.0)
            report["drain"] = f"{len(drained.written)} records written, {drained.left} events left"
        report |= run_rounds(
            self.memories, self.settings, step, dry_run=dry_run, confirmed=confirmed
        )
        self.catch_up(self.memories)
        if step in ("all", "purge"):
            days = self.settings.integer("memory.purge_after_days")
            with self.graph as graph:
                done = graph.purge(after_days=days, dry_run=dry_run)
            report["purge"] += f"; {done}" if done else ""
        return report

    def examine(self) -> Sequence[Finding]:
        """Find and explain whatever is wrong. Changes nothing but the index."""
        from satchel.health.doctor import examine
        from satchel.storage.sqlite import engine_is_safe
        from satchel.workspace.derived import findings_of

        self.catch_up(self.memories)
        return examine(
            engine_is_safe=engine_is_safe(),
            memories=self.memories,
            state=self.state,
            tracked=self.tracked,
            inbox=self.inbox,
            injections=self.injections,
            root=self.place.root,
            clock=self.clock,
            derived=findings_of(self),
        )

    def statistics(self) -> Statistics:
        """Count memories, tokens and bytes."""
        from satchel.health.statistics import collect
        from satchel.workspace.derived import graphs_of, notes_of

        self.fresh()
        return collect(
            memories=self.memories,
            state=self.state,
            tracked=self.tracked,
            inbox=self.inbox,
            injections=self.injections,
            clock=self.clock,
        )._replace(notes=tuple(notes_of(self)), graphs=tuple(graphs_of(self)))

    def other_database(self, path: str) -> Database:
        """Open another program's database, to read from it."""
        from satchel.storage.sqlite import SqliteDatabase

        return SqliteDatabase(path)
