"""Converts inbox events to records."""

from __future__ import annotations

import os

from satchel.core.ids import BLOCK, following, memory_key, text_id
from satchel.core.kinds import COMMIT_KEY, LESSON
from satchel.core.trust import AGENT, ORCHESTRATOR, strip_fences
from satchel.project.place import branch_of
from satchel.storage.inbox.events import CHECKPOINT, COMMAND, COMMIT, DISPATCH, PRESENCE
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

_WORKTREES = f"{os.sep}.worktrees{os.sep}"
_LAST_MESSAGES = 40
_DISPATCH_HEAD = 120


def source_of(cwd: str) -> str:
    """Return who works here, as in beads memory: supervisor (in a worktree) or orchestrator."""
    return "supervisor" if _WORKTREES in cwd + os.sep else ORCHESTRATOR


def records_of(event: dict[str, Any]) -> list[Record]:
    """Convert an event to records with deterministic ids and times.

    The same event gives the same lines however often it is replayed.
    """
    what = event.get("what")
    if what == COMMAND:
        drafts = _of_command(event) + _of_commit(event)
    elif what == COMMIT:
        drafts = _of_commit(event)
    elif what == DISPATCH:
        drafts = _of_dispatch(event)
    elif what == CHECKPOINT:
        drafts = checkpoints_of(event)
        if event.get("trigger") == "session_end":
            drafts += _of_presence({**event, "state": "offline"})
    elif what == PRESENCE:
        drafts = _of_presence(event)
    else:
        drafts = []
    return [
        draft._replace(id=following(str(event["id"]), step))
        for step, draft in enumerate(drafts[:BLOCK])
    ]


def _common(event: dict[str, Any]) -> Record:
    cwd = str(event.get("cwd") or "")
    wall = event.get("wall")
    return Record(
        source=source_of(cwd),
        ts=int(event.get("ts") or 0),
        wall=int(wall) if isinstance(wall, int) else None,
        session=str(event.get("session") or ""),
        agent=str(event.get("agent") or ""),
        client=str(event.get("client") or ""),
        # Events of older releases lack the branch and commit.
        branch=str(event["branch"]) if "branch" in event else branch_of(cwd) if cwd else "",
        commit=str(event.get("commit") or ""),
        worktree=os.path.basename(cwd) if _WORKTREES in cwd + os.sep else "",
        trust=AGENT,
    )


def _of_command(event: dict[str, Any]) -> list[Record]:
    # Imported here: a starting session only drains presences, and needs no patterns.
    from satchel.application.learning.listening.commands import captures_in

    common = _common(event)
    command = strip_fences(str(event.get("command") or ""))
    return [
        common._replace(
            kind=captured.kind,
            content=captured.content,
            key=memory_key(captured.kind, captured.content),
            text_id=text_id(captured.content) if captured.kind == LESSON else "",
            tags=captured.tags,
            task=captured.task,
        )
        for captured in captures_in(
            command,
            files={str(event["file"]): str(event.get("file_text"))} if event.get("file") else {},
            code=int(event.get("exit") or 0),
            missing=str(event.get("missing") or "").split(),
        )
    ]


def _of_commit(event: dict[str, Any]) -> list[Record]:
    made = str(event.get("made") or "").splitlines()
    if not made:
        return []
    common = _common(event)
    told = f"Committed {made[0]}" + (f" and {len(made) - 1} more" if made[1:] else "")
    return [
        common._replace(
            kind="activity",
            key=COMMIT_KEY,
            content=f"{told} on {common.branch}" if common.branch else told,
            tags=("activity", "commit"),
            data={"event": "commit", "commits": made},
        )
    ]


def _of_dispatch(event: dict[str, Any]) -> list[Record]:
    prompt = strip_fences(str(event.get("prompt") or "")).strip()
    to = str(event.get("to") or "agent")
    if not prompt:
        return []
    head = prompt.split("\n", 1)[0][:_DISPATCH_HEAD]
    return [
        _common(event)._replace(
            kind="activity",
            key="activity-dispatch",
            content=f"Dispatched {to}: {head}",
            tags=("activity", "dispatch"),
            task=_bead_of(prompt),
            data={"event": "dispatch_prompt", "to": to, "prompt": prompt},
        )
    ]


def checkpoints_of(event: dict[str, Any], forgotten: Collection[str] = ()) -> list[Record]:
    """Return the checkpoint of a session, from the end of its transcript, or nothing.

    Args:
        event: a `checkpoint` event.
        forgotten: ids of turns that the user forgot.
    """
    from satchel.application.learning.listening.checkpoints import where_it_stood
    from satchel.application.learning.listening.turns import asks
    from satchel.clients.transcripts.tail import last_messages

    trigger = str(event.get("trigger") or "manual")
    messages = last_messages(str(event.get("transcript") or ""), _LAST_MESSAGES, asks)
    stood = where_it_stood([one for one in messages if one.id not in forgotten])
    if stood is None:
        return []
    common = _common(event)
    return [
        common._replace(
            kind="checkpoint",
            key="checkpoint-" + (common.session or trigger),
            title=f"Session checkpoint ({trigger})",
            content=stood.text,
            tags=("checkpoint",),
            data={
                "trigger": trigger,
                "asked": stood.asked,
                "summary": stood.summary,
                "next_steps": list(stood.next_steps),
                "open": stood.open,
            },
        )
    ]


def _of_presence(event: dict[str, Any]) -> list[Record]:
    state = str(event.get("state") or "online")
    reason, transcript = str(event.get("reason") or ""), str(event.get("transcript") or "")
    common = _common(event)
    file = {"transcript": transcript} if transcript and state == "online" else {}
    return [
        common._replace(
            kind="activity",
            key="activity-presence",
            content=f"Agent {state}" + (f" ({reason})" if reason else ""),
            tags=("activity", "presence"),
            data={"event": f"agent_{state}", "reason": reason, **file},
        )
    ]


def _bead_of(prompt: str) -> str:
    """Return the task that a dispatch prompt names on a `BEAD_ID:` line."""
    for line in prompt.splitlines():
        name, colon, value = line.partition(":")
        if colon and name.strip(" *#-").upper() in ("BEAD_ID", "TASK_ID"):
            named = value.strip(" *`\"'").split()
            return named[0].strip("`*\"'") if named else ""
    return ""
