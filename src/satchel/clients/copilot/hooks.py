"""Copilot: bare fields for its command line, those inside `hookSpecificOutput` for VS Code."""

from __future__ import annotations

from satchel.clients.hook_contract import Hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.clients.hook_contract import Told


def _answer(_event: str, payload: dict[str, Any], told: Told) -> dict[str, Any]:
    if told.decision:
        bare = {"permissionDecision": told.decision, "permissionDecisionReason": told.reason}
    elif told.context:
        bare = {"additionalContext": told.context}
    else:
        return told.whole
    if "hook_event_name" not in payload:
        return bare
    # The CLI reads the bare fields, VS Code those inside; both send the same input.
    return {**bare, "hookSpecificOutput": told.whole["hookSpecificOutput"]}


HOOKS = Hooks(
    events={"userPromptSubmitted": "UserPromptSubmit"},
    fields={"last_assistant_message": ("response",)},
    tools={
        "powershell": "Bash",
        "view": "Read",
        "create": "Write",
        "str_replace_editor": "Edit",
    },
    answer=_answer,
    own_files=(".github/hooks/satchel.json", "hooks/satchel.json"),
)
