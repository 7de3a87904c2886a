"""Hooks of every client: what the installer wrote is read back and run as the client runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from integration.client_stdin import STDIN, copilot, run_hooks
from integration.installed import Machine, needs_command
from satchel.clients.setup.wired import CLIENTS

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
#: Those whose hooks are commands in a file of theirs.
OTHERS = tuple(name for name, client in CLIENTS.items() if client.events)


def context_in(client: str, event: str, answer: dict[str, Any]) -> str:
    """The text that the client takes from an answer, by its own rules; unknown keys fail."""
    if client == "cursor":
        assert sorted(answer) == ["additional_context", "hookSpecificOutput"]
        return str(answer["additional_context"])
    if client in ("copilot", "vscode"):
        inner = answer.get("hookSpecificOutput", answer)
        assert inner["additionalContext"] == answer["additionalContext"]
        return str(inner["additionalContext"])
    assert list(answer) == ["hookSpecificOutput"]
    inner = answer["hookSpecificOutput"]
    assert sorted(inner) == ["additionalContext", "hookEventName"]
    assert inner["hookEventName"] == event
    return str(inner["additionalContext"])


@pytest.mark.parametrize("client", OTHERS)
def test_what_an_agent_learns_in_any_client_is_in_its_next_session(
    machine: Machine, shop: Path, client: str
) -> None:
    machine.ok("install", client, "--hooks", "--yes", at=shop)
    means = {event.means: event.name for event in CLIENTS[client].events}
    assert run_hooks(machine, client, means["PostToolUse"], shop) == []
    assert machine.contents(shop) == ["the parser is recursive"]
    found = machine.json("memory", "list", at=shop)
    assert {one["client"] for one in found if one["type"] != "activity"} == {
        "copilot" if client == "vscode" else client
    }
    (answer,) = run_hooks(machine, client, means["SessionStart"], shop)
    assert "the parser is recursive" in context_in(client, means["SessionStart"], answer)
    for event in CLIENTS[client].events:
        for one in run_hooks(machine, client, event.name, shop):
            assert "parser" in context_in(client, event.name, one)


@pytest.mark.parametrize("client", OTHERS)
def test_a_guard_is_told_in_the_client_s_own_form(
    machine: Machine, shop: Path, client: str
) -> None:
    machine.ok("guards", "add", "--id", "npm", "--message", "use pnpm", "--do", "deny",
               "--command", "npm install*", "--blocks", "npm install x", "--allows", "pnpm i", at=shop)  # fmt: skip
    machine.ok("guards", "approve", "npm", "--yes", at=shop)
    machine.ok("install", client, "--hooks", "--guard", "--yes", at=shop)
    guard = CLIENTS[client].guard
    assert guard
    (answer,) = run_hooks(machine, client, guard.name, shop)
    text = json.dumps(answer)
    assert "use pnpm" in text
    inner = answer.get("hookSpecificOutput", answer)
    said = {answer.get("decision"), answer.get("permission"), inner.get("permissionDecision")}
    assert said - {None} == {"deny"}
    harmless = json.loads(
        json.dumps(STDIN[client](guard.name, str(shop))).replace("npm install", "ls")
    )
    assert run_hooks(machine, client, guard.name, shop, harmless) == []
    # Bringing the entries up to date does not take the guard's hook back.
    machine.ok("install", client, "--hooks", "--yes", at=shop)
    assert run_hooks(machine, client, guard.name, shop) == [answer]


def test_the_cli_s_own_spelling_of_copilot_is_understood(machine: Machine, shop: Path) -> None:
    machine.ok("install", "copilot", "--hooks", "--yes", at=shop)
    assert (
        run_hooks(machine, "copilot", "PostToolUse", shop, copilot("postToolUse", str(shop))) == []
    )
    assert machine.contents(shop) == ["the parser is recursive"]
    (answer,) = run_hooks(
        machine, "copilot", "SessionStart", shop, copilot("sessionStart", str(shop))
    )
    assert list(answer) == ["additionalContext"]


@pytest.mark.parametrize("given", [b"", b"[]", b"{", b"\xff", b'{"tool_input": 7, "cwd": []}', b'{"toolArgs": "{"}', b"null"])  # fmt: skip
@pytest.mark.parametrize("client", ["codex", "copilot", "gemini", "cursor", "nobody"])
def test_a_hook_of_any_client_stays_silent_whatever_it_is_given(
    machine: Machine, shop: Path, client: str, given: bytes
) -> None:
    done = machine.run("hook", "PostToolUse", "--client", client, at=shop, stdin=given)
    assert done == (0, "", "")


def test_claude_s_hooks_stand_aside_in_a_client_with_hooks_of_its_own(
    machine: Machine, shop: Path
) -> None:
    machine.ok("install", "claude-code", "--hooks", "--yes", at=shop)
    payload = json.dumps(STDIN["cursor"]("postToolUse", str(shop)))
    hook = ("hook", "PostToolUse")
    machine.run(*hook, at=shop, stdin=payload)
    assert machine.contents(shop) == ["the parser is recursive"]  # no other hook would
    again = payload.replace("recursive", "slow")
    machine.ok("install", "cursor", "--hooks", "--yes", at=shop)
    machine.run(*hook, at=shop, stdin=again)
    assert machine.contents(shop) == ["the parser is recursive"]
    machine.run(*hook, "--client", "cursor", at=shop, stdin=again)
    assert sorted(machine.contents(shop)) == ["the parser is recursive", "the parser is slow"]
