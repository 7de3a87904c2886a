"""What a hook puts before an agent: a brief at the start, a few memories at a prompt."""

from __future__ import annotations

import time

from satchel.core import quick_json
from satchel.core.clock import Clock
from satchel.core.errors import SatchelError
from satchel.features.memories.embedding import embed_in_background
from satchel.interfaces.hooks.call import HookCall
from satchel.project.person import PersonStore
from satchel.project.store import ProjectStore
from satchel.storage.inbox.faults import note_fault
from satchel.storage.inbox.lost import lie_ready, lost, not_kept_text, note_told
from satchel.workspace import Workspace

#: Clients cut or divert longer context; see docs/decisions/0006-claude-code.md.
_MOST_CHARACTERS = 9500
#: Another process that indexes may take its time; the agent may not be kept waiting.
_PATIENCE = 0.2
#: Characters of a prompt that are searched for: what is asked stands before or behind a paste.
_SEARCHED = 16_000
#: Seconds between two processes that read what clients wrote of their sessions.
_ARCHIVE_EVERY = 3600.0


def _asked(prompt: str) -> str:
    """Return a prompt without the middle of what is too long to be searched for in time."""
    if len(prompt) <= _SEARCHED:
        return prompt
    return f"{prompt[: _SEARCHED // 2]}\n{prompt[-_SEARCHED // 2 :]}"


def inject(call: HookCall) -> str:
    """Return the client's JSON with what this session should know, or "" if that is nothing."""
    if call.place is None:
        return ""
    session = call.text("session_id")
    most = _MOST_CHARACTERS // 4  # a token is counted as four bytes
    clock = Clock()
    project = ProjectStore(call.place, call.home, clock, patience=_PATIENCE)
    with Workspace(project, PersonStore(call.home, clock)) as workspace:
        if call.event == "UserPromptSubmit":
            brief = workspace.prompt_brief(_asked(call.text("prompt")), session=session, most=most)
        elif call.event == "SubagentStart":
            brief = workspace.session_brief(role=call.text("agent_type"), most=most)
        else:
            brief = workspace.session_brief(most=most)
        if call.event == "SessionStart":
            _archive_sessions(workspace.project)
        not_kept = _not_kept(call) if call.event == "SessionStart" else ""
        # A store that nobody recalls from gets its vectors and its calibration all the same.
        embed_in_background(workspace)
        if not brief.text:
            return _answer(call.event, not_kept)
        try:
            workspace.briefs.note_injection(
                brief, session=session, event=call.event, agent=call.text("agent_type")
            )
        except SatchelError as error:
            # On a full disk the agent still gets its brief; only the record of it is missing.
            note_fault(
                workspace.project.state.faults,
                call.event,
                f"injection not noted: {error}",
                time.time(),
            )
    return _answer(call.event, f"{not_kept}\n\n{brief.text}" if not_kept else brief.text)


def _answer(event: str, text: str) -> str:
    if not text:
        return ""
    answer = {"hookEventName": event, "additionalContext": text}
    return quick_json.dumps({"hookSpecificOutput": answer})


def _archive_sessions(project: ProjectStore) -> None:
    """Leave clients' transcripts to a process of its own, once an hour."""
    if project.settings.flag("sessions.import") and project.settings.flag("embed.background"):
        lock = project.state.sessions.lock("archive")
        project.start_in_background("archive", lock, _ARCHIVE_EVERY)


def _not_kept(call: HookCall) -> str:
    """Say once what hooks could not keep; `doctor` goes on telling of it."""
    if call.state is None:
        return ""
    lie_ready(call.state.lost)
    known = lost(call.state.lost)
    if known is None or known.told:
        return ""
    note_told(call.state.lost, known)
    return f"Satchel: {not_kept_text(known)} Tell the person; `satchel doctor` says more."
