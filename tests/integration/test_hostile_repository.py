"""A cloned repository that carries links out of itself, pipes and damaged files."""

import json
import os
import time
from pathlib import Path

import pytest

from integration.installed import Machine, context_of, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
SECRET = "TOPSECRET outside line"


@pytest.fixture
def app(machine: Machine) -> Path:
    app = machine.repository("app")
    machine.ok("remember", "--kind", "constraint", "Never log request bodies", at=app)
    return app


@pytest.fixture
def secret(machine: Machine) -> Path:
    path = machine.directory / "secret.md"
    path.write_text(f"# {SECRET}\n\n{SECRET}\n")
    return path


#: Every file of a repository that a session's start reads.
READ = (
    "PROJECT_INTENT.md",
    ".satchel/prompts/session-start.md",
    ".satchel/MEMORY.md",
    ".satchel/agents/bob/SOUL.md",
    "README.md",
)


def put(app: Path, name: str) -> Path:
    path = app / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@pytest.mark.parametrize("name", READ)
def test_a_link_out_of_the_repository_is_never_put_before_an_agent(
    machine: Machine, app: Path, secret: Path, name: str
) -> None:
    put(app, name).symlink_to(secret)
    context = context_of(machine.hook("SessionStart", app, source="startup"), "SessionStart")
    assert "Never log request bodies" in context
    assert SECRET not in context
    for words in (["prime"], ["brief", "start"], ["brief", "assembled"], ["intent", "show"],
                  ["research", "topsecret outside line", "--no-save"]):  # fmt: skip
        done = machine.run(*words, at=app)
        assert SECRET not in done.out, words


@pytest.mark.parametrize(
    "name", [*READ, ".satchel/knowledge.jsonl", ".satchel/intent-links.json", ".satchel/tasks.jsonl",
             ".satchel/memory-query-routing.json", "AGENTS.md"]
)  # fmt: skip
def test_a_pipe_under_a_known_name_holds_nobody_up(machine: Machine, app: Path, name: str) -> None:
    os.mkfifo(put(app, name))
    context = context_of(machine.hook("SessionStart", app, source="startup"), "SessionStart")
    assert "Never log request bodies" in context
    for words in (["brief"], ["prime"], ["recall", "log request bodies"], ["recall", "task status"],
                  ["intent", "links"], ["memory", "show"], ["agent", "list"], ["doctor"]):  # fmt: skip
        machine.run(*words, at=app)
    assert "Never log request bodies" in machine.ok("recall", "log request bodies", at=app)


def test_nothing_is_written_through_a_directory_that_leads_out(machine: Machine, app: Path) -> None:
    outside = machine.directory / "outside"
    outside.mkdir()
    put(app, ".satchel/agents/x")
    (app / ".satchel" / "agents" / "evil").symlink_to(outside)
    (app / ".learnings").symlink_to(outside)
    machine.fails(7, "agent", "new", "evil", at=app)
    done = machine.run("session", "end", "--agent", "x", "--learned", "y", at=app)
    assert list(outside.iterdir()) == []
    assert done.code in (0, 7)


def test_a_damaged_intent_costs_no_brief_and_is_told(machine: Machine, app: Path) -> None:
    (app / "PROJECT_INTENT.md").write_bytes(b"# T\n\0\xff\xfe" * 300)
    context = context_of(machine.hook("SessionStart", app, source="startup"), "SessionStart")
    assert "Never log request bodies" in context
    assert "Project intent" not in context
    assert "binary data" in machine.fails(2, "intent", "check", at=app)
    (app / "PROJECT_INTENT.md").write_text(" \n")
    assert "is empty" in machine.fails(2, "intent", "show", at=app)


def test_a_memory_file_that_no_agent_reads_is_not_written_to(machine: Machine, app: Path) -> None:
    file = app / "AGENTS.md"
    for data in ("# T\n".encode("utf-16"), b"# T\n```\ncode", b"# T\n<!-- note\n"):
        file.write_bytes(data)
        machine.fails(2, "memory", "add", "Always run the linter", "--yes", at=app)
        assert file.read_bytes() == data
    file.write_text("# T\n<!--\n## Added Memories\n-->\ntext\n")
    machine.ok("memory", "add", "Always run the linter", "--yes", at=app)
    assert file.read_text().endswith("\n\n## Added Memories\n- Always run the linter\n")
    file.chmod(0o444)
    assert "read-only" in machine.fails(7, "memory", "add", "Another rule here", "--yes", at=app)


def test_cleaning_up_asks_before_it_closes(machine: Machine, app: Path) -> None:
    machine.ok("session", "new", "Mend it", "--start", at=app)
    time.sleep(1.1)
    due = machine.ok("session", "cleanup", "--older-than", "1s", "--dry-run", at=app)
    assert "1 session would be closed" in due
    told = machine.json("session", "cleanup", "--older-than", "1s", at=app)
    assert (told["open"], told["closed"]) == (1, [])
    assert machine.json("session", "list", at=app)[0]["status"] == "active"
    machine.ok("session", "cleanup", "--older-than", "1s", "--yes", at=app)
    assert machine.json("session", "list", at=app)[0]["status"] == "closed"


def test_no_module_of_a_repository_is_run_in_the_background(machine: Machine, app: Path) -> None:
    marker = machine.directory / "ran"
    for name in ("satchel.py", "json.py", "numpy.py", "apsw.py", "argparse.py"):
        (app / name).write_text(f"open({str(marker)!r}, 'a').write({name!r})\n")
    environment = {"SATCHEL_EMBED_BACKGROUND": "1"}
    given = json.dumps({"session_id": "s", "cwd": str(app), "source": "startup"})
    machine.run("hook", "SessionStart", at=app, stdin=given, environment=environment)
    machine.run("recall", "log request bodies", at=app, environment=environment)
    # What was started says that it ran: the embedding of the one memory is waited for.
    for _ in range(100):
        told = machine.run("stats", "--json", at=app, environment=environment)
        if marker.exists() or '"waiting": 0' in told.out:
            break
        time.sleep(0.1)
    assert not marker.exists(), marker.read_text()


def test_what_links_lead_to_is_no_knowledge_of_the_project(
    machine: Machine, app: Path, secret: Path
) -> None:
    other = machine.directory / "other"
    other.mkdir()
    (other / "note.md").write_text(
        f"---\ntitle: Outside note\ncategory: build-errors\nkey_insight: {SECRET}\n---\n\n{SECRET}\n"
    )
    (other / "lines.jsonl").write_text(
        json.dumps({"key": "learned-x", "type": "learned", "content": SECRET, "source": "user",
                    "tags": ["learned"], "ts": 1795316103, "bead": ""}) + "\n"
    )  # fmt: skip
    (app / "docs").mkdir()
    (app / "docs" / "solutions").symlink_to(other)
    (app / ".satchel" / "knowledge.jsonl").symlink_to(other / "lines.jsonl")
    (app / ".satchel" / "sessions").symlink_to(other)
    for words in (["recall", "topsecret outside line"], ["learnings", "search", "outside note"],
                  ["prime"], ["brief"], ["graph", "search", "outside"], ["memory", "list"]):  # fmt: skip
        assert SECRET not in machine.run(*words, at=app).out, words
    machine.ok("config", "set", "sessions.tracked", "true", at=app)
    machine.ok("session", "new", "private words", at=app)
    assert sorted(path.name for path in other.iterdir()) == ["lines.jsonl", "note.md"]
    (app / ".gitignore").symlink_to(secret)
    machine.fails(7, "memory", "add", "A local rule", "--target", "local", "--yes", at=app)
    assert (app / ".gitignore").is_symlink()
