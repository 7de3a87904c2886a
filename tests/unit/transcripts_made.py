"""Transcripts as each client writes them, made here: records in, lines out."""

import hashlib
import json
from typing import Any

SESSION = "3b1f7a52-0c1d-4e6f-9a2b-5d8e7c4f1a90"
CWD = "/home/u/proj"
Records = list[dict[str, Any]]


def at(second: int) -> str:
    return f"2026-05-04T10:{second // 60 % 60:02d}:{second % 60:02d}.000Z"


def jsonl(records: Records) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def hash_of(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]


# Claude Code


def claude_user(content: Any, second: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "type": "user", "parentUuid": None, "isSidechain": False, "cwd": CWD,
        "sessionId": SESSION, "gitBranch": "main", "version": "2.1.330",
        "message": {"role": "user", "content": content}, "uuid": f"u-{second}-{hash_of(content)}",
        "timestamp": at(second), **more,
    }  # fmt: skip


def claude_block(
    answer: str, block: dict[str, Any], second: int = 0, **more: Any
) -> dict[str, Any]:
    return {
        "type": "assistant", "isSidechain": False, "cwd": CWD, "sessionId": SESSION,
        "gitBranch": "main",
        "message": {"id": answer, "role": "assistant", "model": "claude-x", "content": [block]},
        "uuid": f"a-{answer}-{second}-{hash_of(block)}", "timestamp": at(second), **more,
    }  # fmt: skip


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


def tool(name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}


def result(value: str, *, failed: bool = False) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": "toolu_1", "content": value, "is_error": failed}]


CLAUDE: Records = [
    {"type": "summary", "summary": "Mend the login", "leafUuid": "x"},
    {"type": "file-history-snapshot", "messageId": "m", "snapshot": {"a": 1}},
    claude_user("please fix the login", 0),
    claude_block("msg_1", {"type": "thinking", "thinking": "secret thoughts"}, 1),
    claude_block("msg_1", text("I look at it."), 2),
    claude_block("msg_1", tool("Bash", command="pytest -q"), 3),
    claude_user(result("3 failed\nin test_login", failed=True), 4),
    claude_block("msg_2", text("Mended."), 5),
    claude_user("<command-name>/compact</command-name>\n<command-args>now</command-args>", 6),
    claude_user("Caveat: the messages below", 7, isMeta=True),
    claude_user("This session is being continued", 8, isCompactSummary=True),
    claude_user("of a subagent", 9, isSidechain=True),
    {"type": "queue-operation", "operation": "enqueue", "sessionId": SESSION, "content": "x"},
    {"type": "of-the-future", "sessionId": SESSION, "message": {"content": "unknown"}},
    claude_user("<local-command-stdout>Goodbye!</local-command-stdout>", 10),
    claude_user([text("and <system-reminder>be brief</system-reminder>the logout")], 11),
]


def queued(operation: str, second: int, **more: Any) -> dict[str, Any]:
    return {"type": "queue-operation", "operation": operation, "sessionId": SESSION,
            "timestamp": at(second), **more}  # fmt: skip


# Codex


def codex(kind: str, payload: dict[str, Any], second: int = 0) -> dict[str, Any]:
    return {"timestamp": at(second), "type": kind, "payload": payload}


def codex_said(role: str, value: str, second: int = 0) -> dict[str, Any]:
    block = "input_text" if role == "user" else "output_text"
    return codex(
        "response_item",
        {"type": "message", "role": role, "content": [{"type": block, "text": value}]},
        second,
    )


CODEX: Records = [
    codex("session_meta", {"id": SESSION, "timestamp": at(0), "cwd": CWD,
                           "git": {"branch": "main"}, "base_instructions": {"text": "x" * 300}}),
    codex("turn_context", {"cwd": CWD, "model": "gpt-x", "approval_policy": "on-request"}),
    codex_said("developer", "you are an agent"),
    codex_said("user", "<environment_context>\n<cwd>/home/u/proj</cwd>\n</environment_context>"),
    codex_said("user", "# AGENTS.md instructions for /home/u/proj\nbe good"),
    codex_said("user", "fix it", 1),
    codex("event_msg", {"type": "user_message", "message": "fix it"}, 1),
    codex("response_item", {"type": "reasoning", "encrypted_content": "zzz"}, 2),
    codex("event_msg", {"type": "agent_message", "message": "I run the tests."}, 3),
    codex_said("assistant", "I run the tests.", 3),
    codex("response_item", {"type": "function_call", "name": "exec_command", "call_id": "c1",
                            "arguments": '{"cmd":"pytest -q"}'}, 4),
    codex("response_item", {"type": "function_call_output", "call_id": "c1",
                            "output": '{"output":"3 failed","metadata":{"exit_code":1}}'}, 5),
    codex("event_msg", {"type": "token_count", "info": {}}, 5),
    codex("event_msg", {"type": "agent_message", "message": "Only told as an event."}, 6),
    codex("compacted", {"message": "a summary", "replacement_history": []}, 7),
    codex_said("assistant", "Done.", 8),
]  # fmt: skip

