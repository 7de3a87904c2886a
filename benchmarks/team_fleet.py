"""A fleet of agents against a team's servers: `python -m benchmarks team_fleet`.

    PYTHONPATH=src:tests .venv/bin/python -m benchmarks team_fleet [--agents N] [--minutes N]
        [--memories N] [--projects N]

Starts a PostgreSQL that waits for its disk and for a synchronous replica, PgBouncer in transaction
mode, two servers with homes and clones of their own, and haproxy before them where it is installed.
All of it and the agents share this machine's processors. An agent asks over REST and MCP, remembers
with an idempotency key, and pauses. At the end every acknowledged memory is looked for.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from urllib.parse import quote_plus

import psycopg

from benchmarks.hot_path import _lines
from benchmarks.team import questions_about
from benchmarks.team_floors import Floors, percentile
from benchmarks.team_rows import Row, make_project
from benchmarks.team_serving import connections, megabytes, serving
from integration.two_machines import new_token
from pgbouncer import pgbouncer
from postgresql_server import TEMPLATE, Server, a_replica, a_server
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.migrating import migrate
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.settings.environment import override
from satchel.workspace import Workspace

_BATCH, _POOLED = 1000, 24
_NAME = "memory.example.org"
_BEHIND = ("--behind-proxy", _NAME)
_MCP = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
_PROXY = """
global
  maxconn 2000
defaults
  mode http
  timeout connect 5s
  timeout client 120s
  timeout server 120s
frontend all
  bind 127.0.0.1:{port}
  default_backend servers
backend servers
  balance roundrobin
{servers}
"""


@dataclass
class Seen:
    """What the agents saw, from all threads."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    times: dict[str, list[float]] = field(default_factory=dict)
    failed: Counter[str] = field(default_factory=Counter)
    made: list[str] = field(default_factory=list)

    def note(self, what: str, seconds: float, status: int, *, made: str = "") -> None:
        """Note one answer; status 0 is none."""
        with self.lock:
            if status in (200, 201):
                self.times.setdefault(what, []).append(seconds * 1000)
                self.made += [made] if made else []
            else:
                self.failed[f"{what} {status or 'no answer'}"] += 1


#: A server closes a connection that was idle for five seconds; no proxy may be in between.
_IDLE = 4.0


class Agent:
    """An agent that works in one project, with a connection of its own.

    Args:
        number: of this agent.
        port: where it asks.
        token: what it shows.
        questions: it asks one of these.
    """

    def __init__(self, number: int, port: int, token: str, questions: list[str]) -> None:
        self._dice, self._number = random.Random(number), number
        self._to = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {"authorization": f"Bearer {token}", "host": _NAME}
        self._questions = questions
        self._asked = 0.0

    def work(self, project: str, until: float, pause: float, seen: Seen) -> None:
        """Ask and remember until a moment of the monotonic clock."""
        time.sleep(self._dice.random() * pause)
        said = 0
        while time.monotonic() < until:
            what = self._dice.choices(("recall", "recall over MCP", "memory"), (6, 2, 2))[0]
            question = self._dice.choice(self._questions)
            began = time.monotonic()
            if what == "recall":
                path = f"/api/projects/{project}/search?q={quote_plus(question)}"
                status, _ = self._ask("GET", path, {}, b"")
            elif what == "recall over MCP":
                call = {"name": "recall", "arguments": {"question": question}}
                message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
                path = f"/api/projects/{project}/mcp"
                status, _ = self._ask("POST", path, _MCP, json.dumps(message).encode())
            else:
                said += 1
                body = {
                    "kind": "learned",
                    "content": f"Agent {self._number} saw {said}: {question}",
                }
                status, _ = self._remember(project, body)
            made = str(body["content"]) if what == "memory" else ""
            seen.note(what, time.monotonic() - began, status, made=made)
            time.sleep(self._dice.expovariate(1 / pause))

    def _remember(self, project: str, body: dict[str, str]) -> tuple[int, bytes]:
        """Send a memory; once more with the same key if there was no answer."""
        headers = {"content-type": "application/json", "idempotency-key": uuid.uuid4().hex}
        path, sent = f"/api/projects/{project}/memory", json.dumps(body).encode()
        status, told = self._ask("POST", path, headers, sent)
        return (status, told) if status else self._ask("POST", path, headers, sent)

    def _ask(
        self, method: str, path: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, bytes]:
        if time.monotonic() - self._asked > _IDLE:
            self._to.close()
        self._asked = time.monotonic()
        try:
            self._to.request(method, path, body or None, {**self._headers, **headers})
            answer = self._to.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self._to.close()
            return 0, b""


