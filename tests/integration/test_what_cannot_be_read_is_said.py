"""A ledger, a lock or a home in the way of reading: what is known is shown, and what is wrong said."""

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from integration.installed import Machine, as_ordinary_user, needs_command
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

LESSONS = ("The harbour opens at dawn", "The lamp needs oil", "Meadows flood in spring")
HEARD = "the crane is green"


@pytest.fixture
def app(machine: Machine) -> Path:
    path = machine.repository()
    for lesson in LESSONS:
        machine.ok("learn", lesson, at=path)
    machine.ok("list", at=path)
    return path


@pytest.fixture
def unreadable(machine: Machine, app: Path) -> Iterator[Path]:
    path = ledger(machine)
    path.chmod(0)
    yield path
    path.chmod(0o600)


def state(machine: Machine) -> Path:
    (found,) = (machine.home / ".satchel" / "projects").iterdir()
    return found


def ledger(machine: Machine) -> Path:
    return state(machine) / "ledgers" / "knowledge.jsonl"


def hook(machine: Machine, event: str, at: Path, **payload: object) -> dict[str, object]:
    """Run a hook as somebody without the superuser's rights."""
    given = json.dumps({"session_id": "s-1", "cwd": str(at), "hook_event_name": event, **payload})
    done = machine.run("hook", event, at=at, stdin=given, before=as_ordinary_user)
    assert (done.code, done.err) == (0, "")
    return dict(json.loads(done.out)) if done.out.strip() else {}


def says(machine: Machine, at: Path) -> dict[str, object]:
    command = f"bd comments add app-1 'LEARNED: {HEARD}'"
    done = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}
    named = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": done}
    return hook(machine, "PostToolUse", at, **named)


@contextlib.contextmanager
def read_only(machine: Machine) -> Iterator[None]:
    """Nobody may write to the directories of the home."""
    found = [directory for directory, _, _ in os.walk(machine.home / ".satchel")]
    for directory in found:
        os.chmod(directory, 0o555)
    yield
    for directory in found:
        os.chmod(directory, 0o755)


def start(machine: Machine, at: Path) -> str:
    return str(hook(machine, "SessionStart", at, source="startup"))


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_what_was_read_stays_shown_when_a_ledger_is_no_file_and_something_is_heard(
    machine: Machine, app: Path, make: Callable[[Path], None]
) -> None:
    ledger(machine).unlink()
    make(ledger(machine))
    says(machine, app)
    listed = machine.run("list", at=app)
    for lesson in (*LESSONS, HEARD):
        assert lesson in listed.out
    assert "is not a file: what was read of it before is shown" in listed.err
    started = start(machine, app)
    for lesson in (*LESSONS, HEARD, "what was read of it before is shown"):
        assert lesson in started


@pytest.mark.parametrize("words", [("recall", "lamp oil"), ("list",), ("brief",), ("status",)])
def test_what_may_not_be_read_is_answered_from_the_index(
    machine: Machine, app: Path, unreadable: Path, words: tuple[str, ...]
) -> None:
    done = machine.run(*words, at=app, before=as_ordinary_user)
    assert done.code == 0, done
    assert (LESSONS[1] if words != ("status",) else "3 lessons") in done.out
    assert f"{unreadable} could not be read (Permission denied)" in done.err
    assert not list(state(machine).glob("*.damaged*"))


def test_a_session_starts_and_the_doctor_goes_on_without_the_ledger(
    machine: Machine, app: Path, unreadable: Path
) -> None:
    says(machine, app)
    started = start(machine, app)
    for lesson in (*LESSONS, HEARD, "could not be read (Permission denied)"):
        assert lesson in started
    done = machine.run("doctor", at=app, before=as_ordinary_user)
    assert done.code == 7
    assert f"error: {unreadable}" in done.out
    assert "SQLite" in done.out
    assert "other work trees" not in done.out


def test_a_rebuild_does_not_forget_what_the_index_alone_knows(
    machine: Machine, app: Path, unreadable: Path
) -> None:
    told = machine.fails(5, "rebuild", at=app, before=as_ordinary_user)
    assert f"{unreadable} could not be read (Permission denied): nothing was rebuilt" in told
    assert LESSONS[0] in machine.run("list", at=app, before=as_ordinary_user).out


@pytest.mark.parametrize("name", ["knowledge", "approvals"])
def test_a_pipe_as_a_lock_is_named_and_reading_goes_on(
    machine: Machine, app: Path, name: str
) -> None:
    lock = state(machine) / "locks" / f"{name}.lock"
    lock.unlink(missing_ok=True)
    os.mkfifo(lock)
    words = ("learn", "x") if name == "knowledge" else ("share", "--yes")
    complaint = machine.fails(5, *words, at=app)
    assert str(lock) in complaint
    assert "A pipe or a device stands where a file is needed" in complaint
    says(machine, app)
    assert HEARD in machine.run("list", at=app).out
    started = start(machine, app)
    assert LESSONS[0] in started
    assert (str(lock) in started) == (name == "knowledge")


