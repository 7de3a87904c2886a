"""What a member of a team waits for: a second project's push, a pull, a new home's first recall."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence

import psycopg

from benchmarks.team_bench import Bench
from benchmarks.team_floors import percentile
from benchmarks.team_rows import BATCHED, Row, make_project, sent
from satchel.application.exchange.team import TeamExchange
from satchel.workspace import Workspace

#: Lines of the second project, and later recalls.
_ANOTHER, _LATER = 5000, 5


def members(bench: Bench, lines: Sequence[bytes], questions: list[str]) -> Iterator[Row]:
    """Measure each once, on a database that holds these lines."""
    yield _push_another(bench, lines[:_ANOTHER])
    yield _pull(bench)
    yield _first_recall(bench, questions)


def _push_another(bench: Bench, lines: Sequence[bytes]) -> Row:
    """Send lines of a second project: the statistics know the first, and nothing of it."""
    root = os.path.join(bench.folder, "another")
    make_project(root, 2)
    with psycopg.connect(bench.url, autocommit=True) as owner:
        owner.execute("ANALYZE")
    with Workspace.open(root, home=bench.home) as work:
        team = work.memories.stores.team
        assert team is not None
        team.writable()
        raws = [line.rstrip(b"\n") for line in lines]
        whole, _ = sent(team.ledgers.named("knowledge"), raws)
    what = f"lines sent of another project, {len(lines):,}"
    return Row(what, len(lines) / whole, "rows/s", bench.batched, BATCHED)


def _pull(bench: Bench) -> Row:
    """Pull everything into a new home, against a bare reading and writing of the same lines."""
    home = os.path.join(bench.folder, "home-that-pulls")
    with Workspace.open(bench.root, home=home) as work:
        team = work.memories.stores.team
        assert team is not None
        pulling = TeamExchange(work, team)
        project = team.project

        def bare() -> None:
            with psycopg.connect(bench.url) as asked, open(f"{home}/floor", "wb") as file:
                rows = asked.execute(
                    "SELECT line FROM satchel.ledger_lines WHERE project = %s ORDER BY place",
                    (project,),
                )
                file.writelines(bytes(row[0]) + b"\n" for row in rows)
                os.fsync(file.fileno())

        floor = min(_ms(bare) for _ in range(3))
        return Row("team pull", _ms(pulling.pull), "ms", floor, "the lines read and written")


def _first_recall(bench: Bench, questions: list[str]) -> Row:
    """`satchel recall` in a new home, against later ones there."""
    home = os.path.join(bench.folder, "home-that-asks")
    environment = {
        **os.environ,
        "SATCHEL_HOME": home,
        "SATCHEL_STORE_URL": bench.url,
        "SATCHEL_STORE_PROJECTS": "*",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }

    def recall(question: str) -> None:
        command = [sys.executable, "-P", "-m", "satchel", "recall", question]
        subprocess.run(
            command, cwd=bench.root, env=environment, stdout=subprocess.DEVNULL, check=True
        )

    first, *later = [_ms(lambda q=q: recall(q)) for q in questions[: _LATER + 1]]  # type: ignore[misc]
    return Row("a new home's first recall", first, "ms", percentile(later, 50), "a later one")


def _ms(do: Callable[[], object]) -> float:
    began = time.perf_counter()
    do()
    return (time.perf_counter() - began) * 1000
