"""One contract for all clients' hooks: translates their events and fields, and our answers.

The contract is Claude Code's, in snake_case. An existing field is never replaced.
"""

from __future__ import annotations

import os

from satchel.clients.registry import BY_NAME, CLAUDE_CODE, CLIENTS, WHOLE, client_home, part
from satchel.core import quick_json
from satchel.storage.inbox.events import HOOK_EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    #: Event, the client's input, our answer -> the client's own answer; {} for none.
    Answer = Callable[[str, dict[str, Any], "GivenAnswer"], dict[str, Any]]

#: Our name -> other names of the same field that any client may use, in order.
_FIELDS = {
    "session_id": ("sessionId",),
    "transcript_path": ("transcriptPath",),
    "tool_name": ("toolName",),
    "tool_input": ("toolArgs", "tool_args"),
    "agent_type": ("agentType", "subagent_type", "agentName", "agent_name"),
    "last_assistant_message": ("lastAssistantMessage",),
    "stop_hook_active": ("stopHookActive",),
}
#: Arguments of the tool that starts a subagent: our name -> other names.
_AGENT_ARGUMENTS = {
    "prompt": ("message", "task"),
    "subagent_type": ("agent_type", "agent_name", "agent"),
}
#: How clients say that a conversation continues.
_RESUMED = "resume"
#: Tool names used by several clients -> ours.
_TOOLS = {
    "shell": "Bash",
    "bash": "Bash",
    "read_file": "Read",
    "write_file": "Write",
    "edit": "Edit",
    "apply_patch": "Edit",
    "web_fetch": "WebFetch",
    "web_search": "WebSearch",
    "task": "Agent",
}


class GivenAnswer:
    """Satchel's answer to a hook, in parts.

    Attributes:
        whole: all of it.
        context: the text for the agent; "" for none.
        decision: on a tool call; "" for none.
        reason: of the decision.
    """

    __slots__ = ("context", "decision", "reason", "whole")

    def __init__(self, whole: dict[str, Any]) -> None:
        inner = whole.get("hookSpecificOutput", {})
        self.whole = whole
        self.context = inner.get("additionalContext", "")
        self.decision = inner.get("permissionDecision", "")
        self.reason = inner.get("permissionDecisionReason", "")


class Hooks:
    """How a client's hooks differ from the contract.

    Attributes:
        events: its own event names -> ours, except those that differ only in case.
        fields: our name -> its own names of the same field, besides those of several clients.
        tools: its own tool names -> ours, besides those of several clients.
        refine: completes translated fields where renaming is not enough; None if not needed.
        answer: converts an answer to the client's format; None if it is the contract's.
        idle: triggers of PreCompact that fire although nothing is compacted.
        own_files: its hook files in a repository and in its home, if it also reads Claude Code's
            settings; otherwise ().
        keeps_context: whether a resumed conversation still contains earlier hook answers. Other
            clients resend only the messages.
        told_before_tools: whether an answer before a tool call reaches the agent.
    """

    __slots__ = (
        "answer",
        "events",
        "fields",
        "idle",
        "keeps_context",
        "own_files",
        "refine",
        "told_before_tools",
        "tools",
    )

    def __init__(
        self,
        *,
        events: dict[str, str] | None = None,
        fields: dict[str, tuple[str, ...]] | None = None,
        tools: dict[str, str] | None = None,
        refine: Callable[[dict[str, Any]], None] | None = None,
        answer: Answer | None = None,
        idle: tuple[str, ...] = (),
        own_files: tuple[str, ...] = (),
        keeps_context: bool = False,
        told_before_tools: bool = True,
    ) -> None:
        self.events, self.fields, self.tools = events or {}, fields or {}, tools or {}
        self.refine, self.answer, self.own_files = refine, answer, own_files
        self.idle, self.keeps_context = idle, keeps_context
        self.told_before_tools = told_before_tools


def hooks_of(client: str) -> Hooks:
    """Return a client's hooks, importing its module only if needed."""
    if client == CLAUDE_CODE:
        return _NATIVE
    found: Hooks = part(client, "hooks")
    return found


_NATIVE = Hooks(keeps_context=True)


