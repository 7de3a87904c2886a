"""One run of `python -m benchmarks team`: its database, its project, and each measure."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg

from benchmarks.team_floors import Floors, percentile, times_ms
from benchmarks.team_rows import BATCHED, Row, make_project, sent
from benchmarks.team_serving import busy_ms, connections, megabytes, serving
from postgresql_server import TEMPLATE, Server
from satchel.application.exchange.team import TeamExchange
from satchel.storage.settings.environment import override
from satchel.workspace import Workspace

_HERE = "/api/projects/current"
_CLIENTS = 8
#: Lines of the whole `team push`.
_PUSHED = 2000


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
            answer = client.get(f"{_HERE}/search", params={"q": next(asked)})
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
            answer = client.post(f"{_HERE}/memory", json=body)
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
