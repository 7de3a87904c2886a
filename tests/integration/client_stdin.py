"""What each client writes on the standard input of its hooks, and running hooks as it does.

The inputs are those of the clients' documentation.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from integration.installed import Machine
from satchel.clients.settings_files.jsonc import Document
from satchel.clients.setup.wired import places_of

LEARNT = 'bd comment BD-1 "LEARNED: the parser is recursive"'


def codex(event: str, cwd: str) -> dict[str, Any]:
    given = {
        "session_id": "0199aa", "transcript_path": None, "cwd": cwd, "hook_event_name": event,
        "model": "gpt-5-codex", "permission_mode": "default",
    }  # fmt: skip
    turn = {**given, "turn_id": "t-1"}
    found: dict[str, dict[str, Any]] = {
        "SessionStart": {**given, "source": "startup"},
        "UserPromptSubmit": {**turn, "prompt": "how does the parser work?"},
        "PostToolUse": {**turn, "tool_name": "Bash", "tool_input": {"command": LEARNT},
                        "tool_use_id": "call_1", "tool_response": "ok"},
        "PreToolUse": {**turn, "tool_name": "Bash", "tool_input": {"command": "npm install x"},
                       "tool_use_id": "call_2"},
        "SubagentStart": {**turn, "agent_id": "a-1", "agent_type": "reviewer"},
        "SubagentStop": {**turn, "agent_id": "a-1", "agent_type": "reviewer", "stop_hook_active": False,
                         "agent_transcript_path": None, "last_assistant_message": "done"},
        "PreCompact": {**turn, "trigger": "auto"},
        "SessionEnd": {**given, "reason": "other"},
    }  # fmt: skip
    return found[event]


def copilot(event: str, cwd: str) -> dict[str, Any]:
    """Names in PascalCase are sent in the shape of VS Code but for SubagentStart, the others in its own."""
    at = {
        "hook_event_name": event,
        "session_id": "c-1",
        "timestamp": "2026-11-21T10:00:00.000Z",
        "cwd": cwd,
    }
    own = {"sessionId": "c-1", "timestamp": 1795600000000, "cwd": cwd}
    found: dict[str, dict[str, Any]] = {
        "SessionStart": {**at, "source": "new", "initial_prompt": "hello"},
        "UserPromptSubmit": {**at, "prompt": "how does the parser work?"},
        "PostToolUse": {**at, "tool_name": "Bash", "tool_input": {"command": LEARNT},
                        "tool_result": {"result_type": "success", "text_result_for_llm": "ok"}},
        "PreToolUse": {**at, "tool_name": "Bash", "tool_input": {"command": "npm install x"}},
        "SubagentStart": {**own, "transcriptPath": "", "agentName": "reviewer", "agent_type": "reviewer"},
        "SubagentStop": {**at, "transcript_path": "", "agent_name": "reviewer", "response": "done", "stop_reason": "end_turn"},
        "PreCompact": {**at, "transcript_path": "", "trigger": "auto", "custom_instructions": ""},
        "SessionEnd": {**at, "reason": "user_exit"},
        "sessionStart": {**own, "source": "new", "initialPrompt": "hello"},
        "postToolUse": {**own, "toolName": "bash", "toolArgs": '{"command": ' + quoted(LEARNT) + "}",
                        "toolResult": {"resultType": "success", "textResultForLlm": "ok"}},
        "preToolUse": {**own, "toolName": "bash", "toolArgs": '{"command": "npm install x"}'},
    }  # fmt: skip
    return found[event]


def gemini(event: str, cwd: str) -> dict[str, Any]:
    at = {"session_id": "g-1", "transcript_path": "", "cwd": cwd, "hook_event_name": event,
          "timestamp": "2026-11-21T10:00:00.000Z"}  # fmt: skip
    found: dict[str, dict[str, Any]] = {
        "SessionStart": {**at, "source": "startup"},
        "BeforeAgent": {**at, "prompt": "how does the parser work?"},
        "AfterTool": {**at, "tool_name": "run_shell_command", "tool_input": {"command": LEARNT, "description": "note"},
                      "tool_response": {"llmContent": "ok", "returnDisplay": "ok"}},
        "BeforeTool": {**at, "tool_name": "run_shell_command", "tool_input": {"command": "npm install x"}},
        "PreCompress": {**at, "trigger": "auto"},
        "SessionEnd": {**at, "reason": "exit"},
    }  # fmt: skip
    return found[event]


def cursor(event: str, cwd: str) -> dict[str, Any]:
    at = {
        "conversation_id": "u-1", "generation_id": "n-1", "model": "auto", "hook_event_name": event,
        "cursor_version": "3.20.17", "workspace_roots": [cwd], "user_email": "you@example.org", "transcript_path": None,
    }  # fmt: skip
    found: dict[str, dict[str, Any]] = {
        "sessionStart": {**at, "is_background_agent": False},
        "beforeSubmitPrompt": {**at, "prompt": "how does the parser work?", "attachments": []},
        "postToolUse": {**at, "tool_name": "Shell", "tool_input": {"command": LEARNT, "working_directory": cwd},
                        "tool_output": '{"output":"ok","exitCode":0}', "tool_use_id": "t-1", "cwd": cwd, "duration": 12},
        "preToolUse": {**at, "tool_name": "Shell", "tool_input": {"command": "npm install x"}, "tool_use_id": "t-2", "cwd": cwd},
        "subagentStop": {**at, "subagent_id": "s-1", "subagent_type": "reviewer", "status": "completed", "duration_ms": 5,
                         "summary": "done", "loop_count": 0, "modified_files": []},
        "postToolUseFailure": {**at, "tool_name": "Shell", "tool_input": {"command": "make"},
                               "error_message": "exit code 1", "failure_type": "error"},
        "preCompact": {**at, "trigger": "auto", "context_usage_percent": 91, "message_count": 40},
        "sessionEnd": {**at, "reason": "completed", "duration_ms": 9, "is_background_agent": False},
    }  # fmt: skip
    return found[event]


def quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


STDIN = {"codex": codex, "copilot": copilot, "vscode": copilot, "gemini": gemini, "cursor": cursor}


def run_hooks(
    machine: Machine, client: str, event: str, at: Path, payload: dict[str, Any] | None = None,
    **environment: str,
) -> list[Any]:  # fmt: skip
    """Run the commands that a client's file names for one event; return their answers."""
    path = places_of(client, "project", str(at)).hooks
    hooks = Document(Path(path).read_bytes(), path).root.value["hooks"]
    found = [item for item in hooks[event] if "command" in item]
    found += [one for item in hooks[event] if "hooks" in item for one in item["hooks"]]
    given = payload or STDIN[client](event, str(at))
    answers = []
    for one in found:
        done = subprocess.run(
            ["sh", "-c", one["command"]],
            cwd="/",
            input=b"\xef\xbb\xbf" * (client == "cursor") + json.dumps(given).encode(),
            env={**machine.environment, **environment},
            capture_output=True,
            timeout=20,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), done
        if done.stdout:
            answers.append(json.loads(done.stdout))
    return answers
