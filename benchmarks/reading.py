"""The benchmark of reading: every tier within its latency, a session's start with everything on.

The floors: the latencies that The Foundation promises for its tiers, a bare Python start, and for
the import of transcripts a plain `json.loads` of the same lines.
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
from collections.abc import Callable, Iterator

from benchmarks.hot_path import Row, Scratch, against, alternate, percentile
from satchel.application.recall.results import ARCHIVE, CODE, HOT, STRUCTURED, WARM
from satchel.application.recall.routing import DOCUMENTS, GRAPH, IDENTITY
from satchel.application.recall.tiers.project_tiers import ProjectTiers
from satchel.core import times
from satchel.storage import git
from satchel.workspace import Workspace

#: Tier and source -> the latency that The Foundation promises, ms; and a question.
_TIERS = (
    (HOT, IDENTITY, 1.0, "who am I"),
    (WARM, GRAPH, 100.0, "why did we choose login"),
    (WARM, DOCUMENTS, 100.0, "why does the parser fail"),
    (STRUCTURED, "", 50.0, "task status"),
    (ARCHIVE, "", 500.0, "what did we do about the cache yesterday"),
    (CODE, "", 200.0, "where is retry_7 implemented"),
)
_NOTES = 200
_MEGABYTE = 1_000_000
_SESSION_MEMORIES = 10_000
_TASKS, _READY_MS = 10_000, 30.0


def measure(*, quick: bool) -> Iterator[Row]:
    """Measure everything, one row after the other."""
    memories = _SESSION_MEMORIES // 10 if quick else _SESSION_MEMORIES
    files = 500 if quick else 5_000
    size = 4 if quick else 40
    with tempfile.TemporaryDirectory(prefix="satchel-bench-") as directory:
        scratch = Scratch(directory, memories)
        _furnish(scratch, files)
        transcripts = os.path.join(directory, "transcripts")
        written = _write_transcripts(transcripts, scratch.root, size * _MEGABYTE)
        yield from _import(scratch, transcripts, written)
        yield from _tiers(scratch, 20 if quick else 50)
        yield from _starts(scratch, 25 if quick else 100, memories, files)
        yield from _ready(scratch, 1_000 if quick else _TASKS)


def _furnish(scratch: Scratch, files: int) -> None:
    """Give the project everything that a session's start looks at."""
    rnd = random.Random(20261123)
    root = scratch.root

    def write(path: str, text: str) -> None:
        whole = os.path.join(root, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w", encoding="utf-8") as file:
            file.write(text)

    for number in range(files):
        module = f"src/part_{number % 50}/module_{number}.py"
        uses = rnd.randrange(files)
        write(
            module,
            f'"""The {rnd.choice(_WORDS)} of part {number % 50}."""\n\n'
            f"from part_{uses % 50}.module_{uses} import retry_{uses}\n\n\n"
            f"def retry_{number}(times):\n    return retry_{uses}(times)\n\n\n"
            f"class Store{number}:\n    def open(self, path):\n        return path\n",
        )
    for number in range(_NOTES):
        word = rnd.choice(_WORDS)
        write(
            f"docs/solutions/build-errors/note-{number}.md",
            f"---\ntitle: The {word} and {rnd.choice(_WORDS)} {number}\ncategory: build-errors\n"
            f"key_insight: Check the {word} first\nconfidence: HIGH\ntags: [{word}]\n"
            f"created: 2026-01-01\n---\n\n## Problem\n\nThe {word} fails.\n",
        )
    sections = "\n\n".join(
        f"## {word.title()} {{#anchor:{word}}}\n\nThe {word} must hold." for word in _WORDS
    )
    write("PROJECT_INTENT.md", f"---\nversion: 1\nupdated_at: 2026-01-01\n---\n\n{sections}\n")
    write("AGENTS.md", "# Rules\n\n- Run `make lint`.\n\n@docs/style.md\n")
    write("docs/style.md", "- Two spaces.\n")
    write(".satchel/prompts/session-start.md", "You work on {{project_name}}.\n")
    write(".satchel/MEMORY.md", "- Deploys go through staging.\n- Never on Fridays.\n")
    write(".satchel/agents/seldon/SOUL.md", "# Agent\n\n## Role\n\nKeeps the plan.\n")
    lines = [
        json.dumps(
            {
                "id": f"bd-{n}",
                "title": f"Mend the {rnd.choice(_WORDS)}",
                "status": rnd.choice(("open", "closed")),
            }
        )
        for n in range(500)
    ]
    write(".satchel/tasks.jsonl", "\n".join(lines) + "\n")
    who = ("-c", "user.name=b", "-c", "user.email=b@example.org")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
        git.answer(root, *who, *words)


_WORDS = ("cache", "login", "parser", "queue", "migration", "retry", "session", "token", "index")


def _write_transcripts(directory: str, cwd: str, size: int) -> int:
    """Write transcripts as Claude Code does, of yesterday and the days before; return bytes."""
    rnd = random.Random(20261124)
    os.makedirs(directory)
    written, day = 0, int(time.time()) - 86_400
    number = 0
    while written < size:
        name = f"{number:08x}-0000-4000-8000-000000000000"
        with open(os.path.join(directory, name + ".jsonl"), "w", encoding="utf-8") as file:
            for turn in range(120):
                line = _turn(rnd, name, turn, cwd, day - number % 60 * 86_400 + turn * 20)
                written += file.write(json.dumps(line) + "\n")
        number += 1
    return written


def _turn(rnd: random.Random, session: str, turn: int, cwd: str, at: int) -> dict[str, object]:
    said = " ".join(rnd.choice(_WORDS) for _ in range(80))
    stamp = times.iso(int(at), "milliseconds")
    shared = {
        "cwd": cwd,
        "sessionId": session,
        "uuid": f"{session[:8]}-{turn}",
        "timestamp": stamp,
        "parentUuid": None,
        "isSidechain": False,
        "version": "2.1.330",
    }
    if turn % 2 == 0:
        message: dict[str, object] = {"role": "user", "content": f"look at the {said}"}
        return {**shared, "type": "user", "message": message}
    if turn % 4 == 1:
        result = {"type": "tool_result", "tool_use_id": f"t{turn}", "content": said * 6}
        message = {"role": "user", "content": [result]}
        return {**shared, "type": "user", "message": message}
    message = {"id": f"m{turn}", "role": "assistant", "content": [{"type": "text", "text": said}]}
    return {**shared, "type": "assistant", "message": message}


def _import(scratch: Scratch, transcripts: str, size: int) -> Iterator[Row]:
    """Import half of the transcripts and then all, in processes of their own."""
    names = sorted(os.listdir(transcripts))
    code = (
        "import sys, time, resource\n"
        "from satchel.workspace import Workspace\n"
        "with Workspace.open(sys.argv[1], home=sys.argv[2]) as w:\n"
        "    sessions = w.sessions; t = time.perf_counter()\n"
        "    done = sessions.import_transcripts(paths=sys.argv[3:])\n"
        "    print(time.perf_counter() - t,"
        " resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, done.turns)\n"
        "    sessions.close()\n"
    )
    paths = [os.path.join(transcripts, name) for name in names]
    begun = time.perf_counter()
    for path in paths[: len(paths) // 4 or 1]:
        with open(path, "rb") as file:
            for line in file:
                json.loads(line)
    parsed = sum(os.path.getsize(p) for p in paths[: len(paths) // 4 or 1])
    floor = parsed / _MEGABYTE / (time.perf_counter() - begun)
    figures = []
    for share in (paths[: len(paths) // 8 or 1], paths):
        done = subprocess.run(
            [sys.executable, "-c", code, scratch.root, scratch.home, *share],
            capture_output=True,
            text=True,
            check=True,
        )
        took, peak, brought = done.stdout.split()
        read = sum(os.path.getsize(path) for path in share)
        figures.append((read / _MEGABYTE / float(took), int(peak) / 1024, int(brought)))
    (_, small, _), (speed, whole, turns) = figures
    name = f"import of {size / _MEGABYTE:.0f} MB of transcripts ({turns:,} turns)"
    yield Row(
        name,
        speed,
        floor,
        floor / speed,
        "-",
        f"json.loads of each line ({floor:.0f} MB/s)",
        "MB/s",
    )
    yield Row(
        "peak memory of that import",
        whole,
        small,
        whole / small,
        "flat",
        f"peak at an eighth of it ({small:.0f} MB)",
        "MB",
    )


def _tiers(scratch: Scratch, runs: int) -> Iterator[Row]:
    """Ask each tier, warm, against its promised latency."""
    with Workspace.open(scratch.root, home=scratch.home) as workspace:
        workspace.refresh()
        with workspace.graph as graph:
            graph.rebuild()
        code = workspace.code  # a large repository is never mapped within a question
        code.rebuild()
        code.close()
        for tier, source, promised, question in _TIERS:
            tiers = ProjectTiers(workspace, question, by_meaning=source == DOCUMENTS)
            given = len(tiers.ask(tier, source, 10))
            times = _timed(lambda t=tiers, a=tier, b=source: t.ask(a, b, 10), runs)  # type: ignore[misc]
            name = f"{tier}{'/' + source if source else ''}, {given} found"
            for p in (50, 95):
                ours = percentile(times, p)
                yield Row(
                    f"{name}, p{p}",
                    ours,
                    promised,
                    ours / promised,
                    "<= 1x",
                    f"The Foundation's latency ({promised:.0f} ms)",
                )


def _ready(scratch: Scratch, count: int) -> Iterator[Row]:
    """Ask what is ready among many tasks that wait for each other, warm."""
    rnd = random.Random(20261124)
    kinds, states = ("blocks", "parent-child", "related"), ("open", "open", "closed", "in_progress")
    with open(os.path.join(scratch.root, ".satchel", "tasks.jsonl"), "w", encoding="utf-8") as file:
        for n in range(count):
            links = [
                {"depends_on_id": f"bd-{rnd.randrange(n)}", "type": rnd.choice(kinds)}
                for _ in range(rnd.randrange(3) if n else 0)
            ]
            row = {
                "id": f"bd-{n}",
                "title": f"Mend the {rnd.choice(_WORDS)}",
                "description": "why " * 100,
                "status": rnd.choice(states),
                "priority": rnd.randrange(5),
                "dependencies": links,
            }
            file.write(json.dumps(row) + "\n")
    time.sleep(0.2)  # so long the index takes a file for one that may still change
    with Workspace.open(scratch.root, home=scratch.home) as workspace, workspace.tasks as tasks:
        begun = time.perf_counter()
        tasks.view.ready(limit=100)
        first = (time.perf_counter() - begun) * 1000
        yield Row(f"ready, {count:,} tasks, after a change", first, 0, 0, "-", "")
        for most in (100, 0):
            times = _timed(lambda m=most: tasks.view.ready(limit=m), 50)  # type: ignore[misc]
            for p in (50, 95):
                ours = percentile(times, p)
                name = f"ready, {count:,} tasks, {'first 100' if most else 'all'}, p{p}"
                yield Row(name, ours, _READY_MS, ours / _READY_MS, "<= 1x", "30 ms")


def _timed(ask: Callable[[], object], runs: int) -> list[float]:
    ask()
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        ask()
        times.append((time.perf_counter() - begun) * 1000)
    return times


def _starts(scratch: Scratch, runs: int, memories: int, files: int) -> Iterator[Row]:
    """Start a session with everything on, cold, against a bare Python start."""
    event = {"session_id": "bench", "cwd": scratch.root, "source": "startup"}
    environment = {**scratch.environment, "SATCHEL_EMBED_BACKGROUND": "0"}
    cases = {
        "bare": ([sys.executable, "-c", "pass"], b""),
        "start": (scratch.command("hook", "SessionStart"), json.dumps(event).encode()),
        "prime": (scratch.command("prime"), b""),
        "pack": (scratch.command("pack", "mend the retry of the parser", "--json"), b""),
    }
    for once in (cases["start"], (scratch.command("upkeep", "drain"), b"")):
        # Ten thousand memories written at once are rotated once; no later start does that work.
        subprocess.run(
            once[0],
            input=once[1],
            cwd=scratch.root,
            env=environment,
            capture_output=True,
            check=True,
        )
    label = f"{memories:,} memories, {files:,} files"
    first = {name: cases[name] for name in ("bare", "start")}
    times = alternate(scratch, first, runs, environment)
    yield against(times, "start", f"SessionStart with everything on, {label}, p50", 50, "<= 6x")
    yield against(times, "start", f"SessionStart with everything on, {label}, p99", 99, "<= 10x")
    rest = {name: cases[name] for name in ("bare", "prime", "pack")}
    times = alternate(scratch, rest, max(5, runs // 10), environment)
    yield against(times, "prime", f"prime, {label}, p50", 50, "-")
    yield against(times, "pack", f"pack, {label}, p50", 50, "-")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Row("peak memory of this benchmark", peak, 0, 0, "-", "", "MB")
