"""`satchel notes` and `search-learnings` as a person uses them: real files, real processes."""

import json
import os
import pty
import signal
import subprocess
import time
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine, as_ordinary_user, needs_command
from ordinary_user import reachable_directory
from satchel.storage.locks import FileLock
from satchel.storage.paths import UserHome
from unit.notes_made import EXAMPLE, SIDECAR, note, write

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def titles(machine: Machine, at: Path, question: str, *more: str) -> list[str]:
    found = machine.json("learnings", "search", question, *more, at=at)
    return [one["title"] for one in found["results"]]


def test_a_directory_with_nothing_in_it_is_no_error(machine: Machine) -> None:
    empty = machine.directory / "empty"
    empty.mkdir()
    for words in (("search", "x"), ("stats",), ("list",), ("critical-patterns",), ("reindex",),
                  ("check",)):  # fmt: skip
        machine.ok("learnings", *words, at=empty)
        machine.json("learnings", *words, at=empty)
    assert machine.ok("learnings", "search", "walrus", at=empty) == "Nothing found for 'walrus'.\n"
    assert os.listdir(empty) == []


def test_edit_rename_and_delete_are_followed_without_a_command(machine: Machine, app: Path) -> None:
    path = write(app / "docs/solutions/decisions/a.md", note("Walrus one"))
    other = write(app / "docs/solutions/decisions/b.md", note("Walrus two"))
    assert titles(machine, app, "walrus") == ["Walrus one", "Walrus two"]
    path.write_text(note("Otter one"), "utf-8")
    assert titles(machine, app, "walrus") == ["Walrus two"]
    assert titles(machine, app, "otter") == ["Otter one"]
    (app / "docs/solutions/patterns").mkdir()
    path.rename(app / "docs/solutions/patterns/renamed.md")
    (found,) = machine.json("learnings", "search", "otter", at=app)["results"]
    assert found["path"] == str(app / "docs/solutions/patterns/renamed.md")
    other.unlink()
    assert titles(machine, app, "walrus") == []
    assert machine.json("learnings", "stats", at=app)["notes"] == 1


def test_what_is_added_is_found_from_every_project(machine: Machine, app: Path) -> None:
    write(app / "note.md", EXAMPLE)
    write(app / "note.entities.yaml", SIDECAR)
    added = machine.json("learnings", "add", "note.md", "--entities", "note.entities.yaml", at=app)
    assert os.path.isfile(added["sidecar"])
    other = machine.repository("other")
    for at in (app, other, machine.directory):
        (found,) = machine.json("learnings", "search", "nested runtime panic", at=at)["results"]
        assert (found["id"], found["where"]) == (added["id"], "knowledge base")
    assert machine.fails(2, "learnings", "add", "note.md", at=app).startswith("satchel: ")
    machine.ok("learnings", "add", "note.md", "--force", at=app)
    assert len(machine.json("learnings", "list", at=app)) == 1


def test_the_same_note_in_the_project_and_the_knowledge_base_is_found_once(
    machine: Machine, app: Path
) -> None:
    write(app / "docs/solutions/debugging-sessions/t.md", EXAMPLE)
    machine.ok("learnings", "add", "docs/solutions/debugging-sessions/t.md", at=app)
    assert titles(machine, app, "tokio") == ["Tokio runtime panic"]
    assert machine.json("learnings", "stats", at=app)["notes"] == 1


def test_tags_category_limit_and_formats(machine: Machine, app: Path) -> None:
    for n in range(5):
        tags = "[odd, all]" if n % 2 else "[even, all]"
        text = note(f"Walrus {n}", tags=tags, category="decisions" if n < 3 else "patterns")
        write(app / f"docs/solutions/x/n{n}.md", text)
    assert len(titles(machine, app, "walrus")) == 5
    assert sorted(titles(machine, app, "walrus", "--tags", "odd")) == ["Walrus 1", "Walrus 3"]
    assert titles(machine, app, "walrus", "--tags", "odd,all", "--category", "patterns") == [
        "Walrus 3"
    ]
    assert len(titles(machine, app, "walrus", "--limit", "2")) == 2
    for form in ("rich", "simple", "full", "summary"):
        out = machine.ok("learnings", "search", "walrus", "--format", form, at=app)
        assert "Walrus 0" in out
        assert "insight of Walrus 0" in out
    simple = machine.ok("learnings", "search", "walrus", "--format", "simple", at=app)
    assert len(simple.splitlines()) == 5
    for mode in ("naive", "local", "hybrid", "keyword", "semantic"):
        assert "Walrus 0" in titles(machine, app, "walrus 0", "--mode", mode)
    assert titles(machine, app, "walrus 0", "--mode", "global")


