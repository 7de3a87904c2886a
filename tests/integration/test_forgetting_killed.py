"""`forget` killed before any file that it rewrites: the same command, or upkeep, ends it whole."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
SAID = "The zebraquux77 pump: the copper heron waits beside yellow gate valves."
_KILLED = """
import os, sys
from satchel.application.forgetting.places import SearchedFiles
from satchel.application.forgetting.service import Forgetting, Selection
from satchel.workspace import Workspace

left = int(sys.argv[3])
scrub = SearchedFiles.scrub

def counted(*given):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), 9)
    scrub(*given)

SearchedFiles.scrub = counted
with Workspace.open(sys.argv[1], home=sys.argv[2]) as work:
    forgetting = Forgetting(work)
    forgetting.apply(forgetting.plan(Selection((sys.argv[4],))))
"""


def quoted(machine: Machine) -> tuple[Path, str]:
    """A memory that is private and shared, and quoted in ledgers before and after its own."""
    app = machine.repository()
    machine.ok("learn", SAID, at=app)
    (ident,) = [one["id"] for one in machine.json("list", at=app)]
    machine.ok("share", "--yes", at=app)
    machine.ok("graph", "ingest", SAID, at=app)
    machine.ok("route", SAID, at=app)
    machine.hook("UserPromptSubmit", app, prompt=SAID)
    machine.ok("learn", "The harbor light stays on.", at=app)
    return app, ident


def holding(*roots: Path) -> list[str]:
    return [
        str(path)
        for root in roots
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.parts and b"zebraquux77" in path.read_bytes()
    ]


@pytest.mark.parametrize("ends", ["again", "upkeep", "alone"])
def test_a_killed_run_leaves_nothing_that_the_next_does_not_find(tmp_path: Path, ends: str) -> None:
    kills = 0
    while True:
        folder = tmp_path / f"{kills}"
        folder.mkdir()
        machine = Machine(folder)
        app, ident = quoted(machine)
        home = machine.home / ".satchel"
        words = [sys.executable, "-c", _KILLED, str(app), str(home), str(kills), ident]
        done = subprocess.run(words, env={**os.environ, **machine.environment}, check=False)
        if done.returncode == 0:
            break
        assert done.returncode == -9
        kills += 1
        if ends == "again":
            machine.ok("forget", ident, "--yes", at=app)
        elif ends == "upkeep":
            machine.ok("upkeep", "purge", at=app)
        else:
            assert "killed run" in machine.ok("forget", "--yes", at=app)
        assert holding(home, app) == [], kills
        assert machine.contents(app) == ["The harbor light stays on."]
        assert ident in str(machine.json("forget", "--receipts", at=app))
    assert kills > 5


def test_without_any_other_program_it_forgets_all_the_same(tmp_path: Path) -> None:
    """An index is read by another process, which is none that only some machines have."""
    machine = Machine(tmp_path)
    app, ident = quoted(machine)
    machine.environment["PATH"] = str(tmp_path / "nothing")
    told = machine.ok("forget", ident, "--yes", at=app)
    assert "Forgot" in told
    assert holding(machine.home / ".satchel", app / ".satchel") == []
