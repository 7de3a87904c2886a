"""What a provider of answers is: messages in, pieces of an answer out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from satchel.core.values import NamedTuple


class ChatMessage(NamedTuple):
    """One message: `user` or `assistant`, and its text."""

    role: str
    text: str


class AnswerChunk(NamedTuple):
    """A piece of an answer. The last one has the tokens, and why it ended."""

    text: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    ended: str = ""


class Provider(Protocol):
    """Answers in pieces."""

    model: str

    def stream(self, system: str, messages: Sequence[ChatMessage]) -> Iterator[AnswerChunk]:
        """Yield the answer as it comes.

        Raises `ModelUnavailableError` for an error, a limit, or a stream that is cut: what came
        before has been yielded.
        """
        ...