def test_damage_is_named_where_one_looks_and_the_rest_is_found(machine: Machine, app: Path) -> None:
    base = app / "docs/solutions/decisions"
    write(base / "good.md", note("Walrus"))
    write(base / "broken.md", "---\ntitle: walrus: two\n---\nwalrus\n")
    write(base / "latin.md", "---\ntitle: café\n---\nwalrus\n".encode("latin-1"))
    with open(base / "big.md", "wb") as file:
        file.truncate(10_000_000)
    done = machine.run("learnings", "search", "walrus", at=app)
    assert (done.code, "Walrus" in done.out) == (0, True)
    assert "3 files could not be read" in done.err
    told = machine.ok("learnings", "stats", at=app)
    assert "broken.md: front matter, line 2: mapping values are not allowed" in told
    assert "put the text of that line into quotes" in told
    assert "latin.md: line 2 is not UTF-8 (byte 0xe9)" in told
    assert "big.md: it has 10.0 MB" in told
    done = machine.run("learnings", "check", at=app)
    assert done.code == 2
    assert "`created` is missing. Add a line: created:" in done.out
    done = machine.run("search-learnings", "walrus", at=app)
    assert (done.code, "Walrus" in done.out) == (0, True)
    assert "broken.md could not be read" in done.err


def test_what_may_not_be_read_is_told_to_an_ordinary_user() -> None:
    with reachable_directory() as place:
        machine = Machine(Path(place))
        app = machine.repository()
        write(app / "docs/solutions/a/one.md", note("Walrus one"))
        write(app / "docs/solutions/b/two.md", note("Walrus two"))
        assert len(titles(machine, app, "walrus")) == 2
        os.chmod(app / "docs/solutions/b", 0)
        os.chmod(app / "docs/solutions/a/one.md", 0)
        done = machine.run("learnings", "search", "walrus", at=app, before=as_ordinary_user)
        assert (done.code, done.out.count("Walrus")) == (0, 4)
        told = machine.run("learnings", "stats", at=app, before=as_ordinary_user).out
        os.chmod(app / "docs/solutions/b", 0o755)
        assert "may not be read: docs/solutions/b" in told
        assert "one.md: it could not be read: Permission denied" in told
        assert "missing: 1 file, still found (the directory cannot be read)" in told


def test_a_home_that_cannot_be_written_is_no_reason_not_to_find() -> None:
    with reachable_directory() as place:
        machine = Machine(Path(place))
        app = machine.repository()
        write(app / "docs/solutions/a/one.md", note("Walrus one"))
        machine.ok("memory", "list", at=app)
        os.chmod(machine.home / ".satchel", 0o500)
        for path in (machine.home / ".satchel").rglob("*"):
            os.chmod(path, 0o500 if path.is_dir() else 0o400)
        done = machine.run("learnings", "search", "walrus", at=app, before=as_ordinary_user)
        assert (done.code, "Walrus one" in done.out) == (0, True), done


def busy_lock(machine: Machine) -> FileLock:
    return FileLock(UserHome(str(machine.home / ".satchel")).user_state.notes.lock("update"))


