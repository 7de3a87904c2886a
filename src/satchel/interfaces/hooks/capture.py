"""Write events to the inbox: normalized, redacted, and only if they may become memories."""

from __future__ import annotations

import os
import time

from satchel.project.place import branch_of, commit_of
from satchel.storage.inbox.events import (
    AFTER_TOOLS,
    CHECKPOINT,
    COMMAND,
    COMMIT,
    DISPATCH,
    PRESENCE,
    PROMPT_CHARACTERS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.interfaces.hooks.call import HookCall

#: A command without one of these has no memory; most commands stop here.
_MARKERS = ("LEARNED", "DECISION", "CONSTRAINT", "FACT", "PREFERENCE", "NEXT", "PATTERN",
            "INVESTIGATION", "CI_NOTE", "CI NOTE", "CI-NOTE")  # fmt: skip
SHELLS = ("Bash", "bash", "shell", "run_shell_command", "Shell")
_STARTERS = ("Agent", "Task")
#: Options of `bd comments add` and `gh pr comment` that name a file, and its largest size.
_NAMING = frozenset(("-f", "--file", "-F", "--body-file"))
_LARGEST = 65_536
#: Characters of the largest event to keep.
_LARGEST_EVENT = 1_048_576
#: Programs that comment, which a client may report as missing.
_COMMENTING = ("bd", "gh")


def capture(call: HookCall) -> None:
    """Append what can be learned from this event to the inbox, if anything."""
    event = _event_of(call)
    if event is None:
        return
    # Most calls teach nothing, and end before this is loaded.
    from satchel.core.redaction.redactor import redact
    from satchel.storage.inbox.spool import Inbox

    event["session"] = call.text("session_id")
    event["agent"] = call.text("agent_type")
    event["client"] = call.client
    event["cwd"] = call.cwd
    texts = [value for value in event.values() if isinstance(value, str)]
    together = "\n".join(texts)
    if redact(together)[0] != together:
        event = {k: redact(v)[0] if isinstance(v, str) else v for k, v in event.items()}
    # By the time this is drained, something else may be checked out.
    event["branch"], event["commit"] = branch_of(call.cwd), commit_of(call.cwd)
    size = sum(len(v) for v in event.values() if isinstance(v, str))
    if size > _LARGEST_EVENT:
        from satchel.storage.inbox.lost import note_lost

        what = f"an event of {size} characters was not kept"
        note_lost(call.state.lost, what, time.time())
        call.fault(what)
        return
    Inbox(call.state.inbox).append(event, time.time())
    if not os.path.exists(call.state.lost):
        from satchel.storage.inbox.lost import lie_ready

        lie_ready(call.state.lost)


def _event_of(call: HookCall) -> dict[str, Any] | None:
    if call.event in AFTER_TOOLS:
        # A failed command may have remembered something first.
        return _of_tool(call)
    if call.event == "PreCompact":
        trigger = "compaction" if call.text("trigger") != "manual" else "manual compaction"
        return {"what": CHECKPOINT, "trigger": trigger, "transcript": call.text("transcript_path")}
    if call.event == "SessionEnd":
        return {
            "what": CHECKPOINT,
            "trigger": "session_end",
            "reason": call.text("reason"),
            "transcript": call.text("transcript_path"),
        }
    if call.event == "SessionStart":
        # The end of a session is not always reported: its file tells where it stood.
        return {
            "what": PRESENCE,
            "state": "online",
            "reason": call.text("source"),
            "transcript": call.text("transcript_path"),
        }
    return None


def _of_tool(call: HookCall) -> dict[str, Any] | None:
    given = call.value("tool_input")
    arguments = given if isinstance(given, dict) else {}
    tool = call.text("tool_name")
    if tool in SHELLS:
        command = arguments.get("command")
        if isinstance(command, str):
            return _of_command(call, command)
    elif tool in _STARTERS:
        prompt = arguments.get("prompt")
        if isinstance(prompt, str) and prompt.strip():
            from satchel.core.redaction.redactor import redact_start

            to = arguments.get("subagent_type")
            return {
                "what": DISPATCH,
                "to": to if isinstance(to, str) else "",
                "prompt": redact_start(prompt, PROMPT_CHARACTERS)[0],
            }
    return None


def _of_command(call: HookCall, command: str) -> dict[str, Any] | None:
    event: dict[str, Any] = {"what": COMMAND, "command": command}
    made = _made_by(call, command) if "git" in command else ""
    path, text = _file_named(command, call.cwd) if "comment" in command else ("", "")
    if text:
        event["file"], event["file_text"] = path, text
    elif not may_teach(command):
        return {"what": COMMIT, "made": made} if made else None
    if made:
        event["made"] = made
    from satchel.interfaces.hooks.command_result import exit_code, not_found

    code, missing = exit_code(call), not_found(call, _COMMENTING)
    if code:
        event["exit"] = code
    if missing:
        event["missing"] = missing
    return event


def _made_by(call: HookCall, command: str) -> str:
    """Return the commits that a command made, one a line."""
    from satchel.interfaces.hooks.commits import commits_of, may_commit

    return "\n".join(commits_of(call, command)) if may_commit(command) else ""


def _file_named(command: str, cwd: str) -> tuple[str, str]:
    """Return the file that a command reads a comment from, and its text.

    The first one with a marker: `test -f` names files, too.
    """
    words = command.split()
    for at, word in enumerate(words):
        option, equals, value = word.partition("=")
        path = (value if equals else "".join(words[at + 1 : at + 2])).strip("'\";&")
        if word == "cd":
            cwd = os.path.join(cwd, os.path.expanduser(path))
        elif option in _NAMING and path:
            text = _text_of(os.path.join(cwd, os.path.expanduser(path)))
            if _is_marked(text):
                return path, text
    return "", ""


def _text_of(path: str) -> str:
    try:
        if os.path.isfile(path) and os.path.getsize(path) <= _LARGEST:
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read()
    except OSError:
        pass
    return ""


def may_teach(command: str) -> bool:
    """Return whether a command may contain a memory; most do not."""
    if "satchel" in command and (" learn" in command or " remember" in command):
        return True
    return ("bd" in command or "gh " in command) and _is_marked(command)


def _is_marked(text: str) -> bool:
    return ":" in text and any(marker in text for marker in _MARKERS)
