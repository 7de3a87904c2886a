"""What the rooms of `application` may ask of an open project. `satchel.workspace` provides it."""

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
        """What hooks have heard, on its way to the memories."""

        def drain(self, seconds: float) -> DrainReport:
            """Drain the inbox for at most `seconds` and index what came of it."""

    class Services(Protocol):
        """The services of one open project, each made once."""

        @property
        def project(self) -> ProjectStore:
            """The project's place, settings and private state."""

        @property
        def person(self) -> PersonStore | None:
            """What belongs to the person; None where nothing of a person may be read."""

        @property
        def memories(self) -> ProjectMemories:
            """What was remembered."""

        @property
        def injections(self) -> InjectionLedger:
            """What was shown to agents."""

        @property
        def models(self) -> Models:
            """The models that settings choose."""

        @property
        def notes(self) -> NoteService:
            """Learning notes and collections."""

        @property
        def graph(self) -> KnowledgeGraph:
            """The knowledge graph."""

        @property
        def instructions(self) -> InstructionFiles:
            """Instruction files: AGENTS.md, CLAUDE.md and their kin."""

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
            """The tasks: what is ready, what blocks what."""

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
            """Business records by declared schema."""

        @property
        def code(self) -> Code:
            """The map of the code: symbols, ranking, packs, anchors."""

        @property
        def thread(self) -> Thread:
            """Which sessions wrote which lines and made which commits."""

        @property
        def branches(self) -> Branches:
            """Which memories are not simply true at the commit that is checked out."""

        @property
        def listening(self) -> Listening:
            """What hooks have heard, on its way to the memories."""

        def __enter__(self) -> Self: ...

        def __exit__(self, *_: object) -> None: ...

        def owner(self) -> PersonStore:
            """Return the person; raise `BadInputError` where nothing of a person is read."""

        def refresh(self) -> None:
            """Bring the index of memories up to date with ledgers and inbox."""

        def pending(self) -> Sequence[Record]:
            """Return records of events that are still in the inbox."""

        def scope(self, task: str = "") -> Scope:
            """Return the scope of a task; without one, of the task the branch is named after."""

        def examine(self) -> Sequence[Finding]:
            """Find whatever is wrong. Changes nothing but the index."""

        def reopened(self) -> Self:
            """Open the same project once more, with the same rights, for another thread."""

        def close(self) -> None:
            """Close what was opened; the next use opens it again."""


def private_states(work: Services) -> list[tuple[bool, PrivateState]]:
    """Return the private states that may be read, each with whether it is the person's."""
    person = [] if work.person is None else [(True, work.person.state)]
    return [(False, work.project.state), *person]


class DrainReport(NamedTuple):
    """What a drain did: records written, events left for later, and why a record was left out.

    `busy`: another process was draining, so nothing was done here.
    """

    written: tuple[Record, ...]
    left: int
    skipped: tuple[tuple[Record, str], ...]
    busy: bool = False
