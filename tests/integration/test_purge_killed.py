"""A purge killed before it has packed the indexes: the next one leaves no word in them either."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
_SAID = "The zebraquux77 pump: the copper heron waits beside yellow gate valves."
_WORD = b"zebraquux77"
_KILLED = """
import importlib, os, sys
from satchel.application.upkeep.maintenance import Upkeep
from satchel.workspace import Workspace

name, _, function = sys.argv[3].rpartition(".")
place = importlib.import_module("satchel." + name)
holder, _, function = function.rpartition(":")
setattr(getattr(place, holder) if holder else place, function,
        lambda *given, **more: os.kill(os.getpid(), 9))
with Workspace.open(sys.argv[1], home=sys.argv[2]) as work:
    Upkeep(work).run("purge")
"""


def holding(root: Path) -> list[str]:
    return [str(one) for one in root.rglob("*") if one.is_file() and _WORD in one.read_bytes()]


def killed(machine: Machine, at: str) -> Path:
    """Return a project in which a purge was killed at a place, and after which somebody read."""
    machine.environment["SATCHEL_MEMORY_PURGE_AFTER_DAYS"] = "0"
    app = machine.repository()
    for number in range(8):
        machine.ok("learn", f"{_SAID} It is pump {number} of many.", at=app)
    for one in machine.json("list", at=app):
        machine.ok("hide", one["id"], at=app)
    machine.ok("learn", "The harbor light stays on.", at=app)
    words = [sys.executable, "-c", _KILLED, str(app), str(machine.home / ".satchel"), at]
    done = subprocess.run(words, env={**os.environ, **machine.environment}, check=False)
    assert done.returncode == -9
    assert "harbor" in machine.ok("recall", "harbor light", at=app)
    return app


@pytest.mark.parametrize(
    "at",
    [
        "storage.ledger.purging.append_durably",
        "storage.ledger.purging.rewrite",
        "application.upkeep.ledger_upkeep._scrub_index",
        "engine.search.index.Index:compact",
    ],
)
def test_the_next_purge_packs_what_a_killed_one_left(tmp_path: Path, at: str) -> None:
    machine = Machine(tmp_path)
    app = killed(machine, at)
    machine.ok("upkeep", "purge", at=app)
    assert holding(machine.home / ".satchel") == []
    assert machine.contents(app) == ["The harbor light stays on."]


def test_a_purge_that_does_not_know_of_the_killed_one_is_noticed(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = killed(machine, "application.upkeep.ledger_upkeep._scrub_index")
    assert holding(machine.home / ".satchel"), "nothing was left: the test shows nothing"
    seed = "Upkeep._begins_purge = lambda self: False"
    plant(machine, "satchel.application.upkeep.maintenance", seed)
    machine.ok("upkeep", "purge", at=app)
    with pytest.raises(AssertionError):
        assert holding(machine.home / ".satchel") == []
