"""A real server on the loopback that speaks Ollama's and OpenAI's protocols, well and badly.

Vectors are a function of the text, so order and prefixes can be checked. `Behaviour` says what
goes wrong: errors, patience, nonsense, wrong dimensions, an answer cut short, silence.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Behaviour:
    """How the server answers, and what it was asked."""

    dimensions: int = 8
    #: Statuses to answer with before the first success.
    failures: list[int] = field(default_factory=list)
    retry_after: str = ""
    #: Sent instead of the answer's JSON.
    raw: bytes | None = None
    #: Announce this many bytes more than are sent.
    cut_short: int = 0
    delay: float = 0.0
    location: str = ""
    #: Dimensions of every vector but the first call's.
    later_dimensions: int = 0
    reverse: bool = False
    written: str = "lex: other words"
    requests: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


def vector_of(text: str, dimensions: int) -> list[float]:
    """Return numbers that depend on the text alone, not of unit length."""
    digest = hashlib.shake_256(text.encode()).digest(dimensions)
    return [byte / 16 + 0.5 for byte in digest]


class Handler(BaseHTTPRequestHandler):
    """Answers POST."""

    behaviour: Behaviour
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer as the behaviour says."""
        behaviour = self.behaviour
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        behaviour.requests.append((self.path, body, self.headers.get("Authorization", "")))
        behaviour.times.append(time.monotonic())
        time.sleep(behaviour.delay)
        if behaviour.location:
            return self._send(307, b"", {"Location": behaviour.location})
        if behaviour.failures:
            status = behaviour.failures.pop(0)
            headers = {"Retry-After": behaviour.retry_after} if behaviour.retry_after else {}
            return self._send(status, b'{"error": "not now"}', headers)
        answer = self._answer(body)
        if answer is None:
            return self._send(404, b'{"error": "no such path"}', {})
        data = json.dumps(answer).encode() if behaviour.raw is None else behaviour.raw
        return self._send(200, data, {})

    def _answer(self, body: dict[str, Any]) -> dict[str, Any] | None:
        behaviour = self.behaviour
        size = behaviour.dimensions
        if len(behaviour.requests) > 1 and behaviour.later_dimensions:
            size = behaviour.later_dimensions
        if self.path == "/api/embed":
            return {"embeddings": [vector_of(text, size) for text in body["input"]]}
        if self.path == "/v1/embeddings":
            data = [
                {"index": place, "embedding": vector_of(text, size)}
                for place, text in enumerate(body["input"])
            ]
            return {"data": data[::-1] if behaviour.reverse else data}
        if self.path == "/api/generate":
            return {"response": behaviour.written}
        if self.path == "/v1/chat/completions":
            return {"choices": [{"message": {"content": behaviour.written}}]}
        if self.path == "/v1/rerank":
            asked = set(body["query"].split())
            results = [
                {"index": place, "relevance_score": float(len(asked & set(text.split())))}
                for place, text in enumerate(body["documents"])
            ]
            return {"results": sorted(results, key=lambda r: -r["relevance_score"])}
        return None

    def _send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data) + self.behaviour.cut_short))
        self.end_headers()
        self.wfile.write(data)
        if self.behaviour.cut_short:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@contextmanager
def model_server(behaviour: Behaviour) -> Iterator[str]:
    """Run the server; gives its address."""
    handler = type("Bound", (Handler,), {"behaviour": behaviour})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
