"""The benchmark of the hot path: what happens at every tool call, prompt and session start.

Every figure is a ratio against a floor measured in the same run, the two alternating, so that a
busy machine slows both. Floors: a bare Python start, the raw FTS5 query, a bare write and flush.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import NamedTuple

from satchel.core.clock import Clock
from satchel.core.ids import memory_key, new_ulid
from satchel.engine.search.tokens import match_expression
from satchel.project.place import find_place
from satchel.storage.ledger.file import Ledger, redacted
from satchel.storage.ledger.lines import encode, sealed
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

_SUBJECTS = (
    "the build",
    "login",
    "the cache",
    "CI",
    "the parser",
    "a migration",
    "the queue",
    "TaskGroup",
    "parse_http_url",
    "the session store",
    "retry logic",
    "max_tokens",
)
_VERBS = (
    "fails without",
    "needs",
    "must not touch",
    "is slow because of",
    "was fixed by",
    "depends on",
    "breaks when given",
    "ignores",
)


class Row(NamedTuple):
    """One line of the report: our time, the floor's time, in milliseconds or per second."""

    name: str
    ours: float
    floor: float
    ratio: float
    goal: str
    floor_name: str
    unit: str = "ms"

    def text(self) -> str:
        """Spell the row."""
        figure = f"{self.ratio:5.2f}x {self.floor_name}" if self.floor else " " * 6
        return f"{self.name:<44} {self.ours:9.2f} {self.unit:<4} {figure}  (goal {self.goal})"


def measure(*, quick: bool) -> Iterator[Row]:
    """Measure everything, one row after the other."""
    small, large = (1_000, 10_000) if quick else (10_000, 100_000)
    runs = 25 if quick else 200
    with tempfile.TemporaryDirectory(prefix="satchel-bench-") as directory:
        scratch = Scratch(directory, small)
        yield from _starts(scratch, runs, small)
        yield from _appends(directory, 200 if quick else 2000)
        yield from _warm(directory, large, 50 if quick else 200)
        yield from _rebuild(directory, large)


class Scratch:
    """A project of its own, in a home of its own, with memories in it."""

    def __init__(self, directory: str, memories: int) -> None:
        self.home = os.path.join(directory, "home")
        self.root = os.path.join(directory, f"project-{memories}")
        os.makedirs(os.path.join(self.root, ".satchel"))
        with open(os.path.join(self.root, ".satchel", "project.toml"), "w") as file:
            file.write(f'[project]\nid = "{new_ulid(int(time.time() * 1000))}"\n')
        self.environment = {**os.environ, "SATCHEL_HOME": self.home}
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        place = find_place(self.root)
        if place is None:
            raise AssertionError("the scratch project was just made")
        with Workspace.open(self.root, home=self.home) as workspace:
            path = workspace.project.state.ledger("knowledge")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as ledger:
                ledger.writelines(_lines(memories))
            workspace.refresh()
            self.state = workspace.project.state

    def command(self, *words: str) -> list[str]:
        """Return the command line of the installed command, as hooks call it."""
        beside = os.path.join(os.path.dirname(sys.executable), "satchel")
        if os.access(beside, os.X_OK):
            return [beside, *words]
        return [sys.executable, "-P", "-m", "satchel", *words]


def _lines(count: int) -> Iterator[bytes]:
    """Lines of a plausible ledger, always the same ones."""
    rnd = random.Random(20261122)
    begin = int(time.time()) - count * 60
    for number in range(count):
        words = [f"w{int(rnd.paretovariate(0.6)) % 20_000}" for _ in range(8)]
        content = f"{rnd.choice(_SUBJECTS)} {rnd.choice(_VERBS)} {' '.join(words)} #{number}"
        kind = "constraint" if number % 500 == 0 else "learned"
        ts = begin + number * 60
        yield encode(
            Record(
                kind=kind,
                content=content,
                key=memory_key(kind, f"{number} {content}"),
                source="orchestrator",
                tags=(kind,),
                ts=ts,
                id=new_ulid(ts * 1000),
                trust="agent",
            )
        )


