"""The benchmark of `satchel serve`: round trips, pages, live changes, and many clients at once.

The floor is `/healthz` of the same server, which opens nothing.
"""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from benchmarks.hot_path import Row, Scratch, percentile
from satchel.core.errors import StoreError

_HERE = "/api/projects/current"
_ASKED = (
    ("rest, search", f"{_HERE}/search?q=why+does+the+parser+fail"),
    ("rest, a page of 50 memories", f"{_HERE}/memory?limit=50"),
    *(
        (f"console, {name}", f"/console/current/{name}")
        for name in (
            "home",
            "memory?q=parser",
            "memory",
            "inbox",
            "sessions",
            "work",
            "explore",
            "settings",
        )
    ),
)
_CLIENTS, _STREAMS, _WORKERS = 8, 50, 2


class _Server:
    """`satchel serve` in processes of its own."""

    def __init__(self, scratch: Scratch) -> None:
        self._scratch = scratch
        self.headers = self._headers("token")
        self.process = subprocess.Popen(
            scratch.command("serve", "--team", "--port", "0", "--workers", str(_WORKERS)),
            cwd=scratch.root,
            env=scratch.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        said = self.process.stdout.readline() if self.process.stdout else ""
        port = said.partition("127.0.0.1:")[2].partition("/")[0]
        if not port.isdigit():
            raise StoreError(
                "The server did not start.", hint="pip install 'satchel[server]'; `satchel serve`."
            )
        self.port = int(port)

    def _headers(self, *words: str) -> dict[str, str]:
        token = self._said(*words).partition("\n")[0]
        return {"Authorization": f"Bearer {token}"}

    def _said(self, *words: str) -> str:
        done = subprocess.run(
            self._scratch.command("serve", *words),
            cwd=self._scratch.root,
            env=self._scratch.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    def user(self, name: str) -> dict[str, str]:
        """Make a user with limits of their own; return what they send."""
        self._said("user", "add", name, "--role", "admin")
        return self._headers("user", "token", name)

    def connect(self) -> http.client.HTTPConnection:
        """Open a connection, which is kept for many requests."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def get(
        self,
        connection: http.client.HTTPConnection,
        path: str,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, float]:
        """Ask once; return the status, and milliseconds until the whole answer was here."""
        began = time.perf_counter()
        connection.request("GET", path, headers=headers or self.headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status, (time.perf_counter() - began) * 1000

    def close(self) -> None:
        """End it, as systemd does."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate()


@contextmanager
def _running(scratch: Scratch) -> Iterator[_Server]:
    server = _Server(scratch)
    try:
        yield server
    finally:
        server.close()


def measure(scratch: Scratch, runs: int, memories: int) -> Iterator[Row]:
    """Measure everything, one row after the other."""
    with _running(scratch) as server:
        connection = server.connect()
        floor = percentile([server.get(connection, "/healthz")[1] for _ in range(50)], 50)
        for name, path in _ASKED:
            # As a user of its own: what came before counts towards a user's limit.
            user = server.user("".join(filter(str.isalnum, name)))
            for _ in range(2 * _WORKERS):
                server.get(connection, path, user)
            done = [server.get(connection, path, user) for _ in range(max(10, runs // 10))]
            if any(status != http.client.OK for status, _ in done):
                raise StoreError(f"{path} was not answered.", hint="`satchel doctor`")
            took = [one for _, one in done]
            told = f"/healthz ({floor:.1f} ms); 95 %: {percentile(took, 95):.1f} ms"
            mine = percentile(took, 50)
            yield Row(f"{name}, {memories:,} memories", mine, floor, mine / floor, "-", told)
        connection.close()
        yield _fan_out(server, floor)
        yield _load(server, runs, floor)


def _load(server: _Server, runs: int, floor: float) -> Row:
    """Ask from several clients at once, each as soon as it was answered."""

    def ask(headers: dict[str, str]) -> list[tuple[int, float]]:
        connection = server.connect()
        done = [server.get(connection, _ASKED[n % 2][1], headers) for n in range(runs)]
        connection.close()
        return done

    users = [server.user(f"client{number}") for number in range(_CLIENTS)]
    began = time.perf_counter()
    with ThreadPoolExecutor(_CLIENTS) as pool:
        done = [one for some in pool.map(ask, users) for one in some]
    seconds = time.perf_counter() - began
    took = [one for _, one in done]
    errors = sum(status != http.client.OK for status, _ in done)
    told = (
        f"{len(done) / seconds:.0f} a second; 95 %: {percentile(took, 95):.1f}, "
        f"99 %: {percentile(took, 99):.1f} ms; {errors} errors"
    )
    name = f"rest, load of {_CLIENTS} clients on {_WORKERS} workers"
    mine = percentile(took, 50)
    return Row(name, mine, floor, mine / floor, "-", f"/healthz ({floor:.1f} ms); {told}")


def _fan_out(server: _Server, floor: float) -> Row:
    """Let many look on while one memory is written; how long until the last was told."""
    ready, told = threading.Barrier(_STREAMS + 1), [0.0] * _STREAMS

    def look_on(number: int) -> None:
        connection = server.connect()
        connection.request("GET", f"{_HERE}/events", headers=server.headers)
        answer = connection.getresponse()
        while b"event: ready" not in answer.readline():
            pass
        ready.wait()
        while b"event: changed" not in answer.readline():
            pass
        told[number] = time.perf_counter()
        connection.close()

    with ThreadPoolExecutor(_STREAMS) as pool:
        looking = [pool.submit(look_on, number) for number in range(_STREAMS)]
        ready.wait()
        writing = server.connect()
        body = json.dumps({"kind": "learned", "content": "Something that others look on for."})
        headers = {**server.headers, "Content-Type": "application/json"}
        began = time.perf_counter()
        writing.request("POST", f"{_HERE}/memory", body, headers)
        writing.getresponse().read()
        for one in looking:
            one.result()
        writing.close()
    took = [(one - began) * 1000 for one in told]
    mine = percentile(took, 50)
    note = (
        f"/healthz ({floor:.1f} ms); the last: {max(took):.0f} ms; files are looked at every 500 ms"
    )
    return Row(f"events, told to {_STREAMS} clients", mine, floor, mine / floor, "-", note)
