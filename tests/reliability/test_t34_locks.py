"""T34: a file system that refuses locks: nothing is said to be done that is not, reading goes on."""

import os

import pytest

from reliability.stand import Stand, command, judged_output, payload
from reliability_kit.shim import Completed, run_with_shim

pytestmark = pytest.mark.torture
ERRORS = ("ENOLCK", "ENOSYS", "EOPNOTSUPP", "EIO")


class Locks:
    """A project whose locks fail with one error from the first on."""

    def __init__(self, root: str, error: str) -> None:
        self.stand, self.error = Stand(root), error
        assert self.stand.satchel("learn", "The harbour opens at dawn.").code == 0
        assert self.stand.satchel("recall", "harbour").code == 0

    def run(self, *words: str, stdin: bytes = b"") -> Completed:
        return run_with_shim(
            [command(), *words],
            prefix=self.stand.home,
            env=self.stand.env,
            fault=f"lock:1:{self.error}:sticky",
            cwd=self.stand.repo,
            stdin=stdin,
        )


@pytest.fixture(params=ERRORS)
def locks(request: pytest.FixtureRequest, tmp_path: os.PathLike[str]) -> Locks:
    return Locks(os.path.join(tmp_path, "p"), request.param)


def test_learn_says_that_nothing_was_saved(locks: Locks) -> None:
    done = locks.run("learn", "The meadow floods in spring.")
    assert done.fired
    assert done.returncode == 5, done.stderr
    assert b"could not be locked" in done.stderr
    assert b"itself succeeded" not in done.stderr
    assert b"Another process" not in done.stderr
    assert b"meadow" not in locks.stand.satchel("memory", "list").out


def test_what_is_known_is_read(locks: Locks) -> None:
    for words in (("recall", "harbour"), ("memory", "list"), ("brief",)):
        done = locks.run(*words)
        assert done.returncode == 0, (words, done.stderr)
        assert b"harbour opens" in done.stdout, (words, done.stderr)
        # SQLite alone waits five seconds for whoever seems to hold a lock.
        assert done.seconds < 5, words


def test_doctor_finds_it(locks: Locks) -> None:
    done = locks.run("doctor")
    assert done.returncode == 7, done.stderr
    assert b"cannot be locked" in done.stdout
    assert b"Another process" not in done.stdout + done.stderr
    assert locks.stand.satchel("doctor").code == 0


def test_a_hook_keeps_what_it_heard(locks: Locks) -> None:
    done = locks.run("hook", "PostToolUse", stdin=payload("PostToolUse", 7))
    assert done.returncode == 0
    assert judged_output(done.stdout) == ""
    assert b"note7n" in locks.stand.satchel("recall", "note7n").out


def test_a_full_output_is_still_told_apart(tmp_path: os.PathLike[str]) -> None:
    stand = Stand(os.path.join(tmp_path, "p"))
    line = f"exec {command()} learn 'The harbour opens at dawn.' > /dev/full"
    done = stand.satchel("-c", line, before=("/bin/sh", "-c", line))
    assert done.code == 5, done.text
    assert b"only its output was lost" in done.err
    assert b"harbour" in stand.satchel("recall", "harbour").out


def test_a_lock_that_passes_for_an_answer_is_caught(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seeded bug: an error without a file's name is taken for a failed answer."""
    from reliability.stand import in_this_process
    from satchel.interfaces.cli import endings

    stand = Stand(os.path.join(tmp_path, "p"))
    monkeypatch.chdir(stand.repo)
    monkeypatch.setenv("SATCHEL_HOME", stand.home)

    def refuse(self: object) -> bool:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("satchel.storage.locks.FileLock.acquire", refuse)
    code, out = in_this_process(["learn", "The meadow floods."])
    assert code == 5
    assert "itself succeeded" not in out
    monkeypatch.setattr(endings, "_output_is_lost", lambda: True)
    monkeypatch.setattr(os, "dup2", lambda *_: 1)
    assert "itself succeeded" in in_this_process(["learn", "The meadow floods."])[1]
