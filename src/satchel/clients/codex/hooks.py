"""Codex: follows the contract, except for tool names."""

from __future__ import annotations

from satchel.clients.hook_contract import Hooks

HOOKS = Hooks(
    tools={"exec_command": "Bash", "local_shell": "Bash", "spawn_agent": "Agent"},
    keeps_context=True,
)