def test_the_first_event_that_cannot_be_kept_is_counted(machine: Machine) -> None:
    app = machine.repository()
    with read_only(machine):
        assert says(machine, app) == {}
    assert "1 event was not kept" in start(machine, app)
    assert "1 event was not kept" in machine.run("doctor", at=app).out


def test_where_nothing_can_be_written_the_person_hears_it_at_once(machine: Machine) -> None:
    app = machine.repository()
    (state(machine) / "lost").unlink()
    with read_only(machine):
        answer = says(machine, app)
    assert str(answer["systemMessage"]).startswith("Satchel: not kept: ")


@pytest.mark.parametrize("empty", [lambda path: path.write_bytes(b""), Path.unlink])
def test_an_emptied_or_missing_ledger_is_told_where_it_is_listed(
    machine: Machine, app: Path, empty: Callable[[Path], object]
) -> None:
    empty(ledger(machine))
    told = f"3 saved memories are gone from {ledger(machine)} (`satchel doctor`)"
    listed = machine.run("list", at=app)
    assert listed.code == 0
    assert "Nothing is remembered yet" not in listed.out
    assert told in listed.err
    assert told in start(machine, app)
    (state(machine) / "locks" / "knowledge.lock").unlink()
    assert "Nothing is remembered yet" in machine.run("list", at=app).out


def test_what_is_forgotten_or_purged_is_not_told_as_gone(machine: Machine, app: Path) -> None:
    machine.ok("forget", "--query", "meadows flood", "--yes", at=app)
    machine.ok("upkeep", "purge", at=app)
    listed = machine.run("list", at=app)
    assert listed.err == ""
    assert LESSONS[0] in listed.out


def test_no_home_is_no_backup(machine: Machine, app: Path) -> None:
    home = machine.home / ".satchel"
    home.rename(machine.home / "elsewhere")
    home.write_text("a file\n")
    assert "nothing was backed up" in machine.fails(4, "backup", at=app)


def test_tasks_that_cannot_be_read_are_said(machine: Machine, app: Path) -> None:
    (app / ".satchel" / "tasks.jsonl").mkdir()
    done = machine.run("tasks", "list", at=app)
    assert "tasks.jsonl is not a file" in done.err


def test_what_is_ones_own_is_shown_though_nobody_can_note_it(machine: Machine, app: Path) -> None:
    (state(machine) / "locks" / "approvals.lock").unlink(missing_ok=True)
    (state(machine) / "locks" / "approvals.lock").mkdir()
    (app / ".satchel" / "MEMORY.md").write_text("- The gate opens at dawn\n")
    for command in ("status", "approve", "brief"):
        machine.ok(command, at=app)


@pytest.mark.parametrize("name", ["graph.db", "notes.db", "sessions.db", "thread.db"])
def test_a_directory_instead_of_a_database_is_told(machine: Machine, app: Path, name: str) -> None:
    path = state(machine) / name
    path.unlink(missing_ok=True)
    path.mkdir()
    told = machine.run("doctor", at=app)
    assert told.code != 0
    assert f"{name}: is not a file" in told.out


def test_what_keeps_clones_from_their_memory_is_told(machine: Machine, app: Path) -> None:
    registry = machine.home / ".satchel" / "registry"
    registry.rename(machine.home / "elsewhere")
    registry.write_text("")
    assert "registry: is not a directory" in machine.run("doctor", at=app).out
    registry.unlink()
    (machine.home / "elsewhere").rename(registry)
    (state(machine) / "identity.json").write_text("{")
    told = machine.run("doctor", at=app)
    assert told.code != 0
    assert "identity.json: is damaged" in told.out


@pytest.mark.parametrize("text", ["{", "", None])
def test_upkeep_gives_clones_their_memory_back(
    machine: Machine, app: Path, text: str | None
) -> None:
    path = state(machine) / "identity.json"
    before = json.loads(path.read_text("utf-8"))
    path.unlink()
    if text is not None:
        path.write_text(text, encoding="utf-8")
    told = machine.run("doctor", at=app)
    assert told.code != 0
    assert "`satchel upkeep` writes it again" in told.out
    machine.ok("upkeep", "drain", at=app)
    after = json.loads(path.read_text("utf-8"))
    assert {name: after[name] for name in ("key", "id", "roots", "histories")} == {
        name: before[name] for name in ("key", "id", "roots", "histories")
    }
    assert "identity.json" not in machine.run("doctor", at=app).out
    second = app.parent / "second"
    run_git(str(app.parent), "clone", "--quiet", str(app), str(second))
    assert machine.contents(second) == machine.contents(app) != []


def test_a_session_hears_that_its_soft_rules_are_missing(machine: Machine, app: Path) -> None:
    os.mkfifo(app / ".satchel" / "instincts.yaml")
    assert "instincts.yaml is not a file" in json.dumps(hook(machine, "SessionStart", app))
    assert "instincts.yaml is not a file" in machine.ok("brief", at=app)
