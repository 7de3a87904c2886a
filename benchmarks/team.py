"""A team's server against the bare PostgreSQL beneath it: `python -m benchmarks team`.

    PYTHONPATH=src:tests .venv/bin/python -m benchmarks team [--memories N] [--grown N] [--projects N] [--wall]

Starts a PostgreSQL that waits for its disk, and `satchel serve --team` with one worker, on this
machine: database, server and clients share its processors. Prints each figure with the floor of the
same run. Floors: a bare INSERT with its commit, the same over HTTP, batched INSERTs, a tsvector
query, a pgvector query.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import psycopg

from benchmarks.hot_path import _lines
from benchmarks.team_floors import READY, Floors, free_port, percentile, times_ms, until_ready
from benchmarks.team_members import members
from benchmarks.team_rows import BATCHED, Row, make_project, sent
from benchmarks.team_wall import wall
from postgresql_server import TEMPLATE, Server, a_server
from satchel.application.exchange.team import TeamExchange
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.migrating import migrate
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.ledger.lines import decode
from satchel.storage.settings.environment import override
from satchel.workspace import Workspace

HERE = "/api/projects/current"
_CLIENTS = 8
#: Lines of the whole `team push`.
_PUSHED = 2000


@contextmanager
def serving(
    url: str, home: str, roots: list[str], *more: str
) -> Iterator[tuple[httpx.Client, int, float]]:
    """`satchel serve --team` in a process: (a client, its process id, seconds until ready)."""
    port = free_port()
    environment = {**os.environ, "SATCHEL_HOME": home, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-P", "-m", "satchel"]
    words = [word for root in roots for word in ("--project", root)]
    began = time.monotonic()
    process = subprocess.Popen(
        [*command, "serve", "--team", "--port", str(port), "--database", url, *more, *words],
        cwd=roots[0],
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=READY) as client:
            until_ready(client, process)
            seconds = time.monotonic() - began
            token = subprocess.run(
                [*command, "serve", "token"],
                env=environment,
                cwd=roots[0],
                capture_output=True,
                text=True,
                check=True,
            ).stdout.strip()
            client.headers["Authorization"] = f"Bearer {token}"
            yield client, process.pid, seconds
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def connections(url: str) -> int:
    """How many connections Satchel has to a database."""
    with psycopg.connect(url, autocommit=True) as asked:
        row = asked.execute(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'satchel'"
        ).fetchone()
    return int(row[0]) if row else 0


def megabytes(pid: int) -> float:
    """Memory of a process that is its own or shared: what it has resident."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return next(int(li.split()[1]) for li in file if li.startswith("VmRSS")) / 1024


def busy_ms(pid: int, url: str) -> tuple[float, float]:
    """Processor time, milliseconds: of a server, and of the database's processes for Satchel."""
    with psycopg.connect(url, autocommit=True) as asked:
        rows = asked.execute("SELECT pid FROM pg_stat_activity WHERE application_name = 'satchel'")
        backends = [int(row[0]) for row in rows]
    return _busy_ms(pid), sum(map(_busy_ms, backends))


def _busy_ms(pid: int) -> float:
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) * 1000 / os.sysconf("SC_CLK_TCK")


