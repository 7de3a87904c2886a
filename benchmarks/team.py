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
import tempfile
from collections.abc import Iterator

import psycopg

from benchmarks.hot_path import _lines
from benchmarks.team_bench import Bench
from benchmarks.team_members import members
from benchmarks.team_rows import Row
from benchmarks.team_serving import serving
from benchmarks.team_wall import wall
from postgresql_server import TEMPLATE, a_server
from satchel.storage.database.acting import MAINTENANCE
from satchel.storage.database.migrating import migrate
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.ledger.lines import decode


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
