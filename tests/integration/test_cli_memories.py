"""Memories through the installed command: written, listed, shown, shared, deleted."""

import json
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def test_a_memory_goes_through_its_whole_life(machine: Machine, app: Path) -> None:
    said = machine.ok(
        "remember", "--kind", "decision", "We drop Redis: one store is enough", at=app
    )
    assert said.startswith("Remembered decision ")
    ident = said.split()[2].rstrip(":")
    listed = machine.ok("memory", "list", at=app)
    assert ident in listed
    assert "We drop Redis" in listed
    shown = machine.ok("memory", "show", ident, at=app)
    assert "decision" in shown
    answer = machine.ok("recall", "why did we drop redis", at=app)
    assert answer.startswith("[DECISION] We drop Redis")
    assert "private" in answer
    machine.ok("memory", "delete", ident, at=app)
    assert machine.ok("recall", "redis", at=app).strip() == "Nothing found for 'redis'."
    assert "We drop Redis" in machine.ok("memory", "history", ident, at=app)
    assert "deleted" in machine.ok("memory", "list", "--all", at=app)


def test_every_reading_command_gives_json(machine: Machine, app: Path) -> None:
    record = machine.json(
        "remember", "--kind", "fact", "api | port | 80", "--title", "Port", at=app
    )
    assert record["data"] == {
        "subject": "api",
        "predicate": "port",
        "object": "80",
        "single": True,
    }
    for words in (
        ("recall", "port"), ("memory", "list"), ("memory", "show", record["id"]),
        ("memory", "history", record["id"]), ("memory", "facts"), ("memory", "scoped"),
        ("brief",), ("brief", "--prompt", "which port has the api?"), ("share", "--dry-run"),
        ("why-injected",), ("config",), ("rebuild",), ("upkeep", "--dry-run"), ("stats",),
        ("memory", "delete", record["id"], "--yes"),
    ):  # fmt: skip
        machine.json(*words, at=app)
    assert "findings" in json.loads(machine.run("doctor", "--json", at=app).out)


@pytest.mark.parametrize("where", ["content", "--title", "--tag", "--key", "--agent", "--source"])
def test_nothing_that_a_terminal_obeys_is_ever_printed(
    machine: Machine, app: Path, where: str
) -> None:
    hostile = "a\x1b[31mred\x1b]0;title\x07 \u202etxt.exe \U000e0041\u200b word"
    words = ["remember", "--kind", "preference", hostile if where == "content" else "plain word"]
    if where != "content":
        words += [where, hostile]
    machine.ok(*words, at=app)
    (one,) = machine.json("memory", "list", at=app)
    for command in (
        ("recall", "word"), ("recall", "word", "--json"), ("memory", "list"),
        ("memory", "show", one["id"]), ("brief",), ("brief", "--json"), ("memory", "history", one["id"]),
        ("recall-sh", "word"), ("share", "--kind", "preference", "--dry-run"),
        ("memory", "show", hostile), ("recall", hostile),
    ):  # fmt: skip
        machine.run(*command, at=app)  # looks at both streams


def test_facts_are_answered_as_of_a_time(machine: Machine, app: Path) -> None:
    machine.ok("remember", "--kind", "fact", "api | port | 80", "--from", "2026-01-01", at=app)
    machine.ok("remember", "--kind", "fact", "api | port | 90", "--from", "2026-03-01", at=app)
    assert "api | port | 90" in machine.ok("memory", "facts", at=app)
    assert "api | port | 80" in machine.ok("memory", "facts", "--as-of", "2026-02-01", at=app)
    assert machine.json("memory", "facts", "--as-of", "2025-01-01", at=app) == []


def test_scoped_memories_are_the_tasks_the_epics_and_constraints(
    machine: Machine, app: Path
) -> None:
    tasks = [
        {"id": "E", "title": "epic"},
        {"id": "T", "title": "task", "parent": "E"},
        {"id": "U", "title": "u"},
    ]
    (app / ".satchel" / "tasks.jsonl").write_text(
        "".join(json.dumps(t) + "\n" for t in tasks), "utf-8"
    )
    machine.ok("remember", "--kind", "decision", "of the task", "--task", "T", at=app)
    machine.ok("remember", "--kind", "decision", "of the epic", "--epic", "E", at=app)
    machine.ok("remember", "--kind", "decision", "of another", "--task", "U", at=app)
    machine.ok("learn", "of everyone", at=app)
    machine.ok("remember", "--kind", "constraint", "rule of everyone", at=app)
    machine.ok("remember", "--kind", "constraint", "rule of another", "--task", "U", at=app)
    found = machine.json("memory", "scoped", "--task", "T", at=app)
    assert {step: [one["content"] for one in items] for step, items in found.items()} == {
        "task": ["of the task"],
        "epic": ["of the epic"],
        "project": ["rule of everyone"],
        "active": ["rule of another"],
    }


# Sharing