class Bench:
    """One run.

    Args:
        server: PostgreSQL.
        folder: for homes and repositories.
    """

    def __init__(self, server: Server, folder: str) -> None:
        self.server, self.folder = server, folder
        self.url = server.database(TEMPLATE)
        self.home, self.root = os.path.join(folder, "home"), os.path.join(folder, "shop")
        make_project(self.root, 0)
        override("store.url", self.url)
        override("store.projects", "*")
        self.pushed = 0

    def push(self, lines: list[bytes]) -> Iterator[Row]:
        """`team push` of the first lines; then lines as it sends them, without what it does here."""
        first, rest = lines[:_PUSHED], [line.rstrip(b"\n") for line in lines[_PUSHED:]]
        with Workspace.open(self.root, home=self.home) as work:
            team = work.memories.stores.team
            assert team is not None
            if not self.pushed:
                path = work.project.state.ledger("knowledge")
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.writelines(first)
                work.refresh()
                began = time.perf_counter()
                TeamExchange(work, team).push()
                rate = len(first) / (time.perf_counter() - began)
                yield Row(
                    f"team push, {len(first):,} lines, as a whole",
                    rate,
                    "rows/s",
                    self.batched,
                    BATCHED,
                )
                os.unlink(path)
            else:
                rest = [line.rstrip(b"\n") for line in lines]
            team.writable()
            whole, seconds = sent(team.ledgers.named("knowledge"), rest)
        self.pushed += len(lines)
        rate = len(rest) / whole
        yield Row(f"lines sent, up to {self.pushed:,}", rate, "rows/s", self.batched, BATCHED)
        tenth = max(1, len(seconds) // 10)
        if len(seconds) > 1:
            grew = sum(seconds[-tenth:]) / sum(seconds[:tenth])
            yield Row("  the last tenth to the first", grew, "x")

    def busy(self, pid: int, do: Callable[[], object], runs: int) -> tuple[list[float], list[Row]]:
        """Return milliseconds of each run, and rows of the processor time that one takes."""
        before = busy_ms(pid, self.url)
        spent = times_ms(do, runs)
        each = [(b - a) / runs for a, b in zip(before, busy_ms(pid, self.url), strict=True)]
        whose = ("server", "database")
        return spent, [
            Row(f"  processor time, {who}", ms, "ms") for who, ms in zip(whose, each, strict=True)
        ]

    def recall(
        self, pid: int, client: httpx.Client, questions: list[str], words_ms: float
    ) -> Iterator[Row]:
        """Ask over REST: one client, then several at once."""
        asked = iter(questions * 1000)

        def ask() -> None:
            answer = client.get(f"{HERE}/search", params={"q": next(asked)})
            assert answer.status_code == httpx.codes.OK, answer.text

        times_ms(ask, 5)
        before = _statements(self.url)
        spent, busy = self.busy(pid, ask, 60)
        after = _statements(self.url)
        for share in (50, 95, 99):
            title = f"recall over REST, {self.pushed:,} memories, p{share}"
            yield Row(title, percentile(spent, share), "ms", words_ms, "tsvector query")
        yield Row("  transactions for each recall", (after - before) / 60, "")
        yield from busy
        began = time.perf_counter()
        with ThreadPoolExecutor(_CLIENTS) as pool:
            several = [
                t for times in pool.map(lambda _: times_ms(ask, 10), range(_CLIENTS)) for t in times
            ]
        rate = len(several) / (time.perf_counter() - began)
        yield Row(f"recall, {_CLIENTS} clients at once", rate, "/s")
        yield Row(f"  p95 with {_CLIENTS} clients", percentile(several, 95), "ms")

    def writes(self, pid: int, client: httpx.Client) -> Iterator[Row]:
        """Remember over REST, one after the other."""
        numbers = iter(range(1_000_000))

        def write() -> None:
            body = {
                "kind": "learned",
                "content": f"the quay number {next(numbers)} is swept at noon",
            }
            answer = client.post(f"{HERE}/memory", json=body)
            assert answer.status_code == httpx.codes.CREATED, answer.text

        times_ms(write, 5)
        times, busy = self.busy(pid, write, 60)
        spent = percentile(times, 50)
        yield Row("REST write, p50", spent, "ms", self.commit_ms, "INSERT + commit")
        yield Row("  the same", spent, "ms", self.http_ms, "INSERT + commit over HTTP")
        yield from busy

    def floors(self, lines: list[bytes], most: int) -> Iterator[Row]:
        """Measure what is bare."""
        self.bare = Floors(self.server.database(), lines)
        self.commit_ms = self.bare.commit_ms()
        self.http_ms = self.bare.over_http_ms()
        self.batched = self.bare.rows_per_second(min(most, 20_000))
        yield Row("floor: INSERT + commit", self.commit_ms, "ms")
        yield Row("floor: INSERT + commit over HTTP", self.http_ms, "ms")
        yield Row("floor: batched INSERT", self.batched, "rows/s")

    def many(self, count: int) -> Iterator[Row]:
        """Serve many projects: how soon it is ready, its connections and its memory."""
        roots = [os.path.join(self.folder, f"p{number}") for number in range(count)]
        make_project(roots[0], 1)
        for number, root in enumerate(roots[1:], 2):
            shutil.copytree(roots[0], root)
            with open(
                os.path.join(root, ".satchel", "project.toml"), "w", encoding="utf-8"
            ) as file:
                file.write(f'[project]\nid = "01BENCH{number:019}"\n')
        home = os.path.join(self.folder, "home-of-many")
        with serving(self.url, home, roots) as (_, _, seconds):
            yield Row(f"{count} projects: ready after, the very first time", seconds, "s")
        with serving(self.url, home, roots) as (client, pid, seconds):
            yield Row("  ready after", seconds, "s")
            ids = [one["id"] for one in client.get("/api/projects").json()["projects"]]

            def ask(ident: str) -> int:
                for _ in range(20):
                    answer = client.get(f"/api/projects/{ident}/search", params={"q": "the quay"})
                    if answer.status_code != httpx.codes.TOO_MANY_REQUESTS:
                        return answer.status_code
                    time.sleep(0.5)
                return answer.status_code

            began = time.perf_counter()
            with ThreadPoolExecutor(_CLIENTS) as pool:
                failed = sum(code != httpx.codes.OK for code in pool.map(ask, ids))
            yield Row("  every project asked once, failures", failed, "")
            yield Row("  every project asked once", time.perf_counter() - began, "s")
            yield Row("  connections", connections(self.url), "")
            yield Row("  memory of the worker", megabytes(pid), "MB")
            yield Row(
                "  /readyz, p99", percentile(times_ms(lambda: client.get("/readyz"), 5), 99), "ms"
            )


def _statements(url: str) -> int:
    """How many transactions the database has committed: each statement outside of one is one."""
    with psycopg.connect(url, autocommit=True) as asked:
        asked.execute("SELECT pg_stat_force_next_flush()")
        time.sleep(1.1)
        row = asked.execute(
            "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()
    return int(row[0]) if row else 0


def questions_about(lines: list[bytes]) -> list[str]:
    """Questions of three words that stand in some line."""
    dice = random.Random(7)
    found = []
    for raw in dice.sample(lines, 60):
        record = decode(raw.rstrip(b"\n")).record
        assert record is not None
        found.append(" ".join(dice.sample(record.content.split(), 3)))
    return found


def run(options: argparse.Namespace) -> Iterator[Row]:
    """Measure everything, one row after the other."""
    every = list(_lines(options.grown))
    with a_server(durable=True) as server, tempfile.TemporaryDirectory() as folder:
        server.settle("max_connections = 400\nshared_buffers = 256MB\n")
        server.crash()
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {TEMPLATE}")
        database = PostgresDatabase(server.url(TEMPLATE), MAINTENANCE)
        migrate(database)
        database.close()
        bench = Bench(server, folder)
        yield from bench.floors(every, options.grown)
        sizes = (
            [options.memories, options.grown]
            if options.grown > options.memories
            else [options.memories]
        )
        done = 0
        for size in sizes:
            yield from bench.push(every[done:size])
            if not done:
                yield from members(bench, every[:size], questions_about(every[:size]))
            done = size
            texts = [str(decode(raw.rstrip(b"\n")).record.content) for raw in every[:size]]  # type: ignore[union-attr]
            questions = questions_about(every[:size])
            words_ms, near_ms = bench.bare.words_ms(texts, questions), bench.bare.near_ms(size)
            yield Row(f"floor: tsvector query, {size:,}", words_ms, "ms")
            yield Row(f"floor: exact pgvector query, {size:,}", near_ms, "ms")
            if options.wall:
                for what, behind, without in wall(bench.root, bench.home, questions):
                    yield Row(what, behind, "ms", without, "without it")
            with serving(bench.url, bench.home, [bench.root]) as (client, pid, _):
                yield from bench.recall(pid, client, questions, words_ms)
                if size == sizes[0]:
                    yield from bench.writes(pid, client)
        bench.bare.close()
        if options.projects:
            yield from bench.many(options.projects)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument(
        "--memories", type=int, default=10_000, help="in the first measure (10,000)"
    )
    parser.add_argument("--grown", type=int, default=0, help="in the second; 0 for none")
    parser.add_argument("--projects", type=int, default=50, help="served at once; 0 for none (50)")
    parser.add_argument("--wall", action="store_true", help="what row security costs, too")
    options = parser.parse_args()
    options.grown = max(options.grown, options.memories)
    print(f"{os.cpu_count()} processors for database, server and clients together")
    for row in run(options):
        print(row, flush=True)


if __name__ == "__main__":
    main()
