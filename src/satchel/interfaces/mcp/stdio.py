"""The server over standard input and output: one JSON-RPC message per line.

Our own thread reads lines, so that an overlong line is rejected before it fills memory: anything
but a JSON-RPC message gets the protocol's error, and the next line is read.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from satchel.core.values import NamedTuple
from satchel.interfaces.mcp.serving import McpServer
from satchel.interfaces.mcp.streams import Wire, leave, takes_at_once

_Incoming = SessionMessage | Exception
_Into = MemoryObjectSendStream[_Incoming]

#: Longest line, in bytes; a longer one is rejected without buffering.
LONGEST_LINE = 16 * 1024 * 1024
_CHUNK = 65_536
#: Seconds for calls to finish once the input has ended.
_LAST = 3.0
#: The escape of a surrogate; the other half of its pair may follow.
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
#: How many lines to read ahead.
_AHEAD = 64


class Lines:
    """Splits input into lines. Lines that are too long are dropped and reported.

    Args:
        descriptor: the descriptor to read.
        longest: the longest line, in bytes.
    """

    def __init__(self, descriptor: int, longest: int = LONGEST_LINE) -> None:
        self._descriptor = descriptor
        self._longest = longest
        self._held: list[bytes] = []
        self._size = 0

    def read(self) -> list[bytes | None] | None:
        """Wait for bytes; return whole lines, None for each overlong one, or None at the end."""
        try:
            chunk = os.read(self._descriptor, _CHUNK)
        except OSError:
            return None
        if not chunk:
            return None
        *whole, rest = chunk.split(b"\n")
        lines: list[bytes | None] = []
        for part in whole:
            self._hold(part)
            lines.append(b"".join(self._held) if self._size <= self._longest else None)
            self._held, self._size = [], 0
        self._hold(rest)
        return lines

    def _hold(self, part: bytes) -> None:
        self._size += len(part)
        if self._size <= self._longest:
            self._held.append(part)
        else:
            self._held = []


class Refusal(NamedTuple):
    """The error response to a line that is not a message."""

    error: types.JSONRPCError


def message_of(line: bytes | None) -> types.JSONRPCMessage | Refusal:
    """Return the message on a line, or the error that answers it. None is an overlong line."""
    if line is None:
        return _refused(types.INVALID_REQUEST, f"A message may have {LONGEST_LINE:,} bytes.")
    line = whole_characters(line)
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        kinds = error.errors(include_url=False, include_context=False, include_input=False)
        if any(one["type"] == "json_invalid" for one in kinds):
            return _refused(types.PARSE_ERROR, "This line is not JSON.")
    except (ValueError, RecursionError):
        return _refused(types.PARSE_ERROR, "This line is not JSON.")
    else:
        # An invalid id does not make a request a notification: its sender waits for an answer.
        odd = isinstance(message, types.JSONRPCNotification) and b'"id"' in line
        if not (odd and "id" in json.loads(line)):
            return message
    return _refused(types.INVALID_REQUEST, "This line is not a JSON-RPC message.")


def whole_characters(line: bytes) -> bytes:
    """Replace lone escaped surrogates; the rest of the line is valid.

    Clients in JavaScript cut texts between the halves of an emoji. Rejected as invalid JSON, such a
    request would have no id, and its sender would wait.
    """
    if not _HALF.search(line):
        return line
    try:
        return json.dumps(json.loads(line), ensure_ascii=False).encode("utf-8", "replace")
    except (ValueError, RecursionError):
        return line


def _refused(code: int, text: str) -> Refusal:
    error = types.ErrorData(code=code, message=text)
    return Refusal(types.JSONRPCError(jsonrpc="2.0", id=None, error=error))


def encode_message(message: Any) -> bytes:
    """Encode a message as one line. Errors include an id even if it is null."""
    text: str = message.model_dump_json(by_alias=True, exclude_unset=True)
    return text.encode() + b"\n"


class Pipe:
    """Both ends of the wire, in the form that the SDK's server expects.

    Args:
        wire: the private descriptors.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._writing = threading.Lock()
        self._open: set[Any] = set()
        self._ending: anyio.Event | None = None
        #: Whether all requests so far only asked about the server's capabilities.
        self._only_probed = True

    async def serve(self, serving: McpServer) -> None:
        """Serve until the input ends and all pending requests are answered."""
        async with anyio.create_task_group() as group:

            async def converse(
                incoming: MemoryObjectReceiveStream[_Incoming],
                outgoing: MemoryObjectSendStream[SessionMessage],
            ) -> None:
                server = serving.server()
                await server.run(incoming, outgoing, server.create_initialization_options())

            def begin() -> _Into:
                into, incoming = anyio.create_memory_object_stream[_Incoming](_AHEAD)
                outgoing, out_of = anyio.create_memory_object_stream[SessionMessage](_AHEAD)
                group.start_soon(self._write_all, out_of)
                group.start_soon(converse, incoming, outgoing)
                return into

            await self._read(begin)

    async def _read(self, begin: Callable[[], _Into]) -> None:
        """Read until the input ends. The first request selects the SDK's protocol version.

        A client that asks for capabilities before the handshake has not decided yet.
        """
        lines, into = Lines(self._wire.requests), begin()
        while True:
            found = await anyio.to_thread.run_sync(lines.read, abandon_on_cancel=True)
            if found is None:
                break
            for line in found:
                message = await self._message(line)
                if message is None:
                    continue
                method = getattr(message, "method", "")
                if method == "initialize" and self._only_probed:
                    await self._finish()
                    await into.aclose()
                    into = begin()
                if isinstance(message, types.JSONRPCRequest):
                    self._only_probed &= method == "server/discover"
                    self._open.add(message.id)
                elif isinstance(message, types.JSONRPCNotification):
                    self._forget_cancelled(message)
                await into.send(SessionMessage(message))
        await self._finish()
        await into.aclose()

    async def _write_all(self, out_of: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with out_of:
            async for one in out_of:
                if isinstance(one.message, types.JSONRPCResponse | types.JSONRPCError):
                    self._open.discard(one.message.id)
                await self._send(encode_message(one.message))
                if self._ending is not None and not self._open:
                    self._ending.set()

    async def _message(self, line: bytes | None) -> types.JSONRPCMessage | None:
        """Return the message on a line; None if it is invalid and has been answered here."""
        if line is not None and not line.strip():
            return None
        message = message_of(line)
        if isinstance(message, Refusal):
            await self._send(encode_message(message.error))
            return None
        return message

    def _forget_cancelled(self, message: types.JSONRPCNotification) -> None:
        """Drop cancelled requests, which are never answered, so that shutdown does not wait."""
        given = message.params or {}
        if message.method == "notifications/cancelled" and isinstance(
            given.get("requestId"), int | str
        ):
            self._open.discard(given["requestId"])

    async def _finish(self) -> None:
        """Wait a while for pending requests, so that writes can complete."""
        self._ending = anyio.Event()
        with anyio.move_on_after(_LAST):
            if self._open:
                await self._ending.wait()

    async def _send(self, data: bytes) -> None:
        if takes_at_once(self._wire.answers, len(data)):
            self._write(data)
        else:
            await anyio.to_thread.run_sync(self._write, data)

    def _write(self, data: bytes) -> None:
        """Write one whole message; exit the process if nobody reads."""
        view = memoryview(data)
        with self._writing:
            while view:
                try:
                    view = view[os.write(self._wire.answers, view) :]
                except OSError:
                    leave()
