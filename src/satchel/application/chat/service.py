"""Chat in a session: assemble the prompt, stream the answer, save both with their cost."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.application.briefs.prompt_parts import PromptParts
from satchel.application.chat.providers import AnswerChunk, ChatMessage, Provider, open_provider
from satchel.application.services import Services
from satchel.core.errors import ConflictError, SatchelError
from satchel.core.values import NamedTuple
from satchel.features.sessions.values import ACTIVE, CLOSED, DRAFT, RESUME, START, Message, Session
from satchel.project.background import is_large
from satchel.storage.settings.environment import secret_named

#: Most earlier messages to send with a new one.
_LAST = 20
_PER_MILLION = 1e6


class AnswerStep(NamedTuple):
    """A step of an answer: a chunk of text, or at the end the saved message."""

    text: str = ""
    kept: Message | None = None
    error: str = ""


class Chat:
    """The chats of one project.

    Args:
        work: the open project, which the caller closes.
    """

    def __init__(self, work: Services) -> None:
        self.work = work

    def say(self, session: str, text: str, ident: str = "") -> Message:
        """Save a user's message and start a draft. Raises `ConflictError` if closed.

        With a known `ident`, nothing is added.
        """
        with self.work.sessions as sessions:
            found = sessions.store.find(session)
            if found.status == CLOSED:
                raise ConflictError("This session is closed.", hint="Start another one.")
            if found.status != ACTIVE:
                sessions.move(found.id, START if found.status == DRAFT else RESUME)
            return sessions.say(found.id, Message("user", text, id=ident))

    def answer(self, session: str) -> Iterator[AnswerStep]:
        """Stream the answer to the last message; an existing answer is returned whole.

        Text received before an error is kept. Raises `BadInputError` if no model is chosen.
        """
        with self.work.sessions as sessions:
            found = sessions.store.find(session)
            said = sessions.store.messages(found.id)
        if not said:
            raise ConflictError("This session has no messages.", hint="POST a message first.")
        if said[-1].role == "assistant":
            yield AnswerStep(said[-1].text)
            yield AnswerStep(kept=said[-1])
            return
        provider = self._provider()
        asked = said[-1].text
        made = PromptParts(self.work).assembled(asked, task=found.task, pack=self._about(asked))
        spoken = [
            ChatMessage(m.role, m.text) for m in said[-_LAST:] if m.role in ("user", "assistant")
        ]
        while spoken and spoken[0].role != "user":
            spoken.pop(0)
        yield from self._streamed(found, provider, made.system, spoken)

    def _streamed(
        self, session: Session, provider: Provider, system: str, spoken: list[ChatMessage]
    ) -> Iterator[AnswerStep]:
        texts: list[str] = []
        last, error = AnswerChunk(), ""
        try:
            for piece in provider.stream(system, spoken):
                if piece.text:
                    texts.append(piece.text)
                    yield AnswerStep(piece.text)
                if piece.input_tokens or piece.output_tokens:
                    last = piece
        except SatchelError as caught:
            error = str(caught)
        finally:
            # Even if the client has disconnected: a paid answer is kept.
            kept = self._kept(session, "".join(texts), last) if texts else None
        if error:
            yield AnswerStep(error=error)
        if kept is not None:
            yield AnswerStep(kept=kept)

    def _kept(self, session: Session, text: str, last: AnswerChunk) -> Message:
        settings = self.work.project.settings
        cost = (
            last.input_tokens * settings.number("chat.price_input")
            + last.output_tokens * settings.number("chat.price_output")
        ) / _PER_MILLION
        message = Message(
            "assistant",
            text,
            input_tokens=last.input_tokens,
            output_tokens=last.output_tokens,
            cost_usd=cost,
        )
        with self.work.sessions as sessions:
            return sessions.say(session.id, message)

    def _provider(self) -> Provider:
        settings = self.work.project.settings
        return open_provider(
            settings.text("chat.provider"),
            url=settings.text("chat.url"),
            model=settings.text("chat.model"),
            key=secret_named(settings.text("chat.key_name")),
            max_tokens=settings.integer("chat.max_tokens"),
            plain_http=settings.flag("model.plain_http"),
        )

    def _about(self, message: str) -> str:
        """Return the topic of the code section; "" if a large repository has no map yet."""
        with self.work.code as code:
            mapped = code.is_mapped()
        return message if mapped or not is_large(self.work.project.place.common) else ""
