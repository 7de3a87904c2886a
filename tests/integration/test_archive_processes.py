"""Imports that are killed, that run at once, and that are large."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine, needs_command
from satchel.features.sessions.archive import files_in, read_session
from unit import transcripts_made as made
from unit.transcripts_made import jsonl

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def make_transcripts(directory: Path, *, files: int, turns: int, output: int) -> int:
    """Write transcripts whose bulk is output of tools; return their bytes."""
    directory.mkdir()
    total = 0
    for file in range(files):
        session = f"{file:08x}-0000-4000-8000-000000000000"
        raw = []
        for turn in range(turns):
            second = file * turns + turn
            raw += [
                {**made.claude_user(f"question {turn} of {file}", second), "sessionId": session},
                made.claude_block(f"m{second}", made.text(f"answer {turn} of {file}"), second),
                made.claude_block(f"m{second}", made.tool("Bash", command=f"run {turn}"), second),
                made.claude_user(made.result("output " * (output // 7)), second),
            ]
        data = jsonl(raw)
        total += len(data)
        (directory / f"{session}.jsonl").write_bytes(data)
    return total


def archived(machine: Machine) -> dict[str, dict[str, str]]:
    found = {}
    for state in (machine.home / ".satchel" / "projects").iterdir():
        for path in files_in(str(state / "archive")):
            session = read_session(Path(path).read_bytes())
            assert not isinstance(session, str), path
            found[session.head.session] = {turn.id: turn.text for turn in session.turns}
    return found


def test_an_import_that_is_killed_over_and_over_ends_as_if_it_never_was(
    machine: Machine,
) -> None:
    app, source = machine.repository(), machine.directory / "client"
    make_transcripts(source, files=24, turns=30, output=2000)
    for wait in (0.08, 0.12, 0.16, 0.2, 0.14, 0.1):
        import_ = subprocess.Popen(
            [COMMAND, "session", "import", str(source)], cwd=app, env=machine.environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        time.sleep(wait)
        os.killpg(import_.pid, signal.SIGKILL)
        import_.wait(20)
    machine.ok("session", "import", str(source), at=app)
    found = archived(machine)
    assert len(found) == 24
    assert {len(turns) for turns in found.values()} == {60}
    hits = machine.json("session", "search", "-n", "50", "answer 29 of 23", at=app)
    assert any(hit["text"].startswith("answer 29 of 23") for hit in hits)


def test_two_imports_at_once_give_what_one_gives(machine: Machine) -> None:
    app, source = machine.repository(), machine.directory / "client"
    make_transcripts(source, files=10, turns=20, output=500)
    imports = [
        subprocess.Popen([COMMAND, "session", "import", "--json", str(source)], cwd=app,
                         env=machine.environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]  # fmt: skip
    told = [import_.communicate(timeout=60)[0] for import_ in imports]
    assert {import_.returncode for import_ in imports} <= {0, 6}, "done, or the other was at it"
    turns = [json.loads(text)["turns"] for text in told if text]
    assert sum(turns) == 400
    assert sum(len(session) for session in archived(machine).values()) == 400


#: Runs a command in a small process, so that its peak is not that of the test run's own fork.
_PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_memory_stays_flat_however_much_is_imported(machine: Machine) -> None:
    def peak(name: str, files: int) -> tuple[int, int]:
        app, source = machine.repository(name), machine.directory / f"client {name}"
        size = make_transcripts(source, files=files, turns=10, output=50_000)
        words = [COMMAND, "session", "import", str(source)]
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-S", "-c", _PEAK, *words], cwd=app, env=machine.environment,
            capture_output=True, timeout=120, check=True,
        )  # fmt: skip
        seconds, kilobytes = time.monotonic() - began, int(done.stdout)
        print(f"{size / 1e6:.0f} MB in {seconds:.2f} s, at most {kilobytes / 1024:.0f} MB")
        return kilobytes, size

    small, little = peak("small", 4)
    large, much = peak("large", 40)
    assert much > 9 * little
    assert large < small * 1.25
