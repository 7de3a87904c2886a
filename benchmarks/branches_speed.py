"""How long the table of a commit takes to make, and a brief with and without it.

PYTHONPATH=src python benchmarks/branches_speed.py [--commits 10000] [--memories 5000]
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from satchel.application import approval
from satchel.core.clock import FixedClock
from satchel.core.ids import memory_key
from satchel.core.trust import AGENT
from satchel.storage.ledger.record import Record
from satchel.testing import run_git
from satchel.workspace import Workspace

_BEGAN, _BETWEEN, _FILES = 1_700_000_000, 600, 5000
#: Commits of each branch, how many branches, how many at once, and what becomes of them, in turn.
_LENGTH, _BRANCHES, _AT_ONCE = 5, 200, 8
_MERGED, _SQUASHED, _REVERTED, _OPEN = range(4)


#: A branch: its name, its last commit, and what it wrote.
_Work = tuple[str, int, dict[str, str]]


class _Stream:
    """What `git fast-import` is told."""

    def __init__(self, chance: random.Random) -> None:
        self.text = bytearray()
        self._chance, self._at = chance, _BEGAN

    def commit(self, mark: int, branch: str, said: str, parents: list[int], *paths: str) -> str:
        """Add a commit that writes files; return what it wrote."""
        self._at += _BETWEEN
        who = b"A <a@example.org> %d +0000\n" % self._at
        self.text += b"commit refs/heads/%s\nmark :%d\n" % (branch.encode(), mark)
        self.text += b"author " + who + b"committer " + who
        self.text += b"data %d\n%s\n" % (len(said), said.encode())
        for word, parent in zip((b"from", b"merge", b"merge"), parents, strict=False):
            self.text += b"%s :%d\n" % (word, parent)
        chance = self._chance
        new = "".join(f"    value_{n} = call_{chance.randrange(10**6)}()\n" for n in range(8))
        for path in paths:
            self.write(path, new)
        return new

    def write(self, path: str, text: str) -> None:
        """Let the last commit write one more file."""
        self.text += b"M 100644 inline %s\ndata %d\n%s\n" % (
            path.encode(),
            len(text),
            text.encode(),
        )


def history(stream: _Stream, count: int) -> Iterator[tuple[int, str]]:
    """Write a trunk, and branches that are merged, squashed, reverted or open; yield both."""
    mark = main = 0
    open_work: list[_Work] = []
    every = (count - _BRANCHES * (_LENGTH + 2)) // _BRANCHES
    for number in range(_BRANCHES * every):
        mark += 1
        path = f"src/d{number % 70}/f{number % _FILES}.py"
        stream.commit(mark, "main", f"Change {number}", [main] if main else [], path)
        main = mark
        yield mark, "main"
        if number % every != every // 2:
            continue
        name, tip, wrote = f"work-{number // every}", main, dict[str, str]()
        for n in range(_LENGTH):
            mark += 1
            path = f"src/d{(number + n) % 70}/f{(number + n) % _FILES}.py"
            wrote[path] = stream.commit(mark, name, f"Work {number} {n}", [tip], path)
            tip = mark
            yield mark, name
        open_work.append((name, tip, wrote))
        if len(open_work) > _AT_ONCE:
            main = _ended(stream, mark, main, open_work.pop(0))
            mark = max(mark, main)


def _ended(stream: _Stream, mark: int, main: int, open_work: _Work) -> int:
    """Do with a branch what becomes of every fourth; return the last commit of the trunk."""
    name, tip, wrote = open_work
    kind = int(name.rpartition("-")[2]) % 4
    if kind == _OPEN:
        return main
    stream.commit(mark + 1, "main", f"Take {name}", [main] if kind == _SQUASHED else [main, tip])
    for path, text in wrote.items():
        stream.write(path, text)
    if kind != _REVERTED:
        return mark + 1
    stream.commit(mark + 2, "main", f'Revert "Take {name}"', [mark + 1], *wrote)
    return mark + 2


def made(root: Path, home: Path, commits: int, memories: int) -> None:
    """Make the repository and what was learnt in it."""
    chance = random.Random(5)
    run_git(str(root), "init", "--quiet", "--initial-branch=main")
    stream = _Stream(chance)
    places = list(history(stream, commits))
    marks = str(root / ".git" / "marks")
    subprocess.run(
        ["git", "fast-import", "--quiet", f"--export-marks={marks}"],
        cwd=root,
        input=bytes(stream.text),
        check=True,
    )
    # Every second memory was learnt on a branch.
    kinds = [[one for one in places if (one[1] == "main") == trunk] for trunk in (True, False)]
    learnt = [kinds[n % 2][n * len(kinds[n % 2]) // memories] for n in range(memories)]
    shas = dict(line.split() for line in Path(marks).read_text("utf-8").splitlines())
    run_git(str(root), "reset", "--quiet", "--hard", "main")
    log = root / ".git" / "logs" / "HEAD"
    log.write_text("".join(moves(places, shas)) + log.read_text("utf-8"), "utf-8")
    (root / ".satchel").mkdir()
    (root / ".satchel" / "project.toml").write_text(
        '[project]\nid = "01TESTTESTTESTTESTTESTTEST"\n', "utf-8"
    )
    run_git(str(root), "add", "--all")
    run_git(str(root), "commit", "--quiet", "-m", "project")
    with opened(root, home) as work:
        approval.believe_self(work)
        work.memories.own.append([
            Record(
                kind="learned", content=f"lesson {n} of call_{n}()", trust=AGENT,
                key=memory_key("learned", f"lesson {n}"), text_id=f"{n:016}",
                ts=_BEGAN + n, branch=branch, commit=shas[f":{mark}"],
            )
            for n, (mark, branch) in enumerate(learnt)
        ])  # fmt: skip
        work.refresh()


def moves(places: list[tuple[int, str]], shas: dict[str, str]) -> Iterator[str]:
    """Write the log of a HEAD in which all commits were made, one after the other."""
    last: dict[str, str] = {}
    here, old = "main", "0" * 40
    for number, (mark, branch) in enumerate(places):
        new, who = shas[f":{mark}"], f"A <a@example.org> {_BEGAN + number * _BETWEEN} +0000"
        if branch != here:
            there = last.get(branch, old)
            yield f"{old} {there} {who}\tcheckout: moving from {here} to {branch}\n"
            here, old = branch, there
        yield f"{old} {new} {who}\tcommit: {number}\n"
        old = last[branch] = new


def opened(root: Path, home: Path) -> Workspace:
    """Open the project as a hook does."""
    os.environ["SATCHEL_EMBED_BACKGROUND"] = "0"
    return Workspace.open(str(root), home=str(home), clock=FixedClock(_BEGAN + 9_000_000.0))


def seconds(do: Callable[[], object], times: int = 9) -> float:
    """Return the median time of something."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        do()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken)


