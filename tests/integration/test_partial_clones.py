"""A clone without the content of older commits, whose remote is out of reach."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.thread_made import Repository

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

RATES = "".join(f"rate_of_zone_{number} = {number}\n" for number in range(5))


@pytest.fixture
def clone(machine: Machine) -> Repository:
    """A clone that has pulled more than it can read, with the lesson of a reverted commit.

    Two more were learned on a branch of its own, which touches the same file.
    """
    origin = Repository(machine.directory / "origin")
    origin.root.mkdir()
    origin.git("init", "--quiet", "--initial-branch=main")
    origin.git("config", "uploadpack.allowFilter", "true")
    origin.by_hand("rates.py", RATES)
    _commit(origin, "Begin")
    made = Repository(machine.directory / "shop")
    address = f"file://{origin.root}"
    origin.git("clone", "-q", "--filter=blob:none", address, str(made.root))
    machine.ok("init", "--no-hooks", "--yes", at=made.root)
    _learn(machine, made, "tax_of() rounds half up", "Round")
    made.git("push", "-q", "origin", "HEAD:refs/heads/round")
    made.git("revert", "--no-edit", "HEAD")
    made.git("push", "-q", "origin", "HEAD:refs/heads/round")
    made.git("checkout", "-q", "-b", "zones")
    made.by_hand("rates.py", RATES + "zone_of_a = 1\nzone_of_b = 2\nzone_of_c = 3\n")
    _learn(machine, made, "zone_of() knows three zones", "Add zones")
    made.git("checkout", "-q", "main")
    origin.git("merge", "-q", "round")
    for number in range(3):
        origin.by_hand("rates.py", f"{RATES}other_rate_of_all = {number}\n")
        _commit(origin, f"Change it {number}")
    made.git("pull", "-q", "--ff-only")
    origin.root.rename(machine.directory / "out of reach")
    return made


def _commit(repository: Repository, message: str) -> None:
    repository.now = max(time.time(), repository.now + 60)
    repository.git("add", "--all")
    repository.git("commit", "-q", "-m", message)


def _learn(machine: Machine, repository: Repository, lesson: str, message: str) -> None:
    machine.ok("learn", "--agent", "coder", lesson, at=repository.root)
    (repository.root / Path(message).with_suffix(".py")).write_text(f"# {lesson}\n")
    _commit(repository, message)


def test_what_git_would_have_to_fetch_is_told_with_what_to_do(
    machine: Machine, clone: Repository
) -> None:
    for words, code in ((("why", "rates.py:1"), 2), (("why", "HEAD~1"), 5), (("thread", "@~1"), 5)):
        told = machine.fails(code, *words, at=clone.root)
        assert "This clone is partial" in told
        assert "git blame" in told


def test_lessons_that_need_no_content_still_follow_git(machine: Machine, clone: Repository) -> None:
    machine.ok("upkeep", "branches", at=clone.root)
    assert "reverted by" in machine.ok("recall", "how is tax rounded", at=clone.root)
    # Whether a later commit is a squash of its branch cannot be seen.
    zones = machine.ok("recall", "which zones are known", at=clone.root)
    assert "zone_of() knows three zones" in zones
    assert "not merged" not in zones
