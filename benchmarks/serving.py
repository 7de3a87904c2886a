"""The benchmark of serving: an MCP server's cold start, its round trip; the server over HTTP.

The floors: a bare Python start, and the question put to an open project in this process.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import IO, Any

from benchmarks.hot_path import Row, Scratch, percentile
from satchel.core.errors import StoreError
from satchel.workspace import Workspace

_MEMORIES = 10_000
_QUESTION = "why does the parser fail"
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "0"},
}


def measure(*, quick: bool) -> Iterator[Row]:
    """Measure everything, one row after the other."""
    memories = _MEMORIES // 10 if quick else _MEMORIES
    with tempfile.TemporaryDirectory(prefix="satchel-bench-") as directory:
        scratch = Scratch(directory, memories)
        yield from _cold(scratch, 7 if quick else 25)
        yield from _round_trips(scratch, 50 if quick else 500, memories)
        from benchmarks.http_load import measure as over_http

        yield from over_http(scratch, 50 if quick else 500, memories)


class _Server:
    """`satchel mcp` in a process, asked in lines."""

    def __init__(self, scratch: Scratch) -> None:
        self._process = subprocess.Popen(
            scratch.command("mcp"),
            cwd=scratch.root,
            env=scratch.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._number = 0
        self.ask("initialize", **_HELLO)

    def ask(self, method: str, **params: Any) -> None:
        """Ask, and wait for the answer."""
        into, out = self._process.stdin, self._process.stdout
        if into is None or out is None:
            raise AssertionError("both are pipes")
        self._number += 1
        _write(into, {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        if b'"result"' not in out.readline():
            raise StoreError(
                "The MCP server did not answer.", hint="pip install 'satchel[mcp]'; `satchel mcp`."
            )

    def recall(self) -> None:
        """Call the tool that agents call most."""
        self.ask("tools/call", name="recall", arguments={"question": _QUESTION})

    def close(self) -> None:
        """End it, as a client does."""
        self._process.communicate()


def _write(into: IO[bytes], message: dict[str, Any]) -> None:
    into.write(json.dumps(message).encode() + b"\n")
    into.flush()


def _cold(scratch: Scratch, runs: int) -> Iterator[Row]:
    ours, floor, ready = [], [], []
    for _ in range(runs):
        began = time.perf_counter()
        server = _Server(scratch)
        ready.append(_since(began))
        server.recall()
        ours.append(_since(began))
        server.close()
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        floor.append(_since(began))
    yield _row("mcp, cold start until it is ready", ready, floor, "bare Python start")
    yield _row("mcp, cold start to the first answer", ours, floor, "bare Python start")


def _round_trips(scratch: Scratch, runs: int, memories: int) -> Iterator[Row]:
    server = _Server(scratch)
    server.recall()
    ours, floor, empty = [], [], []
    with Workspace.open(scratch.root, home=scratch.home) as workspace:
        workspace.ask(_QUESTION)
        for _ in range(runs):
            began = time.perf_counter()
            server.recall()
            ours.append(_since(began))
            began = time.perf_counter()
            server.ask("prompts/list")
            empty.append(_since(began))
            began = time.perf_counter()
            workspace.ask(_QUESTION)
            floor.append(_since(began))
    server.close()
    name = f"mcp, round trip of recall, {memories:,} memories"
    yield _row(name, ours, floor, "the question in an open project")
    yield Row("mcp, round trip of a list (99 %)", percentile(empty, 99), 0.0, 0.0, "-", "")


def _row(name: str, ours: list[float], floor: list[float], what: str) -> Row:
    mine, least = percentile(ours, 50), percentile(floor, 50)
    return Row(name, mine, least, mine / least, "-", f"{what} ({least:.1f} ms)")


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
