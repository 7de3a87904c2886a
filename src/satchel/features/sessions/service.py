"""A project's sessions: started, used, closed with a checkpoint; and the archive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from satchel.core.errors import BadInputError
from satchel.core.values import Closing
from satchel.features.sessions.archive_service import SessionArchive
from satchel.features.sessions.store import SessionStore
from satchel.features.sessions.values import CLOSE, Message, Session, moved
from satchel.project.person import PersonStore
from satchel.project.store import ProjectStore
from satchel.storage.ledger.record import Record


class Memory(Protocol):
    """What a session reads from memory at its start, and writes to it at its end."""

    def briefed(self, session: Session, task: str) -> Session:
        """Give a session its task, and a brief on that task."""

    def checkpoint(self, session: Session, messages: Sequence[Message], trigger: str) -> Record:
        """Write a session's checkpoint and return the memory."""


class SessionService(Closing):
    """The operations of people and agents on sessions.

    Args:
        person: whose transcripts are in the archive; None if no user data may be read.
        memory: what sessions read and leave behind.

    Attributes:
        archive: transcripts and sessions, searched together.
    """

    def __init__(self, project: ProjectStore, person: PersonStore | None, memory: Memory) -> None:
        self.project, self._memory = project, memory
        self.archive = SessionArchive(project, person)

    def close(self) -> None:
        """Close the archive's index; it reopens on next use."""
        self.archive.close()

    @property
    def store(self) -> SessionStore:
        """Satchel's own sessions, as files."""
        return self.archive.store

    def new(
        self,
        *,
        title: str = "",
        task: str = "",
        agent: str = "",
        agent_id: str = "",
        tags: Sequence[str] = (),
        ident: str = "",
    ) -> Session:
        """Create a draft session; one about a task gets its memories and intent.

        If a session with `ident` exists, it is returned.
        """
        session = Session(
            ident,
            project_id=self.project.place.project_id or self.project.key,
            agent_name=agent,
            agent_id=agent_id,
            title=title,
            tags=tuple(dict.fromkeys(tags)),
        )
        return self.store.new(self._memory.briefed(session, task) if task else session)

    def move(
        self, reference: str, move: str, *, summary: str = ""
    ) -> tuple[Session, Record | None]:
        """Change the state; closing a session with messages writes a checkpoint."""
        session = self.store.counted(self.store.find(reference).id)
        after = moved(session, move, self.project.clock.now())
        record = None
        if move == CLOSE and after.metrics.messages:
            # Before the state changes to closed: if killed in between, it stays open.
            record = self._checkpoint(
                after._replace(summary=summary or after.summary), "session_end"
            )
            summary = summary or after.summary or str((record.data or {}).get("summary") or "")
        return self.store.move(session.id, move, summary=summary), record

    def say(self, reference: str, message: Message) -> Message:
        """Add a message to an active session, durably."""
        return self.store.say(self.store.find(reference).id, message)

    def checkpoint(self, reference: str, *, trigger: str = "manual") -> Record:
        """Write a session's checkpoint."""
        session = self.store.counted(self.store.find(reference).id)
        if not session.metrics.messages:
            raise BadInputError(
                "Nothing was said in this session: there is nothing to write down.",
                hint="`satchel sessions say` adds a message.",
            )
        return self._checkpoint(session, trigger)

    def _checkpoint(self, session: Session, trigger: str) -> Record:
        return self._memory.checkpoint(session, list(self.store.messages(session.id)), trigger)
