"""A sync whose repositories are damaged: its own is made again, and the remote's is told apart."""

from __future__ import annotations

import resource
import shutil
from pathlib import Path

import pytest

from integration.installed import needs_command
from integration.test_sync_cli import Two, home_of

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def two(tmp_path: Path) -> Two:
    made = Two(tmp_path)
    made.one.ok("learn", "The first machine learnt this.", at=made.here)
    made.two.ok("learn", "The second machine learnt that.", at=made.there)
    made.meet()
    made.one.ok("learn", "The first machine learnt more.", at=made.here)
    made.two.ok("learn", "The second machine learnt more.", at=made.there)
    return made


def cut(repository: Path) -> None:
    """Cut every object in half, as a machine that loses its power does."""
    objects = [path for path in (repository / "objects").rglob("*") if path.is_file()]
    assert objects
    for path in objects:
        path.chmod(0o644)
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize("what", ["objects", "references"])
def test_a_damaged_repository_of_its_own_is_made_again(two: Two, what: str) -> None:
    own = home_of(two.one) / "sync" / "repository"
    if what == "objects":
        cut(own)
    else:
        for path in (own / "refs" / "satchel").iterdir():
            path.write_text("garbage\n")
    done = two.one.run("sync", "now")
    assert done.code == 0, done
    assert "was damaged" in done.err
    two.meet()
    first, second = two.both()
    assert first == second
    assert len(first) == 4
    assert two.one.run("sync", "now").err == ""


def test_a_damaged_remote_is_not_called_busy_or_away(two: Two) -> None:
    cut(two.remote)
    done = two.one.run("sync", "now")
    assert done.code == 5
    assert "did not take what was sent" in done.err
    assert not (home_of(two.one) / "sync" / "repository.damaged").exists()
    assert len(two.both()[0]) == 3


def test_a_remote_that_refuses_says_so(two: Two) -> None:
    hook = two.remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    done = two.one.run("sync", "now")
    assert done.code == 5
    assert "hook declined" in done.err
    hook.unlink()
    two.meet()
    assert len(two.both()[0]) == 4


@pytest.mark.parametrize("lost", ["", "HEAD", "config"])
def test_a_repository_that_is_gone_still_has_its_address(two: Two, lost: str) -> None:
    own = home_of(two.one) / "sync" / "repository"
    if lost:
        (own / lost).unlink()
    else:
        shutil.rmtree(own)
    assert two.one.json("sync", "status")["remote"] == str(two.remote)
    two.meet()
    first, second = two.both()
    assert first == second
    assert len(first) == 4


def test_a_git_that_was_stopped_is_not_a_remote_that_is_away(two: Two) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    done = two.one.run("sync", "now", before=limited)
    assert done.code == 5
    assert "could not be reached" not in done.err
    assert ": \n" not in done.err
    two.meet()
    first, second = two.both()
    assert first == second
    assert len(first) == 4