def _starts(scratch: Scratch, runs: int, memories: int) -> Iterator[Row]:
    """Cold commands against a bare start of the same Python."""
    bare = [sys.executable, "-c", "pass"]
    event = {"session_id": "bench", "cwd": scratch.root, "tool_name": "Bash"}
    marked = {**event, "tool_input": {"command": 'bd comment b-1 "LEARNED: the cache needs w7"'}}
    plain = {**event, "tool_input": {"command": "pytest -q"}}
    cases: dict[str, tuple[list[str], bytes]] = {
        "bare": (bare, b""),
        "capture": (scratch.command("hook", "PostToolUse"), json.dumps(marked).encode()),
        "ignore": (scratch.command("hook", "PostToolUse"), json.dumps(plain).encode()),
    }
    times = alternate(scratch, cases, runs)
    yield against(times, "capture", "hook PostToolUse that captures, p50", 50, "<= 2.2x")
    yield against(times, "capture", "hook PostToolUse that captures, p99", 99, "<= 3x")
    yield against(times, "ignore", "hook PostToolUse with nothing to capture, p50", 50, "-")
    subprocess.run(  # what was captured is drained, so that each start below does the same work
        scratch.command("upkeep", "drain"),
        cwd=scratch.root,
        env=scratch.environment,
        capture_output=True,
        check=True,
    )
    start = json.dumps({**event, "source": "startup"}).encode()
    prompt = json.dumps({**event, "prompt": "why is the cache slow with w7 and w12?"}).encode()
    # Words alone; `bench search` measures the other ways to ask.
    quiet = {
        **scratch.environment,
        "SATCHEL_HOOKS_CAPTURE": "false",
        "SATCHEL_RECALL_METHOD": "keyword",
        "SATCHEL_EMBED_BACKGROUND": "false",
    }
    cases = {
        "bare": (bare, b""),
        "start": (scratch.command("hook", "SessionStart"), start),
        "prompt": (scratch.command("hook", "UserPromptSubmit"), prompt),
        "recall": (scratch.command("recall", "why is the cache slow with w7"), b""),
    }
    times = alternate(scratch, cases, max(20, runs // 4), quiet)
    size = f"{memories:,} memories"
    yield against(times, "start", f"SessionStart brief, {size}, p50", 50, "<= 5x")
    yield against(times, "prompt", f"UserPromptSubmit, {size}, p50", 50, "-")
    yield against(times, "recall", f"cold keyword recall, {size}, p50", 50, "<= 3x")


def alternate(
    scratch: Scratch,
    cases: dict[str, tuple[list[str], bytes]],
    runs: int,
    environment: dict[str, str] | None = None,
) -> dict[str, list[float]]:
    """Run commands in turns; return how long each took, every time, in ms."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(runs):
        for name, (command, given) in cases.items():
            started = time.perf_counter()
            subprocess.run(
                command,
                input=given,
                cwd=scratch.root,
                env=environment or scratch.environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=True,
            )
            times[name].append((time.perf_counter() - started) * 1000)
    return times


def against(times: dict[str, list[float]], name: str, title: str, p: int, goal: str) -> Row:
    """Compare a percentile of one command with that of the bare start."""
    ours, floor = percentile(times[name], p), percentile(times["bare"], p)
    return Row(title, ours, floor, ours / floor, goal, f"bare Python start ({floor:.1f} ms)")


def percentile(values: list[float], p: int) -> float:
    """Return the value that `p` of 100 do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * p / 100))]


def _appends(directory: str, count: int) -> Iterator[Row]:
    """Durable appends against a bare write and flush of lines of the same length."""
    ledger = Ledger(f"{directory}/appends.jsonl", f"{directory}/appends.lock", clock=Clock())
    record = Record(kind="learned", content="the cache needs w7 before login " * 4, key="k")
    size = len(encode(ledger.append([record])[0]))
    line = b"x" * (size - 1) + b"\n"
    ours: list[float] = []
    floor: list[float] = []
    fd = os.open(f"{directory}/floor.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for number in range(count):
        one = record._replace(key=f"k{number}")
        started = time.perf_counter()
        ledger.append([one])
        between = time.perf_counter()
        os.write(fd, line)
        os.fsync(fd)
        ours.append(between - started)
        floor.append(time.perf_counter() - between)
    per_second = count / sum(ours)
    bare = count / sum(floor)
    name = f"bare write+fsync loop ({bare:.0f}/s)"
    yield Row("ledger appends, durable", per_second, bare, bare / per_second, "<= 1.3x", name, "/s")
    # What stands between the two figures: every line is redacted, hashed and ordered under a lock.
    for part, action in (
        ("redaction", lambda: redacted(record)),
        ("encoding and hash", lambda: sealed(record)),
        ("write and flush", lambda: (os.write(fd, line), os.fsync(fd))),  # type: ignore[func-returns-value]
    ):
        started = time.perf_counter()
        for _ in range(count):
            action()
        each = (time.perf_counter() - started) / count * 1_000_000
        yield Row(f"  of each append: {part}", each, 0, 0, "-", "", "us")
    os.close(fd)


def _warm(directory: str, memories: int, runs: int) -> Iterator[Row]:
    """Warm recall against the raw FTS5 query beneath it."""
    scratch = Scratch(directory, memories)
    rnd = random.Random(7)
    with Workspace.open(scratch.root, home=scratch.home) as workspace:
        database = workspace.memories.own.index.database
        sql = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 40"
        ours: list[float] = []
        raw: list[float] = []
        for _ in range(runs):
            question = f"{rnd.choice(_SUBJECTS)} {rnd.choice(_VERBS)} w{rnd.randrange(300)}"
            expression = match_expression(question)
            started = time.perf_counter()
            database.read(sql, (expression,))
            between = time.perf_counter()
            workspace.recall(question, method="keyword")
            raw.append((between - started) * 1000)
            ours.append((time.perf_counter() - between) * 1000)
        for p in (50, 95):
            mine, floor = percentile(ours, p), percentile(raw, p)
            title = f"warm keyword recall, {memories:,} memories, p{p}"
            yield Row(title, mine, floor, mine / floor, "<= 2x", f"raw FTS5 query ({floor:.2f} ms)")


def _rebuild(directory: str, memories: int) -> Iterator[Row]:
    """Rebuild in a process of its own: speed, and peak memory against half the store."""
    peaks = []
    for count in (memories // 2, memories):
        root = os.path.join(directory, f"project-{count}")
        if not os.path.isdir(root):
            Scratch(directory, count)
        home = os.path.join(directory, "home")
        code = (
            "import sys, time, resource\n"
            "from satchel.workspace import Workspace\n"
            "w = Workspace.open(sys.argv[1], home=sys.argv[2])\n"
            "t = time.perf_counter(); n = w.rebuild(); t = time.perf_counter() - t\n"
            "print(n, t, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, root, home], capture_output=True, text=True, check=True
        )
        lines, took, peak = done.stdout.split()
        peaks.append((int(lines), float(took), int(peak) / 1024))
    (_, _, half), (number, seconds, whole) = peaks
    yield Row(f"rebuild of {number:,} lines", number / seconds, 0, 0, "-", "", "/s")
    floor = f"peak at half the store ({half:.0f} MB)"
    yield Row(
        f"peak memory of that rebuild ({_own_peak():.0f} MB here)",
        whole,
        half,
        whole / half,
        "flat",
        floor,
        "MB",
    )


def _own_peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