CODEX_FLAT: Records = [
    {"id": SESSION, "timestamp": at(0), "instructions": None, "git": {"branch": "old"}},
    {"record_type": "state"},
    {"type": "message", "role": "user", "content": [
        {"type": "input_text", "text": "<environment_context>\nCurrent working directory: "
         "/home/u/proj\n</environment_context>"}]},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "continue"}]},
    {"type": "function_call", "name": "shell", "arguments": '{"command":["ls","-a"]}'},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "continue"}]},
]  # fmt: skip

# Copilot


def copilot(kind: str, data: dict[str, Any], second: int = 0) -> dict[str, Any]:
    return {"type": kind, "data": data, "id": f"e-{kind}-{second}-{hash_of(data)}",
            "timestamp": at(second), "parentId": None}  # fmt: skip


COPILOT: Records = [
    copilot("session.start", {"sessionId": SESSION, "startTime": at(0),
                              "context": {"cwd": CWD, "branch": "main"}}),
    copilot("user.message", {"content": "fix it", "transformedContent": "<x>fix it</x>"}, 1),
    copilot("assistant.turn_start", {"turnId": "0"}, 2),
    copilot("assistant.message", {"messageId": "m1", "content": "I look.", "toolRequests": [
        {"toolCallId": "c1", "name": "bash", "arguments": {"command": "pytest -q"}}]}, 3),
    copilot("tool.execution_complete", {"toolCallId": "c1", "success": False,
                                        "error": {"message": "3 failed"}}, 4),
    copilot("assistant.message", {"content": "of a subagent", "parentToolCallId": "c1"}, 5),
    copilot("something.new", {"content": "ignored"}, 6),
    copilot("assistant.message", {"messageId": "m2", "content": "Done."}, 7),
]  # fmt: skip

# Gemini


def gemini(ident: str, kind: str, content: Any, second: int = 0, **more: Any) -> dict[str, Any]:
    return {"id": ident, "timestamp": at(second), "type": kind, "content": content, **more}


GEMINI_HEAD = {"sessionId": SESSION, "projectHash": "p", "startTime": at(0), "lastUpdated": at(9),
               "kind": "main"}  # fmt: skip
GEMINI_MESSAGES: Records = [
    gemini("g1", "user", [{"text": "fix it"}], 1),
    gemini("g2", "info", "update available", 2),
    gemini("g3", "gemini", "I look.", 3, model="gemini-x"),
    gemini("g3", "gemini", "I look.", 3, model="gemini-x", toolCalls=[
        {"id": "t", "name": "run_shell_command", "args": {"command": "pytest -q"},
         "status": "error", "resultDisplay": "3 failed"}]),
    gemini("g4", "gemini", "Done.", 5),
]  # fmt: skip
GEMINI: Records = [GEMINI_HEAD, *GEMINI_MESSAGES, {"$set": {"summary": "Mend the login"}}]

# Cursor

CURSOR: Records = [
    {"type": "metadata", "metadata": {"overview": "Mend the login"}},
    {"role": "user", "message": {"content": [text("<user_query>\nfix it\n</user_query>")]}},
    {"role": "assistant", "message": {"content": [
        text("Looking."), {"type": "tool_use", "name": "Shell", "input": {"command": "ls"}}]}},
    {"type": "turn_ended", "status": "success"},
    {"role": "user", "message": {"content": [text("go on")]}},
    {"role": "user", "message": {"content": [text("go on")]}},
]  # fmt: skip

# opencode, as our plugin writes it


def opencode(role: str, value: str, second: int = 0, **more: Any) -> dict[str, Any]:
    return {"type": "opencode.message", "session": SESSION, "cwd": CWD, "id": f"o{second}",
            "role": role, "time": at(second), "text": value, "tools": [], **more}  # fmt: skip


OPENCODE: Records = [
    opencode("user", "fix it", 1),
    opencode("assistant", "I look.", 2, model="small", tools=[
        {"name": "bash", "input": {"command": "pytest -q"}, "error": "3 failed"}]),
    opencode("assistant", "Done.", 3, model="small"),
]  # fmt: skip

