"""`init` fits one screen: what it would write, what it found, and what to do with that."""

import json
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.terminal import on_a_terminal
from satchel.clients.setup.wired import clients_here
from satchel.clients.transcript_format.project_key import project_key

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

HOOK = "satchel hook SessionStart"


@pytest.fixture
def bare(machine: Machine) -> Path:
    return machine.repository(init=False)


def test_a_line_for_each_file_and_not_every_line_of_it(machine: Machine, bare: Path) -> None:
    said = machine.ok("init", "--yes", at=bare)
    assert "new      .satchel/project.toml    4 lines: makes this directory a project" in said
    assert ".claude/settings.json" in said
    assert HOOK not in said
    assert len(said.splitlines()) < 24
    assert "Found here" not in said


def test_every_line_is_shown_when_asked_for(machine: Machine, bare: Path) -> None:
    assert HOOK in machine.ok("init", "--diff", "--yes", at=bare)
    # Nothing is left to change, and so nothing is listed or asked.
    assert "settings.json" not in machine.ok("init", at=bare)


def test_a_dry_run_names_the_files_and_writes_none(machine: Machine, bare: Path) -> None:
    before = sorted(bare.rglob("*"))
    told = machine.ok("init", "--dry-run", at=bare)
    assert "new" in told
    assert ".satchel/project.toml" in told
    named = machine.json("init", "--dry-run", at=bare)["would_change"]
    assert ".satchel/project.toml" in named
    assert "+[project]" in machine.ok("init", "--dry-run", "--diff", at=bare)
    assert sorted(bare.rglob("*")) == before
    machine.ok("init", "--yes", at=bare)
    assert "nothing would be changed" in machine.ok("init", "--dry-run", at=bare)
    assert machine.ok("uninstall", "--dry-run", at=bare) == machine.ok(
        "uninstall", "--print", at=bare
    )


def test_d_shows_every_line_and_asks_again(machine: Machine, bare: Path) -> None:
    said = "\n".join(on_a_terminal(machine, bare, 100, "init", typed="d\ny\n"))
    assert said.count("Apply this?") == 2
    assert HOOK in said
    assert (bare / ".claude" / "settings.json").exists()


def test_what_of_a_file_changes_is_counted(machine: Machine, bare: Path) -> None:
    settings = bare / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "model": "opus"\n}\n')
    said = machine.ok("init", "--yes", at=bare)
    assert "changed  .claude/settings.json" in said
    assert "+9" in said
    said = machine.ok("uninstall", "claude-code", "--hooks", "--yes", at=bare)
    assert "-9" in said
    assert settings.read_text() == '{\n  "model": "opus"\n}\n'


def test_what_is_known_here_already_is_found(machine: Machine, bare: Path) -> None:
    (bare / "CLAUDE.md").write_text("Use pnpm.\n")
    (bare / "AGENTS.md").write_text("Use pnpm.\n")
    (bare / ".cursor" / "rules").mkdir(parents=True)
    (bare / ".cursor" / "rules" / "style.mdc").write_text("Two spaces.\n")
    (bare / "docs" / "adr").mkdir(parents=True)
    (bare / "docs" / "adr" / "0001-cents.md").write_text("# Prices are whole cents\n")
    (bare / ".beads").mkdir()
    (bare / ".beads" / "issues.jsonl").write_text('{"id": "shop-1", "title": "Pay"}\n')
    past = machine.home / ".claude" / "projects" / project_key(str(bare)) / "one.jsonl"
    past.parent.mkdir(parents=True)
    turn = {"type": "user", "cwd": str(bare), "sessionId": "one", "message": {"content": "Hello"}}
    past.write_text(json.dumps(turn) + "\n")
    said = machine.ok("init", "--yes", at=bare).split("Found here:\n")[1]
    rows = [line.split("`") for line in said.splitlines() if line.startswith("  ")]
    assert {row[0].strip(): row[1] for row in rows} == {
        "AGENTS.md, CLAUDE.md, .cursor/rules/style.mdc": "satchel instructions show",
        # No commit has it, and it may have come in an archive.
        "1 file for agents": "satchel approve",
        "3 files of rules": "satchel instructions compile",
        "1 decision record in docs/adr": "satchel docs",
        ".beads/issues.jsonl": "satchel tasks ready",
        "1 earlier session of your agents": "satchel reflect",
    }
    for row in rows:
        asks = ["--yes"] if "compile" in row[1] else []
        machine.ok(*row[1].split()[1:], *asks, at=bare)
    assert "whole cents" in machine.ok("recall", "what are prices counted in, cents?", at=bare)


def test_clients_of_this_machine_that_are_not_wired_are_named(machine: Machine, bare: Path) -> None:
    """Who works in Claude Code and Codex is asked about Codex: the repository is a team's."""
    (machine.home / ".codex").mkdir(parents=True)
    (machine.home / ".claude").mkdir()
    said = machine.ok("init", "--yes", at=bare)
    assert "Codex on this machine  `satchel install codex` wires it here" in said
    machine.ok("install", "codex", "--yes", at=bare)
    assert "on this machine" not in machine.ok("init", "--yes", at=bare)


@pytest.mark.parametrize("client", ["codex", "gemini"])
def test_who_has_no_claude_code_gets_the_hooks_of_what_they_have(
    machine: Machine, bare: Path, client: str
) -> None:
    (machine.home / f".{client}").mkdir(parents=True)
    said = machine.ok("init", "--yes", at=bare)
    assert (bare / f".{client}").is_dir()
    assert not (bare / ".claude").exists()
    assert "Claude Code" not in said
    assert f"install {client}" not in said
    assert machine.json("init", "--yes", at=bare)["changed"] == []


def test_where_no_client_is_found_claude_code_is_wired(machine: Machine, bare: Path) -> None:
    machine.ok("init", "--yes", at=bare)
    assert (bare / ".claude").is_dir()


def test_a_program_called_claude_says_that_it_is_used(
    machine: Machine, bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "claude").write_text("#!/bin/sh\n")
    (tmp_path / "claude").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".codex").mkdir()
    assert clients_here(str(bare)) == ("claude-code",)


def test_a_program_of_another_client_says_that_it_is_used(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "codex").write_text("#!/bin/sh\n")
    (tmp_path / "codex").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert clients_here(str(bare)) == ("codex",)


def test_a_gate_that_guards_nothing_says_so(machine: Machine, bare: Path) -> None:
    (machine.home / ".codex").mkdir(parents=True)
    done = machine.run("init", "--yes", "--gate", at=bare)
    assert "--gate guards Claude Code's subagents" in done.err


def test_memories_of_another_tool_are_found(machine: Machine, bare: Path) -> None:
    memory = bare / ".beads" / "memory"
    memory.mkdir(parents=True)
    line = {"key": "use-wal", "type": "learned", "content": "Use WAL", "ts": 1790000000}
    (memory / "knowledge.jsonl").write_text(json.dumps(line) + "\n")
    assert "satchel adopt" not in machine.ok("init", "--yes", at=bare)  # read where it lies
    other = machine.repository("other", init=False)
    (other / ".beans").mkdir()
    (other / ".agents" / "skills").mkdir(parents=True)
    (other / ".agents" / "knowledge.jsonl").write_text(json.dumps(line) + "\n")
    said = machine.json("init", "--layout", "default", "--yes", at=other)
    adopted = {
        "what": ".agents/knowledge.jsonl",
        "command": "satchel adopt",
        "effect": "imports it",
    }
    assert adopted in said["found"]
