"""What real clients send beside a person's words: their own prompts, and ours coming back."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from integration.client_stdin import STDIN, run_hooks
from integration.installed import Machine, context_of, needs_command
from satchel.clients.setup.wired import CLIENTS

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
OLD = "The invoice export needs the de_DE locale"
NOTIFIED = (
    "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n"
    "<summary>The invoice export needs the de_DE locale, no, use pnpm</summary>\n"
    "</task-notification>"
)


def wired(machine: Machine, shop: Path, client: str) -> None:
    machine.ok("install", client, "--hooks", "--yes", at=shop)


def known(machine: Machine, shop: Path) -> None:
    """An old memory that a brief has no room for."""
    machine.ok("learn", OLD, at=shop)
    for number in range(12):
        machine.ok(
            "learn", f"Part {number} logs below /var/log/p{number}, kept {number} days", at=shop
        )


def test_what_a_failing_command_taught_is_kept(machine: Machine, shop: Path) -> None:
    wired(machine, shop, "claude-code")
    command = 'bd comment BD-2 "LEARNED: the report needs LANG=C" && false'
    machine.hook(
        "PostToolUseFailure",
        shop,
        tool_name="Bash",
        tool_input={"command": command},
        error="Exit code 1",
        is_interrupt=False,
    )
    assert machine.contents(shop) == ["the report needs LANG=C"]


@pytest.mark.parametrize("source", ["", "system"])
def test_a_prompt_that_a_client_wrote_is_answered_by_nothing(
    machine: Machine, shop: Path, source: str
) -> None:
    wired(machine, shop, "claude-code")
    known(machine, shop)
    prompt = NOTIFIED if not source else "The invoice export needs a locale. no, use pnpm here"
    more = {"source": source} if source else {}
    assert machine.hook("UserPromptSubmit", shop, prompt=prompt, **more) == {}
    answer = machine.hook("UserPromptSubmit", shop, prompt="Why does the invoice export fail?")
    assert OLD in context_of(answer, "UserPromptSubmit")


def test_the_end_of_a_compaction_is_not_that_of_a_subagent(machine: Machine, shop: Path) -> None:
    wired(machine, shop, "claude-code")
    machine.ok("config", "set", "hooks.gate_subagent_stop", "true", at=shop)
    (shop / "left.txt").write_text("not committed")
    ended = {
        "agent_id": "a5",
        "stop_hook_active": False,
        "last_assistant_message": "<summary>BEAD BD-3 COMPLETE\nWorktree: .worktrees/bd-3</summary>",
    }
    blocked = machine.hook("SubagentStop", shop, agent_type="code-supervisor", **ended)
    assert blocked.get("decision") == "block"
    assert machine.hook("SubagentStop", shop, agent_type="", **ended) == {}


TASK = "Find out how the cache is keyed.\nBEAD_ID: BD-3"
DISPATCHES = [
    ("claude-code", "Agent", {"prompt": TASK, "subagent_type": "scout"}),
    ("gemini", "invoke_agent", {"prompt": TASK, "agent_name": "scout"}),
    ("codex", "spawn_agent", {"message": TASK, "agent_type": "scout"}),
    ("codex", "spawn_agent", {"message": TASK}),
    ("copilot", "Agent", {"prompt": TASK, "agent_type": "scout", "name": "helper"}),
]


@pytest.mark.parametrize(("client", "tool", "given"), DISPATCHES)
def test_what_a_subagent_is_asked_is_recorded(
    machine: Machine, shop: Path, client: str, tool: str, given: dict[str, str]
) -> None:
    wired(machine, shop, client)
    if client == "claude-code":
        machine.hook("PostToolUse", shop, tool_name=tool, tool_input=given)
    else:
        event = "AfterTool" if client == "gemini" else "PostToolUse"
        at = STDIN[client](event, str(shop))
        run_hooks(machine, client, event, shop, {**at, "tool_name": tool, "tool_input": given})
    (told,) = machine.json("memory", "list", at=shop)
    to = "scout" if "scout" in given.values() else "agent"
    assert told["content"] == f"Dispatched {to}: Find out how the cache is keyed."
    assert told["bead"] == "BD-3"


@pytest.mark.parametrize("client", ["gemini", "codex"])
def test_the_hook_after_a_tool_is_called_for_what_starts_a_subagent(
    machine: Machine, shop: Path, client: str
) -> None:
    wired(machine, shop, client)
    (event,) = [one for one in CLIENTS[client].events if one.means == "PostToolUse"]
    tool = {"gemini": "invoke_agent", "codex": "spawn_agent"}[client]
    assert re.fullmatch(event.matcher, tool)


def test_copilot_is_told_at_a_prompt_what_it_concerns(machine: Machine, shop: Path) -> None:
    wired(machine, shop, "copilot")
    known(machine, shop)
    at = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "c-1",
        "cwd": str(shop),
        "timestamp": "2026-11-22T18:32:01.548Z",
        "prompt": "Why does the invoice export fail?",
    }
    (answer,) = run_hooks(machine, "copilot", "UserPromptSubmit", shop, at)
    assert OLD in answer["additionalContext"]


# Gemini CLI puts what a hook answers, escaped, into the person's prompt.


class Gemini:
    """A session of Gemini CLI: it runs the hooks that are wired, and keeps a file of lines."""

    def __init__(self, machine: Machine, shop: Path, number: int) -> None:
        self.machine, self.shop, self.session = machine, shop, f"0000000{number}-b7b5-41b2-a6d0-0"
        chats = machine.home / ".gemini" / "tmp" / "shop" / "chats"
        chats.mkdir(parents=True, exist_ok=True)
        (chats.parent / ".project_root").write_text(str(shop))
        self.path = chats / f"session-2026-11-22T18-2{number}-{number}.jsonl"
        self.write(
            {
                "sessionId": self.session,
                "projectHash": "p",
                "kind": "main",
                "startTime": "2026-11-22T18:29:53.496Z",
            }
        )

    def write(self, record: dict[str, Any]) -> None:
        with self.path.open("a") as file:
            file.write(json.dumps(record) + "\n")

    def says(self, kind: str, text: str) -> None:
        self.write(
            {
                "id": f"{kind}{self.path.stat().st_size}",
                "type": kind,
                "timestamp": "2026-11-22T18:29:54.496Z",
                "content": [{"text": text}],
            }
        )

    def event(self, name: str, **more: Any) -> str:
        at = {
            **STDIN["gemini"]("SessionStart", str(self.shop)),
            "session_id": self.session,
            "transcript_path": str(self.path),
            "hook_event_name": name,
            **more,
        }
        at.pop("source", None)
        answers = run_hooks(self.machine, "gemini", name, self.shop, at)
        told = [one["hookSpecificOutput"]["additionalContext"] for one in answers]
        return "\n".join(told)

    def prompt(self, typed: str, answer: str) -> str:
        """One prompt, as the model is sent it; the first of a session holds the brief as well."""
        begun = self.event("SessionStart", source="startup")
        sent = f"{escaped(begun)}{typed}"
        told = self.event("BeforeAgent", prompt=sent)
        sent += f"\n\n{escaped(told)}"
        self.says("user", sent)
        for _ in range(3):
            self.event("PreCompress", trigger="auto")
        self.says("gemini", answer)
        self.event("SessionEnd", reason="exit")
        return sent


def escaped(told: str) -> str:
    return f"<hook_context>{html.escape(told, quote=False)}</hook_context>\n\n" if told else ""


def test_from_session_to_session_nothing_that_satchel_said_is_captured(
    machine: Machine, shop: Path
) -> None:
    wired(machine, shop, "gemini")
    known(machine, shop)
    before = len(machine.contents(shop))
    for number in range(10):
        session = Gemini(machine, shop, number)
        sent = session.prompt("Why does the invoice export fail?", "It has no locale. I set it.")
        assert "session brief" in sent
        assert sent.count(OLD) == 1, "recall is asked with the person's words"
    kept = machine.json("memory", "list", "--limit", "1000", at=shop)
    checkpoints = [one["content"] for one in kept if one["type"] == "checkpoint"]
    assert len(kept) - before - 10 <= 20, "a checkpoint and its two presences for each session"
    assert 1 <= len(checkpoints) <= 10
    asked = {one.splitlines()[0] for one in checkpoints}
    assert asked == {"Asked: Why does the invoice export fail?"}
    machine.ok("session", "import", at=shop)
    everything = [
        machine.ok("brief", at=shop),
        machine.ok("session", "search", "invoice export", at=shop),
        machine.ok("session", "search", "session brief", at=shop),
        json.dumps(machine.json("reflect", "--dry-run", at=shop)),
        json.dumps(kept),
    ]
    for text in everything:
        assert "hook_context" not in text
        assert "&lt;" not in text
    assert "Why does the invoice export fail?" in everything[1]
    assert "satchel-memory" not in "".join(everything[1:])


def test_a_compression_that_was_asked_for_leaves_a_checkpoint(machine: Machine, shop: Path) -> None:
    wired(machine, shop, "gemini")
    session = Gemini(machine, shop, 1)
    session.says("user", "Please look at the rate limiter first.")
    session.says("gemini", "It counts per key.")

    def checkpoints() -> int:
        found = machine.json("memory", "list", at=shop)
        return sum(one["type"] == "checkpoint" for one in found)

    session.event("PreCompress", trigger="auto")
    assert checkpoints() == 0
    session.event("PreCompress", trigger="manual")
    assert checkpoints() == 1


def test_a_dry_run_shows_what_was_found_in_the_background(machine: Machine, shop: Path) -> None:
    wired(machine, shop, "gemini")
    session = Gemini(machine, shop, 1)
    session.says("user", "No, never edit files below generated/ by hand.")
    session.says("gemini", "Understood.")
    found = machine.json("reflect", at=shop)
    assert [one["learning"] for one in found["signals"]]
    again = machine.json("reflect", "--dry-run", at=shop)
    assert again["signals"] == found["signals"]
    assert found["proposed"]
    assert again["proposed"] == []
    assert machine.json("reflect", at=shop)["unchanged"] == 1
