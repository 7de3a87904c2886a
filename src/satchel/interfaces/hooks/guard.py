"""Answer before a tool runs: with nothing, or with what approved guards say about the call.

Never `allow`: that would skip the client's own questions.
"""

from __future__ import annotations

import os

from satchel.core import quick_json
from satchel.core.errors import SatchelError
from satchel.features.guards.matching import Call, Verdict, call_of, verdict
from satchel.features.guards.snapshot import active_guards
from satchel.interfaces.hooks.call import HookCall
from satchel.project.place import branch_of
from satchel.storage.files import file_stamp
from satchel.storage.tracked_files import TrackedFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Another process may write for a while; the agent must not wait.
_PATIENCE = 0.2
_MOST_CHARACTERS = 4000


def guard(call: HookCall) -> str:
    """Return the client's JSON if a guard acts on the call, otherwise ""."""
    if not os.path.exists(call.state.ledger("guards")):
        return ""  # nobody here ever approved one
    root = call.place.root
    path = TrackedFiles(root, call.settings.text("layout.preset")).place("guards")
    guards = active_guards(call.state.guards, root, list(file_stamp(path)))
    if guards is None:
        # The file was edited or pulled, or is read first in another work tree: happens once.
        from satchel.features.guards.guard_file import GuardFile

        file = GuardFile(path, root, call.state, patience=_PATIENCE)
        guards = file.refresh()
        if file.trouble:
            call.fault(file.trouble)
    if not guards:
        return ""
    given = call.value("tool_input")
    branch = branch_of(root) if any(one["branches"] for one in guards) else ""
    looked_at = call_of(
        call.text("tool_name"),
        given if isinstance(given, dict) else {},
        root=root,
        cwd=call.cwd,
        agent=call.text("agent_type"),
        branch=branch,
    )
    said = verdict(guards, looked_at)
    if not said.action:
        return ""
    _note(call, said, looked_at)
    return answer(said)


def answer(said: Verdict) -> str:
    """Encode a verdict in Claude Code's format."""
    from satchel.core.trust import clean_text

    told = [f"{one['message']} ({one['id']})" for one in said.fired]
    text = clean_text("\n".join(told))[:_MOST_CHARACTERS]
    if said.action == "warn":
        output: dict[str, Any] = {"hookEventName": "PreToolUse", "additionalContext": text}
        whole = {"systemMessage": f"guard: {text}", "hookSpecificOutput": output}
    else:
        output = {
            "hookEventName": "PreToolUse",
            "permissionDecision": said.action,
            "permissionDecisionReason": text,
        }
        whole = {"hookSpecificOutput": output}
    return quick_json.dumps(whole)


def _note(call: HookCall, said: Verdict, looked_at: Call) -> None:
    """Record which guards fired. On a full disk only the record is missing."""
    from satchel.core.clock import Clock
    from satchel.features.guards.approvals import firing
    from satchel.storage.ledger.file import Ledger

    excerpt = looked_at.command or looked_at.path or looked_at.content
    path, lock = call.state.ledger("guard-firings"), call.state.lock("guard-firings")
    try:
        Ledger(path, lock, clock=Clock(), timeout=_PATIENCE).append(
            [
                firing(
                    one,
                    tool=looked_at.tool,
                    excerpt=excerpt,
                    session=call.text("session_id"),
                    agent=looked_at.agent,
                    action=one["action"],
                )
                for one in said.fired
            ]
        )
    except SatchelError as error:
        call.fault(f"guard firing not recorded: {error}")
