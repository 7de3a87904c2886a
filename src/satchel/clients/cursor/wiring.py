"""Cursor: hooks and MCP servers in their own files, one item per event."""

from __future__ import annotations

import os
from typing import Any

from satchel.clients.contract.wiring import Event, Places, Wiring
from satchel.storage.inbox.events import GUARDED_EVENT


def _at_home(home: str) -> Places:
    return Places(*(os.path.join(home, name) for name in ("hooks.json", "mcp.json", "skills")))


def _item(event: Event, program: str) -> dict[str, Any]:
    matcher = {"matcher": event.matcher} if event.matcher else {}
    line = f"{program} hook {event.means} --client cursor"
    return {"command": line, **matcher, "timeout": event.seconds}


WIRING = Wiring(
    "Cursor",
    tool_dir=".cursor",
    signs=(".cursor", ".cursorrules"),
    in_project=Places(".cursor/hooks.json", ".cursor/mcp.json", ".cursor/skills"),
    at_home=_at_home,
    mcp_file=".cursor/mcp.json, or ~/.cursor/mcp.json",
    mcp_key="mcpServers",
    shape="flat",
    events=(
        Event("sessionStart", "SessionStart"),
        Event("beforeSubmitPrompt", "UserPromptSubmit", seconds=5),
        Event("postToolUse", "PostToolUse", "Shell|Task"),
        Event("postToolUseFailure", "PostToolUseFailure", "Shell"),
        Event("subagentStop", "SubagentStop"),
        Event("preCompact", "PreCompact"),
        Event("sessionEnd", "SessionEnd", seconds=5),
    ),
    guard=Event("preToolUse", GUARDED_EVENT, "Shell|Write|Read|Delete|WebFetch|MCP:.*", 5),
    item=_item,
    next_step="open this folder in Cursor",
    server_step="open this folder in Cursor and switch the MCP server on in its settings",
)
