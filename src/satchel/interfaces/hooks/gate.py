"""Answers the end of a subagent: with nothing, or with why its work is not finished."""

from __future__ import annotations

import json
import os

from satchel.features.gates.beads import bd_is_installed, status_from_bd
from satchel.features.gates.completion import Rules, check_completion
from satchel.interfaces.hooks.call import HookCall
from satchel.storage.paths import archive_of
from satchel.storage.tracked_files import TrackedFiles

_MOST_CHARACTERS = 2000


def gate(call: HookCall) -> str:
    """Return the client's JSON that sends the agent back to work, or "" if it may end."""
    # The client says that this gate has already answered: twice would be a loop.
    if call.value("stop_hook_active"):
        return ""
    # A client's fork for compacting a conversation ends like a subagent, but has no type.
    if call.value("agent_id") and call.value("agent_type") == "":
        return ""
    settings = call.settings
    tracked = TrackedFiles(call.place.root, settings.text("layout.preset"))
    reasons = check_completion(
        cwd=call.cwd,
        agent_type=call.text("agent_type"),
        last_message=call.text("last_assistant_message"),
        rules=Rules(
            settings.words("hooks.gate_exempt"),
            settings.words("hooks.gate_task_status"),
            settings.flag("hooks.gate_needs_push"),
        ),
        owned=_owned(tracked, call.place.below),
        task_status=lambda task: _status(task, tracked),
        note=call.fault,
    )
    if not reasons:
        return ""
    text = "This work is not finished:\n" + "\n".join(f"- {reason}" for reason in reasons)
    return json.dumps({"decision": "block", "reason": text[:_MOST_CHARACTERS]}, ensure_ascii=False)


def _owned(tracked: TrackedFiles, below: str) -> tuple[str, ...]:
    """Return Satchel's own paths in the work tree, including files beside ledgers."""
    paths = set(tracked.owned())
    for path in tracked.owned():
        if path.endswith("knowledge.jsonl"):
            paths |= {archive_of(path), os.path.join(os.path.dirname(path), ".gitattributes")}
    return tuple(sorted(os.path.join(below, path) for path in paths))


def _status(task: str, tracked: TrackedFiles) -> str | None:
    if bd_is_installed():
        return status_from_bd(task, tracked.root)
    from satchel.features.tasks.reading import read_tasks

    found = read_tasks(tracked.tasks).get(task)
    return found.status if found else None
