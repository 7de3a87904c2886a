"""The interface of answer providers: messages in, chunks of an answer out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from satchel.core.values import NamedTuple


class ChatMessage(NamedTuple):
    """A message: its role, `user` or `assistant`, and its text."""

    role: str
    text: str


class AnswerChunk(NamedTuple):
    """A chunk of an answer. The last one has the token counts and the stop reason."""

    text: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    ended: str = ""


class Provider(Protocol):
    """Streams answers."""

    model: str

    def stream(self, system: str, messages: Sequence[ChatMessage]) -> Iterator[AnswerChunk]:
        """Yield the answer as it arrives.

        Raises `ModelUnavailableError` for an error, a limit, or a stream that is cut: what came
        before has been yielded.
        """
        ...
