"""The four ways in which agent clients talk to a model: what a request holds, and what answers it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Body = dict[str, Any]
#: Name of a server-sent event ("" for none), and its data.
Event = tuple[str, Body]


class Text(NamedTuple):
    """The model says something, and its turn ends."""

    text: str


class Call(NamedTuple):
    """The model calls a tool. A name with `::` stands in a namespace of tools.

    Arguments that are a text are for a tool that wants no JSON.
    """

    name: str
    arguments: Body | str


class Wait(NamedTuple):
    """The model calls a tool again and again until it has answered another prompt to its end."""

    call: Call
    until: str


Said = Text | Call
#: A user's text, or None for a turn of the model's.
Turn = str | None


class Dialect(NamedTuple):
    """One API.

    Attributes:
        turns: the conversation in its order.
        tools: names of the tools that the request offers.
        events: the answer as a stream, which is what all clients ask for.
    """

    turns: Callable[[Body], list[Turn]]
    tools: Callable[[Body], list[str]]
    events: Callable[[Body, Said, str], Iterator[Event]]


def _text(content: Any) -> str:
    """Return the text of a message, which is one string or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part["text"]) for part in parts if isinstance(part.get("text"), str))


def _messages(messages: list[Body], model: str, content: str = "content") -> list[Turn]:
    found: list[Turn] = []
    for one in messages:
        if one.get("role") == model:
            found.append(None)
        elif one.get("role") == "user":
            found.append(_text(one.get(content)))
    return found


# Anthropic Messages


def _anthropic(body: Body, said: Said, number: str) -> Iterator[Event]:
    part: Body
    if isinstance(said, Text):
        part, stop = {"type": "text", "text": ""}, "end_turn"
        delta = {"type": "text_delta", "text": said.text}
    else:
        part = {"type": "tool_use", "id": f"toolu_{number}", "name": said.name, "input": {}}
        stop = "tool_use"
        delta = {"type": "input_json_delta", "partial_json": json.dumps(said.arguments)}
    usage = {"input_tokens": 9, "output_tokens": 3}
    message: Body = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "content": [],
        "model": body.get("model"),
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    for kind, more in (
        ("message_start", {"message": message}),
        ("content_block_start", {"index": 0, "content_block": part}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": stop}, "usage": usage}),
        ("message_stop", {}),
    ):
        yield kind, {"type": kind, **more}


# Gemini


def _gemini(body: Body, said: Said, number: str) -> Iterator[Event]:
    wants_json = body.get("generationConfig", {}).get("responseMimeType") == "application/json"
    if isinstance(said, Call):
        part: Body = {"functionCall": {"name": said.name, "args": said.arguments}}
    elif wants_json:  # a side question: who speaks next
        part = {"text": json.dumps({"reasoning": "", "next_speaker": "user"})}
    else:
        part = {"text": said.text}
    content = {"role": "model", "parts": [part]}
    yield (
        "",
        {
            "responseId": number,
            "candidates": [{"index": 0, "content": content, "finishReason": "STOP"}],
            "usageMetadata": {
                "promptTokenCount": 9,
                "candidatesTokenCount": 3,
                "totalTokenCount": 12,
            },
        },
    )


# OpenAI Responses


def _responses_turns(body: Body) -> list[Turn]:
    found: list[Turn] = []
    for one in body.get("input", []):
        if one.get("type", "message") == "message" and one.get("role") != "assistant":
            found += [_text(one.get("content"))] if one.get("role") == "user" else []
        elif one.get("type", "message") in ("message", "function_call", "custom_tool_call"):
            found.append(None)
    return found


def _responses_tools(body: Body) -> list[str]:
    found = []
    for one in body.get("tools") or []:
        inner = one.get("tools") if one.get("type") == "namespace" else None
        names = [f"{one['name']}::{tool['name']}" for tool in inner or []]
        found += names or [one.get("name") or one.get("type", "")]
    return found


def _responses_item(said: Said, number: str) -> Body:
    if isinstance(said, Text):
        content = [{"type": "output_text", "text": said.text, "annotations": []}]
        return {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": content}
    space, _, name = said.name.rpartition("::")
    if isinstance(said.arguments, str):
        own = {"type": "custom_tool_call", "id": f"ctc_{number}", "call_id": f"call_{number}"}
        return {**own, "name": name, "input": said.arguments}
    item = {
        "type": "function_call",
        "id": f"fc_{number}",
        "call_id": f"call_{number}",
        "name": name,
        "arguments": json.dumps(said.arguments),
    }
    return {**item, "namespace": space} if space else item


def _responses(body: Body, said: Said, number: str) -> Iterator[Event]:
    found = _responses_item(said, number)
    usage = {"input_tokens": 9, "output_tokens": 3, "total_tokens": 12}
    begun: Body = {
        "id": f"resp_{number}",
        "object": "response",
        "model": body.get("model"),
        "status": "in_progress",
        "output": [],
    }
    ended = {**begun, "status": "completed", "output": [found], "usage": usage}
    for kind, more in (
        ("response.created", {"response": begun}),
        ("response.output_item.added", {"output_index": 0, "item": found}),
        ("response.output_item.done", {"output_index": 0, "item": found}),
        ("response.completed", {"response": ended}),
    ):
        yield kind, {"type": kind, **more}


# OpenAI Chat


def _chat(body: Body, said: Said, number: str) -> Iterator[Event]:
    message: Body = {"role": "assistant"}
    if isinstance(said, Text):
        message["content"], reason = said.text, "stop"
    else:
        called: Body = {"name": said.name, "arguments": json.dumps(said.arguments)}
        kind = "function"
        if isinstance(said.arguments, str):
            kind, called = "custom", {"name": said.name, "input": said.arguments}
        one = {"index": 0, "id": f"call_{number}", "type": kind, kind: called}
        message["tool_calls"], reason = [one], "tool_calls"
    chunk = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": body.get("model"),
    }
    usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
    last = {"index": 0, "delta": {}, "finish_reason": reason}
    yield "", {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}
    yield "", {**chunk, "choices": [last], "usage": usage}


def _named(tools: list[Body]) -> list[str]:
    return [str(one.get("name", "")) for one in tools]


DIALECTS = {
    "/messages": Dialect(
        lambda body: _messages(body["messages"], "assistant"),
        lambda body: _named(body.get("tools", [])),
        _anthropic,
    ),
    "enerateContent": Dialect(
        lambda body: _messages(body["contents"], "model", "parts"),
        lambda body: [
            name for one in body.get("tools", []) for name in _named(one["functionDeclarations"])
        ],
        _gemini,
    ),
    "/responses": Dialect(_responses_turns, _responses_tools, _responses),
    "/chat/completions": Dialect(
        lambda body: _messages(body["messages"], "assistant"),
        lambda body: _named([one.get(one["type"], {}) for one in body.get("tools", [])]),
        _chat,
    ),
}
