"""Cursor: its own names for sessions, directories and tools; permissions and follow-ups."""

from __future__ import annotations

from satchel.clients.hook_contract import Hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.clients.hook_contract import GivenAnswer


def _refine(found: dict[str, Any]) -> None:
    if "stop_hook_active" not in found and found.get("loop_count"):
        found["stop_hook_active"] = True
    roots = found.get("workspace_roots", found.get("workspaceRoots"))
    if "cwd" not in found and isinstance(roots, list) and roots and isinstance(roots[0], str):
        found["cwd"] = roots[0]
    tool = found.get("tool_name")
    if isinstance(tool, str) and tool.startswith("MCP:"):
        found["tool_name"] = "mcp__" + tool[4:]


def _answer(_event: str, _payload: dict[str, Any], told: GivenAnswer) -> dict[str, Any]:
    if told.decision:
        return {
            "permission": told.decision,
            "user_message": told.reason,
            "agent_message": told.reason,
        }
    if told.whole.get("decision") == "block":
        return {"followup_message": told.whole.get("reason", "")}
    if told.context:
        # Hooks from Claude Code's settings are read in its format.
        return {
            "additional_context": told.context,
            "hookSpecificOutput": told.whole["hookSpecificOutput"],
        }
    return {}


HOOKS = Hooks(
    events={"beforeSubmitPrompt": "UserPromptSubmit"},
    fields={"session_id": ("conversation_id",), "last_assistant_message": ("summary",)},
    tools={"Shell": "Bash"},
    refine=_refine,
    answer=_answer,
    own_files=(".cursor/hooks.json", "hooks.json"),
)