#: What a person says while rejecting a call, where the client has it in the call's result.
NO = "use pnpm here, not npm"
REFUSED: dict[str, dict[str, Any]] = {
    "copilot": copilot("tool.execution_complete", {
        "toolCallId": "c9", "success": False, "error": {
            "code": "denied",
            "message": f"The user rejected this tool call. User feedback: {NO}"}}, 8),
    "opencode": opencode("assistant", "", 8, tools=[
        {"name": "bash", "input": {"command": "npm i"}, "error": "The user rejected permission "
         f"to use this specific tool call with the following feedback: {NO}"}]),
    "gemini": gemini("g8", "gemini", "", 8, toolCalls=[
        {"id": "t8", "name": "exit_plan_mode", "args": {"plan_path": "p.md"}, "status": "success",
         "resultDisplay": f"Feedback: {NO}", "result": [{"functionResponse": {"response": {
             "output": f"Plan rejected. User feedback: {NO}\n\nThe plan is stored at: p.md\n"
                       "Revise the plan based on the feedback."}}}]}]),
}  # fmt: skip
#: What a person types in answer to an agent's question, which also offers one.
ASKED, TYPED, OFFERED = "Which queue?", "nats, sqs is too slow", "SQS"
_ASKS = {"questions": [{"id": "q1", "question": ASKED, "options": [{"label": OFFERED}]}]}


def answered(client: str, answer: str, tool: str = "") -> Records:
    """Return a question by a client's tool, or of another of this name, and its answer."""
    return _ANSWERED[client](answer, tool)


def _claude_answered(answer: str, tool: str) -> Records:
    call = {"type": "tool_use", "id": "t9", "name": tool or "AskUserQuestion", "input": _ASKS}
    told = f'User has answered your questions: "{ASKED}"="{answer}". You can now continue.'
    back = {"type": "tool_result", "tool_use_id": "t9", "content": told}
    more = {"toolUseResult": {**_ASKS, "answers": {ASKED: answer}}}
    return [claude_block("msg_9", call, 20), claude_user([back], 21, **more)]


def _codex_answered(answer: str, tool: str) -> Records:
    said = answer if answer == OFFERED else f"user_note: {answer}"
    call = {"type": "function_call", "call_id": "c9", "name": tool or "request_user_input",
            "arguments": json.dumps(_ASKS)}  # fmt: skip
    back = {"type": "function_call_output", "call_id": "c9",
            "output": json.dumps({"answers": {"q1": {"answers": [said]}}})}  # fmt: skip
    return [codex("response_item", call, 20), codex("response_item", back, 21)]


def _copilot_answered(answer: str, tool: str) -> Records:
    said = f"User {'selected' if answer == OFFERED else 'responded'}: {answer}"
    call = {"toolCallId": "c9", "name": tool or "ask_user",
            "arguments": {"question": ASKED, "choices": [OFFERED]}}  # fmt: skip
    back = {"toolCallId": "c9", "success": True, "result": {"content": said}}
    asks = {"messageId": "m9", "content": "", "toolRequests": [call]}
    return [
        copilot("assistant.message", asks, 20),
        copilot("tool.execution_complete", back, 21),
    ]


def _gemini_answered(answer: str, tool: str) -> Records:
    told = json.dumps({"answers": {"0": answer}}, separators=(",", ":"))
    call = {"id": "t9", "name": tool or "ask_user", "args": _ASKS, "status": "success",
            "resultDisplay": f"**User answered:**\n  Q \u2192 {answer}",
            "result": [{"functionResponse": {"response": {"output": told}}}]}  # fmt: skip
    return [gemini("g9", "gemini", "", 20, toolCalls=[call])]


def _opencode_answered(answer: str, tool: str) -> Records:
    call = {"name": tool or "question", "input": _ASKS, "answers": [[answer]], "error": ""}
    return [opencode("assistant", "", 20, tools=[call])]


_ANSWERED = {
    "claude": _claude_answered,
    "codex": _codex_answered,
    "copilot": _copilot_answered,
    "gemini": _gemini_answered,
    "opencode": _opencode_answered,
}

EVERY = {
    "claude": CLAUDE, "codex": CODEX, "copilot": COPILOT, "gemini": GEMINI, "cursor": CURSOR,
    "opencode": OPENCODE,
}  # fmt: skip
#: Where each client puts that, below its own directory, for a work tree at `CWD`.
PLACES = {
    "claude": f"projects/-home-u-proj/{SESSION}.jsonl",
    "codex": "sessions/2026/05/04/rollout-x.jsonl",
    "copilot": f"session-state/{SESSION}/events.jsonl",
    "gemini": f"tmp/{hashlib.sha256(CWD.encode()).hexdigest()}/chats/session-1.jsonl",
    "cursor": "projects/home-u-proj/agent-transcripts/c/c.jsonl",
    "opencode": "satchel/s.jsonl",
}
