"""What a person is told of clients: the next step, who trusts what, and who has sent nothing."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from satchel.clients.registry import CLIENTS, Client
from satchel.clients.setup.wired import CLIENTS as WIRINGS

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
WEEK = 7 * 86_400


@pytest.mark.parametrize("client", CLIENTS, ids=lambda one: one.name)
def test_after_the_installation_the_next_step_is_said(
    machine: Machine, shop: Path, client: Client
) -> None:
    said = machine.ok("install", client.name, "--yes", at=shop)
    assert f"next, {WIRINGS[client.name].label}: " in said
    assert "next, " not in machine.ok("install", client.name, "--yes", at=shop)


@pytest.mark.parametrize("client", ["claude-code", "vscode", "cursor"])
@pytest.mark.parametrize("part", ["--hooks", "--skills"])
def test_the_next_step_speaks_of_a_server_only_where_there_is_one(
    machine: Machine, shop: Path, client: str, part: str
) -> None:
    def step(*words: str) -> str:
        said = machine.ok(*words, "--yes", at=shop).splitlines()
        return next(line for line in said if line.startswith("next, "))

    assert "server" not in step("install", client, part)
    assert "server" in step("install", client, "--mcp")
    shared = ("copilot",) if client == "vscode" else ()
    machine.ok("uninstall", client, *shared, part, "--yes", at=shop)
    assert "server" in step("install", client, part)


def test_init_says_that_a_server_waits_only_where_it_put_one_in(machine: Machine) -> None:
    for name, more, told in (("plain", (), False), ("served", ("--mcp",), True)):
        said = machine.ok("init", "--yes", *more, at=machine.repository(name, init=False))
        assert "next, Claude Code: start `claude`" in said
        assert ("allow the MCP server" in said) == told


def test_init_says_it_too_of_each_client_that_it_wires(machine: Machine) -> None:
    shop = machine.repository("other", init=False)
    (machine.home / ".claude").mkdir(parents=True, exist_ok=True)
    for sign in (".cursor", ".vscode"):
        (shop / sign).mkdir()
    (shop / ".vscode" / "mcp.json").write_text("{}")
    said = machine.ok("init", "--yes", at=shop)
    told = [line.split(":")[0] for line in said.splitlines() if line.startswith("next, ")]
    assert told == ["next, Claude Code", "next, VS Code", "next, Cursor"]
    assert "next, " not in machine.ok("init", "--yes", at=shop)
    other = machine.repository("third", init=False)
    assert "next, " not in machine.ok("init", "--no-hooks", "--yes", at=other)


TRUSTED = [
    ("claude-code", ".claude.json", '{"projects": {"ROOT": {"hasTrustDialogAccepted": true}}}'),
    ("codex", ".codex/config.toml", '[projects."ROOT"]\ntrust_level = "trusted"\n'),
    ("gemini", ".gemini/trustedFolders.json", '{"ROOT": "TRUST_FOLDER"}'),
    ("copilot", ".copilot/config.json", '// theirs\n{"trusted_folders": ["ROOT"]}'),
]


@pytest.mark.parametrize(("client", "name", "text"), TRUSTED)
def test_the_status_says_whether_a_client_is_trusted_and_when_it_was_seen(
    machine: Machine, shop: Path, client: str, name: str, text: str
) -> None:
    machine.ok("install", client, "--hooks", "--yes", at=shop)
    status = ("install", client, "--status", "--project", "--hooks")
    assert "trusted: not known; last event: never" in machine.ok(*status, at=shop)
    file = machine.home / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text.replace("ROOT", str(shop)))
    given = json.dumps({"session_id": "s-1", "cwd": str(shop), "source": "startup"})
    machine.ok("hook", "SessionStart", "--client", client, at=shop, stdin=given)
    assert "trusted: yes; last event: just now" in machine.ok(*status, at=shop)
    (row,) = machine.json(*status, at=shop)
    assert row["trusted"] is True
    assert abs(time.time() - row["seen"]) < 60


def test_a_file_of_the_client_that_cannot_be_read_says_nothing(
    machine: Machine, shop: Path
) -> None:
    (machine.home / ".claude.json").write_text("{broken")
    (row, *_) = machine.json("install", "claude-code", "--status", "--project", at=shop)
    assert row["trusted"] is None


def test_doctor_names_who_is_wired_twice_and_who_is_silent(machine: Machine, shop: Path) -> None:
    machine.ok("install", "claude-code", "--hooks", "--yes", at=shop)
    machine.ok("install", "claude-code", "--hooks", "--user", "--yes", at=shop)
    machine.ok("install", "gemini", "--hooks", "--yes", at=shop)

    def found() -> str:
        return machine.run("doctor", at=shop).out

    assert "both run" in found()
    assert "have never run" not in found()
    long_ago = time.time() - WEEK - 3600
    os.utime(shop / ".gemini" / "settings.json", (long_ago, long_ago))
    assert "its hooks are wired, and have never run here" in found()
    machine.hook("SessionStart", shop, source="startup")
    (seen,) = machine.home.rglob("seen/claude-code")
    os.utime(seen, (long_ago, long_ago))
    assert "its hooks are wired, and last ran 7 d ago" in found()
