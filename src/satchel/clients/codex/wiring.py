"""Codex: hooks in their own file, the MCP server in TOML, skills where agents share them."""

from __future__ import annotations

import os
from typing import Any

from satchel.clients.contract.wiring import Event, Places, Wiring
from satchel.clients.settings_files.kept_by_client import member_in
from satchel.storage.inbox.events import GUARDED_EVENT


def _at_home(home: str) -> Places:
    skills = os.path.join(os.path.expanduser("~"), ".agents", "skills")
    return Places(os.path.join(home, "hooks.json"), os.path.join(home, "config.toml"), skills)


def _item(event: Event, program: str) -> dict[str, Any]:
    matcher = {"matcher": event.matcher} if event.matcher else {}
    line = f"{program} hook {event.means} --client codex"
    return {**matcher, "hooks": [{"type": "command", "command": line, "timeout": event.seconds}]}


def _trusts(home: str, root: str) -> bool | None:
    word = member_in(os.path.join(home, "config.toml"), "projects", root, "trust_level")
    return None if word is None else word == "trusted"


WIRING = Wiring(
    "Codex",
    tool_dir=".codex",
    signs=(".codex",),
    in_project=Places(".codex/hooks.json", ".codex/config.toml", ".agents/skills"),
    at_home=_at_home,
    mcp_file="~/.codex/config.toml",
    mcp_key="",
    shape="nested",
    events=(
        Event("SessionStart", "SessionStart", "startup|resume|clear|compact"),
        Event("UserPromptSubmit", "UserPromptSubmit", seconds=5),
        Event("PostToolUse", "PostToolUse", "Bash|spawn_agent"),
        Event("SubagentStart", "SubagentStart"),
        Event("SubagentStop", "SubagentStop"),
        Event("PreCompact", "PreCompact"),
        Event("SessionEnd", "SessionEnd", seconds=5),
    ),
    guard=Event("PreToolUse", GUARDED_EVENT, "Bash|apply_patch|Edit|Write|mcp__.*", 5),
    item=_item,
    next_step=(
        "start `codex` once in this folder, trust it, and review the hooks (`/hooks`): "
        "`codex exec` silently passes over those that were not reviewed"
    ),
    trusts=_trusts,
)
