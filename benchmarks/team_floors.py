"""What bare PostgreSQL takes for what a team's store does: the floors of `team.py`."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

import httpx
import psycopg

_DIMENSIONS = 384
_RUNS = 40
#: Seconds until a server must be ready.
READY = 300

_TABLES = f"""
CREATE SCHEMA floor;
CREATE EXTENSION IF NOT EXISTS vector SCHEMA floor;
CREATE TABLE floor.lines (id bigint PRIMARY KEY, line bytea NOT NULL);
CREATE TABLE floor.texts (id bigint PRIMARY KEY, words tsvector NOT NULL);
CREATE TABLE floor.near (id bigint PRIMARY KEY, v floor.halfvec({_DIMENSIONS}) NOT NULL);
"""


class Floors:
    """Bare tables in a database of their own.

    Args:
        url: of an empty database on the server that is measured.
        lines: as they are pushed; their texts are searched.
    """

    def __init__(self, url: str, lines: Sequence[bytes]) -> None:
        self._url, self._lines = url, lines
        self._connection = psycopg.connect(url, autocommit=True)
        self._connection.execute(_TABLES)
        self._next = 0

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def commit_ms(self) -> float:
        """Milliseconds of one INSERT with its commit, the median."""
        return median_ms(lambda: self._insert(1), 200)

    def over_http_ms(self) -> float:
        """Milliseconds of the same by way of HTTP, the median: see `team_floor_server.py`."""
        port = free_port()
        command = [sys.executable, "-m", "benchmarks.team_floor_server", self._url, str(port)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
                until_ready(client, process)
                body = {"kind": "learned", "content": "the quay is swept at noon"}
                return median_ms(lambda: client.post("/lines", json=body).raise_for_status(), 200)
        finally:
            process.terminate()
            process.wait(30)

    def rows_per_second(self, count: int) -> float:
        """Rows of batched INSERTs, 500 to a commit, each second."""
        began = time.perf_counter()
        for _ in range(0, count, 500):
            self._insert(500)
        return count / (time.perf_counter() - began)

    def _insert(self, count: int) -> None:
        rows = [
            (number, self._lines[number % len(self._lines)])
            for number in range(self._next, self._next + count)
        ]
        self._next += count
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.executemany("INSERT INTO floor.lines VALUES (%s, %s)", rows)

    def words_ms(self, texts: Sequence[str], questions: list[str]) -> float:
        """Milliseconds of a tsvector query over these texts, the median."""
        self._connection.execute("TRUNCATE floor.texts")
        with self._connection.cursor() as cursor:
            cursor.execute("DROP INDEX IF EXISTS floor.texts_words")
            with cursor.copy("COPY floor.texts (id, words) FROM STDIN") as copy:
                for number, text in enumerate(texts):
                    words = " ".join(f"'{w}'" for w in sorted(set(text.lower().split())))
                    copy.write_row((number, words))
            cursor.execute("CREATE INDEX texts_words ON floor.texts USING gin (words)")
            cursor.execute("ANALYZE floor.texts")
        asked = iter(questions * _RUNS)
        sql = (
            "SELECT id FROM floor.texts WHERE words @@ %s::tsquery "
            "ORDER BY ts_rank(words, %s::tsquery) DESC LIMIT 10"
        )

        def ask() -> None:
            query = " | ".join(f"'{word}'" for word in next(asked).lower().split())
            self._ask(sql, (query, query))

        return median_ms(ask, _RUNS)

    def near_ms(self, count: int) -> float:
        """Milliseconds of an exact pgvector query over so many vectors, the median."""
        self._connection.execute("TRUNCATE floor.near")
        self._connection.execute(
            "INSERT INTO floor.near SELECT i, ARRAY(SELECT random() + i * 0 FROM "
            f"generate_series(1, {_DIMENSIONS}))::floor.halfvec({_DIMENSIONS}) "
            "FROM generate_series(1, %s) i",
            (count,),
        )
        vector = "[" + ",".join(["0.5"] * _DIMENSIONS) + "]"
        sql = (
            "SELECT id FROM floor.near ORDER BY v OPERATOR(floor.<=>) "
            f"%s::floor.halfvec({_DIMENSIONS}) LIMIT 10"
        )
        return median_ms(lambda: self._ask(sql, (vector,)), _RUNS)

    def _ask(self, sql: str, values: tuple[str, ...]) -> None:
        self._connection.execute(sql, values).fetchall()


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def until_ready(client: httpx.Client, process: subprocess.Popen[bytes]) -> None:
    """Wait until a server answers that it is ready."""
    until = time.monotonic() + READY
    while not _is_ready(client):
        if time.monotonic() > until or process.poll() is not None:
            raise SystemExit("the server did not become ready")
        time.sleep(0.05)


def _is_ready(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


def median_ms(do: Callable[[], object], runs: int) -> float:
    """Milliseconds of the median run, after one that does not count."""
    do()
    return percentile(times_ms(do, runs), 50)


def times_ms(do: Callable[[], object], runs: int) -> list[float]:
    """Milliseconds of each run."""
    found = []
    for _ in range(runs):
        began = time.perf_counter()
        do()
        found.append((time.perf_counter() - began) * 1000)
    return found


def percentile(values: Sequence[float], share: int) -> float:
    """Return the value below which so many of a hundred lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]
