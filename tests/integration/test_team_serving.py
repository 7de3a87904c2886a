"""`serve --database --workers`: several processes, several machines, one memory; none is lost."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from integration.test_postgresql_moving import satchel
from satchel.interfaces.http.server.workers import watch
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.testing import run_git

pytest_plugins = ["postgresql_fixtures"]
HERE = "/api/projects/current"
_SECONDS = 60


@pytest.fixture
def repository(tmp_path: Path) -> str:
    root = tmp_path / "shop"
    (root / ".satchel").mkdir(parents=True)
    (root / ".satchel" / "project.toml").write_text(
        '[project]\nid = "01TESTTESTTESTTESTTESTTEST"\n'
    )
    run_git(str(root), "init", "--quiet")
    run_git(str(root), "add", "--all")
    run_git(str(root), "commit", "--quiet", "--message", "first")
    return str(root)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Running:
    """A server in processes of its own."""

    program: tuple[str, ...] = ("-m", "satchel")

    def __init__(self, root: str, home: str, *words: str) -> None:
        self.port, self.log = free_port(), Path(f"{home}.log")
        environment = {
            "PATH": os.environ["PATH"], "HOME": home, "SATCHEL_HOME": home,
            "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1",
        }  # fmt: skip
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, *self.program, "serve", "--port", str(self.port), *words],
                cwd=root, env=environment, stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        assert self.process.stdout is not None
        if "serves" not in self.process.stdout.readline():
            self.process.wait(_SECONDS)
            pytest.fail(self.log.read_text())
        _, token = satchel(root, home, "serve", "token")
        self.headers = {"Authorization": f"Bearer {token.strip()}"}
        self.until(self.ready)

    def ready(self) -> bool:
        with self.client() as client:
            return client.get("/readyz").status_code == httpx.codes.OK

    def client(self) -> httpx.Client:
        return httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}", headers=self.headers, timeout=_SECONDS
        )

    def workers(self) -> list[int]:
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(word) for word in listed.read_text().split()]

    def until(self, good: object) -> None:
        assert callable(good)
        deadline = time.monotonic() + _SECONDS
        while True:
            with suppress(httpx.HTTPError):
                if good():
                    return
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(_SECONDS)


@contextmanager
def running(root: str, home: str, *words: str) -> Iterator[Running]:
    server = Running(root, home, *words)
    try:
        yield server
    finally:
        server.close()


def contents(client: httpx.Client) -> list[str]:
    found, cursor = [], ""
    while True:
        answer = client.get(f"{HERE}/memory", params={"limit": 200, "cursor": cursor})
        assert answer.status_code == httpx.codes.OK, answer.text
        page = answer.json()
        found += [one["content"] for one in page["memories"]]
        cursor = page["nextCursor"]
        if not cursor:
            assert page["total"] == len(found)
            return found


def test_two_machines_that_start_at_once_share_one_database(
    empty_postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    clone = str(tmp_path / "clone")
    run_git(str(tmp_path), "clone", "--quiet", repository, clone)
    words = ("--database", empty_postgresql_url, "--workers", "2")
    with ThreadPoolExecutor() as pool:
        starting = [
            pool.submit(Running, root, str(tmp_path / home), *words)
            for root, home in ((repository, "ada"), (clone, "bob"))
        ]
        ada, bob = (one.result() for one in starting)
    try:
        with ada.client() as here, bob.client() as there:
            body = {"kind": "decision", "content": "The tunnel is on port 5433"}
            made = here.post(f"{HERE}/memory", json=body)
            assert made.status_code == httpx.codes.CREATED, made.text
            ident = made.json()["id"]
            assert contents(there) == ["The tunnel is on port 5433"]
            found = there.get(f"{HERE}/search", params={"q": "port of the tunnel"}).json()
            assert "5433" in json.dumps(found)
            assert there.get(f"{HERE}/memory/{ident}").status_code == httpx.codes.OK
            with here.stream("GET", f"{HERE}/events") as stream:
                told = stream.iter_lines()
                assert "event: ready" in told
                assert there.delete(f"{HERE}/memory/{ident}").status_code == httpx.codes.OK
                assert "event: changed" in told
                assert json.loads(next(told).partition(" ")[2])["changed"] == ["team's store"]
            assert contents(here) == []
        assert (ada.stop(), bob.stop()) == (0, 0)
    finally:
        ada.close()
        bob.close()
    database = PostgresDatabase(empty_postgresql_url, MAINTENANCE, patience=5)
    kept = database.read("SELECT COUNT(*) FROM satchel.ledger_lines WHERE project <> ''")
    database.close()
    assert int(str(kept[0][0])) == 2, "a memory and its deletion"


def test_workers_that_are_killed_under_load_lose_and_double_nothing(
    postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    words = ("--database", postgresql_url, "--workers", "2", "--log")
    with running(repository, str(tmp_path / "home"), *words) as server:
        acked: list[str] = []
        ended = threading.Event()

        def write(number: int) -> None:
            count = 0
            while not ended.is_set():
                content = f"writer {number} said {count}"
                count += 1
                with suppress(httpx.HTTPError), server.client() as client:
                    body = {"kind": "decision", "content": content}
                    answer = client.post(f"{HERE}/memory", json=body)
                    if answer.status_code == httpx.codes.CREATED:
                        acked.append(content)

        with ThreadPoolExecutor() as pool:
            writers = [pool.submit(write, number) for number in range(4)]
            for _ in range(3):
                before, written = server.workers(), len(acked)
                os.kill(before[0], signal.SIGKILL)
                server.until(lambda w=written: len(acked) > w + 4)
                server.until(lambda b=before: len(set(server.workers()) - set(b)) == 1)
            ended.set()
            for one in writers:
                one.result()
        with server.client() as client:
            held = contents(client)
            figures = client.get("/metrics").text
        assert server.stop() == 0
        log = server.log.read_text()
    assert len(held) == len(set(held)), "a write was doubled"
    assert set(acked) <= set(held), "an acknowledged write was lost"
    # Killed ones' requests are in the sum, whichever worker was asked for it; a blow may come
    # between an answer and its being counted.
    counted = [line for line in figures.splitlines() if 'status="201"' in line]
    assert float(counted[0].rpartition(" ")[2]) >= len(acked) - 3
    assert "said" not in log
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    asked = [one for one in lines if one["method"] == "POST"]
    assert len(asked) >= len(acked) - 3 > 0
    assert set(asked[0]) == {"time", "method", "route", "status", "seconds", "user"}
    assert asked[0]["route"] == "/api/projects/{projectId}/memory"


def test_a_server_whose_database_is_away_is_not_ready(repository: str, tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    away = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    code, text = satchel(repository, home, "serve", "--database", away, "--port", "0")
    assert code != 0
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--database", "postgresql://ann:secret@db/x"), "password"),
        (("--database", "mysql://db/x"), "PostgreSQL"),
        (("--workers", "0"), "0 workers"),
        (("--workers", "65"), "65 workers"),
    ],
)
def test_options_that_cannot_be_are_refused(
    words: tuple[str, str], said: str, repository: str, tmp_path: Path
) -> None:
    code, text = satchel(repository, str(tmp_path / "home"), "serve", *words)
    assert code != 0
    assert said in text
    assert ":secret" not in text


def test_a_stopping_server_waits_for_what_its_workers_answer(tmp_path: Path) -> None:
    """In a process of its own: the watcher forks, and takes the signals."""

    def serve(number: int) -> None:
        told = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: told.set())
        Path(tmp_path, f"began {number}").touch()
        told.wait(_SECONDS)
        time.sleep(0.3)
        Path(tmp_path, f"finished {number}").touch()

    pid = os.fork()
    if pid == 0:
        try:
            watch(2, serve)
        finally:
            os._exit(0)
    deadline = time.monotonic() + _SECONDS
    while len(list(tmp_path.glob("began *"))) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(pid, signal.SIGTERM)
    os.waitpid(pid, 0)
    assert sorted(one.name for one in tmp_path.glob("finished *")) == ["finished 0", "finished 1"]
