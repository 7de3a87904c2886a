"""The agent clients: where each keeps hooks, MCP servers and skills, and how it spells them.

Paths and formats are those of the clients' own documentation; nothing here touches a file.
"""

import os
from typing import Any, NamedTuple

from satchel.clients.settings_files.hook_entries import shell_program
from satchel.storage.inbox.events import GUARDED_EVENT
from satchel.storage.settings.environment import client_home

PROJECT, USER = "project", "user"


class Event(NamedTuple):
    """One hook of a client.

    Attributes:
        name: as the client spells it.
        means: the canonical event.
        matcher: what the client compares; "" for everything.
        seconds: how long the client waits.
    """

    name: str
    means: str
    matcher: str = ""
    seconds: int = 10


class Places(NamedTuple):
    """Files of one client in one scope; "" where it has none there."""

    hooks: str
    mcp: str
    skills: str


class Client(NamedTuple):
    """What is particular about one client.

    Attributes:
        name: as the command line spells it.
        label: as people call it.
        tool_dir: its directory in a repository, for skills' templates.
        shape: of hook entries: `nested` (groups with a matcher), `flat`, or `` for Claude Code's,
            which `claude_code.py` writes.
        events: hooks that are installed.
        guard: the hook before tools, installed where asked for.
        mcp_key: member that holds MCP servers; "" for TOML.
        signs: names in a repository that say it is used there.
    """

    name: str
    label: str
    tool_dir: str
    shape: str
    events: tuple[Event, ...]
    guard: Event | None
    mcp_key: str
    signs: tuple[str, ...]


_COPILOT_EVENTS = (
    # Names as VS Code has them too, so that one file serves both.
    Event("SessionStart", "SessionStart"),
    Event("PostToolUse", "PostToolUse"),
    Event("subagentStart", "SubagentStart"),
    Event("SubagentStop", "SubagentStop"),
    Event("PreCompact", "PreCompact"),
    Event("SessionEnd", "SessionEnd", seconds=5),
)
_COPILOT_GUARD = Event("PreToolUse", GUARDED_EVENT, seconds=5)

CLIENTS = {
    one.name: one
    for one in (
        Client("claude-code", "Claude Code", ".claude", "", (), None, "mcpServers",
               (".claude", "CLAUDE.md", "CLAUDE.local.md")),
        Client(
            "codex", "Codex", ".codex", "nested",
            (
                Event("SessionStart", "SessionStart", "startup|resume|clear|compact"),
                Event("UserPromptSubmit", "UserPromptSubmit", seconds=5),
                Event("PostToolUse", "PostToolUse", "Bash"),
                Event("SubagentStart", "SubagentStart"),
                Event("SubagentStop", "SubagentStop"),
                Event("PreCompact", "PreCompact"),
            ),
            Event("PreToolUse", GUARDED_EVENT, "Bash|apply_patch|Edit|Write|mcp__.*", 5),
            "", (".codex",),
        ),
        Client("copilot", "Copilot CLI", ".copilot", "flat", _COPILOT_EVENTS, _COPILOT_GUARD,
               "mcpServers", (".github/copilot-instructions.md", ".github/hooks", ".github/copilot",
                              ".github/mcp.json")),
        Client("vscode", "VS Code", ".copilot", "flat", _COPILOT_EVENTS, _COPILOT_GUARD,
               "servers", (".vscode/mcp.json",)),
        Client(
            "gemini", "Gemini CLI", ".gemini", "nested",
            (
                Event("SessionStart", "SessionStart"),
                Event("BeforeAgent", "UserPromptSubmit", seconds=5),
                Event("AfterTool", "PostToolUse", "run_shell_command"),
                Event("PreCompress", "PreCompact"),
                Event("SessionEnd", "SessionEnd", seconds=5),
            ),
            Event("BeforeTool", GUARDED_EVENT,
                  "run_shell_command|write_file|replace|read_file|web_fetch|mcp_.*", 5),
            "mcpServers", (".gemini", "GEMINI.md"),
        ),
        Client(
            "cursor", "Cursor", ".cursor", "flat",
            (
                Event("sessionStart", "SessionStart"),
                Event("beforeSubmitPrompt", "UserPromptSubmit", seconds=5),
                Event("postToolUse", "PostToolUse", "Shell|Task"),
                Event("subagentStop", "SubagentStop"),
                Event("preCompact", "PreCompact"),
                Event("sessionEnd", "SessionEnd", seconds=5),
            ),
            Event("preToolUse", GUARDED_EVENT, "Shell|Write|Read|Delete|WebFetch|MCP:.*", 5),
            "mcpServers", (".cursor", ".cursorrules"),
        ),
    )
}  # fmt: skip


