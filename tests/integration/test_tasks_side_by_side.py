"""A task that was made is found at once, whoever else writes tasks meanwhile."""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from integration.test_rest import pool_of
from satchel.features.tasks.index import TaskIndex
from satchel.features.tasks.project_tasks import ProjectTasks
from satchel.interfaces.http.main import application
from satchel.storage import files
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        yield workspace


def put_back_by_another(project: Workspace, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Let one reader put what it read before the other's task was made; say whether that is lost."""
    with ProjectTasks(project.project) as slow, ProjectTasks(project.project) as quick:
        slow.create("there before")
        slow.view.listed()
        made: list[str] = []
        database = slow.view._index.open().database
        begin = database.transaction

        def late() -> Any:
            if not made:
                made.append(quick.create("made meanwhile").id)
            return begin()

        slow.create("changes the files, so that the index is read again")
        monkeypatch.setattr(database, "transaction", late)
        slow.view._refresh(slow.view._index.open())
        found = {row[0] for row in database.read("SELECT id FROM issues")}
    assert made
    return made[0] not in found


def test_an_older_board_does_not_replace_a_newer_one(
    project: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not put_back_by_another(project, monkeypatch)


def test_an_index_that_compares_before_its_lock_is_noticed(
    project: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: the files are looked at, and then the lock is taken."""

    def refresh(self: TaskIndex, *_: object) -> bool:
        board = self.files.read()
        with self.database.transaction():
            self._put(board, "")
        return True

    monkeypatch.setattr(TaskIndex, "refresh", refresh)
    assert put_back_by_another(project, monkeypatch)


def test_every_task_that_is_posted_is_answered_while_the_command_line_writes(
    project: Workspace,
) -> None:
    words = [sys.executable, "-c", _WRITES, project.project.place.root, project.owner().home.path]
    served = pool_of(project)
    bearer = {"authorization": f"Bearer {served.token}"}
    answers: list[tuple[int, str]] = []
    with TestClient(application(served), headers=bearer) as client:

        def post(number: int) -> None:
            for n in range(20):
                task = {"title": f"Task {number}.{n}"}
                answer = client.post("/api/projects/current/tasks", json=task)
                answers.append((answer.status_code, "" if answer.is_success else answer.text))

        with subprocess.Popen(words) as writes:
            threads = [threading.Thread(target=post, args=(number,)) for number in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert writes.wait(timeout=60) == 0
    served.close()
    assert answers == [(201, "")] * 60
    with ProjectTasks(project.project) as tasks:
        assert len(tasks.view.listed()) == 60 + 30


_WRITES = """
import sys
from satchel.workspace import Workspace

with Workspace.open(sys.argv[1], home=sys.argv[2]) as workspace:
    for number in range(30):
        workspace.tasks.create(f"from the command line {number}")
"""


def replaced_by_threads(path: Path) -> list[Exception]:
    """Replace one file from two threads, each beginning while the other is half done."""
    failed: list[Exception] = []
    meeting = threading.Barrier(2, timeout=0.05)

    def flush(fd: int) -> None:
        with contextlib.suppress(threading.BrokenBarrierError):
            meeting.wait()

    def replace() -> None:
        try:
            for _ in range(20):
                files.replace_file(str(path), b"whole")
        except Exception as error:  # noqa: BLE001 -- whatever it is, a request would end with it
            failed.append(error)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(files, "flush_to_disk", flush)
        threads = [threading.Thread(target=replace) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return failed


def test_two_threads_replace_one_file(tmp_path: Path) -> None:
    assert replaced_by_threads(tmp_path / "file") == []


def test_threads_that_share_a_temporary_file_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: its name was of the process alone."""
    monkeypatch.setattr(files, "unique_suffix", lambda: str(os.getpid()))
    assert replaced_by_threads(tmp_path / "file") != []
