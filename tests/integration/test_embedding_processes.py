"""Vectors made by several processes: one at a time, interrupted, resumed, on a full disk."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hashed_words import HashedEmbedder
from integration.installed import COMMAND, Machine, needs_command
from reliability.filling import fill, use_model
from satchel.core.clock import FixedClock
from satchel.core.errors import BusyError
from satchel.engine.models import LOCK_SECONDS
from satchel.storage.inbox.faults import worked_around
from satchel.storage.locks import FileLock
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

COUNT = 300


def lessons(count: int) -> list[str]:
    return [f"lesson {n} of the sea {n % 7}" for n in range(count)]


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(clock=FixedClock()) as opened:
        fill(opened, lessons(COUNT))
        yield opened


class Interrupted(HashedEmbedder):
    """Is stopped by the person in the middle."""

    def __init__(self, batches: int) -> None:
        super().__init__()
        self.left = batches

    def encode(self, texts, *, contexts=()):  # type: ignore[no-untyped-def]
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().encode(texts, contexts=contexts)


def test_what_was_done_before_an_interrupt_stays_done(workspace: Workspace) -> None:
    use_model(workspace, Interrupted(2))
    with pytest.raises(KeyboardInterrupt):
        workspace.embed()
    waiting, held = workspace.memories.own.index.vector_counts()
    assert 0 < waiting < COUNT
    assert sum(held.values()) == COUNT - waiting
    workspace.close()
    use_model(workspace)
    done = workspace.embed()
    assert (done.done, done.left) == (waiting, 0)
    assert sum(workspace.memories.own.index.vector_counts()[1].values()) == COUNT


def test_progress_is_told_up_to_the_end(workspace: Workspace) -> None:
    use_model(workspace)
    told: list[tuple[int, int]] = []
    workspace.embed(progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (COUNT, COUNT)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert len(told) > 2


def test_whoever_does_not_want_to_wait_leaves_it_to_the_other(workspace: Workspace) -> None:
    use_model(workspace)
    with FileLock(workspace.project.state.lock("embed")):
        done = workspace.embed()
    assert (done.done, done.left, done.busy) == (0, COUNT, True)


def test_a_wait_has_an_end_and_says_what_to_do(workspace: Workspace) -> None:
    use_model(workspace)
    with FileLock(workspace.project.state.lock("embed")), pytest.raises(BusyError) as told:
        workspace.embed(patience=0.3)
    assert "making vectors" in str(told.value)
    assert "Nothing is lost" in told.value.hint
    assert LOCK_SECONDS == 300


def test_a_full_disk_keeps_what_was_done_and_says_why(workspace: Workspace) -> None:
    class Filling(HashedEmbedder):
        """By its second batch the disk is full."""

        batches = 0

        def encode(self, texts, *, contexts=()):  # type: ignore[no-untyped-def]
            self.batches += 1
            if self.batches > 1:
                pages = workspace.memories.own.index.database.read("PRAGMA page_count")[0][0]
                assert isinstance(pages, int)
                workspace.memories.own.index.database.read(f"PRAGMA max_page_count = {pages}")
            return super().encode(texts, contexts=contexts)

    use_model(workspace, Filling())
    done = workspace.embed()
    assert done.done > 0
    assert done.left > 0
    assert "full" in done.why
    assert workspace.recall("lesson 5 of the sea", method="hybrid").items
    workspace.close()
    use_model(workspace)
    assert workspace.embed().left == 0


def test_an_index_deleted_under_a_reader_costs_no_answer(workspace: Workspace) -> None:
    use_model(workspace)
    workspace.embed()
    for ending in ("", "-wal", "-shm"):
        os.unlink(workspace.project.state.index + ending)
    assert workspace.recall("lesson 5 of the sea", method="hybrid").items
    workspace.learn("something new about lighthouses")
    assert workspace.recall("lighthouses", method="hybrid").items
    other = Workspace.open(
        workspace.project.place.root, home=workspace.owner().home.path, clock=FixedClock()
    )
    with other:
        assert other.recall("lighthouses", method="hybrid").items
        use_model(other)
        assert other.embed().done == COUNT + 1


def test_a_disk_that_refuses_the_first_word_about_a_model_costs_vectors_only(
    workspace: Workspace,
) -> None:
    workspace.memories.own.index.database.read("PRAGMA query_only = 1")
    use_model(workspace)
    assert workspace.recall("lesson 5 of the sea", method="hybrid").items
    # Said by the model, or by who read on in memory.
    assert workspace.models.why or worked_around


# Real processes


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    if needs_command():
        pytest.skip(needs_command())
    machine = Machine(tmp_path)
    # A model without a package of its own, so that it is the same everywhere.
    machine.environment["SATCHEL_MODEL_EMBED"] = "built-in"
    return machine


def project(machine: Machine, count: int) -> Path:
    app = machine.repository()
    with Workspace.open(str(app), home=str(machine.home / ".satchel")) as workspace:
        fill(workspace, lessons(count))
    if "not installed" in machine.ok("upkeep", "embed", "--dry-run", at=app):
        pytest.skip("the built-in model is not installed")
    return app


def start(machine: Machine, app: Path, *words: str, **options: object) -> subprocess.Popen[bytes]:
    environment = {**machine.environment}

    def heeds_interrupts() -> None:
        # A shell that runs this in the background has them ignored, and children inherit that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    options.setdefault("preexec_fn", heeds_interrupts)
    return subprocess.Popen([COMMAND, *words], cwd=app, env=environment, **options)  # type: ignore[call-overload, no-any-return]


def test_two_at_once_share_the_work_without_doing_it_twice(machine: Machine) -> None:
    app = project(machine, 400)
    crowd = [start(machine, app, "upkeep", "embed", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
             for _ in range(3)]  # fmt: skip
    ends = [one.communicate(timeout=100) for one in crowd]
    assert [one.returncode for one in crowd] == [0, 0, 0], ends
    done = [int(out.split(b"embed: ")[1].split()[0]) for out, _ in ends]
    assert sum(done) == 400
    assert sum(b"another process is indexing" in err for _, err in ends) >= 1
    assert not [err for _, err in ends if b"Traceback" in err]


def test_ctrl_c_ends_it_at_once_and_the_next_one_goes_on(machine: Machine) -> None:
    app = project(machine, 2000)
    process = start(machine, app, "upkeep", "embed", stderr=subprocess.PIPE)
    index = next(machine.home.glob(".satchel/projects/*/index.db"))
    held = 0
    while not held and process.poll() is None:
        held, _ = _held(index)
        time.sleep(0.05)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 5
    assert process.returncode == 130
    assert b"Traceback" not in err
    embedded, waiting = _held(index)
    assert embedded + waiting == 2000
    assert 0 < waiting < 2000
    said = machine.ok("upkeep", "embed", at=app)
    assert f"embed: {waiting:,} memories" in said


def _held(index: Path) -> tuple[int, int]:
    import apsw

    connection = apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        counts = [
            connection.execute(f"SELECT COUNT(*) FROM {table}").fetchall()[0][0]
            for table in ("vectors", "unembedded")
        ]
        return int(counts[0] or 0), int(counts[1] or 0)
    finally:
        connection.close()


def test_a_bar_moves_on_a_terminal_and_nowhere_else(machine: Machine) -> None:
    app = project(machine, 1000)
    ours, theirs = pty.openpty()
    process = start(machine, app, "upkeep", "embed", stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            data = os.read(ours, 4096)
        except OSError:
            break  # Linux: the other side is closed
        if not data:
            break
        shown += data
    os.close(ours)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"1000/1000" in shown
    assert b"embedding [" in shown
    assert b"[" not in out
    again = machine.run("upkeep", "embed", at=app)
    assert again.err == ""


def test_stats_tell_model_vectors_and_what_waits(machine: Machine) -> None:
    app = project(machine, 20)
    assert machine.json("stats", at=app)["vectors"] == "none yet; 20 documents wait"
    machine.ok("upkeep", "embed", at=app)
    machine.ok("learn", "one more thing about lamps", at=app)
    told = machine.json("stats", at=app)
    assert told["by_kind"]["learned"] == 21
    assert told["vectors"].startswith("20 of all-MiniLM")
    assert told["vectors"].endswith("; 1 documents wait")
    assert {file["name"]: file["size"] for file in told["files"]}["index.db"] > 0
