"""The services of an open project that `application` may use; `satchel.workspace` provides them."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol, Self

    from satchel.application.findings import Finding
    from satchel.core.scope import Scope
    from satchel.engine.models import Models
    from satchel.features.agents.service import AgentFiles
    from satchel.features.branches.service import Branches
    from satchel.features.code.service import Code
    from satchel.features.graph.knowledge_graph import KnowledgeGraph
    from satchel.features.guards.service import ProjectGuards
    from satchel.features.injections.injection_ledger import InjectionLedger
    from satchel.features.instincts.service import ProjectInstincts
    from satchel.features.instructions.service import InstructionFiles
    from satchel.features.intent.service import ProjectIntent
    from satchel.features.memories.access import ProjectMemories
    from satchel.features.notes.service import NoteService
    from satchel.features.routing.service import AgentRouting
    from satchel.features.sessions.service import SessionService
    from satchel.features.tables.project_tables import ProjectTables
    from satchel.features.tasks.project_tasks import ProjectTasks
    from satchel.features.thread.service import Thread
    from satchel.project.person import PersonStore
    from satchel.project.store import ProjectStore
    from satchel.storage.paths import PrivateState

    class Listening(Protocol):
        """Recorded hook events, on their way to becoming memories."""

        def drain(self, seconds: float) -> DrainReport:
            """Drain the inbox for at most `seconds` and index the results."""

    class Services(Protocol):
        """The services of one open project, each created once."""

        @property
        def project(self) -> ProjectStore:
            """The project's place, settings and private state."""

        @property
        def person(self) -> PersonStore | None:
            """The user's own data; None if it may not be read."""

        @property
        def memories(self) -> ProjectMemories:
            """The memories."""

        @property
        def injections(self) -> InjectionLedger:
            """What agents were shown."""

        @property
        def models(self) -> Models:
            """The configured models."""

        @property
        def notes(self) -> NoteService:
            """Notes and collections."""

        @property
        def graph(self) -> KnowledgeGraph:
            """The knowledge graph."""

        @property
        def instructions(self) -> InstructionFiles:
            """Instruction files: AGENTS.md, CLAUDE.md and similar files."""

        @property
        def intent(self) -> ProjectIntent:
            """What the project is for."""

        @property
        def instincts(self) -> ProjectInstincts:
            """Soft rules with a confidence."""

        @property
        def guards(self) -> ProjectGuards:
            """Rules that act before a tool runs."""

        @property
        def tasks(self) -> ProjectTasks:
            """The tasks: what is ready and what blocks what."""

        @property
        def sessions(self) -> SessionService:
            """Sessions, and the archive of transcripts."""

        @property
        def agents(self) -> AgentFiles:
            """Identity files of agents."""

        @property
        def routing(self) -> AgentRouting:
            """Routing of messages to agents."""

        @property
        def tables(self) -> ProjectTables:
            """Business records with a declared schema."""

        @property
        def code(self) -> Code:
            """The code map: symbols, ranking, packs, anchors."""

        @property
        def thread(self) -> Thread:
            """Which sessions wrote which lines and made which commits."""

        @property
        def branches(self) -> Branches:
            """Which memories do not simply apply at the checked-out commit."""

        @property
        def listening(self) -> Listening:
            """Recorded hook events, on their way to becoming memories."""

        def __enter__(self) -> Self: ...

        def __exit__(self, *_: object) -> None: ...

        def owner(self) -> PersonStore:
            """Return the user; raise `BadInputError` if the user's data may not be read."""

        def refresh(self) -> None:
            """Update the index of memories from ledgers and inbox."""

        def pending(self) -> Sequence[Record]:
            """Return records of events that are still in the inbox."""

        def scope(self, task: str = "") -> Scope:
            """Return a task's scope; by default, of the task the branch is named after."""

        def examine(self) -> Sequence[Finding]:
            """Find problems. Changes nothing but the index."""

        def reopened(self) -> Self:
            """Reopen the project with the same rights, for another thread."""

        def close(self) -> None:
            """Close open resources; they reopen on next use."""


def private_states(work: Services) -> list[tuple[bool, PrivateState]]:
    """Return the readable private states, each with whether it is the user's."""
    person = [] if work.person is None else [(True, work.person.state)]
    return [(False, work.project.state), *person]


class DrainReport(NamedTuple):
    """The result of a drain: records written, events left, and why records were skipped.

    `busy`: another process was draining, so nothing was done here.
    """

    written: tuple[Record, ...]
    left: int
    skipped: tuple[tuple[Record, str], ...]
    busy: bool = False
