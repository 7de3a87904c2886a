"""Answers before a file is opened: with nothing, or one memory about that file.

Runs before every tool, so imports only what it takes to say nothing.
"""

from __future__ import annotations

import os

from satchel.clients.hook_contract import hooks_of
from satchel.features.guards.matching import below
from satchel.interfaces.hooks.call import HookCall, named_file
from satchel.storage.inbox.touched_files import TouchedFiles

_TOOLS = ("Read", "Edit", "Write", "MultiEdit", "NotebookEdit")
#: Another process may index for a while; the agent must not wait.
_PATIENCE = 0.2


def about_touched_file(call: HookCall) -> str:
    """Return what the agent should know about the file that it opens, or ""."""
    session = call.text("session_id")
    if not session or call.value("agent_id"):
        return ""  # a subagent has its own context, and what it was told is unknown
    if call.text("tool_name") not in _TOOLS or not hooks_of(call.client).told_before_tools:
        return ""
    path = _path_in(call, call.place.root)
    touched = TouchedFiles(call.state, session) if path else None
    if touched is None or not touched.claim(path):
        return ""
    return _told(call, touched, path)


def _path_in(call: HookCall, root: str) -> str:
    """Return the file's real path below the project's root; "" for one elsewhere."""
    named = named_file(call.payload)
    if not named:
        return ""
    path = below(root, os.path.realpath(os.path.join(call.cwd, named)))
    return "" if os.path.isabs(path) else path.replace(os.sep, "/")


def _told(call: HookCall, touched: TouchedFiles, path: str) -> str:
    from satchel.application.briefs.touched_file import MOST, SECTION, touched_file_brief
    from satchel.core.clock import Clock
    from satchel.core.errors import SatchelError
    from satchel.project.person import PersonStore
    from satchel.project.store import ProjectStore
    from satchel.workspace import Workspace

    session, clock = call.text("session_id"), Clock()
    project = ProjectStore(call.place, call.home, clock, patience=_PATIENCE)
    with Workspace(project, PersonStore(call.home, clock)) as workspace:
        before = workspace.injections.of_session(session)
        files = workspace.briefs.files
        brief = touched_file_brief(workspace, path, session=session, before=before, files=files)
        if not brief.text:
            return ""
        told = sum(item.section == SECTION for one in before for item in one.items)
        if told + 1 >= MOST:
            touched.end()
        try:
            workspace.briefs.note_injection(brief, session=session, event=call.event)
        except SatchelError as error:
            call.fault(f"injection not recorded: {error}")
    return brief.text
