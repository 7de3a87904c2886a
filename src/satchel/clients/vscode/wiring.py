"""VS Code: its own file of MCP servers; hooks and skills are Copilot's. Only in repositories."""

from __future__ import annotations

from satchel.clients.copilot import wiring as copilot

WIRING = copilot.WIRING._replace(
    label="VS Code",
    signs=(".vscode/mcp.json",),
    in_project=copilot.WIRING.in_project._replace(mcp=".vscode/mcp.json"),
    at_home=None,
    mcp_file=".vscode/mcp.json",
    mcp_key="servers",
    mcp_type="stdio",
    mcp_options={},
    next_step="open this folder in VS Code and trust it",
    server_step="open this folder in VS Code, trust it, and start the server of .vscode/mcp.json",
    trusts=None,
    shared=(
        "hooks and skills are Copilot's too and stay; `satchel uninstall copilot` removes them"
    ),
)
