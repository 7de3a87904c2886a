"""Gemini CLI: hooks and the MCP server in one settings file; times in milliseconds."""

from __future__ import annotations

import os
from typing import Any

from satchel.clients.contract.wiring import Event, Places, Wiring
from satchel.clients.settings_files.kept_by_client import member_in
from satchel.storage.inbox.events import GUARDED_EVENT


def _at_home(home: str) -> Places:
    names = ("settings.json", "settings.json", "skills")
    return Places(*(os.path.join(home, name) for name in names))


def _item(event: Event, program: str) -> dict[str, Any]:
    matcher = {"matcher": event.matcher} if event.matcher else {}
    handler = {
        "type": "command",
        "name": "satchel",
        "command": f"{program} hook {event.means} --client gemini",
        "timeout": event.seconds * 1000,
    }
    return {**matcher, "hooks": [handler]}


def _trusts(home: str, root: str) -> bool | None:
    level = member_in(os.path.join(home, "trustedFolders.json"), root)
    return None if level is None else str(level).startswith("TRUST")


WIRING = Wiring(
    "Gemini CLI",
    tool_dir=".gemini",
    signs=(".gemini", "GEMINI.md"),
    in_project=Places(".gemini/settings.json", ".gemini/settings.json", ".gemini/skills"),
    at_home=_at_home,
    mcp_file=".gemini/settings.json, or ~/.gemini/settings.json",
    mcp_key="mcpServers",
    shape="nested",
    events=(
        Event("SessionStart", "SessionStart"),
        Event("BeforeAgent", "UserPromptSubmit", seconds=5),
        Event("AfterTool", "PostToolUse", "run_shell_command|invoke_agent"),
        # "auto" fires before every model call, and the client waits for it.
        Event("PreCompress", "PreCompact", "manual"),
        Event("SessionEnd", "SessionEnd", seconds=5),
    ),
    guard=Event(
        "BeforeTool",
        GUARDED_EVENT,
        "run_shell_command|write_file|replace|read_file|web_fetch|mcp_.*",
        5,
    ),
    item=_item,
    next_step="start `gemini` once in this folder and trust it when it asks",
    trusts=_trusts,
)
