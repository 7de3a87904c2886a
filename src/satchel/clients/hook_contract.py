"""Every client's hooks in one contract: its spelling of events and fields in, its JSON out.

The contract is Claude Code's, in snake_case. A field that is there in it is never replaced.
"""

from __future__ import annotations

import os

from satchel.core import quick_json
from satchel.storage.inbox.events import HOOK_EVENTS
from satchel.storage.settings.environment import client_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CLAUDE, CODEX, COPILOT, GEMINI, CURSOR = "claude-code", "codex", "copilot", "gemini", "cursor"
NAMES = (CLAUDE, CODEX, COPILOT, GEMINI, CURSOR)

#: Clients' own names of events -> ours.
_EVENTS = {
    "BeforeAgent": "UserPromptSubmit",
    "AfterTool": "PostToolUse",
    "BeforeTool": "PreToolUse",
    "PreCompress": "PreCompact",
    "beforeSubmitPrompt": "UserPromptSubmit",
    "userPromptSubmitted": "UserPromptSubmit",
}
#: Ours -> what an answer names.
_SPELLED = {
    GEMINI: {
        "UserPromptSubmit": "BeforeAgent",
        "PostToolUse": "AfterTool",
        "PreToolUse": "BeforeTool",
    }
}
_TOOLS = {
    "Shell": "Bash", "bash": "Bash", "powershell": "Bash", "shell": "Bash", "exec_command": "Bash",
    "run_shell_command": "Bash", "local_shell": "Bash", "view": "Read", "read_file": "Read",
    "create": "Write", "write_file": "Write", "edit": "Edit", "str_replace_editor": "Edit",
    "apply_patch": "Edit", "replace": "Edit", "web_fetch": "WebFetch", "web_search": "WebSearch",
    "google_web_search": "WebSearch", "task": "Agent",
}  # fmt: skip
#: Ours -> other names of the same field, first come first.
_FIELDS = {
    "session_id": ("sessionId", "conversation_id"),
    "transcript_path": ("transcriptPath",),
    "tool_name": ("toolName",),
    "tool_input": ("toolArgs", "tool_args"),
    "agent_type": ("agentType", "subagent_type", "agentName", "agent_name"),
    "last_assistant_message": ("response", "summary", "lastAssistantMessage"),
    "stop_hook_active": ("stopHookActive",),
}


def canonical_event(word: str) -> str:
    """Return our name of an event that a client spells its way; the word itself if unknown."""
    if word in HOOK_EVENTS:
        return word
    known = _EVENTS.get(word)
    if known:
        return known
    spelled = word[:1].upper() + word[1:]
    return spelled if spelled in HOOK_EVENTS else word


def client_of(words: list[str], payload: dict[str, Any]) -> str:
    """Return who calls: what the command says, else what the fields show."""
    if "--client" in words[:-1]:
        named = words[words.index("--client") + 1]
        return COPILOT if named == "vscode" else named
    if "conversation_id" in payload:
        return CURSOR
    return COPILOT if "sessionId" in payload or "timestamp" in payload else CLAUDE


def stands_aside(words: list[str], client: str, root: str) -> bool:
    """Say whether a hook of Claude Code's settings runs in a client that has one of its own.

    Copilot and Cursor can read those settings, too; both would then capture and inject.
    """
    if "--client" in words or client == CLAUDE:
        return False
    name = {CURSOR: "hooks.json", COPILOT: "hooks/satchel.json"}.get(client)
    if name is None:
        return False
    below = ".github" if client == COPILOT else ".cursor"
    paths = [os.path.join(root, below, name)] if root else []
    for path in (*paths, os.path.join(client_home(client), name)):
        try:
            with open(path, "rb") as file:
                if b"--client " + client.encode() in file.read(1 << 20):
                    return True
        except OSError:
            continue
    return False


