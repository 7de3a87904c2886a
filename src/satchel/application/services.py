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
        """The services of one open project, each created once: `satchel.workspace` says of each.

        Written out because nothing in `application` may import the workspace that provides them.
        """

        @property
        def project(self) -> ProjectStore: ...

        @property
        def person(self) -> PersonStore | None: ...

        @property
        def memories(self) -> ProjectMemories: ...

        @property
        def injections(self) -> InjectionLedger: ...

        @property
        def models(self) -> Models: ...

        @property
        def notes(self) -> NoteService: ...

        @property
        def graph(self) -> KnowledgeGraph: ...

        @property
        def instructions(self) -> InstructionFiles: ...

        @property
        def intent(self) -> ProjectIntent: ...

        @property
        def instincts(self) -> ProjectInstincts: ...

        @property
        def guards(self) -> ProjectGuards: ...

        @property
        def tasks(self) -> ProjectTasks: ...

        @property
        def sessions(self) -> SessionService: ...

        @property
        def agents(self) -> AgentFiles: ...

        @property
        def routing(self) -> AgentRouting: ...

        @property
        def tables(self) -> ProjectTables: ...

        @property
        def code(self) -> Code: ...

        @property
        def thread(self) -> Thread: ...

        @property
        def branches(self) -> Branches: ...

        @property
        def listening(self) -> Listening: ...

        def __enter__(self) -> Self: ...

        def __exit__(self, *_: object) -> None: ...

        def owner(self) -> PersonStore: ...

        def refresh(self) -> None: ...

        def pending(self) -> Sequence[Record]: ...

        def scope(self, task: str = "") -> Scope: ...

        def examine(self) -> Sequence[Finding]: ...

        def reopened(self) -> Self: ...

        def close(self) -> None: ...

else:
    Services = object


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
