"""A team's server in a process of its own, and what it takes of the machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import psycopg

from benchmarks.team_floors import READY, free_port, until_ready


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
