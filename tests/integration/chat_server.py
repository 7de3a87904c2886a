"""A real server on the loopback that speaks Anthropic's and OpenAI's streams, well and badly."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Manners:
    """How it answers, and what it was asked.

    `statuses` are answered before the first success, `cut` ends the stream after so many pieces,
    `error` is sent in the middle of it.
    """

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.cut = 0
        self.error = ""
        self.nonsense = False
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []


PIECES = ("Use ", "the ", "tunnel.")


def anthropic_events() -> list[dict[str, Any]]:
    usage = {"input_tokens": 120, "output_tokens": 1}
    return [
        {"type": "message_start", "message": {"usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": t}}
          for t in PIECES),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"},
         "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    ]  # fmt: skip


def openai_events() -> list[dict[str, Any]]:
    return [
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]},
        *({"choices": [{"index": 0, "delta": {"content": t}}]} for t in PIECES),
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": {"prompt_tokens": 120, "completion_tokens": 7}},
    ]


class Handler(BaseHTTPRequestHandler):
    manners: Manners

    def do_POST(self) -> None:
        manners = self.manners
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        manners.asked.append((self.path, headers, body))
        if manners.statuses:
            self.send_response(manners.statuses.pop(0))
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")
            return
        anthropic = self.path == "/v1/messages"
        events = anthropic_events() if anthropic else openai_events()
        if manners.error:
            told = {
                "type": "error",
                "error": {"type": "overloaded_error", "message": manners.error},
            }
            events[4:] = [told]
        if manners.cut:
            events = events[: manners.cut]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        if manners.nonsense:
            self.wfile.write(b"data: {not json\n\n")
        for event in events:
            name = f"event: {event['type']}\n" if anthropic else ""
            self.wfile.write(f"{name}data: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()
        if not anthropic and not manners.cut and not manners.error:
            self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def chat_server() -> Iterator[tuple[str, Manners]]:
    """Run it; yield its address and its manners."""
    manners = Manners()
    handler = type("Its", (Handler,), {"manners": manners})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", manners
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