def test_two_reindexes_wait_for_each_other_and_give_up_with_a_reason(
    machine: Machine, app: Path
) -> None:
    for n in range(300):
        write(app / f"docs/solutions/x/n{n}.md", note(f"Walrus {n}"))
    words = [COMMAND, "learnings", "reindex", "--force", "--json", "--no-vectors"]
    both = [
        subprocess.Popen(words, cwd=app, env=machine.environment, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    for one in both:
        out, _ = one.communicate(timeout=60)
        assert (one.returncode, json.loads(out)["read"]) == (0, 300)
    machine.ok("learnings", "reindex", at=machine.directory)
    with busy_lock(machine):
        done = machine.run(
            "learnings", "reindex", at=app, environment={"SATCHEL_NOTES_LOCK_WAIT_S": "2"}
        )
    assert done.code == 6
    assert "waiting for it, at most 2 s" in done.err
    assert "Another process has been indexing notes for more than 2 s." in done.err
    assert "Nothing is lost." in done.err


def test_an_interrupted_reindex_is_taken_up_again(machine: Machine, app: Path) -> None:
    for n in range(1500):
        write(app / f"docs/solutions/x/n{n}.md", note(f"Walrus {n}", "Some text. " * 40))
    process = subprocess.Popen(
        [COMMAND, "learnings", "reindex", "--no-vectors"], cwd=app, env=machine.environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    # As soon as the first files are in the index: then others wait.
    while not sum(p.stat().st_size for p in machine.home.glob(".satchel/projects/*/notes.db-wal")):
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode in (0, 130)
    assert b"Traceback" not in err
    done = machine.json("learnings", "reindex", "--no-vectors", at=app)
    if process.returncode == 130:
        assert err == b"interrupted; what was saved is saved\n"
        assert done["read"] <= 1500
    assert machine.json("learnings", "stats", at=app)["notes"] == 1500
    assert machine.json("learnings", "reindex", "--no-vectors", at=app)["read"] == 0


def on_a_terminal(machine: Machine, app: Path, *words: str) -> bytes:
    """Run with standard error on a terminal; return what that showed."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [COMMAND, *words], cwd=app, env=machine.environment, stdout=subprocess.DEVNULL, stderr=slave
    )
    os.close(slave)
    shown = b""
    while True:
        try:
            part = os.read(master, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(master)
    assert process.wait(timeout=30) == 0
    return shown


def test_a_bar_is_shown_on_a_terminal_and_nowhere_else(machine: Machine, app: Path) -> None:
    for n in range(1200):
        write(app / f"docs/solutions/x/n{n}.md", note(f"Walrus {n}", "Some text. " * 40))
    shown = on_a_terminal(machine, app, "learnings", "reindex", "--force", "--no-vectors")
    assert b"Indexing [" in shown
    assert b"1200/1200" in shown
    assert machine.run("learnings", "reindex", "--force", "--no-vectors", at=app).err == ""


def test_critical_patterns_by_language_and_domain(machine: Machine, app: Path) -> None:
    text = "# Critical\n\n## Rust: no blocking\n\nUse spawn.\n\n## SQL\n\nForward only.\n"
    write(app / "docs/solutions/patterns/critical-patterns.md", text)
    write(app / "docs/solutions/decisions/a.md", EXAMPLE)

    def names(*words: str) -> list[str]:
        return [
            one["title"] for one in machine.json("learnings", "critical-patterns", *words, at=app)
        ]

    assert names("-l", "rust") == ["Rust: no blocking", "Tokio runtime panic"]
    assert names("-d", "debugging-sessions") == ["Tokio runtime panic"]
    assert names("-l", "sql") == ["SQL"]
    assert names() == ["Rust: no blocking", "SQL", "Tokio runtime panic"]


def test_the_preset_agents_keeps_notes_where_that_program_does(machine: Machine) -> None:
    app = machine.repository("agents-app", layout="agents")
    write(app / "n.md", EXAMPLE)
    added = machine.json("learnings", "add", "n.md", at=app)
    assert added["path"].startswith(str(machine.home / ".learnings" / "documents" / "learnings"))
    write(machine.home / ".learnings/documents/episodes/2026-03-16/ep-1.md",
          note("Episode about a walrus", type="episode"))  # fmt: skip
    (found,) = machine.json("learnings", "search", "walrus", at=app)["results"]
    assert found["kind"] == "episode"


def test_a_damaged_index_is_built_anew(machine: Machine, app: Path) -> None:
    write(app / "docs/solutions/a/one.md", note("Walrus"))
    assert titles(machine, app, "walrus") == ["Walrus"]
    (database,) = machine.home.glob(".satchel/projects/*/notes.db")
    for data in (b"", b"garbage" * 1000, database.read_bytes()[:5000]):
        database.write_bytes(data)
        assert titles(machine, app, "walrus") == ["Walrus"]
    assert database.with_name("notes.db.damaged").exists()
