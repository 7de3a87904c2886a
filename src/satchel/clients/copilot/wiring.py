"""Copilot: hooks in a file that its command line and VS Code both read."""

from __future__ import annotations

import os
from typing import Any

from satchel.clients.contract.wiring import Event, Places, Wiring
from satchel.clients.settings_files.kept_by_client import member_in
from satchel.storage.inbox.events import GUARDED_EVENT


def _at_home(home: str) -> Places:
    names = (os.path.join("hooks", "satchel.json"), "mcp-config.json", "skills")
    return Places(*(os.path.join(home, name) for name in names))


def _item(event: Event, program: str) -> dict[str, Any]:
    line = f"{program} hook {event.means} --client copilot"
    # If the program is gone, the hook before tools would deny the call; a missing memory must not.
    line += " || true" if event.means == GUARDED_EVENT else ""
    return {"type": "command", "command": line, "timeoutSec": event.seconds}


def _trusts(home: str, root: str) -> bool | None:
    folders = member_in(os.path.join(home, "config.json"), "trusted_folders")
    return True if isinstance(folders, list) and root in folders else None


WIRING = Wiring(
    "Copilot CLI",
    tool_dir=".copilot",
    signs=(
        ".github/copilot-instructions.md",
        ".github/hooks",
        ".github/copilot",
        ".github/mcp.json",
    ),
    in_project=Places(".github/hooks/satchel.json", ".github/mcp.json", ".github/skills"),
    at_home=_at_home,
    mcp_file="~/.copilot/mcp-config.json, or .mcp.json in the repository",
    mcp_key="mcpServers",
    mcp_type="local",
    mcp_options={"tools": ["*"]},
    shape="flat",
    events=(
        # VS Code's names, so that one file serves both.
        Event("SessionStart", "SessionStart"),
        Event("UserPromptSubmit", "UserPromptSubmit", seconds=5),
        Event("PostToolUse", "PostToolUse"),
        Event("SubagentStart", "SubagentStart"),
        Event("SubagentStop", "SubagentStop"),
        Event("PreCompact", "PreCompact"),
        Event("SessionEnd", "SessionEnd", seconds=5),
    ),
    guard=Event("PreToolUse", GUARDED_EVENT, seconds=5),
    item=_item,
    next_step=(
        "start `copilot` once in this folder and trust it, or say --trust-folder: "
        "with -p it silently passes over hooks otherwise"
    ),
    trusts=_trusts,
)
