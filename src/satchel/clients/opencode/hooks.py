"""opencode: our plugin follows the contract, except for tool names."""

from __future__ import annotations

from satchel.clients.hook_contract import Hooks

HOOKS = Hooks(
    tools={"read": "Read", "write": "Write", "patch": "Edit", "webfetch": "WebFetch"},
    told_before_tools=False,
)
