"""What Satchel's own sessions read from memory, and write to it."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.briefs.memory_brief import memory_brief
from satchel.application.briefs.prompt_parts import PromptParts
from satchel.application.outlet import Outlet
from satchel.clients.transcripts.tail import Message as Said
from satchel.core.redaction.personal import without_personal
from satchel.core.token_budget import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services
    from satchel.features.sessions.values import Message, Session
    from satchel.storage.ledger.record import Record

_LAST_MESSAGES = 5
_BRIEF_TOKENS = 2000


class SessionMemory:
    """The memory of an open project, as its sessions use it."""

    def __init__(self, work: Services) -> None:
        self.work = work

    def briefed(self, session: Session, task: str) -> Session:
        """Give a session its task, and a brief on that task."""
        work, scope = self.work, self.work.scope(task)
        work.refresh()
        # It is stored with the session, which other project members read, through git or a server.
        outlet = Outlet(work, to_others=True)
        found = work.memories.stores.retry_after_rebuild(lambda: outlet.scoped(scope)[0])
        brief = memory_brief(found, budget=_BRIEF_TOKENS, missing=outlet.missing)
        return session._replace(
            task=task,
            epic=scope.epic,
            memory_brief=brief,
            memory_brief_tokens=estimate_tokens(brief) if brief else 0,
            intent_context=PromptParts(work).intent(task=task).text,
        )

    def checkpoint(self, session: Session, messages: Sequence[Message], trigger: str) -> Record:
        """Write a session's checkpoint and return the memory."""
        # Sessions that are only listed need none of its patterns.
        from satchel.application.learning.listening.checkpoints import SessionTotals, checkpoint_of

        # Others may only see a checkpoint without personal addresses.
        told = without_personal if self.work.person is None else str
        said = [
            Said(message.role, told(message.text))
            for message in messages
            if message.role in ("user", "assistant")
        ]
        metrics, summary = session.metrics, told(session.summary)
        spent = SessionTotals(session.task, metrics.duration_ms / 1000, metrics.messages, summary)
        stood = checkpoint_of(
            said[-_LAST_MESSAGES:], trigger=trigger, session=session.id, spent=spent
        )
        return self.work.memories.remember(
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