def canonical_event(word: str) -> str:
    """Return our name of a client's event, or the name unchanged if unknown."""
    if word in HOOK_EVENTS:
        return word
    spelled = word[:1].upper() + word[1:]
    if spelled in HOOK_EVENTS:
        return spelled
    known = (hooks_of(client).events.get(word) for client in WHOLE)
    return next((event for event in known if event), word)


def client_of(words: list[str], payload: dict[str, Any]) -> str:
    """Return the calling client, from the command or else from the fields."""
    if "--client" in words[:-1]:
        said = words[words.index("--client") + 1]
        one = BY_NAME.get(said)
        return one.part_of or said if one else said
    # From the last one up: one client's marks may be fields of later ones.
    for one in reversed(CLIENTS):
        for mark in one.marks:
            if mark in payload:
                return one.name
    return CLAUDE_CODE


def is_superseded(words: list[str], client: str, root: str) -> bool:
    """Return whether a Claude Code hook runs in a client that has its own.

    Some clients also read those settings; then both would capture and inject.
    """
    if "--client" in words or not hooks_of(client).own_files:
        return False
    here, at_home = hooks_of(client).own_files
    paths = [os.path.join(root, here)] if root else []
    for path in (*paths, os.path.join(client_home(client), at_home)):
        try:
            with open(path, "rb") as file:
                if b"--client " + client.encode() in file.read(1 << 20):
                    return True
        except OSError:
            continue
    return False


def is_idle(client: str, event: str, payload: dict[str, Any]) -> bool:
    """Return whether a client ignores the answer, as before compacting."""
    return event == "PreCompact" and payload.get("trigger") in hooks_of(client).idle


def goes_on(client: str, event: str, payload: dict[str, Any]) -> bool:
    """Return whether a session resumes a conversation that holds earlier context."""
    source = payload.get("source")
    resumed = isinstance(source, str) and source.lower() == _RESUMED
    return event == "SessionStart" and resumed and hooks_of(client).keeps_context


def from_client(client: str, payload: dict[str, Any]) -> dict[str, Any]:
    """Return a client's payload with the contract's fields, keeping unknown ones."""
    hooks = hooks_of(client)
    found = dict(payload)
    for name, others in _FIELDS.items():
        if name not in found:
            for other in (*others, *hooks.fields.get(name, ())):
                if other in found:
                    found[name] = found[other]
                    break
    if hooks.refine is not None:
        hooks.refine(found)
    if "cwd" not in found and isinstance(found.get("workingDirectory"), str):
        found["cwd"] = found["workingDirectory"]
    tool = found.get("tool_name")
    if client != CLAUDE_CODE and isinstance(tool, str):
        found["tool_name"] = hooks.tools.get(tool) or _TOOLS.get(tool, tool)
    if "tool_input" in found:
        found["tool_input"] = _arguments(found["tool_input"])
        if found.get("tool_name") == "Agent":
            _name_agent_arguments(found["tool_input"])
    return found


def _name_agent_arguments(given: Any) -> None:
    if isinstance(given, dict):
        for name, others in _AGENT_ARGUMENTS.items():
            for other in others:
                if other in given:
                    given.setdefault(name, given[other])


def _arguments(given: Any) -> Any:
    """Return a tool's arguments as an object, which some clients send as JSON text."""
    if isinstance(given, str):
        try:
            given = quick_json.loads(given)
        except ValueError:
            return {}
    if not isinstance(given, dict):
        return given
    command = given.get("command", given.get("cmd"))
    if isinstance(command, list):
        # `["bash", "-lc", "the line"]`, or a program and its arguments.
        words = [word for word in command if isinstance(word, str)]
        shell = len(words) > 2 and words[1].startswith("-") and words[1].endswith("c")  # noqa: PLR2004
        command = words[2] if shell else " ".join(words)
    return given if command is None else {**given, "command": command}


def to_client(client: str, event: str, payload: dict[str, Any], answer: str) -> str:
    """Return an answer in the client's format; "" if it cannot be expressed."""
    if not answer or client not in WHOLE:
        return answer
    spell = hooks_of(client).answer
    if spell is None:
        return answer
    told = spell(event, payload, GivenAnswer(quick_json.loads(answer)))
    return quick_json.dumps(told) if told else ""