@contextmanager
def proxied(ports: list[int], folder: str) -> Iterator[tuple[int, str]]:
    """Start haproxy before servers; without it, agents ask the first: (port, what it is)."""
    program = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        yield ports[0], "no haproxy here: one server"
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    servers = "\n".join(f"  server s{one} 127.0.0.1:{one}" for one in ports)
    path = os.path.join(folder, "haproxy.cfg")
    with open(path, "w", encoding="utf-8") as file:
        file.write(_PROXY.format(port=port, servers=servers))
    process = subprocess.Popen([program, "-f", path, "-db"], stderr=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
        yield port, f"haproxy before {len(ports)} servers"
    finally:
        process.terminate()
        process.wait(10)


def prepared(server: Server) -> str:
    """Make the database, and wait for the replica from now on; return its address."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {TEMPLATE}")
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        connection.execute("SELECT pg_reload_conf()")
    database = PostgresDatabase(server.url(TEMPLATE), MAINTENANCE)
    migrate(database)
    database.close()
    return server.database(TEMPLATE)


def clones(folder: str, count: int) -> list[str]:
    """Make projects in a folder, with the same ids in every folder."""
    roots = [os.path.join(folder, f"p{number}") for number in range(count)]
    for number, root in enumerate(roots):
        make_project(root, number + 1)
    return roots


def filled(roots: list[str], home: str, lines: list[bytes]) -> Iterator[Row]:
    """Give every project its share of memories; print the rates."""
    share, rates = len(lines) // len(roots), []
    for number, root in enumerate(roots):
        mine = [raw.rstrip(b"\n") for raw in lines[number * share : (number + 1) * share]]
        with Workspace.open(root, home=home) as work:
            team = work.memories.stores.team
            assert team is not None
            team.writable()
            ledger, began = team.ledgers.named("knowledge"), time.perf_counter()
            for start in range(0, len(mine), _BATCH):
                ledger.append_lines(mine[start : start + _BATCH])
            rates.append(len(mine) / (time.perf_counter() - began))
    tenth = max(1, len(rates) // 10)
    yield Row("lines sent, the first projects", sum(rates[:tenth]) / tenth, "rows/s")
    yield Row("lines sent, the last projects", sum(rates[-tenth:]) / tenth, "rows/s")


def dumped(server: Server, url: str) -> Iterator[Row]:
    """Back the database up, and restore it into another."""
    name, path = url.partition("@/")[2].partition("?")[0], os.path.join(server.folder, "dump")
    began = time.perf_counter()
    server.run("pg_dump", "-h", server.folder, "-U", "postgres", "-Fd", "-j2", "-f", path, name)
    yield Row("pg_dump", time.perf_counter() - began, "s")
    other = server.database().partition("@/")[2].partition("?")[0]
    began = time.perf_counter()
    words = ("-h", server.folder, "-U", "postgres", "-j2", "-d", other, path)
    server.run("pg_restore", *words)
    yield Row("pg_restore", time.perf_counter() - began, "s")


def answered(seen: Seen, seconds: float) -> Iterator[Row]:
    """What the agents saw."""
    for what, times in sorted(seen.times.items()):
        yield Row(f"{what}, each second", len(times) / seconds, "/s")
        for share in (50, 95, 99):
            yield Row(f"  p{share}", percentile(times, share), "ms")
    yield Row("answers that were none", sum(seen.failed.values()), "")
    for what, count in seen.failed.most_common(5):
        yield Row(f"  {what}", count, "")


def kept(url: str, made: list[str]) -> Iterator[Row]:
    """Look for everything that was acknowledged."""
    counted: Counter[str] = Counter()
    with psycopg.connect(url, autocommit=True) as asked:
        sql = "SELECT line FROM satchel.ledger_lines WHERE line LIKE %s"
        for (line,) in asked.execute(sql, (b"%Agent %",)):
            counted[json.loads(bytes(line).partition(b"\n")[0])["content"]] += 1
    yield Row("acknowledged memories", len(made), "")
    yield Row("  of these lost", sum(not counted[one] for one in made), "")
    yield Row("  of these twice", sum(counted[one] > 1 for one in made), "")


def run(options: argparse.Namespace) -> Iterator[Row]:
    """Measure everything, one row after the other."""
    lines = list(_lines(options.memories))
    with ExitStack() as stack:
        server = stack.enter_context(a_server(durable=True))
        server.settle("max_connections = 100\nshared_buffers = 256MB\n")
        server.crash()
        stack.enter_context(a_replica(server))
        direct = prepared(server)
        floor = Floors(server.database(), lines)
        commit = floor.commit_ms()
        yield Row("floor: INSERT + commit on both", commit, "ms")
        floor.close()
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        port = stack.enter_context(pgbouncer(server, most=_POOLED))
        name = direct.partition("@/")[2].partition("?")[0]
        url = f"postgresql://postgres@127.0.0.1:{port}/{name}"
        override("store.url", url)
        override("store.projects", "*")
        machines = [os.path.join(folder, one) for one in ("one", "two")]
        roots = [clones(one, options.projects) for one in machines]
        yield from filled(roots[0], os.path.join(machines[0], "home"), lines)
        served = [
            stack.enter_context(serving(url, os.path.join(one, "home"), its, *_BEHIND))
            for one, its in zip(machines, roots, strict=True)
        ]
        for _, _, seconds in served:
            yield Row(f"a server of {options.projects} projects: ready after", seconds, "s")
        ids = [one["id"] for one in served[0][0].get("/api/projects").json()["projects"]]
        ports = [int(str(one.base_url).strip("/").rpartition(":")[2]) for one, _, _ in served]
        asked, what = stack.enter_context(proxied(ports, folder))
        yield Row(f"{options.agents} agents, {what}", options.minutes * 60, "s")
        token = new_token(roots[0][0], os.path.join(machines[0], "home"))
        dice = questions_about(lines)
        agents = [Agent(n, asked, token, dice) for n in range(options.agents)]
        seen = Seen()
        yield from answered(seen, at_work(agents, ids, options, seen))
        yield Row("connections to the pooler's database", connections(direct), "")
        for _, pid, _ in served:
            yield Row("memory of a worker", megabytes(pid), "MB")
        yield from kept(direct, seen.made)
        yield from dumped(server, direct)


def at_work(agents: list[Agent], ids: list[str], options: argparse.Namespace, seen: Seen) -> float:
    """Let all agents work at once; return the seconds that it took."""
    began = time.monotonic()
    until = began + options.minutes * 60
    threads = [
        threading.Thread(target=one.work, args=(ids[n % len(ids)], until, options.pause, seen))
        for n, one in enumerate(agents)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.monotonic() - began


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--agents", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--memories", type=int, default=20_000, help="in all projects (20,000)")
    parser.add_argument("--projects", type=int, default=20)
    parser.add_argument("--pause", type=float, default=6, help="seconds between two requests")
    print(f"{os.cpu_count()} processors for database, replica, servers and agents together")
    for row in run(parser.parse_args()):
        print(row, flush=True)


if __name__ == "__main__":
    main()
