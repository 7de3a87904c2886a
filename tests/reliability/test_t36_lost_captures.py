"""T36: what a hook could not keep leaves a mark that the next session and `doctor` see."""

import os

import pytest

from reliability.stand import Stand, command, judged_output, payload
from reliability.test_t06_full_disk import fill, small_disk
from reliability_kit.shim import run_with_shim
from satchel.interfaces.hooks import entry
from satchel.storage.inbox.lost import lost

pytestmark = pytest.mark.torture
__all__ = ["small_disk"]


def started(stand: Stand) -> bytes:
    ran = stand.satchel("hook", "SessionStart", stdin=payload("SessionStart"))
    assert ran.code == 0
    assert judged_output(ran.out) == ""
    return ran.out


def test_a_capture_that_a_full_disk_takes_is_counted(
    tmp_path: os.PathLike[str], small_disk: str
) -> None:
    if not small_disk:
        pytest.skip("nothing can be mounted here")
    stand = Stand(os.path.join(tmp_path, "p"), home=os.path.join(small_disk, "home"))
    started(stand)
    assert stand.satchel("upkeep", "drain").code == 0
    assert stand.satchel("doctor").code == 0
    fill(small_disk, 0)
    for n in range(3):
        assert stand.satchel("hook", "PostToolUse", stdin=payload("PostToolUse", n)).code == 0
    known = lost(stand.state.lost)
    assert known is not None
    assert known.events == 3
    assert "No space left" in known.reason
    os.unlink(os.path.join(small_disk, "ballast"))
    said = started(stand)
    assert b"3 events were not kept" in said
    assert b"No space left" in said
    assert b"not kept" not in started(stand)
    told = stand.satchel("doctor")
    assert told.code == 7
    assert b"3 events were not kept" in told.out
    os.unlink(stand.state.lost)
    started(stand)
    assert b"not kept" not in stand.satchel("doctor").out


@pytest.mark.parametrize("error", ["ENOSPC", "EDQUOT", "EROFS"])
def test_a_capture_without_a_file_to_write_to_is_counted(
    tmp_path: os.PathLike[str], error: str
) -> None:
    """Without inodes nothing can be made: the inbox's files are not there yet."""
    stand = Stand(os.path.join(tmp_path, "p"))
    started(stand)
    for name in os.listdir(stand.state.inbox):
        os.unlink(os.path.join(stand.state.inbox, name))
    done = run_with_shim(
        [command(), "hook", "PostToolUse"],
        prefix=stand.state.inbox,
        env=stand.env,
        fault=f"openw:1:{error}:sticky",
        cwd=stand.repo,
        stdin=payload("PostToolUse", 1),
    )
    assert done.returncode == 0
    assert done.fired
    assert b"1 event was not kept" in started(stand)


def test_a_hook_that_leaves_no_mark_is_caught(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seeded bug: what could not be kept goes without a trace."""
    stand = Stand(os.path.join(tmp_path, "p"))
    started(stand)
    monkeypatch.chdir(stand.repo)
    monkeypatch.setenv("SATCHEL_HOME", stand.home)

    def refuse(_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("satchel.interfaces.hooks.capture.capture", refuse)
    for seeded in (False, True):
        if seeded:
            os.unlink(stand.state.lost)
            monkeypatch.setattr("satchel.storage.inbox.lost.note_lost", lambda *_: None)
        monkeypatch.setattr(entry, "_read_input", lambda: payload("PostToolUse", 1))
        assert entry.run_hook(["PostToolUse"]) == 0
        assert (lost(stand.state.lost) is None) == seeded
