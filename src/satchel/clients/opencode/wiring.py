"""opencode: the MCP server in its configuration, and a plugin that calls Satchel's hooks."""

from __future__ import annotations

import json
import os

from satchel.clients.contract.wiring import HookPlans, Places, Wiring
from satchel.clients.settings_files.hook_entries import shell_program
from satchel.clients.settings_files.owned_parts import SCHEMA
from satchel.clients.settings_files.plan import FileChange, Plan, read_or_none
from satchel.core.hashing import short_hash
from satchel.storage.settings import environment

_MARK = b"// Written by `satchel install opencode`. What follows: "


def _plugin(command: str, *, guard: bool) -> bytes:
    """Return the plugin's text for a command, with or without the hook before tools."""
    with open(os.path.join(os.path.dirname(__file__), "plugin.js"), encoding="utf-8") as file:
        text = file.read()
    # The hook's command is spelled out, so that it can be searched for.
    asked = " // satchel hook PreToolUse" if guard else ""
    chosen = f"const PROGRAM = {json.dumps(shell_program(command))}\n"
    body = f"{chosen}const GUARD = {str(guard).lower()}{asked}\n{text}".encode()
    return _MARK + short_hash(body).encode() + b"\n" + body


def _is_ours(raw: bytes) -> bool:
    """Return whether a file is Satchel's plugin, unedited."""
    head, _, body = raw.partition(b"\n")
    return head == _MARK + short_hash(body).encode()


def _put_in(path: str, _root: str, command: str, guard: bool) -> Plan:  # noqa: FBT001 -- the contract's
    before = read_or_none(path)
    if before is not None and not _is_ours(before):
        return Plan((), (f"{path} was edited, or is somebody else's; it stays",))
    # Guards were requested earlier; updating the plugin must not remove them.
    guard = guard or b"const GUARD = true" in (before or b"")
    after = _plugin(command, guard=guard)
    change = FileChange(path, before, after, "plugin for opencode", ("whole",))
    return Plan((change,) if after != before else (), ())


def _take_out(raw: bytes, _path: str) -> bytes | None:
    return None if _is_ours(raw) else raw


def _at_home(_data: str) -> Places:
    home = environment.directory_of_person("OPENCODE_CONFIG_DIR", ".config/opencode")
    plugin = os.path.join(home, "plugins", "satchel.js")
    return Places(plugin, os.path.join(home, "opencode.json"), os.path.join(home, "skills"))


WIRING = Wiring(
    "opencode",
    tool_dir=".opencode",
    signs=("opencode.json", "opencode.jsonc", ".opencode"),
    in_project=Places(".opencode/plugins/satchel.js", "opencode.json", ".opencode/skills"),
    at_home=_at_home,
    mcp_file="opencode.json, or ~/.config/opencode/opencode.json",
    mcp_key="mcp",
    mcp_type="local",
    mcp_options={"enabled": True},
    mcp_schema=SCHEMA,
    mcp_in_one_list=True,
    next_step="start `opencode` in this folder; it asks nothing",
    hook_plans=HookPlans(_put_in, _take_out),
)
