"""`satchel tasks` as people and agents use it: real processes, real git, real files."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from integration.installed import COMMAND, Machine, needs_command
from satchel.core.clock import FixedClock
from satchel.features.tasks.files import TaskFiles
from satchel.features.tasks.service import Tasks
from satchel.testing import run_git, temporary_workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
PROCESSES = 16


@pytest.fixture
def app(machine: Machine) -> Path:
    app = machine.repository()
    run_git(str(app), "config", "user.name", "Ada")
    run_git(str(app), "config", "user.email", "ada@example.org")
    return app


def made(machine: Machine, app: Path, *words: str) -> str:
    return machine.ok("task", "create", *words, "--silent", at=app).strip()


def at_once(machine: Machine, app: Path, commands: list[list[str]]) -> list[tuple[int, str]]:
    """Run commands at once, each in a process of its own; return their codes and output."""
    started = [
        subprocess.Popen(
            [COMMAND, *words], cwd=app, env=machine.environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )
        for words in commands
    ]  # fmt: skip
    found = []
    for one in started:
        out, _ = one.communicate(timeout=120)
        assert "Traceback" not in out, out
        found.append((one.returncode, out))
    return found


def test_of_sixteen_processes_that_claim_one_task_one_gets_it(machine: Machine, app: Path) -> None:
    ident = made(machine, app, "Only one of us")
    done = at_once(
        machine, app, [["task", "claim", ident, "--actor", f"agent-{n}"] for n in range(PROCESSES)]
    )
    won = [n for n, (code, _) in enumerate(done) if code == 0]
    assert len(won) == 1, done
    assert {code for code, _ in done} == {0, 7}
    shown = machine.json("task", "show", ident, at=app)[0]
    assert (shown["status"], shown["assignee"]) == ("in_progress", f"agent-{won[0]}")
    assert all(f"claimed by agent-{won[0]}" in out for code, out in done if code)


def test_sixteen_processes_that_take_what_is_ready_share_it(machine: Machine, app: Path) -> None:
    lines = [json.dumps({"id": f"app-{n}", "title": f"t{n}", "status": "open"}) for n in range(10)]
    machine.ok("task", "import", "-", at=app, stdin="\n".join(lines))
    done = at_once(
        machine, app, [["task", "claim", "--json", "--actor", f"a{n}"] for n in range(PROCESSES)]
    )
    taken = [json.loads(out)[0]["id"] for code, out in done if code == 0]
    assert len(taken) == len(set(taken)) == 10
    assert [code for code, _ in done if code] == [4] * 6, "nothing was ready for the others"


def test_a_seeded_race_gives_a_task_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the lock, and with the race held open, two claims win."""
    import threading

    class NoLock:
        def __init__(self, *_: object, **__: object) -> None:
            pass

        def __enter__(self) -> None:
            pass

        def __exit__(self, *_: object) -> None:
            pass

    path = str(tmp_path / "tasks.jsonl")
    Path(path).write_text('{"id":"x-1","title":"t","status":"open"}\n')
    monkeypatch.setattr("satchel.features.tasks.files.NestingLock", NoLock)
    read, both = TaskFiles.read, threading.Barrier(2)

    def slowly(self: TaskFiles) -> Any:
        board = read(self)
        both.wait(30)
        return board

    def put(path: str, data: bytes, **_: object) -> None:
        Path(path).write_bytes(data)

    monkeypatch.setattr(TaskFiles, "read", slowly)
    monkeypatch.setattr(TaskFiles, "file_stats", lambda _: [])
    # Two threads have one process number, which names the file beside.
    monkeypatch.setattr("satchel.features.tasks.files.replace_file", put)
    won: list[str] = []

    def claim(name: str) -> None:
        files = TaskFiles(str(tmp_path), path, [path], str(tmp_path / "lock"))
        Tasks(files, time.time, name="x", actor=name, known=True).claim("x-1")
        won.append(name)

    threads = [threading.Thread(target=claim, args=(name,)) for name in ("ann", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(won) == ["ann", "bob"]


def test_many_writers_lose_nothing(machine: Machine, app: Path) -> None:
    done = at_once(machine, app, [["task", "create", f"task {n}"] for n in range(PROCESSES)])
    assert {code for code, _ in done} == {0}, done
    rows = [json.loads(one) for one in (app / ".satchel/tasks.jsonl").read_text().splitlines()]
    assert sorted(row["title"] for row in rows) == sorted(f"task {n}" for n in range(PROCESSES))
    assert len({row["id"] for row in rows}) == PROCESSES
    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)


def test_who_has_a_task_may_claim_it_again_only_under_a_name_of_their_own(
    machine: Machine, app: Path
) -> None:
    one, two = made(machine, app, "one"), made(machine, app, "two")
    machine.ok("task", "claim", one, "--actor", "scout", at=app)
    machine.ok("task", "claim", one, "--actor", "scout", at=app)
    assert "claimed by scout" in machine.fails(7, "task", "claim", one, "--actor", "bob", at=app)
    machine.ok("task", "claim", two, at=app)
    assert "claimed by Ada" in machine.fails(7, "task", "claim", two, at=app)
    blocked = made(machine, app, "later", "--blocked-by", one)
    assert f"waits for {one}" in machine.fails(7, "task", "claim", blocked, "--actor", "x", at=app)
    machine.ok("task", "close", one, at=app)
    assert "closed" in machine.fails(7, "task", "claim", one, "--actor", "scout", at=app)


def test_two_branches_merge_without_conflict_and_lose_nothing(machine: Machine, app: Path) -> None:
    ident = made(machine, app, "Shared", "-d", "as it began", "-l", "base")
    gone = made(machine, app, "To be deleted")
    assert "committed" in machine.ok("task", "sync", at=app)
    git = str(app)
    run_git(git, "checkout", "-qb", "theirs")
    machine.ok("task", "update", ident, "--add-label", "theirs", "-d", "their words", at=app)
    machine.ok("task", "comment", ident, "said there", at=app)
    machine.ok("task", "delete", gone, "--force", at=app)
    new_theirs = made(machine, app, "New there")
    machine.ok("task", "sync", at=app)
    run_git(git, "checkout", "-q", "-")
    machine.ok("task", "comment", ident, "said here", at=app)
    machine.ok("task", "update", gone, "--notes", "still at it", at=app)
    new_ours = made(machine, app, "New here", "--blocked-by", ident)
    machine.ok("task", "update", ident, "--add-label", "ours", "-p", "0", "-d", "our words", at=app)
    machine.ok("task", "sync", at=app)
    run_git(git, "merge", "-q", "--no-edit", "theirs")
    text = (app / ".satchel/tasks.jsonl").read_text()
    assert "<<<<" not in text
    assert text.count(f'"id":"{ident}"') == 2, "git left both versions"
    (shown,) = machine.json("task", "show", ident, at=app)
    assert sorted(shown["labels"]) == ["base", "ours", "theirs"]
    assert [one["text"] for one in shown["comments"]] == ["said there", "said here"]
    assert (shown["priority"], shown["description"]) == (0, "our words")
    ids = {one["id"] for one in machine.json("task", "list", at=app)}
    assert ids == {ident, new_ours, new_theirs}, "what was deleted on one branch is deleted"
    told = machine.run("doctor", at=app)
    assert "twice since a merge" in told.out
    assert machine.run("task", "check", at=app).code == 1
    assert sorted(machine.json("task", "merge", at=app)["merged"]) == sorted([ident, gone])
    assert machine.run("task", "check", at=app).code == 0
    (shown,) = machine.json("task", "show", ident, at=app)
    assert "their words" in shown["comments"][-1]["text"], "what was overruled is kept"
    assert (app / ".satchel/tasks.jsonl").read_text().count(f'"id":"{ident}"') == 1


def test_sync_commits_the_tasks_and_nothing_else_once(machine: Machine, app: Path) -> None:
    assert "no tasks yet" in machine.ok("task", "sync", at=app)
    made(machine, app, "one")
    (app / "work.py").write_text("unfinished\n")
    run_git(str(app), "add", "work.py")
    done = machine.json("task", "sync", at=app)
    assert sorted(done["paths"]) == [".satchel/.gitattributes", ".satchel/tasks.jsonl"]
    assert run_git(str(app), "status", "--porcelain", "--", "work.py") == "A  work.py\n"
    before = run_git(str(app), "rev-parse", "HEAD")
    assert "Nothing to commit" in machine.ok("task", "sync", at=app)
    assert run_git(str(app), "rev-parse", "HEAD") == before
    (app / ".gitignore").write_text(".satchel/tasks.jsonl\n")
    run_git(str(app), "rm", "-q", "--cached", ".satchel/tasks.jsonl", ".satchel/.gitattributes")
    (app / ".satchel/.gitattributes").unlink()
    (app / ".gitignore").write_text(".satchel/*\n")
    assert "git ignores" in machine.fails(7, "task", "sync", at=app)


def test_doctor_tells_that_branches_would_conflict_until_a_sync(
    machine: Machine, app: Path
) -> None:
    (app / ".satchel" / "tasks.jsonl").write_text('{"id":"x-1","title":"t","status":"open"}\n')
    run_git(str(app), "add", "--force", ".satchel/tasks.jsonl")
    run_git(str(app), "commit", "-qm", "tasks by hand")
    assert "both change tasks will conflict" in machine.run("doctor", at=app).out
    machine.ok("task", "update", "x-1", "--notes", "n", at=app)
    machine.ok("task", "sync", at=app)
    assert "both change tasks will conflict" not in machine.run("doctor", at=app).out


def test_a_learned_comment_is_remembered_under_its_task(machine: Machine, app: Path) -> None:
    epic = made(machine, app, "Epic", "-t", "epic")
    ident = made(machine, app, "Task", "--parent", epic)
    said = "Tried it. LEARNED: the cache must be warmed before the first request"
    done = machine.json("task", "comment", ident, said, at=app)
    assert [one["kind"] for one in done["remembered"]] == ["learned"]
    assert "the cache must be warmed" in machine.ok("recall", "is the cache warmed?", at=app)
    (memory,) = machine.json("memory", "list", at=app)
    assert memory.get("task", memory.get("bead")) == ident
    assert "as usual" not in machine.ok("task", "comment", ident, "nothing new", at=app)
    secret = "LEARNED: the key is AKIAIOSFODNN7EXAMPLE"  # a documented example, no key
    machine.ok("task", "comment", ident, secret, at=app)
    assert "AKIAIOSFODNN7EXAMPLE" not in (app / ".satchel/tasks.jsonl").read_text()
    machine.fails(2, "task", "comment", ident, " ", at=app)


def test_comments_of_others_are_learnt_once_and_not_after_they_were_deleted(
    machine: Machine, app: Path
) -> None:
    row = {"id": "x-1", "title": "t", "status": "closed", "comments": [
        {"id": 1, "author": "bob", "text": "LEARNED: the gateway drops idle connections"},
        {"id": 2, "author": "bob", "text": "fine: nothing to see"}]}  # fmt: skip
    machine.ok("task", "import", "-", at=app, stdin=json.dumps(row))
    (taught,) = machine.json("task", "learn", at=app)
    assert (taught["kind"], taught["task"]) == ("learned", "x-1")
    assert "idle connections" in machine.ok("recall", "idle connections", at=app)
    assert machine.json("task", "learn", at=app) == []
    machine.ok("memory", "delete", taught["id"], "--yes", at=app)
    assert machine.json("task", "learn", at=app) == []


def test_the_index_follows_every_hand_and_may_be_deleted(machine: Machine, app: Path) -> None:
    path = app / ".satchel" / "tasks.jsonl"
    path.write_text('{"id":"a-1","title":"one","status":"open"}\n')

    def ready() -> list[str]:
        return [one["id"] for one in machine.json("task", "ready", at=app)]

    assert ready() == ["a-1"]
    path.write_text('{"id":"a-2","title":"two","status":"open"}\n')  # as long as it was
    assert ready() == ["a-2"]
    path.write_text('{"id":"a-2","title":"two","status":"done"}\n')
    assert ready() == []
    path.write_text('{"id":"a-3","title":"two","status":"open"}\n')
    (index,) = (machine.home / ".satchel" / "projects").glob("*/tasks/*.db")
    index.write_bytes(b"this is no database" * 400)
    for side in ("-wal", "-shm"):
        Path(str(index) + side).unlink(missing_ok=True)
    assert ready() == ["a-3"]
    assert "1 tasks" in machine.ok("rebuild", "--only", "tasks", at=app)
    index.unlink()
    assert ready() == ["a-3"]
    path.unlink()
    assert ready() == []


def test_every_work_tree_has_its_own_tasks(machine: Machine, app: Path) -> None:
    one = made(machine, app, "in the main tree")
    machine.ok("task", "sync", at=app)
    run_git(str(app), "worktree", "add", "-q", "../tree", "-b", "side")
    tree = app.parent / "tree"
    machine.ok("task", "close", one, "--summary", "done there", at=tree)
    assert machine.json("task", "show", one, at=tree)[0]["status"] == "closed"
    assert machine.json("task", "show", one, at=app)[0]["status"] == "open"


def test_the_brief_and_the_session_name_ready_tasks_in_order(machine: Machine, app: Path) -> None:
    late = made(machine, app, "Paint the door", "-p", "3")
    soon = made(machine, app, "Fix the lock", "-p", "1")
    held = made(machine, app, "Hang the door", "-p", "0", "--blocked-by", soon)
    machine.ok("task", "claim", late, "--actor", "scout", at=app)
    brief = machine.ok("brief", at=app)
    assert "## Tasks" in brief
    section = brief.partition("## Tasks")[2]
    assert section.index("Paint the door") < section.index("Fix the lock")
    assert "Hang the door" not in section
    begun = machine.json("session", "begin", at=app)
    assert [one["id"] for one in begun["tasks"]] == [late, soon, held]


def test_hostile_tasks_harm_nothing(machine: Machine, app: Path) -> None:
    path = app / ".satchel" / "tasks.jsonl"
    path.write_bytes(
        b'{"id":"x-1","title":"\\u001b[31mred\\u202e","status":"open","priority":"high",'
        b'"dependencies":{"a":1},"labels":"no list","comments":[7],"parent":["x"]}\n'
        b'{"id":"../../etc","title":"path","status":"open"}\n' + b"[" * 3000 + b"\n"
        b'{"id":"x-2","title":"deep","status":"open","priority":1e400}\n'
    )
    shown = machine.ok("task", "list", at=app)
    assert "red" in shown
    machine.ok("task", "show", "x-1", at=app)
    assert "not an id of a task" in machine.fails(2, "task", "show", "--", "--help x", at=app)
    for words in (
        ("task", "create"), ("task", "create", "   "), ("task", "create", "x" * 600),
        ("task", "create", "t", "-p", "9"), ("task", "ready", "-n", "many"),
        ("task", "ready", "--sort", "luck"), ("task", "update", "x-1"),
        ("task", "list", "--status", "tombstone"), ("task", "nonsense"),
        ("task", "dep", "add", "x-1", "x-1", "--type", "a,b"), ("task", "import", str(app)),
    ):  # fmt: skip
        done = machine.run(*words, at=app)
        assert done.code in (2, 5), (words, done)
        assert done.err.startswith("satchel: "), words
    assert "not found" in machine.fails(4, "task", "show", "x-99", at=app)
    assert machine.run("task", "check", at=app).code == 1
    before = path.read_bytes().splitlines()
    made(machine, app, "new among them")
    assert set(before) <= set(path.read_bytes().splitlines())
    path.unlink()
    os.mkfifo(path)
    assert machine.json("task", "ready", at=app) == []
    assert "cannot be changed" in machine.fails(7, "task", "create", "x", at=app)


def test_a_deferred_task_becomes_ready_with_time() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        soon = clock.now() + 3600
        from satchel.features.tasks.dialects import format_time

        made_ = workspace.tasks.create("later", defer_until=format_time(soon))
        assert workspace.tasks.view.stages() == {"preflight": 1}
        assert workspace.tasks.view.ready() == []
        clock.advance(7200)
        assert [one.id for one in workspace.tasks.view.ready()] == [made_.id]
        assert workspace.tasks.view.stages() == {"pending": 1}
