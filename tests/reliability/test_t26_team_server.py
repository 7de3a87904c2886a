"""T26: the server crashes and its processes are killed; nothing acknowledged is lost or doubled."""

import glob
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from postgresql_server import TEMPLATE, Server, a_server
from reliability.stand import FULL, SEED, TESTS, say, scale
from reliability.workers.team_writer import PROJECT, ledger_at
from reliability_kit.oracle import Verdict, check, digest, read_logs
from satchel.engine.search.records import parse_line
from satchel.engine.search.team.index import TeamIndex
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.migrating import migrate
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.ledger.lines import decode
from satchel.storage.ledger.record import Record

pytestmark = pytest.mark.torture
CLIENTS = 8


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    # What a crashed server gave to the kernel is there; only the full form waits for the disk too.
    with a_server(durable=FULL) as made:
        # What an early acknowledgement leaves undone stays undone until the crash.
        made.settle("wal_writer_delay = 10s\n")
        made.crash()
        url = made.url(TEMPLATE)
        with psycopg.connect(made.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {TEMPLATE}")
        database = PostgresDatabase(url, MAINTENANCE)
        migrate(database)
        database.close()
        yield made


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    made = server.database(TEMPLATE)
    yield made
    server.drop(made)


class Outcome(NamedTuple):
    verdict: Verdict
    acked: int
    away: list[float]
    slowest: float
    refused: int
    problems: list[str]


def back_after(url: str) -> float:
    """Seconds until a new client is answered."""
    began = time.monotonic()
    database = PostgresDatabase(url, MAINTENANCE, patience=60)
    database.read("SELECT 1")
    database.close()
    return time.monotonic() - began


def kill_some_backend(server: Server, dice: random.Random) -> None:
    """SIGKILL the process of some client. The server may still be recovering from the last blow."""
    database = PostgresDatabase(server.url(), MAINTENANCE, patience=60)
    rows = database.read(
        "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' "
        "AND pid <> pg_backend_pid()"
    )
    database.close()
    if rows:
        server.kill_backend(int(str(dice.choice(rows)[0])))


def outcome(url: str, folder: str, away: list[float]) -> Outcome:
    database = PostgresDatabase(url, MAINTENANCE)
    ledger = ledger_at(url, patience=5)
    records = [decode(raw).record for raw in ledger.raws()]
    present = [(r.content.split()[0], digest(r.content)) for r in records if r]
    problems = TeamIndex(database, PROJECT, parse_line).problems()
    ledger.database.close()
    database.close()
    logged = read_logs(sorted(glob.glob(os.path.join(folder, "*.log"))))
    told = [Path(p).read_text().split() for p in glob.glob(os.path.join(folder, "*.told"))]
    assert len(told) == CLIENTS, "a client died"
    return Outcome(
        check(logged, present), sum(one.acked for one in logged), away,
        max(float(t[1]) for t in told), sum(int(t[2]) for t in told), problems,
    )  # fmt: skip


@contextmanager
def writing(url: str, folder: str, defect: str = "") -> Iterator[None]:
    """Let clients write meanwhile; each logs what was acknowledged."""
    os.makedirs(folder)
    environment = {"PYTHONPATH": os.pathsep.join([TESTS, *sys.path]), "PATH": os.defpath}
    clients = [
        subprocess.Popen(
            [sys.executable, "-m", "reliability.workers.team_writer", url, folder, str(n), defect],
            env=environment,
        )
        for n in range(CLIENTS)
    ]
    try:
        deadline = time.monotonic() + 60
        while len(glob.glob(os.path.join(folder, "*.log"))) < CLIENTS:
            assert time.monotonic() < deadline, "the clients did not begin"
            time.sleep(0.05)
        yield
        time.sleep(0.3)
    finally:
        Path(folder, "stop").touch()
        codes = [client.wait(120) for client in clients]
    assert codes == [0] * CLIENTS


def storm(server: Server, url: str, folder: str, blows: Sequence[str], defect: str = "") -> Outcome:
    """Let clients write while the server crashes again and again."""
    dice, away = random.Random(SEED), []
    with writing(url, folder, defect):
        for blow in dice.sample(blows, len(blows)):
            time.sleep(dice.uniform(0.1, 0.5))
            began = time.monotonic()
            if blow == "crash":
                server.crash()
            else:
                kill_some_backend(server, dice)
            back_after(url)
            away.append(time.monotonic() - began)
    return outcome(url, folder, away)


def test_no_acknowledged_write_is_lost_or_doubled_by_crashes(
    server: Server, url: str, tmp_path: Path
) -> None:
    crashes, kills = scale(4, 50), scale(4, 100)
    done = storm(server, url, str(tmp_path / "storm"), ["crash"] * crashes + ["kill"] * kills)
    assert done.verdict.ok, done.verdict.describe()
    assert done.problems == []
    assert done.refused == 0
    # The short form runs beside other tests, whose disk and processors it shares.
    assert max(done.away) <= scale(30, 5)
    say(
        "T26", done.acked,
        f"{CLIENTS} clients, {crashes} restarts -m immediate, {kills} backends killed: 0 of "
        f"{done.acked} acknowledged writes lost, 0 doubled, 0 refused; back in at most "
        f"{max(done.away):.2f} s, slowest write {done.slowest:.2f} s",
    )  # fmt: skip


def test_a_seeded_early_acknowledgement_is_caught(server: Server, url: str, tmp_path: Path) -> None:
    done = storm(server, url, str(tmp_path / "storm"), ["crash"] * 3, "early_ack")
    assert done.verdict.missing, "writes that were never on disk were not missed"


class Cutter:
    """A network that delivers COMMITs and cuts the connection instead of delivering the answer."""

    def __init__(self, folder: str, every: int) -> None:
        self.folder, self.every, self.commits, self.cuts = folder, every, 0, 0
        self.sockets = [socket.create_server(("127.0.0.1", 0))]
        self.port = self.sockets[0].getsockname()[1]
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()

    def _serve(self) -> None:
        try:
            while True:
                near, _ = self.sockets[0].accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(f"{self.folder}/.s.PGSQL.5432")
                self.sockets += [near, far]
                self._carry(near, far)
                near.close()
                far.close()
        except (OSError, ValueError):
            return  # closed from outside, the second where `select` is waiting

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        """One client at a time: a question goes there, its answer comes back."""
        import select

        cut = False
        while True:
            for ready in select.select([near, far], [], [])[0]:
                data = ready.recv(65536)
                if not data:
                    return
                if ready is near:
                    if b"COMMIT\0" in data:
                        self.commits += 1
                        cut = self.commits % self.every == 0
                    far.sendall(data)
                elif cut:
                    self.cuts += 1
                    return
                else:
                    near.sendall(data)

    def close(self) -> None:
        for one in self.sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self.thread.join(10)


def write_through_a_cutter(
    server: Server, url: str, defect: str, count: int
) -> tuple[list[str], int]:
    cutter = Cutter(server.folder, every=3)
    name = url.partition("@/")[2].partition("?")[0]
    ledger = ledger_at(
        f"postgresql://postgres@127.0.0.1:{cutter.port}/{name}", patience=20, defect=defect
    )
    for number in range(count):
        record = Record(kind="decision", content=f"token{number} once")
        (written,) = ledger.append([record])
        assert written.content == record.content
    ledger.database.close()
    cutter.close()
    direct = ledger_at(url, patience=5)
    lines = [line.record.content for line in direct.read() if line.record]
    direct.database.close()
    return lines, cutter.cuts


def test_a_write_whose_acknowledgement_was_lost_is_not_doubled(server: Server, url: str) -> None:
    count = scale(30, 500)
    lines, cuts = write_through_a_cutter(server, url, "", count)
    assert cuts >= count // 4
    assert lines == [f"token{number} once" for number in range(count)]
    say("T26", cuts, f"{cuts} acknowledgements cut off, 0 of {count} writes doubled or lost")


def test_a_seeded_attempt_that_forgets_the_first_one_is_caught(server: Server, url: str) -> None:
    lines, cuts = write_through_a_cutter(server, url, "no_idempotency", 12)
    assert cuts > 0
    assert len(lines) > len(set(lines)), "a doubled write was not noticed"


def test_a_client_waits_for_a_free_connection_and_then_writes(server: Server, url: str) -> None:
    held = []
    try:
        while True:
            held.append(psycopg.connect(url, autocommit=True))
    except psycopg.OperationalError:
        pass
    assert len(held) > 20

    def give_back() -> None:
        for one in held:
            one.close()

    threading.Timer(0.7, give_back).start()
    ledger = ledger_at(url, patience=20)
    assert len(ledger.append([Record(kind="decision", content="patience")])) == 1
    ledger.database.close()