def test_sharing_shows_first_writes_after_a_yes_and_once(machine: Machine, app: Path) -> None:
    machine.ok("learn", "The team should know this", at=app)
    machine.ok("remember", "--kind", "checkpoint", "This is mine", at=app)
    ledger = app / ".satchel" / "knowledge.jsonl"
    assert "The team should know this" in machine.ok("share", "--dry-run", at=app)
    assert not ledger.exists()
    refused = machine.run("share", at=app)
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert not ledger.exists()
    machine.ok("share", "--yes", at=app)
    (line,) = ledger.read_text("utf-8").splitlines()
    fields = json.loads(line)
    assert fields["content"] == "The team should know this"
    assert not {"session", "worktree", "client", "chat"} & set(fields)
    assert "Nothing waits" in machine.ok("share", "--yes", at=app)
    machine.ok("share", fields["id"], "--yes", at=app)
    assert len(ledger.read_text("utf-8").splitlines()) == 1
    assert run_git(str(app), "check-attr", "merge", "--", str(ledger)).strip().endswith("union")
    assert len(machine.contents(app)) == 2


def test_json_alone_is_no_consent_to_write_a_tracked_file(machine: Machine, app: Path) -> None:
    machine.ok("learn", "The team should know this", at=app)
    machine.run("share", "--json", at=app)
    assert not (app / ".satchel" / "knowledge.jsonl").exists()


def test_what_is_deleted_after_it_was_shared_is_offered_as_a_deletion(
    machine: Machine, app: Path
) -> None:
    record = machine.json("learn", "A lesson that proves wrong", at=app)
    machine.ok("share", "--yes", at=app)
    machine.ok("memory", "delete", record["id"], "--yes", at=app)
    machine.ok("share", "--yes", at=app)
    lines = (app / ".satchel" / "knowledge.jsonl").read_text("utf-8").splitlines()
    assert [bool(json.loads(line).get("deleted_at")) for line in lines] == [False, True]
    assert machine.of_somebody_else("teammate").contents(app) == []


def test_a_secret_never_reaches_the_tracked_ledger(machine: Machine, app: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    machine.ok("learn", f"push with {secret} set", "--tag", secret, at=app)
    machine.ok("share", "--yes", at=app)
    text = (app / ".satchel" / "knowledge.jsonl").read_text("utf-8")
    assert secret not in text
    assert "[redacted:" in text


# Setting up


def test_init_shows_what_it_would_write_and_changes_nothing_without_a_yes(machine: Machine) -> None:
    path = machine.repository(init=False)
    refused = machine.run("init", at=path)
    assert refused.code == 2
    assert "new      .claude/settings.json" in refused.out
    assert "--yes" in refused.err
    assert run_git(str(path), "status", "--porcelain") == ""


def test_printing_the_hooks_changes_nothing(machine: Machine) -> None:
    path = machine.repository(init=False)
    printed = json.loads(machine.ok("init", "--print", at=path))
    assert sorted(printed["hooks"]) == sorted(
        ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "SubagentStart", "SubagentStop",
         "PreCompact", "SessionEnd"]
    )  # fmt: skip
    assert run_git(str(path), "status", "--porcelain") == ""


def test_init_keeps_the_users_own_hooks_twice_changes_nothing_and_undo_takes_it_back(
    machine: Machine,
) -> None:
    path = machine.repository(init=False)
    theirs = {
        "hooks": {
            "PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "true"}]}]
        }
    }
    (path / ".claude").mkdir()
    (path / ".claude" / "settings.json").write_text(json.dumps(theirs), "utf-8")
    before = (path / ".claude" / "settings.json").read_bytes()
    assert len(machine.json("init", "--yes", at=path)["changed"]) == 3
    after = json.loads((path / ".claude" / "settings.json").read_text("utf-8"))
    assert theirs["hooks"]["PostToolUse"][0] in after["hooks"]["PostToolUse"]
    assert machine.json("init", "--yes", at=path)["changed"] == []
    machine.ok("learn", "kept through the undo", at=path)
    machine.ok("undo", "--setup", "--yes", at=path)
    assert (path / ".claude" / "settings.json").read_bytes() == before
    assert not (path / ".satchel" / "project.toml").exists()
    assert "nothing to undo" in machine.fails(4, "undo", "--setup", at=path)


@pytest.mark.parametrize(
    ("layout", "ledger"),
    [
        ("default", ".satchel/knowledge.jsonl"),
        ("beads", ".beads/memory/knowledge.jsonl"),
        ("agents", ".agents/knowledge.jsonl"),
        ("beans", ".beans/knowledge.jsonl"),
    ],
)
def test_each_layout_puts_the_tracked_ledger_where_its_system_has_it(
    machine: Machine, layout: str, ledger: str
) -> None:
    path = machine.repository(init=False)
    assert machine.json("init", "--yes", "--layout", layout, at=path)["preset"] == layout
    machine.ok("learn", "for the team", at=path)
    machine.ok("share", "--yes", at=path)
    assert "for the team" in (path / ledger).read_text("utf-8")
    assert (path / ledger).parent.joinpath(".gitattributes").exists()
    assert machine.json("init", "--yes", at=path)["changed"] == []


@pytest.mark.parametrize(
    ("there", "layout"),
    [
        (".beads/memory", "beads"),
        (".agents", "agents"),
        (".beans", "beans"),
        ("src", "default"),
        (".agents/skills", "default"),
    ],
)
def test_init_picks_the_layout_from_what_it_finds(
    machine: Machine, there: str, layout: str
) -> None:
    path = machine.repository(init=False)
    (path / there).mkdir(parents=True)
    assert machine.json("init", "--yes", at=path)["preset"] == layout
