"""Copilot: plain fields for its command line, `hookSpecificOutput` for VS Code."""

from __future__ import annotations

import os

from satchel.clients.hook_contract import Hooks
from satchel.clients.registry import client_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.clients.hook_contract import GivenAnswer


def _refine(found: dict[str, Any]) -> None:
    """Add the session's file to events without it: at the session's end."""
    session = found.get("session_id")
    if found.get("transcript_path") or not isinstance(session, str) or not session:
        return
    if os.path.basename(session) == session:
        path = os.path.join(client_home("copilot"), "session-state", session, "events.jsonl")
        found["transcript_path"] = path if os.path.isfile(path) else ""


def _answer(_event: str, payload: dict[str, Any], told: GivenAnswer) -> dict[str, Any]:
    if told.decision:
        bare = {"permissionDecision": told.decision, "permissionDecisionReason": told.reason}
    elif told.context:
        bare = {"additionalContext": told.context}
    else:
        return told.whole
    if "hook_event_name" not in payload:
        return bare
    # The CLI reads the top-level fields, VS Code the nested ones; both send the same input.
    return {**bare, "hookSpecificOutput": told.whole["hookSpecificOutput"]}


HOOKS = Hooks(
    events={"userPromptSubmitted": "UserPromptSubmit"},
    fields={"last_assistant_message": ("response",)},
    tools={"powershell": "Bash", "view": "Read", "create": "Write", "str_replace_editor": "Edit"},
    refine=_refine,
    answer=_answer,
    own_files=(".github/hooks/satchel.json", "hooks/satchel.json"),
)
