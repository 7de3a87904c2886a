"""Gemini CLI: other event names, and decisions that cannot ask."""

from __future__ import annotations

from satchel.clients.hook_contract import Hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.clients.hook_contract import GivenAnswer

_EVENTS = {
    "BeforeAgent": "UserPromptSubmit",
    "AfterTool": "PostToolUse",
    "BeforeTool": "PreToolUse",
    "PreCompress": "PreCompact",
}
_SPELLED = {means: name for name, means in _EVENTS.items()}


def _answer(event: str, _payload: dict[str, Any], told: GivenAnswer) -> dict[str, Any]:
    if told.decision:
        # It cannot ask the user: what must be asked about is denied.
        return {"decision": "deny", "reason": told.reason}
    if event == "PreToolUse":
        return {"systemMessage": told.whole.get("systemMessage", told.context)}
    if told.context:
        name = _SPELLED.get(event, event)
        output = {"hookEventName": name, "additionalContext": told.context}
        return {**told.whole, "hookSpecificOutput": output}
    return told.whole


HOOKS = Hooks(
    events=_EVENTS,
    tools={
        "run_shell_command": "Bash",
        "replace": "Edit",
        "google_web_search": "WebSearch",
        "invoke_agent": "Agent",
    },
    answer=_answer,
    idle=("auto",),
    told_before_tools=False,
)