def translated(client: str, payload: dict[str, Any]) -> dict[str, Any]:
    """Return what the client sent with the contract's own fields; unknown fields stay."""
    found = dict(payload)
    for name, others in _FIELDS.items():
        if name not in found:
            for other in others:
                if other in found:
                    found[name] = found[other]
                    break
    if "stop_hook_active" not in found and found.get("loop_count"):
        found["stop_hook_active"] = True
    if "cwd" not in found:
        roots = found.get("workspace_roots", found.get("workspaceRoots"))
        where = found.get("workingDirectory")
        if isinstance(roots, list) and roots:
            where = roots[0]
        if isinstance(where, str):
            found["cwd"] = where
    tool = found.get("tool_name")
    if client != CLAUDE and isinstance(tool, str):
        if tool.startswith("MCP:"):
            tool = "mcp__" + tool[4:]
        found["tool_name"] = _TOOLS.get(tool, tool)
    if "tool_input" in found:
        found["tool_input"] = _arguments(found["tool_input"])
    return found


def _arguments(given: Any) -> Any:
    """Return a tool's arguments as an object: some clients send it as JSON in a text."""
    if isinstance(given, str):
        try:
            given = quick_json.loads(given)
        except ValueError:
            return {}
    if not isinstance(given, dict):
        return given
    command = given.get("command", given.get("cmd"))
    if isinstance(command, list):
        # `["bash", "-lc", "the line"]`, or a program and its words.
        parts = [part for part in command if isinstance(part, str)]
        shell = len(parts) > 2 and parts[1].startswith("-") and parts[1].endswith("c")  # noqa: PLR2004
        command = parts[2] if shell else " ".join(parts)
    return given if command is None else {**given, "command": command}


def respelled(client: str, event: str, payload: dict[str, Any], answer: str) -> str:
    """Return an answer in the client's own form; "" where it cannot be told that."""
    if client in (CLAUDE, CODEX) or client not in NAMES or not answer:
        return answer
    whole = quick_json.loads(answer)
    inner = whole.get("hookSpecificOutput", {})
    context = inner.get("additionalContext", "")
    decision, reason = (
        inner.get("permissionDecision", ""),
        inner.get("permissionDecisionReason", ""),
    )
    if client == GEMINI:
        told = _for_gemini(event, context, decision, reason, whole)
    elif client == CURSOR:
        told = _for_cursor(context, decision, reason, whole)
    else:
        told = _for_copilot(payload, context, decision, reason, whole)
    return quick_json.dumps(told) if told else ""


def _for_gemini(
    event: str, context: str, decision: str, reason: str, whole: dict[str, Any]
) -> dict[str, Any]:
    if decision:
        # There is no asking there: who cannot ask must not pass.
        return {"decision": "deny", "reason": reason}
    if event == "PreToolUse":
        return {"systemMessage": whole.get("systemMessage", context)}
    if context:
        name = _SPELLED[GEMINI].get(event, event)
        return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": context}}
    return whole


def _for_cursor(context: str, decision: str, reason: str, whole: dict[str, Any]) -> dict[str, Any]:
    if decision:
        return {"permission": decision, "user_message": reason, "agent_message": reason}
    if whole.get("decision") == "block":
        return {"followup_message": whole.get("reason", "")}
    if context:
        # Hooks of Claude Code's settings are read in its form.
        return {"additional_context": context, "hookSpecificOutput": whole["hookSpecificOutput"]}
    return {}


def _for_copilot(
    payload: dict[str, Any], context: str, decision: str, reason: str, whole: dict[str, Any]
) -> dict[str, Any]:
    if decision:
        bare = {"permissionDecision": decision, "permissionDecisionReason": reason}
    elif context:
        bare = {"additionalContext": context}
    else:
        return whole
    if "hook_event_name" not in payload:
        return bare
    # The CLI reads the bare fields, VS Code those inside; both send the same input.
    return {**bare, "hookSpecificOutput": whole["hookSpecificOutput"]}
