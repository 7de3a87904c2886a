"""A server whose network to the database swallows every byte: nothing is refused, nothing ends."""

import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from integration.test_postgresql_pooling import url_at
from integration.test_team_serving import Running, contents, running
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from postgresql_server import Server

pytest_plugins = ["postgresql_fixtures"]
API = "/api/projects/current"
#: Seconds within which a write is refused (`store.wait_s` is 10), and a question.
_REFUSED, _UNANSWERED = 12.0, 5.0
_BLOCK = 65_536


class Wire:
    """A TCP proxy before a database's socket; `cut` swallows every byte and closes nothing."""

    def __init__(self, target: str) -> None:
        self._target, self.cut = target, threading.Event()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        far = socket.socket(socket.AF_UNIX)
        with near, far, suppress(OSError):
            far.connect(self._target)
            while True:
                for one in select.select([near, far], [], [], 0.2)[0]:
                    data = one.recv(_BLOCK)
                    if not data:
                        return
                    if not self.cut.is_set():
                        (far if one is near else near).sendall(data)

    def close(self) -> None:
        self._listening.close()


@contextmanager
def wired(server: Server) -> Iterator[Wire]:
    (there,) = Path(server.folder).glob(".s.PGSQL.*[0-9]")
    wire = Wire(str(there))
    try:
        yield wire
    finally:
        wire.close()


def write(client: httpx.Client, content: str) -> httpx.Response:
    return client.post(f"{API}/memory", json={"kind": "decision", "content": content})


def timed(client: httpx.Client, content: str) -> tuple[int, str, float]:
    began = time.monotonic()
    answer = write(client, content)
    return answer.status_code, answer.text, time.monotonic() - began


def healthy(server: Running) -> float:
    with server.client() as client:
        began = time.monotonic()
        assert client.get("/healthz").status_code == httpx.codes.OK
        return time.monotonic() - began


@pytest.mark.parametrize("unused", [0.0, 2.0], ids=["busy", "unused for two seconds"])
def test_a_cut_to_the_database_is_told_in_time_and_over_once_it_is(
    unused: float,
    postgresql_server: Server,
    postgresql_url: str,
    repository: str,
    tmp_path: Path,
) -> None:
    with (
        wired(postgresql_server) as wire,
        running(
            repository, str(tmp_path / "home"), "--database", url_at(postgresql_url, wire.port)
        ) as server,
        server.client() as client,
    ):
        assert write(client, "before").status_code == httpx.codes.CREATED
        time.sleep(unused)
        wire.cut.set()
        refused = [timed(client, "during")]
        print("\nrefused after", [f"{one[0]} {one[2]:.1f} s" for one in refused])
        for status, text, seconds in refused:
            assert status == httpx.codes.SERVICE_UNAVAILABLE, text
            assert seconds < _REFUSED
            assert "detail" in text
        began = time.monotonic()
        asked = client.get(f"{API}/search", params={"q": "before"})
        seconds = time.monotonic() - began
        assert asked.status_code == httpx.codes.SERVICE_UNAVAILABLE, asked.text
        assert seconds < _UNANSWERED
        print(f"a question after {seconds:.1f} s")
        assert healthy(server) < 1
        ready = client.get("/readyz")
        assert ready.status_code == httpx.codes.SERVICE_UNAVAILABLE
        assert ready.json()["problems"]
        wire.cut.clear()
        server.until(lambda: write(client, "after").status_code == httpx.codes.CREATED)
        server.until(server.ready)
        there = contents(client)
    assert {"before", "after"} <= set(there)
    assert [one for one in there if there.count(one) > 1 and one != "after"] == []


def test_a_question_right_after_another_is_refused_as_soon(
    postgresql_server: Server, postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    """Its connection has just answered: only the next answer tells that the network is dead."""
    with (
        wired(postgresql_server) as wire,
        running(
            repository, str(tmp_path / "home"), "--database", url_at(postgresql_url, wire.port)
        ) as server,
        server.client() as client,
    ):
        assert write(client, "before").status_code == httpx.codes.CREATED
        for _ in range(2):
            asked = client.get(f"{API}/search", params={"q": "before"})
            assert asked.status_code == httpx.codes.OK, asked.text
        wire.cut.set()
        began = time.monotonic()
        asked = client.get(f"{API}/search", params={"q": "before"})
        seconds = time.monotonic() - began
        print(f"\na question after {seconds:.1f} s")
        assert asked.status_code == httpx.codes.SERVICE_UNAVAILABLE, asked.text
        assert seconds < _UNANSWERED