def places_of(client: str, scope: str, root: str = "") -> Places:
    """Return where a client keeps things.

    Args:
        client: its name.
        scope: `project` or `user`.
        root: of the repository, for `project`.
    """
    if scope == PROJECT:
        below = _IN_PROJECT[client]
        return Places(*(os.path.join(root, *name.split("/")) for name in below))
    if client == "vscode":
        return Places("", "", "")
    home = client_home("claude" if client == "claude-code" else client)
    if client == "claude-code":
        usual = home == os.path.join(os.path.expanduser("~"), ".claude")
        state = os.path.join(os.path.dirname(home) if usual else home, ".claude.json")
        return Places(os.path.join(home, "settings.json"), state, os.path.join(home, "skills"))
    if client == "codex":
        skills = os.path.join(os.path.expanduser("~"), ".agents", "skills")
        return Places(os.path.join(home, "hooks.json"), os.path.join(home, "config.toml"), skills)
    hooks, mcp = {
        "copilot": (os.path.join("hooks", "satchel.json"), "mcp-config.json"),
        "gemini": ("settings.json", "settings.json"),
        "cursor": ("hooks.json", "mcp.json"),
    }[client]
    return Places(*(os.path.join(home, name) for name in (hooks, mcp, "skills")))


_IN_PROJECT = {
    "claude-code": (".claude/settings.json", ".mcp.json", ".claude/skills"),
    "codex": (".codex/hooks.json", ".codex/config.toml", ".agents/skills"),
    "copilot": (".github/hooks/satchel.json", ".github/mcp.json", ".github/skills"),
    "vscode": (".github/hooks/satchel.json", ".vscode/mcp.json", ".github/skills"),
    "gemini": (".gemini/settings.json", ".gemini/settings.json", ".gemini/skills"),
    "cursor": (".cursor/hooks.json", ".cursor/mcp.json", ".cursor/skills"),
}


def found_in(root: str) -> tuple[str, ...]:
    """Name the clients that a repository shows signs of."""
    return tuple(
        name
        for name, client in CLIENTS.items()
        if any(os.path.lexists(os.path.join(root, sign)) for sign in client.signs)
    )


def found_on_machine() -> tuple[str, ...]:
    """Name the clients that have a directory in the person's home."""
    homes = {name: "claude" if name == "claude-code" else name for name in CLIENTS}
    del homes["vscode"]
    return tuple(name for name, home in homes.items() if os.path.isdir(client_home(home)))


def hook_items(client: Client, command: str, *, guard: bool) -> list[tuple[str, dict[str, Any]]]:
    """Return what stands in each event's list: the client's event and its item."""
    events = [*client.events, *([client.guard] if guard and client.guard else [])]
    return [(event.name, _item(client, event, command)) for event in events]


def _item(client: Client, event: Event, command: str) -> dict[str, Any]:
    program = shell_program(command)
    name = "copilot" if client.name == "vscode" else client.name
    line = f"{program} hook {event.means} --client {name}"
    matcher = {"matcher": event.matcher} if event.matcher else {}
    if name == "copilot":
        # Its hook before tools denies the call where the program is gone: a missing memory may not.
        line += " || true" if event.means == GUARDED_EVENT else ""
        return {"type": "command", "command": line, "timeoutSec": event.seconds}
    if name == "cursor":
        return {"command": line, **matcher, "timeout": event.seconds}
    if name == "gemini":
        handler = {"type": "command", "name": "satchel", "command": line,
                   "timeout": event.seconds * 1000}  # fmt: skip
    else:
        handler = {"type": "command", "command": line, "timeout": event.seconds}
    return {**matcher, "hooks": [handler]}


def mcp_entry(client: str, command: str) -> dict[str, Any]:
    """Return a client's entry for the MCP server."""
    entry = {"command": command, "args": ["mcp"]}
    if client == "copilot":
        return {"type": "local", **entry, "tools": ["*"]}
    return {"type": "stdio", **entry} if client == "vscode" else entry
