"""A Claude Code plugin with its own marketplace: hooks, MCP server and skills in a folder.

It calls `satchel` by name, because a plugin runs on many machines.
"""

import json
import os
from typing import Any

from satchel import __version__
from satchel.clients.claude_code.wiring import render_print
from satchel.clients.settings_files import skills
from satchel.clients.settings_files.plan import FileChange, Plan, read_or_none

NAME = "satchel"
_README = """\
# Satchel

The memory that coding agents carry from session to session. Hooks give each session a brief of what
was learnt before, recall what a prompt is about, and capture what the agent learns; an MCP server
offers the same as tools, and skills say how to use it.

The plugin calls the command `satchel`, which has to be on the `PATH`: install it first, and run
`satchel init` in each repository that should have a memory. Use this plugin or the entries of
`satchel install`, not both. What is remembered stays on your machine until you share it.
"""
_DESCRIPTION = "The memory that coding agents carry from session to session."


def plugin_files() -> dict[str, bytes]:
    """Return the plugin's files by their path in its folder."""
    hooks = json.loads(render_print("", NAME))
    files = {
        ".claude-plugin/plugin.json": _json(
            {
                "name": NAME,
                "version": __version__,
                "description": _DESCRIPTION,
                "author": {"name": "Satchel"},
                "license": "Apache-2.0",
                "keywords": ["memory", "hooks", "mcp"],
            }
        ),
        ".claude-plugin/marketplace.json": _json(
            {
                "name": NAME,
                "owner": {"name": "Satchel"},
                "metadata": {"description": _DESCRIPTION, "version": __version__},
                "plugins": [
                    {
                        "name": NAME,
                        "source": "./",
                        "description": _DESCRIPTION,
                        "version": __version__,
                        "category": "memory",
                    }
                ],
            }
        ),
        "hooks/hooks.json": _json({"description": "Capture and recall", **hooks}),
        ".claude-plugin/icon.png": _icon(),
        "README.md": _README.encode(),
        ".mcp.json": _json({"mcpServers": {NAME: {"command": NAME, "args": ["mcp"]}}}),
    }
    for name in skills.NAMES:
        files[f"skills/{name}/SKILL.md"] = skills.rendered(name, ".claude")
    return files


def plan_plugin(directory: str) -> Plan:
    """Plan the plugin's folder; files that are not Satchel's are kept and listed."""
    changes, notes = [], []
    for name, wanted in plugin_files().items():
        path = os.path.join(directory, *name.split("/"))
        before = read_or_none(path)
        if before == wanted:
            continue
        if before is not None and not _is_ours(name, before):
            notes.append(f"{path} is not Satchel's or was edited; it stays")
            continue
        part = "skill" if name.startswith("skills/") else "whole"
        changes.append(FileChange(path, before, wanted, "plugin for Claude Code", (part,)))
    return Plan(tuple(changes), tuple(notes))


def _is_ours(name: str, raw: bytes) -> bool:
    """Return whether an earlier version wrote this file, unedited since."""
    if name.startswith("skills/"):
        return skills.state_of(raw) == skills.STALE
    if not name.endswith(".json"):
        return False
    wanted = json.loads(plugin_files()[name])
    try:
        found = json.loads(raw)
    except ValueError:
        return False
    return _without_versions(found) == _without_versions(wanted) and raw == _json(found)


def _without_versions(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_versions(v) for k, v in value.items() if k != "version"}
    return [_without_versions(one) for one in value] if isinstance(value, list) else value


def _icon() -> bytes:
    with open(os.path.join(os.path.dirname(__file__), "icon.png"), "rb") as file:
        return file.read()


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
