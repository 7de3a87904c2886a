"""A model on loopback that says what a script says, in any client's API, and keeps each request."""

from __future__ import annotations

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from clients.dialects import DIALECTS, Call, Dialect, Said, Text, Wait

#: What Satchel put beside a person's words; it may quote an earlier prompt.
_INJECTED = re.compile(r"(?:<|&lt;)satchel-memory\b.*?(?:<|&lt;)/satchel-memory", re.DOTALL)
#: A prompt's words -> what the model says, one after another.
Script = dict[str, list[Said | Wait]]
#: So often a client is told to wait for a tool that it does not offer yet, or for a subagent.
_MOST_WAITS = 60
#: Seconds that a text takes at least, as from any model: a client may ask for it while the hook of
#: its last command runs, and end both with the session.
_A_MOMENT = 0.5


class Request(NamedTuple):
    """One request to the model.

    Attributes:
        text: all of its body as JSON; no letter of other scripts is escaped.
        tools: names of the tools that it offers.
        said: what it was answered.
    """

    text: str
    tools: list[str]
    said: Said


class Model:
    """The server. What it says follows from the conversation alone, but for what is waited for.

    Args:
        script: a person's words -> what it says then, one after another.
        first: what it calls while a tool that it wants is not offered; None for nothing.

    Attributes:
        script: as given.
        requests: what it was asked, in order.
        url: where it listens.
    """

    def __init__(self, script: Script, first: Call | None = None) -> None:
        self.script, self._first = script, first
        self.requests: list[Request] = []
        self._waited: dict[str, int] = {}
        self._ended: set[str] = set()
        handler = type("Handler", (_Handler,), {"model": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answer(self, dialect: Dialect, body: dict[str, Any]) -> Said:
        """Return the step that the conversation has come to, and keep the request."""
        tools = dialect.tools(body)
        said = self._step(dialect, body, tools)
        text = json.dumps(body, ensure_ascii=False)
        self.requests.append(Request(text, tools, said))
        return said

    def _step(self, dialect: Dialect, body: dict[str, Any], tools: list[str]) -> Said:
        """Count the model's turns after the last text in which a person asks for something."""
        spoken = 0
        for turn in reversed(dialect.turns(body)):
            if turn is None:
                spoken += 1
                continue
            words = _INJECTED.sub("", turn)
            asked = max(self.script, key=words.rfind)
            if asked in words:
                return self._said(asked, spoken, tools)
        return Text("Nothing is planned for this.")

    def _said(self, asked: str, spoken: int, tools: list[str]) -> Said:
        """Return what follows on so many turns; the turns in which it waited are none."""
        steps = self.script[asked]
        waited = self._waited.get(asked, 0)
        said = steps[min(max(spoken - waited, 0), len(steps) - 1)]
        may_wait = bool(tools) and waited < _MOST_WAITS
        if isinstance(said, Wait):
            self._waited[asked] = waited + (said.until not in self._ended and may_wait)
            return _offered(said.call, tools)
        found = _offered(said, tools)
        if isinstance(said, Call) and isinstance(found, Text) and self._first and may_wait:
            self._waited[asked] = waited + 1
            return _offered(self._first, tools)
        if said is steps[-1]:
            self._ended.add(asked)
        return found


def _offered(said: Said, tools: list[str]) -> Said:
    """Spell a call as it is offered; say so where it is not."""
    if isinstance(said, Text):
        return said
    if not tools:
        return Text("A title")
    for name in tools:
        if said.name in (name, name.rpartition("::")[2]):
            return Call(name, said.arguments)
    return Text(f"There is no tool {said.name}, but {', '.join(tools)}.")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *_: object) -> None:
        """Say nothing: the client's own output is what is looked at."""

    def do_GET(self) -> None:
        """List the one model there is."""
        self._send({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    def do_POST(self) -> None:
        """Answer as the API does whose path it is."""
        body = json.loads(self._body() or b"{}")
        path = self.path.partition("?")[0]
        if "ount" in path and "okens" in path:
            self._send({"input_tokens": 9, "totalTokens": 9})
            return
        dialect = next((one for end, one in DIALECTS.items() if path.endswith(end)), None)
        if dialect is None:
            self._send({}, 404)
            return
        said = self.model.answer(dialect, body)
        if isinstance(said, Text):
            time.sleep(_A_MOMENT)
        number = f"{len(self.model.requests):06d}"
        events = list(dialect.events(body, said, number))
        if path.endswith(":generateContent"):
            self._send(events[0][1])
            return
        lines = [
            (f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n"
            for name, data in events
        ]
        if path.endswith("/chat/completions"):
            lines.append("data: [DONE]\n\n")
        self._write("".join(lines).encode(), "text/event-stream", 200)

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        found = b""
        while size := int(self.rfile.readline(), 16):
            found += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return found

    def _send(self, value: object, status: int = 200) -> None:
        self._write(json.dumps(value).encode(), "application/json", status)

    def _write(self, data: bytes, kind: str, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
