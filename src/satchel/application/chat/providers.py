"""Streaming from Anthropic's Messages API and from OpenAI-compatible chat completions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from satchel.core.errors import BadInputError
from satchel.core.shapes import dict_of
from satchel.core.values import NamedTuple
from satchel.engine.inference.failures import ModelUnavailableError
from satchel.engine.inference.http_calls import Endpoint


class ChatMessage(NamedTuple):
    """A message: its role, `user` or `assistant`, and its text."""

    role: str
    text: str


class AnswerChunk(NamedTuple):
    """A chunk of an answer. The last one has the token counts."""

    text: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


class Provider(Protocol):
    """Streams answers."""

    model: str

    def stream(self, system: str, messages: Sequence[ChatMessage]) -> Iterator[AnswerChunk]:
        """Yield the answer as it arrives.

        Raises `ModelUnavailableError` for an error, a limit or a broken stream, after yielding what
        arrived before.
        """
        ...


ANTHROPIC, OPENAI, NONE = "anthropic", "openai", "none"
PROVIDERS = (NONE, ANTHROPIC, OPENAI)
_URLS = {ANTHROPIC: "https://api.anthropic.com", OPENAI: "https://api.openai.com/v1"}
_VERSION = "2023-06-01"


def open_provider(
    name: str, *, url: str, model: str, key: str, max_tokens: int, plain_http: bool = False
) -> Provider:
    """Return the configured provider.

    Raises `BadInputError` if no provider or model is chosen.
    """
    if name not in PROVIDERS or name == NONE:
        raise BadInputError(
            "No chat model is configured."
            if name == NONE
            else f"There is no provider {name[:40]!r}.",
            hint="Set chat.provider (anthropic or openai), chat.model and chat.key_name.",
        )
    if not model:
        raise BadInputError("No model is set.", hint="Set chat.model.")
    endpoint = Endpoint(url or _URLS[name], timeout=120.0, plain_http=plain_http)
    kind = _Anthropic if name == ANTHROPIC else _OpenAI
    return kind(endpoint, model, key, max_tokens)


class _Streaming:
    """Shared by both: an endpoint, a model, a key, the answer's limit.

    Args:
        key: never shown.
        max_tokens: of an answer.
    """

    def __init__(self, endpoint: Endpoint, model: str, key: str, max_tokens: int) -> None:
        self.endpoint, self.model, self.max_tokens = endpoint, model, max_tokens
        self._key = key

    def _events(
        self, path: str, body: dict[str, Any], headers: dict[str, str]
    ) -> Iterator[dict[str, Any]]:
        """Yield the JSON of each `data:` line; other lines are not needed."""
        for line in self.endpoint.lines(path, body, headers):
            if not line.startswith(b"data:"):
                continue
            data = line[5:].strip()
            if data == b"[DONE]":
                return
            try:
                event = json.loads(data)
            except (ValueError, RecursionError):
                raise ModelUnavailableError(
                    f"{self.endpoint.url} sent a stream that cannot be read.",
                    hint="Check chat.provider and chat.url.",
                ) from None
            if isinstance(event, dict):
                _raise_error(event, self.endpoint.url)
                yield event

    def _cut(self) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"{self.endpoint.url} stopped in the middle of its answer.",
            hint="Send the message again.",
        )


class _Anthropic(_Streaming):
    def stream(self, system: str, messages: Sequence[ChatMessage]) -> Iterator[AnswerChunk]:
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": self.max_tokens,
            "stream": True,
            "messages": [{"role": one.role, "content": one.text} for one in messages],
        }
        if system:
            body["system"] = system
        headers = {"x-api-key": self._key, "anthropic-version": _VERSION}
        sent = came = 0
        for event in self._events("/v1/messages", body, headers):
            kind = event.get("type")
            if kind == "message_start":
                sent = _count(event.get("message"), "input_tokens")
            elif kind == "content_block_delta":
                text = dict_of(event.get("delta")).get("text")
                if isinstance(text, str) and text:
                    yield AnswerChunk(text)
            elif kind == "message_delta":
                came = _count(event, "output_tokens") or came
                yield AnswerChunk("", sent, came)
            elif kind == "message_stop":
                return
        raise self._cut()


class _OpenAI(_Streaming):
    def stream(self, system: str, messages: Sequence[ChatMessage]) -> Iterator[AnswerChunk]:
        said = [{"role": one.role, "content": one.text} for one in messages]
        body = {
            "model": self.model,
            "max_tokens": self.max_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
            "messages": ([{"role": "system", "content": system}] if system else []) + said,
        }
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        ended = ""
        for event in self._events("/chat/completions", body, headers):
            for choice in event.get("choices") or ():
                text = dict_of(dict_of(choice).get("delta")).get("content")
                if isinstance(text, str) and text:
                    yield AnswerChunk(text)
                ended = str(dict_of(choice).get("finish_reason") or ended)
            usage = dict_of(event.get("usage"))
            if usage:
                sent, came = (usage.get(f"{name}_tokens") for name in ("prompt", "completion"))
                yield AnswerChunk("", int(sent or 0), int(came or 0))
        if not ended:
            raise self._cut()


def _count(event: Any, name: str) -> int:
    found = dict_of(dict_of(event).get("usage")).get(name)
    return found if isinstance(found, int) else 0


def _raise_error(event: dict[str, Any], url: str) -> None:
    error = event.get("error")
    if event.get("type") == "error" or isinstance(error, dict):
        told = str(dict_of(error).get("message") or dict_of(error).get("type") or "an error")
        raise ModelUnavailableError(f"{url} answered: {told[:300]}", hint="Send it again later.")
