"""T28: a long day's work leaves no process fatter, no descriptor open, no zombie; rest is rest."""

import os
import time
from pathlib import Path

import pytest

from reliability.soaking import WORKERS, Limits, a_used_project, dead_children, soak
from reliability.stand import Stand, say, scale
from satchel.project.background import start

pytestmark = pytest.mark.torture


def test_a_day_of_work_leaves_those_that_stay_as_they_were(tmp_path: Path) -> None:
    stand = a_used_project(str(tmp_path), scale(600, 10_000))
    found = soak(stand, seconds=scale(20, 1_800), idle=scale(5, 60), workers=scale(4, WORKERS))
    assert found.complaints(Limits()) == {}
    assert found.acts > scale(80, 10_000)
    say("T28", found.acts, found.told())


def test_a_server_that_leaks_would_be_noticed(tmp_path: Path) -> None:
    found = soak(Stand(str(tmp_path)), seconds=20, idle=3, form="leaking", workers=2)
    assert set(found.complaints(Limits())) >= {"resident", "descriptors", "zombies", "idle"}


def test_what_a_server_leaves_to_another_process_becomes_no_zombie(tmp_path: Path) -> None:
    stand = Stand(str(tmp_path))
    start("drain", stand.repo, stand.home, str(tmp_path / "drain.lock"))
    deadline = time.monotonic() + 60
    while b"upkeep" in _children():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.1)
    assert dead_children([os.getpid()]) == set()


def _children() -> bytes:
    """Return the command lines of this process's children that run."""
    found = b""
    for task in os.listdir("/proc/self/task"):
        for number in _read(f"/proc/self/task/{task}/children").decode("ascii").split():
            found += _read(f"/proc/{number}/cmdline")
    return found


def _read(path: str) -> bytes:
    """Return nothing of a thread or a process that has ended since it was listed."""
    try:
        return Path(path).read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
