"""opencode: a configuration of its own shape, and a plugin that calls the hooks."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from integration.installed import COMMAND, Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
#: Stands in for opencode: calls the plugin as opencode 1.18 does, and prints what came of it.
HOST = """
import { Satchel } from "PLUGIN"
const messages = []
const client = { session: { messages: async () => ({ data: messages }) } }
const plugin = await Satchel({ client, directory: process.cwd() })
const told = []
async function created(id, parentID) {
  await plugin.event({ event: { type: "session.created", properties: { info: { id, parentID } } } })
}
async function prompt(sessionID, text, agent) {
  const parts = [{ type: "text", text }]
  await plugin["chat.message"]({ sessionID, agent }, { message: {}, parts })
  const info = { id: `m${messages.length}`, role: "user", time: { created: 1795418933433 } }
  if (!agent) messages.push({ info, parts })
  const output = { system: ["own"] }
  await plugin["experimental.chat.system.transform"]({ sessionID }, output)
  told.push(output.system.slice(1).join("\\n"))
}
async function run(sessionID, tool, args, exit = 0) {
  try {
    await plugin["tool.execute.before"]({ tool, sessionID }, { args })
  } catch (error) { return told.push(`blocked: ${error.message}`) }
  const output = { output: "RAN", metadata: { exit } }
  await plugin["tool.execute.after"]({ tool, sessionID, args }, output)
}
STEPS
const env = {}
await plugin["shell.env"]({ sessionID: "ses_1" }, { env })
await plugin.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } })
await plugin.dispose()
console.log(JSON.stringify({ told, env }))
"""


def hosted(machine: Machine, shop: Path, steps: str) -> dict[str, Any]:
    """Run the installed plugin in a host of ours."""
    plugin = shop / ".opencode" / "plugins" / "satchel.js"
    copy = machine.directory / "plugin.mjs"
    copy.write_bytes(plugin.read_bytes())
    host = machine.directory / "host.mjs"
    host.write_text(HOST.replace("PLUGIN", str(copy)).replace("STEPS", steps))
    node = shutil.which("node") or ""
    done = subprocess.run(
        [node, str(host)],
        cwd=shop,
        env=machine.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_its_configuration_has_the_shape_that_it_starts_with(machine: Machine, shop: Path) -> None:
    file = shop / "opencode.json"
    machine.ok("install", "opencode", "--mcp", "--yes", at=shop)
    wanted = {"type": "local", "command": ["satchel", "mcp"], "enabled": True}
    # Without a schema, opencode would add it, and an `undo` would find the file edited.
    assert json.loads(file.read_text()) == {
        "mcp": {"satchel": wanted},
        "$schema": "https://opencode.ai/config.json",
    }
    machine.ok("uninstall", "opencode", "--yes", at=shop)
    assert not file.exists()


@pytest.mark.parametrize("name", ["opencode.json", "opencode.jsonc"])
def test_its_file_is_known_where_any_client_is_wired(
    machine: Machine, shop: Path, name: str
) -> None:
    file = shop / name
    file.write_text("{}\n")
    done = machine.run("install", "any", "--file", name, "--key", "mcp", "--yes", at=shop)
    assert "satchel install opencode" in done.err
    assert json.loads(file.read_text())["mcp"]["satchel"]["command"] == ["satchel", "mcp"]
    machine.ok("undo", "--setup", "--yes", at=shop)
    assert file.read_text() == "{}\n"


def test_a_server_in_a_shape_that_it_refuses_is_mended(machine: Machine, shop: Path) -> None:
    file = shop / "opencode.json"
    file.write_text(json.dumps({"mcp": {"satchel": {"command": COMMAND, "args": ["mcp"]}}}))
    machine.ok("install", "opencode", "--mcp", "--yes", at=shop)
    assert json.loads(file.read_text())["mcp"]["satchel"]["type"] == "local"


def test_a_plugin_that_somebody_edited_stays(machine: Machine, shop: Path) -> None:
    machine.ok("install", "opencode", "--hooks", "--yes", at=shop)
    plugin = shop / ".opencode" / "plugins" / "satchel.js"
    edited = plugin.read_text() + "// mine\n"
    plugin.write_text(edited)
    done = machine.run("install", "opencode", "--hooks", "--guard", "--yes", at=shop)
    assert "it stays" in done.err
    machine.ok("uninstall", "opencode", "--yes", at=shop)
    assert plugin.read_text() == edited


@needs_node
def test_its_sessions_are_captured_and_told_what_is_known(machine: Machine, shop: Path) -> None:
    machine.ok("install", "opencode", "--hooks", "--guard", "--yes", at=shop)
    machine.ok("learn", "Never use npm here, use pnpm.", at=shop)
    machine.ok("guards", "from", "learned-never-use-npm-here-use-pnpm", at=shop)
    machine.ok("guards", "approve", "guard-", "--yes", at=shop)
    steps = """
    await created("ses_1", "")
    await prompt("ses_1", "Please look at the rate limiter.")
    await run("ses_1", "bash", { command: "bd comment BD-1 'LEARNED: limits count per key' && false" }, 1)
    await run("ses_1", "bash", { command: "npm install left-pad" })
    await created("ses_2", "ses_1")
    await prompt("ses_2", "Find out how the cache is keyed.", "scout")
    await run("ses_2", "bash", { command: "bd comment BD-3 'LEARNED: the cache is keyed by tenant'" })
    await run("ses_1", "task", { prompt: "Find out how the cache is keyed.", subagent_type: "scout" })
    """
    said = hosted(machine, shop, steps)
    brief, blocked, role = said["told"]
    assert "session brief" in brief
    assert "use pnpm" in brief
    assert blocked.startswith("blocked: Never use npm here")
    assert 'label="brief for scout"' in role
    assert said["env"] == {"SATCHEL_SESSION": "ses_1"}
    found = machine.json("memory", "list", "--limit", "100", at=shop)
    kept = {one["content"].splitlines()[0]: one for one in found}
    assert kept["limits count per key"]["client"] == "opencode"
    assert "the cache is keyed by tenant" in kept
    assert "Dispatched scout: Find out how the cache is keyed." in kept
    assert [one for one in kept if one.startswith("Asked: Please look at the rate limiter")]
    machine.ok("session", "import", at=shop)
    archived = machine.ok("session", "search", "rate limiter", at=shop)
    assert "Please look at the rate limiter" in archived
    assert "cache is keyed" not in archived


@needs_node
def test_without_the_command_opencode_goes_on(machine: Machine, shop: Path) -> None:
    machine.ok("install", "opencode", "--hooks", "--guard", "--yes", at=shop)
    plugin = shop / ".opencode" / "plugins" / "satchel.js"
    plugin.write_text(plugin.read_text().replace("; satchel", "; /nowhere/satchel"))
    steps = 'await prompt("ses_1", "hello"); await run("ses_1", "bash", { command: "ls" })'
    assert hosted(machine, shop, steps)["told"] == [""]


def test_what_its_agent_writes_names_the_session(machine: Machine, shop: Path) -> None:
    done = machine.run(
        "learn",
        "The queue drains at two",
        at=shop,
        environment={"OPENCODE": "1", "SATCHEL_SESSION": "ses_1"},
    )
    assert done.code == 0
    (kept,) = machine.json("memory", "list", at=shop)
    assert (kept["trust"], kept["session"]) == ("agent", "ses_1")


@needs_node
def test_its_transcript_says_what_came_of_a_call(machine: Machine, shop: Path) -> None:
    machine.ok("install", "opencode", "--hooks", "--yes", at=shop)
    steps = """
        await created("ses_1", "")
        await prompt("ses_1", "write it")
        const call = (tool, state) => ({ type: "tool", tool, state: { input: {}, ...state } })
        const commit = "hint: a word\\n[main 1a2b3c4] Say it\\n 1 file changed\\n"
        messages.push({ info: { id: "a1", role: "assistant", time: { created: 1795418933433 } }, parts: [
          call("write", { status: "completed", metadata: { exists: false }, output: "Wrote file." }),
          call("write", { status: "completed", metadata: { exists: true }, output: "Wrote file." }),
          call("bash", { status: "completed", metadata: { exit: 0 }, output: commit }),
          call("edit", { status: "error", error: "Could not find oldString" }),
          call("edit", { status: "running" }),
        ] })
    """
    hosted(machine, shop, steps)
    written = machine.home / ".local" / "share" / "opencode" / "satchel" / "ses_1.jsonl"
    tools = json.loads(written.read_text("utf-8").splitlines()[1])["tools"]
    assert [(one.get("result"), one["error"]) for one in tools] == [
        ("Created file", ""),
        ("", ""),
        ("[main 1a2b3c4] Say it", ""),
        (None, "Could not find oldString"),
        (None, ""),
    ]
