import errno
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from satchel.core.errors import BusyError, NotReadableError, NotWritableError
from satchel.storage.files import not_usable, read_file, replace_file, write_all
from satchel.storage.locks import FileLock
from satchel.storage.paths import UserHome, archive_of
from satchel.storage.tracked_files import PRESETS, TrackedFiles


def test_a_lock_is_held_by_one_and_given_back(tmp_path: Path) -> None:
    path = str(tmp_path / "deep" / "er" / "a.lock")
    with FileLock(path), pytest.raises(BusyError, match="held"), FileLock(path, timeout=0):
        pass
    assert FileLock(path, timeout=0).acquire()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    path = str(tmp_path / "a.lock")
    code = textwrap.dedent(f"""
        import sys, time
        from satchel.storage.locks import FileLock
        FileLock({path!r}).acquire()
        print("held", flush=True)
        time.sleep(60)
    """)
    child = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": os.pathsep.join(sys.path), "PATH": os.environ["PATH"]},
    )
    with child:
        assert child.stdout is not None
        child.stdout.readline()
        assert not FileLock(path, timeout=0.05).acquire()
        child.kill()
    started = time.monotonic()
    assert FileLock(path, timeout=5).acquire()
    assert time.monotonic() - started < 2


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = str(tmp_path / "sub" / "a")
    replace_file(path, b"one")
    replace_file(path, b"two")
    assert read_file(path) == b"two"
    assert os.listdir(tmp_path / "sub") == ["a"]
    assert os.stat(path).st_mode & 0o777 == 0o600


def test_what_cannot_be_replaced_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(NotWritableError, match="directory"):
        replace_file(str(tmp_path / "a"), b"x")
    assert os.listdir(tmp_path) == ["a"]


def test_an_absent_file_is_empty_and_a_directory_is_an_error(tmp_path: Path) -> None:
    assert read_file(str(tmp_path / "none")) == b""
    with pytest.raises(NotReadableError):
        read_file(str(tmp_path))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, "space"),
        (errno.EACCES, "owns"),
        (errno.EROFS, "SATCHEL_HOME"),
        (errno.ENOTDIR, "directory"),
        (errno.EDQUOT, "quota"),
    ],
)
def test_the_disks_refusal_names_the_file_the_cause_and_the_next_step(
    code: int, words: str
) -> None:
    error = not_usable("/x/y", OSError(code, "?"), writing=True)
    assert "/x/y" in str(error)
    assert os.strerror(code) in str(error)
    assert words in error.hint


def test_every_byte_is_written_where_the_pipe_takes_a_few_at_a_time() -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        write_all(writer, b"x" * 1_000_000)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        assert len(file.read()) == 1_000_000
    os.waitpid(child, 0)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_tracked_thing_lies_inside_the_work_tree(preset: str) -> None:
    tracked = TrackedFiles("/repo", preset)
    for thing in PRESETS["default"]:
        assert tracked.place(thing).startswith("/repo/.")
    assert tracked.knowledge.endswith("/knowledge.jsonl")
    assert all(path.startswith("/repo/") for path in tracked.tasks)


def test_the_places_of_beads_memory_are_kept() -> None:
    assert TrackedFiles("/r", "beads").knowledge == "/r/.beads/memory/knowledge.jsonl"
    assert archive_of("/r/knowledge.jsonl") == "/r/knowledge.archive.jsonl"


def test_private_state_lies_in_the_home_and_nowhere_else() -> None:
    home = UserHome("/h/.satchel")
    state = home.project_state("app-1")
    for path in (state.inbox, state.index, state.quarantine, state.ledger("knowledge")):
        assert path.startswith("/h/.satchel/projects/app-1/")
    assert home.user_state.index.startswith("/h/.satchel/user/")
