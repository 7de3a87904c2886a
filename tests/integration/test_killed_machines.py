"""Two servers on one database, killed under load as the database is: each request is done once."""

import itertools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from integration.test_postgresql_moving import satchel
from integration.test_postgresql_pooling import url_at
from integration.test_team_serving import Running, contents, running
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from integration.two_machines import API, BODY, Two, new_token, two_machines
from pgbouncer import a_pooler
from postgresql_server import Server, a_server
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.migrating import migrate
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.testing import run_git

pytest_plugins = ["postgresql_fixtures"]
_MADE, _CONFLICT, _AWAY = 201, 409, 503
_FEWEST, _MOST = 5, 20


@contextmanager
def two_running(url: str, root: str, folder: Path) -> Iterator[tuple[Running, Running]]:
    """Run two servers with two workers each, for one user."""
    clone = str(folder / "clone")
    run_git(str(folder), "clone", "--quiet", root, clone)
    words = ("--team", "--database", url, "--workers", "2")
    with (
        running(root, str(folder / "ada"), *words) as ada,
        running(clone, str(folder / "bob"), *words) as bob,
    ):
        token = new_token(root, str(folder / "ada"))
        for server in (ada, bob):
            server.headers = {"Authorization": f"Bearer {token}"}
        yield ada, bob


class Writers:
    """Clients that send each memory with a key, now to this machine, now to that, until it is made."""

    def __init__(self, machines: tuple[Running, Running]) -> None:
        self.machines = machines
        self.ended, self.cut_off = threading.Event(), threading.Event()
        #: What was acknowledged, with its id.
        self.idents: dict[str, str] = {}

    def write(self, writer: int) -> None:
        for number in itertools.count():
            if self.ended.is_set():
                return
            said, machines = f"writer {writer} said {number}", itertools.cycle(self.machines)
            while said not in self.idents:
                with suppress(httpx.ConnectError), next(machines).client() as client:
                    self._send(client, said)

    def _send(self, client: httpx.Client, said: str) -> None:
        headers, body = {"Idempotency-Key": said}, {**BODY, "content": said}
        try:
            answer = client.post(f"{API}/memory", headers=headers, json=body)
        except httpx.ConnectError:
            raise
        except httpx.HTTPError:
            self.cut_off.set()
            return
        assert answer.status_code in (_MADE, _CONFLICT, _AWAY), answer.text
        if answer.status_code == _MADE:
            self.idents[said] = answer.json()["id"]
        else:
            time.sleep(0.2)


def test_each_request_is_done_once(postgresql_url: str, repository: str, tmp_path: Path) -> None:
    with two_running(postgresql_url, repository, tmp_path) as machines:
        writers = Writers(machines)
        with ThreadPoolExecutor(4) as threads:
            running_ones = [threads.submit(writers.write, number) for number in range(4)]
            for kill, server in zip(range(_MOST), itertools.cycle(machines), strict=False):
                before, made = server.workers(), len(writers.idents)
                os.kill(before[0], signal.SIGKILL)
                server.until(lambda s=server, b=before: len(set(s.workers()) - set(b)) == 1)
                server.until(lambda m=made: len(writers.idents) > m + 4)
                if kill + 1 >= _FEWEST and writers.cut_off.is_set():
                    break
            writers.ended.set()
            for one in running_ones:
                one.result()
        with machines[1].client() as client:
            held = contents(client)
        assert sorted(held) == sorted(writers.idents), "each once, and all that was acknowledged"
        assert len(set(writers.idents.values())) == len(held)
        assert writers.cut_off.is_set(), "nobody was killed while answering"
        code, text = satchel(repository, str(tmp_path / "bob"), "serve", "audit")
        assert code == 0, text


def write_while(two: Two, breaks: Callable[[], object]) -> None:
    """Let four clients write with keys while something breaks four times; each is done once."""
    token, ended = two.new_user(), threading.Event()
    idents: dict[str, str] = {}

    def write(writer: int) -> None:
        for number in itertools.count():
            if ended.is_set():
                return
            said, status = f"writer {writer} said {number}", 0
            for one in itertools.cycle((two.a, two.b)):
                status, ident = one.post(token, said, said)
                if status == _MADE:
                    idents[said] = ident
                    break
                time.sleep(0.1)

    with ThreadPoolExecutor(4) as threads:
        writing = [threads.submit(write, number) for number in range(4)]
        for _ in range(4):
            made = len(idents)
            while len(idents) < made + 5:
                assert not any(one.done() for one in writing)
                time.sleep(0.02)
            breaks()
        ended.set()
        for one in writing:
            one.result()
    assert two.written() == len(idents) == len(set(idents.values()))
    assert two.b.served.audit.broken() == []


@contextmanager
def own_server() -> Iterator[tuple[Server, str]]:
    """Start a server that may be broken: (it, the address of a database)."""
    with a_server() as server:
        url = server.database()
        database = PostgresDatabase(url, MAINTENANCE)
        migrate(database)
        database.close()
        yield server, url


def test_each_request_is_done_once_though_the_database_crashes(
    repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with own_server() as (server, url), two_machines(repository, tmp_path, url, monkeypatch) as two:
        write_while(two, server.crash)


def test_each_request_is_done_once_though_the_pooler_is_killed(
    repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with own_server() as (server, url), a_pooler(server, most=4) as pooler:

        def killed() -> None:
            pooler.kill()
            time.sleep(1)
            pooler.start()

        through = url_at(url, pooler.port)
        with two_machines(repository, tmp_path, through, monkeypatch) as two:
            write_while(two, killed)
