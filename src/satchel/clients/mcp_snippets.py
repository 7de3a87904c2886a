"""What a client's own file of settings has to say, so that it finds the server."""

from __future__ import annotations

import json

from satchel.core.errors import BadInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Client -> the file that it goes into.
CLIENTS = {
    "claude": ".mcp.json at the top of the repository (or `claude mcp add satchel -- satchel mcp`)",
    "codex": "~/.codex/config.toml",
    "copilot": "~/.copilot/mcp-config.json, or .mcp.json in the repository",
    "vscode": ".vscode/mcp.json",
    "gemini": ".gemini/settings.json, or ~/.gemini/settings.json",
    "cursor": ".cursor/mcp.json, or ~/.cursor/mcp.json",
    "http": "any client, for `satchel mcp serve --http`",
}
NAME = "satchel"
URL = "http://127.0.0.1:8765/mcp"


def snippet(client: str, *, profile: str) -> str:
    """Return what goes into a client's file, JSON or TOML."""
    words = ["mcp"] if profile == "default" else ["mcp", "serve", "--profile", profile]
    if client == "codex":
        return f'[mcp_servers.{NAME}]\ncommand = "{NAME}"\nargs = {json.dumps(words)}\n'
    server: dict[str, Any] = {"command": NAME, "args": words}
    if client == "http":
        # The token stays in its file: a snippet is pasted, and committed.
        server = {"type": "http", "url": URL,
                  "headers": {"Authorization": "Bearer ${SATCHEL_MCP_TOKEN}"}}  # fmt: skip
    elif client == "copilot":
        server = {"type": "local", **server, "tools": ["*"]}
    elif client in ("vscode", "cursor"):
        server = {"type": "stdio", **server} if client == "vscode" else server
    elif client not in CLIENTS:
        raise BadInputError(
            f"There is no client {client[:40]!r}.", hint=f"One of {', '.join(CLIENTS)}."
        )
    key = "servers" if client == "vscode" else "mcpServers"
    return json.dumps({key: {NAME: server}}, indent=2) + "\n"