class Spent(NamedTuple):
    """The processor's seconds so far, ours and git's."""

    own: float
    git: float

    def since(self, before: Spent, times: int = 1) -> str:
        """Tell what was spent since then, each time."""
        own, git = (self.own - before.own) / times, (self.git - before.git) / times
        return f"{own + git:.2f} s of the processor, of which git {git:.2f} s"


def processor() -> Spent:
    """Return the processor's time so far."""
    spent = os.times()
    return Spent(spent.user + spent.system, spent.children_user + spent.children_system)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--memories", type=int, default=5_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        root, home = Path(directory, "shop"), Path(directory, "home")
        root.mkdir()
        made(root, home, options.commits, options.memories)

        def brief() -> object:
            with opened(root, home) as work:
                return work.briefs.session().text

        def table() -> object:
            with opened(root, home) as work:
                return work.branches.make()

        brief()
        without = seconds(brief)
        times = [processor()]
        first = seconds(table, 1)
        times.append(processor())

        def moved() -> object:
            run_git(str(root), "commit", "--quiet", "--allow-empty", "-m", "one further")
            return table()

        again = seconds(moved, 5)
        times.append(processor())
        with opened(root, home) as work:
            states = work.branches.tables.find(
                run_git(str(root), "rev-parse", "HEAD").strip(), "main"
            )
        found = {} if states is None else states.states
        counts = Counter(one.state for one in found.values())
        print(f"{options.commits} commits, {options.memories} memories, not here: {dict(counts)}")
        print(f"table: first {first:.2f} s, {times[1].since(times[0])}")
        print(f"one commit further: {again:.2f} s, {times[2].since(times[1], 5)}")
        print(
            f"brief: {1000 * without:.1f} ms without a table, {1000 * seconds(brief):.1f} ms with it"
        )


if __name__ == "__main__":
    main()
