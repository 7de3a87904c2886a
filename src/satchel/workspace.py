"""The public Python API: an open project and its services."""

from __future__ import annotations

from satchel.core.clock import Clock
from satchel.core.errors import BadInputError
from satchel.core.values import Closing, cached_property
from satchel.features.memories.store import MemoryStores
from satchel.project.home import open_home
from satchel.project.person import PersonStore
from satchel.project.store import ProjectStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Self

    from satchel.application.briefs.service import BriefComposer
    from satchel.application.findings import Finding
    from satchel.application.health.statistics import Statistics
    from satchel.application.learning.listening.service import Listening
    from satchel.application.recall.graph.connected_notes import Connections
    from satchel.application.recall.results import Answer, RoutedAnswer
    from satchel.application.research.service import Research
    from satchel.core.scope import Scope
    from satchel.engine.models import EmbeddingReport, Models
    from satchel.engine.search.documents import Filter
    from satchel.features.agents.service import AgentFiles
    from satchel.features.branches.service import Branches
    from satchel.features.code.anchored import CodeState
    from satchel.features.code.service import Code
    from satchel.features.graph.knowledge_graph import KnowledgeGraph
    from satchel.features.guards.service import ProjectGuards
    from satchel.features.injections.injection_ledger import InjectionLedger
    from satchel.features.instincts.service import ProjectInstincts
    from satchel.features.instructions.service import InstructionFiles
    from satchel.features.intent.service import ProjectIntent
    from satchel.features.memories.access import ProjectMemories
    from satchel.features.memories.service import Memories
    from satchel.features.notes.service import NoteService
    from satchel.features.routing.service import AgentRouting
    from satchel.features.sessions.service import SessionService
    from satchel.features.tables.project_tables import ProjectTables
    from satchel.features.tasks.project_tasks import ProjectTasks
    from satchel.features.thread.service import Thread
    from satchel.project.server_database import ServerDatabase
    from satchel.storage.ledger.record import Record

#: What `close` closes, where it was made. Each is opened again when it is asked.
_CLOSED = ("graph", "notes", "sessions", "routing", "tables", "code", "thread", "tasks")


