"""How long `satchel why FILE:LINE` takes from a cold shell in a large repository, git's part apart.

PYTHONPATH=src python benchmarks/thread_speed.py [--commits 10000] [--files 5000] [--sessions 2000]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from satchel.application.thread.agent_trace import trace_records
from satchel.clients.transcript_format.values import ASSISTANT, USER, Edit, TranscriptHead, Turn
from satchel.core.line_marks import marks_of
from satchel.features.sessions.archive import append, head_line, path_in, turn_line
from satchel.features.thread.linking import Linker
from satchel.testing import run_git
from satchel.workspace import Workspace

_BEGAN, _BETWEEN = 1_700_000_000, 600


def commits(chance: random.Random, count: int, files: int) -> Iterator[tuple[str, str, list[str]]]:
    """Yield a file, what it holds after the commit, and the lines that are new."""
    held: dict[str, list[str]] = {}
    for number in range(count):
        path = f"src/d{number % 70}/f{number % files}.py"
        lines = held.setdefault(path, [])
        new = [f"    value_{number}_{n} = call_{chance.randrange(10**6)}()" for n in range(8)]
        at = chance.randrange(len(lines) + 1)
        lines[at:at] = new
        yield path, "\n".join(lines) + "\n", new


def make(root: Path, home: Path, count: int, files: int, sessions: int) -> str:
    """Make repository and archive; return a line to ask for."""
    chance = random.Random(5)
    environment = {**os.environ, "SATCHEL_HOME": str(home), "HOME": str(home.parent)}
    run_git(str(root), "init", "--quiet", "--initial-branch=main")
    words = [sys.executable, "-m", "satchel", "init", "--no-hooks", "--yes"]
    subprocess.run(words, cwd=root, env=environment, check=True, capture_output=True)
    with Workspace.open(str(root), home=str(home)) as work:
        folder = work.sessions.archive.directories()[0]
    os.makedirs(folder, exist_ok=True)
    stream, every = bytearray(), max(1, count // sessions)
    turns: list[Turn] = []
    asked = ""
    for number, (path, text, new) in enumerate(commits(chance, count, files)):
        at = _BEGAN + number * _BETWEEN
        body, said = text.encode(), f"Change {path} for the {number}. time\n".encode()
        stream += b"commit refs/heads/main\nauthor A <a@example.org> %d +0000\n" % at
        stream += b"committer A <a@example.org> %d +0000\ndata %d\n%s" % (
            at,
            len(said),
            said,
        )
        stream += b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(body), body)
        turns += [
            Turn(USER, f"Please do the {number}. thing", at - 120.0, f"u{number}"),
            Turn(
                ASSISTANT,
                "Done.",
                at - 60.0,
                f"a{number}",
                ("Edit: x",),
                edits=(Edit(f"/w/shop/{path}", marks_of("\n".join(new))),),
            ),
        ]
        if number % every == every - 1:
            head = TranscriptHead("claude", f"session-{number:08}", "/w/shop", "main", started=at)
            lines = [head_line(head), *(turn_line(turn)[0] for turn in turns)]
            append(path_in(folder, head), lines)
            turns = []
        asked = f"{path}:{text.splitlines().index(new[3]) + 1}"
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=bytes(stream), check=True)
    run_git(str(root), "reset", "--quiet", "--hard", "main")
    run_git(str(root), "add", "--all")
    run_git(str(root), "commit", "--quiet", "--allow-empty", "-m", "project")
    return asked


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--sessions", type=int, default=2_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        root, home = Path(directory, "shop"), Path(directory, "house", "home")
        root.mkdir()
        home.parent.mkdir()
        asked = make(root, home, options.commits, options.files, options.sessions)
        environment = {**os.environ, "SATCHEL_HOME": str(home), "HOME": str(home.parent)}
        with Workspace.open(str(root), home=str(home)) as work:
            begin = time.perf_counter()
            work.thread.catch_up(float("inf"))
            read = time.perf_counter() - begin
            print(f"{work.thread.store.counts()} read once in {read:.1f} s")
            begin, linker = time.perf_counter(), Linker(work.thread)
            shas = work.thread.history.log("HEAD")
            linked = sum(bool(linker.links(one)) for one in work.thread.history.commits(shas))
            seconds = time.perf_counter() - begin
            print(f"{linked} of {len(shas)} commits linked in {seconds:.1f} s")
            begin = time.perf_counter()
            count = sum(1 for _ in trace_records(work))
            print(f"{count} trace records in {time.perf_counter() - begin:.1f} s")
        times, spent, gits, told = [], [], [], {}
        for _ in range(11):
            begin, before = time.perf_counter(), os.times()
            done = subprocess.run(
                [sys.executable, "-m", "satchel", "why", asked, "--json"],
                cwd=root,
                env=environment,
                check=True,
                capture_output=True,
            )
            times.append(time.perf_counter() - begin)
            after = os.times()
            user = after.children_user - before.children_user
            spent.append(user + after.children_system - before.children_system)
            told = json.loads(done.stdout)
            gits.append(told["git"])
        origin = told["lines"][0]["origin"][0]
        whole, used, git = (statistics.median(each) * 1000 for each in (times, spent, gits))
        print(
            f"cold why: {whole:.0f} ms, {used:.0f} ms of the processor, of which git {git:.0f} ms;"
            f" {origin['confidence']}"
        )


if __name__ == "__main__":
    main()
