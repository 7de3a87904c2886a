"""Sessions of one project: begun, spoken in, ended with a checkpoint; and the archive."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.errors import BadInputError
from satchel.features.sessions.archive_service import SessionArchive
from satchel.features.sessions.states import CLOSE, moved
from satchel.features.sessions.values import Message, Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.project.ports import Abilities
    from satchel.project.store import OpenProject
    from satchel.storage.ledger.record import Record

_LAST_MESSAGES = 5
_BRIEF_TOKENS = 2000


class Conversations(SessionArchive):
    """What people and agents do with sessions; see `SessionArchive` for the archive.

    Args:
        project: the open project.
        whole: the workspace that this is part of.
    """

    def __init__(self, project: OpenProject, whole: Abilities) -> None:
        super().__init__(project)
        self.whole = whole

    def new(
        self, *, title: str = "", task: str = "", agent: str = "", tags: Sequence[str] = ()
    ) -> Session:
        """Begin a session as a draft; one about a task gets its memories and its intent."""
        session = Session(
            "",
            project_id=self.project.place.project_id or self.project.key,
            agent_name=agent,
            title=title,
            tags=tuple(dict.fromkeys(tags)),
        )
        return self.store.new(self._briefed(session, task) if task else session)

    def _briefed(self, session: Session, task: str) -> Session:
        """Give a session its task, and what an agent that works on it should know."""
        from satchel.application.briefs.memory_brief import memory_brief
        from satchel.core.token_budget import estimate_tokens
        from satchel.features.intent.service import ProjectIntent

        project, scope = self.project, self.whole.scope(task)
        project.fresh()
        brief = project.mended(
            lambda: memory_brief(project.memories.scoped(scope), budget=_BRIEF_TOKENS)
        )
        return session._replace(
            task=task,
            epic=scope.epic,
            memory_brief=brief,
            memory_brief_tokens=estimate_tokens(brief) if brief else 0,
            intent_context=ProjectIntent(project).excerpt(task=task).text,
        )

    def move(self, given: str, move: str, *, summary: str = "") -> tuple[Session, Record | None]:
        """Make a move; closing a session with messages leaves a checkpoint behind."""
        session = self.store.counted(self.store.find(given).id)
        after = moved(session, move, self.project.clock.now())
        record = None
        if move == CLOSE and after.metrics.messages:
            # Before the state says closed: a process that is killed between leaves it open.
            record = self._checkpoint(
                after._replace(summary=summary or after.summary), "session_end"
            )
            summary = summary or after.summary or str((record.data or {}).get("summary") or "")
        return self.store.move(session.id, move, summary=summary), record

    def say(self, given: str, message: Message) -> Message:
        """Add a message to an active session; durable when this returns."""
        return self.store.say(self.store.find(given).id, message)

    def checkpoint(self, given: str, *, trigger: str = "manual") -> Record:
        """Write down where a session stands."""
        session = self.store.counted(self.store.find(given).id)
        if not session.metrics.messages:
            raise BadInputError(
                "Nothing was said in this session: there is nothing to write down.",
                hint="`satchel session say` adds a message.",
            )
        return self._checkpoint(session, trigger)

    def _checkpoint(self, session: Session, trigger: str) -> Record:
        from satchel.application.learning.listening.checkpoints import Spent, checkpoint_of
        from satchel.clients.transcripts.tail import Message as Said

        said = [
            Said(message.role, message.text)
            for message in self.store.messages(session.id)
            if message.role in ("user", "assistant")
        ]
        metrics = session.metrics
        spent = Spent(session.task, metrics.duration_ms / 1000, metrics.messages, session.summary)
        stood = checkpoint_of(
            said[-_LAST_MESSAGES:], trigger=trigger, session=session.id, spent=spent
        )
        return self.whole.remember(
            stood.text,
            kind="checkpoint",
            key=f"checkpoint-{session.id}",
            title=f"Session checkpoint ({trigger})",
            tags=("checkpoint",),
            session=session.id,
            task=session.task,
            epic=session.epic,
            agent=session.agent_name,
            data={
                "trigger": trigger,
                "asked": stood.asked,
                "summary": stood.summary,
                "next_steps": list(stood.next_steps),
            },
        )