class Workspace(Closing):
    """A project, opened from one of its work trees.

    Args:
        person: whose memories, notes, instructions and transcripts count too; None where nothing
            of a person may be read, as on a team's server.
    """

    def __init__(self, project: ProjectStore, person: PersonStore | None = None) -> None:
        self.project, self.person = project, person
        self._stores = MemoryStores(project, person, _scrub_returned)

    @classmethod
    def open(
        cls,
        start: str = ".",
        *,
        home: str = "",
        clock: Clock | None = None,
        patience: float | None = None,
    ) -> Self:
        """Open the project that `start` lies in, for the person whose home it is.

        Raises `NoProjectError` where there is none: `satchel init` makes one.
        """
        own = open_home(home)
        project = ProjectStore.open(start, own, clock, patience=patience, strict=False)
        return cls(project, PersonStore(own, clock))

    @classmethod
    def open_for_others(
        cls, start: str = ".", *, home: str = "", servers: ServerDatabase | None = None
    ) -> Self:
        """Open a project without any of the user's own data.

        Args:
            servers: the database that a team's servers share, which has the project's state too.
        """
        return cls(ProjectStore.open(start, open_home(home), servers=servers))

    def close(self) -> None:
        """Close open resources; they reopen on next use."""
        name = next((one for one in _CLOSED if one in self.__dict__), "")
        if name:
            one = self.__dict__.pop(name)
            try:
                (one.view.close if name == "tasks" else one.close)()
            finally:
                self.close()  # the others, whatever that one raised
        else:
            self._stores.close()
            # Some know the workspace: kept, they would be freed by the garbage collector alone.
            self.__dict__ = {n: self.__dict__[n] for n in ("project", "person", "_stores")}

    def reopened(self) -> Self:
        """Reopen the project with the same rights, for another thread."""
        return type(self)(self.project.reopened(), self.person)

    def owner(self) -> PersonStore:
        """Return the user; raise `BadInputError` if the user's data may not be read."""
        if self.person is None:
            raise BadInputError("A team's server has no personal data.")
        return self.person

    # Memories

    @cached_property
    def memories(self) -> ProjectMemories:
        """What was remembered."""
        from satchel.features.memories.access import ProjectMemories

        return ProjectMemories(self._stores, self.refresh)

    @cached_property
    def listening(self) -> Listening:
        """Recorded hook events, on their way to the memories."""
        from satchel.application.learning.listening.service import Listening

        return Listening(self.project, self._stores, lambda: self.injections)

    def refresh(self) -> None:
        """Update the index of memories from ledgers and inbox."""
        self.listening.refresh()

    def pending(self) -> Sequence[Record]:
        """Return records of events that are still in the inbox."""
        return self.listening.pending()

    def learn(self, content: str, **fields: Any) -> Record:
        """Remember a lesson. See `remember`."""
        return self.remember(content, kind="learned", **fields)

    def remember(self, content: str, *, kind: str, user: bool = False, **fields: Any) -> Record:
        """Remember one thing; it is on disk when this returns. See `ProjectMemories.remember`."""
        return self.memories.remember(content, kind=kind, user=user, **fields)

    # Asking, and briefs

    def recall(
        self,
        question: str,
        *,
        limit: int = 0,
        only: Filter | None = None,
        task: str = "",
        method: str = "",
        weak: bool = False,
        partial: bool = False,
    ) -> Answer:
        """Answer a question from everything remembered. See `recall.service.recall_memories`."""
        from satchel.application.recall.service import recall_memories

        return recall_memories(
            self,
            question,
            limit=limit,
            only=only,
            task=task,
            method=method,
            weak=weak,
            unapproved=True,
            partial=partial,
        )

    def ask(
        self,
        question: str,
        *,
        limit: int = 0,
        tier: str = "",
        method: str = "",
        weak: bool = False,
        agent: str = "",
        partial: bool = False,
    ) -> RoutedAnswer:
        """Answer by the tier that a question belongs to; `partial`: also without the team's."""
        from satchel.application.recall.tiers.project_tiers import ProjectTiers

        most = limit or self.project.settings.integer("recall.limit")
        tiers = ProjectTiers(self, question, method=method, weak=weak, agent=agent)
        answer = tiers.only(tier, most) if tier else tiers.answer(most)
        return answer if partial else answer.whole()

    @cached_property
    def research(self) -> Research:
        """Questions put to notes, memories, code, documentation and the web at once."""
        from satchel.application.research.service import Research

        return Research(self)

    @cached_property
    def briefs(self) -> BriefComposer:
        """Briefs for agents: at a session's start, at a prompt, and whole prompts."""
        from satchel.application.briefs.service import BriefComposer

        return BriefComposer(self)

    @cached_property
    def injections(self) -> InjectionLedger:
        """What was shown to agents."""
        from satchel.features.injections.injection_ledger import InjectionLedger

        project = self.project
        return InjectionLedger(project.log("injections", timeout=project.ledger_patience))

    # The services

    @cached_property
    def models(self) -> Models:
        """The models that settings choose, opened at first use."""
        from satchel.engine.models import Models

        return Models(self.project.settings)

    @cached_property
    def graph(self) -> KnowledgeGraph:
        """The knowledge graph."""
        from satchel.application.recall.graph.inputs import open_graph

        return open_graph(self.project, self.person, self._stores)

    @cached_property
    def notes(self) -> NoteService:
        """Learning notes and collections."""
        from satchel.features.notes.note_indexes import indexes_of_project
        from satchel.features.notes.service import NoteService

        indexes = indexes_of_project(self.project, self.person, self.models)
        return NoteService(indexes, self._connections)

    def _connections(self) -> Connections:
        from satchel.application.recall.graph.connected_notes import SEARCH_WAIT, Connections
        from satchel.application.recall.graph.inputs import open_graph

        own = (self.project, self.person, self._stores)
        return Connections(open_graph(*own, wait=SEARCH_WAIT), open_graph(*own), self._stores)

    @property
    def instructions(self) -> InstructionFiles:
        """Instruction files (AGENTS.md, CLAUDE.md and their kin), read again each time."""
        from satchel.features.instructions.service import InstructionFiles

        return InstructionFiles(self.project, self.person)

    @cached_property
    def intent(self) -> ProjectIntent:
        """What the project is for, and which tasks are about which part of it."""
        from satchel.features.intent.service import ProjectIntent
        from satchel.features.tasks.scope import ancestors_of_task

        return ProjectIntent(self.project, lambda task: ancestors_of_task(self.project, task))

    @cached_property
    def instincts(self) -> ProjectInstincts:
        """Soft rules with a confidence."""
        from satchel.features.instincts.service import ProjectInstincts

        return ProjectInstincts(self.project)

    @cached_property
    def guards(self) -> ProjectGuards:
        """Rules that act before a tool runs."""
        from satchel.features.guards.service import ProjectGuards

        return ProjectGuards(self.project, self.memories)

    @cached_property
    def tasks(self) -> ProjectTasks:
        """The tasks: what is ready, what blocks what."""
        from satchel.features.tasks.project_tasks import ProjectTasks

        return ProjectTasks(self.project)

    def scope(self, task: str = "") -> Scope:
        """Return a task's scope; by default, of the task the branch is named after."""
        from satchel.features.tasks.scope import scope_of

        return scope_of(self.project, task)

    @cached_property
    def sessions(self) -> SessionService:
        """Sessions, and the archive of transcripts."""
        from satchel.application.learning.listening.session_memory import SessionMemory
        from satchel.features.sessions.service import SessionService

        return SessionService(self.project, self.person, SessionMemory(self))

    @cached_property
    def agents(self) -> AgentFiles:
        """Identity files of agents."""
        from satchel.features.agents.service import AgentFiles

        return AgentFiles(self.project, self.person, self.memories)

    @cached_property
    def routing(self) -> AgentRouting:
        """Routing of messages to agents."""
        from satchel.application.exchange.routed_messages import message_sources
        from satchel.features.routing.service import AgentRouting

        return AgentRouting(self.project, self.person, self.memories, message_sources(self))

    @cached_property
    def tables(self) -> ProjectTables:
        """Business records with a declared schema."""
        from satchel.application.exchange.team import team_rows
        from satchel.features.tables.project_tables import ProjectTables

        return ProjectTables(self.project, lambda: team_rows(self._stores))

    @cached_property
    def code(self) -> Code:
        """The map of the code: symbols, ranking, packs, anchors."""
        from satchel.features.code.service import Code

        return Code(self.project, self.models)

    def code_states(self, records: Sequence[Record]) -> dict[str, CodeState]:
        """Return the state of the code that records are about, by record id."""
        if not any("anchors" in (one.data or {}) for one in records):
            return {}
        from satchel.features.code.anchored import code_states as standings

        return standings(self.code, records)

    @cached_property
    def thread(self) -> Thread:
        """Which sessions wrote which lines and made which commits."""
        from satchel.application.thread.sessions import open_thread

        return open_thread(self.project, self.sessions.archive)

    @cached_property
    def branches(self) -> Branches:
        """Which memories do not simply hold at the checked-out commit."""
        from satchel.features.branches.service import Branches

        return Branches(self.project, self.memories.following_git, for_others=self.person is None)

    # Upkeep and health

    def examine(self) -> Sequence[Finding]:
        """Find and explain problems. Changes nothing but the index."""
        from satchel.application.health.doctor import examine

        return examine(self)

    def embed(
        self, *, patience: float = 0.0, progress: Callable[[int, int], None] | None = None
    ) -> EmbeddingReport:
        """Embed the memories that have no vectors yet; see `Models.embed`."""
        from satchel.features.memories.embedding import embed

        return embed(self._stores, self.models, patience=patience, progress=progress)

    def statistics(self) -> Statistics:
        """Count memories, tokens and bytes."""
        from satchel.application.health.statistics import statistics

        return statistics(self)

    def rebuild(self, only: str = "memories") -> int:
        """Rebuild an index: of memories, notes or the graph, or all for ""; return its counts.

        Whoever has it open meanwhile goes on with it; nothing that is only there is lost.
        """
        from satchel.application.health.derived_stores import rebuild

        return sum(rebuild(self, only).values())

    def upkeep(self, step: str, *, dry_run: bool, confirmed: bool) -> dict[str, str]:
        """Run one step of upkeep, or all; return each step's report."""
        from satchel.application.upkeep.maintenance import Upkeep

        return Upkeep(self).run(step, dry_run=dry_run, confirmed=confirmed)


def _scrub_returned(memories: Memories, now: float) -> object:
    from satchel.application.forgetting.resurrected_lines import scrub_resurrected

    return scrub_resurrected(memories, now)
