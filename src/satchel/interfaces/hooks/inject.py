"""Inject memories: a brief when a session starts, a few memories at a prompt."""

from __future__ import annotations

import time

from satchel.application.briefs.sections import Brief, Reader
from satchel.clients.hook_contract import goes_on
from satchel.clients.registry import BY_NAME, alias_of
from satchel.core.clock import Clock
from satchel.core.errors import SatchelError
from satchel.core.trust import clean_line
from satchel.features.injections.injection_ledger import RESUMED, Injection, still_held
from satchel.features.memories.embedding import embed_in_background
from satchel.interfaces.hooks.call import HookCall, context_answer
from satchel.interfaces.hooks.last_brief import keep_brief
from satchel.interfaces.hooks.sessions import look_at_sessions
from satchel.project.person import PersonStore
from satchel.project.store import ProjectStore
from satchel.storage.files import changed_at
from satchel.storage.inbox.faults import worked_around
from satchel.storage.inbox.lost import lie_ready, lost, not_kept_text, note_told
from satchel.storage.inbox.seen import note_seen
from satchel.storage.paths import PrivateState
from satchel.storage.settings.environment import value_of
from satchel.workspace import Workspace

#: Clients truncate or divert longer context; see docs/decisions/0006-claude-code.md.
_MOST_CHARACTERS = 9500
#: Another process may index for a while; the agent must not wait.
_PATIENCE = 0.2
#: How much of a prompt to search for, in characters: a question is before or after a paste.
_SEARCHED = 16_000
#: The author of a prompt, if the client says so.
_TYPED = ("", "user", "sdk")
#: Ends a word in single quotes, or a line.
_NOT_IN_A_WORD = frozenset("'\n\r\0")
#: Most troubles to report at once.
_MOST_AMISS = 3
#: Seconds between two processes that read clients' transcripts.
_HOURLY = 3600.0
_DAILY = 24 * _HOURLY


def _asked(call: HookCall) -> str:
    """Return the user's words in a prompt, with the middle cut out if too long to search for.

    "" if a client, not a person, wrote the prompt: then a memory would answer nobody.
    """
    from satchel.clients.transcript_format.texts import said_by_person

    prompt = "" if call.text("source") == "system" else said_by_person(call.text("prompt"))
    if len(prompt) <= _SEARCHED:
        return prompt
    return f"{prompt[: _SEARCHED // 2]}\n{prompt[-_SEARCHED // 2 :]}"


def inject(call: HookCall) -> str:
    """Return the client's JSON with what this session should know, or "" if there is nothing."""
    asked = _asked(call) if call.event == "UserPromptSubmit" else ""
    if call.event == "UserPromptSubmit" and not asked:
        return ""
    note_seen(call.state.seen(call.client))
    session = call.text("session_id")
    most = _MOST_CHARACTERS // 4  # a token counts as four bytes
    clock = Clock()
    project = ProjectStore(call.place, call.home, clock, patience=_PATIENCE)
    with Workspace(project, PersonStore(call.home, clock)) as workspace:
        held, agent = _held(workspace, call), ""
        if call.event == "UserPromptSubmit":
            brief = workspace.briefs.prompt(asked, session=session, most=most)
        elif call.event == "SubagentStart":
            reader = Reader(alias_of(call.client), role=call.text("agent_type"))
            brief = workspace.briefs.session(reader, most=most)
        elif held:
            brief = workspace.briefs.resumed(held, most=most)
        else:
            agent = _agent_of(workspace, call)
            _note_left(workspace, session)
            reader = Reader(alias_of(call.client), agent, session=session)
            brief = workspace.briefs.session(reader, most=most)
        if call.event == "SessionStart":
            # Not every client says when a session ends, and none when it is killed.
            look_at_sessions(call, _HOURLY)
            _name_session(call)
        before = _amiss(call) if call.event == "SessionStart" else ""
        before = before or _asked_to_keep(workspace, call)
        # A store without recalls also gets its vectors and its calibration.
        embed_in_background(workspace)
        if not brief.text:
            return context_answer(call.event, before)
        try:
            workspace.briefs.note_injection(
                brief,
                session=session,
                event=RESUMED if held else call.event,
                agent=call.text("agent_type"),
            )
        except SatchelError as error:
            # On a full disk the agent still gets its brief; only the record of it is missing.
            call.fault(f"injection not recorded: {error}")
    text, to_person = f"{before}\n\n{brief.text}" if before else brief.text, ""
    if call.event == "SessionStart" and not held:
        to_person = _to_person(brief, call.state)
        keep_brief(call.state, brief.text, agent)
    return context_answer(call.event, text, to_person=to_person)


def _note_left(workspace: Workspace, session: str) -> None:
    """Write where the last session stopped, if its client did not report the end."""
    from satchel.application.learning.listening.left_sessions import note_left_session

    note_left_session(workspace, session)


def _to_person(brief: Brief, state: PrivateState) -> str:
    """Return what the client shows to the user: what is new, and once a day what is waiting."""
    told = [brief.news] if brief.news else []
    if brief.waits and time.time() - changed_at(state.last_brief) >= _DAILY:
        told += brief.waits
    return f"Satchel: {'; '.join(told)}".replace("`", "") if told else ""


def _agent_of(workspace: Workspace, call: HookCall) -> str:
    """Return the session's agent, if the agent has files of its own."""
    named = call.text("agent_type").lower()
    if not named:
        return ""
    return next((one for one in workspace.agents.names() if one.lower() == named), "")


def _held(workspace: Workspace, call: HookCall) -> list[Injection]:
    """Return what a resumed conversation was told before; [] if it holds nothing."""
    session = call.text("session_id")
    if not session or not goes_on(call.client, call.event, call.payload):
        return []
    return still_held(workspace.injections.of_session(session))


def _asked_to_keep(workspace: Workspace, call: HookCall) -> str:
    """Ask the agent to remember what this prompt says, if it is worth keeping."""
    settings = workspace.project.settings
    if call.event != "UserPromptSubmit" or not settings.flag("hooks.nudge"):
        return ""
    if call.value("agent_id") or call.text("source") not in _TYPED:
        return ""
    from satchel.application.learning.nudging.nudges import ask_after_prompt

    try:
        return ask_after_prompt(workspace, call.text("prompt"), call.text("session_id"))
    except SatchelError as error:
        call.fault(f"not asked: {error}")
        return ""


def _name_session(call: HookCall) -> None:
    """Pass the session id to its shells if the client does not, to attribute their writes."""
    client = BY_NAME[call.client]
    path, session = value_of(client.exports), call.text("session_id")
    if not path or not session or not session.isascii() or set(session) & _NOT_IN_A_WORD:
        return
    line = f"export {client.session_variable}='{session}'\n".encode()
    try:
        # Once: the file survives resumes and compactions, and each of its lines slows every call.
        with open(path, "ab+") as file:
            file.seek(0)
            if line not in file.read(1 << 20):
                file.write(line)
    except OSError as error:
        call.fault(f"session id not passed on: {error}")


def _amiss(call: HookCall) -> str:
    """Report what this brief may lack, and which events hooks lost."""
    found = [_not_kept(call), *map(clean_line, worked_around[:_MOST_AMISS])]
    told = " ".join(filter(None, found))
    return f"Satchel: {told} Tell the person; `satchel doctor` says more." if told else ""


def _not_kept(call: HookCall) -> str:
    """Report once which events hooks lost; `doctor` keeps reporting it."""
    lie_ready(call.state.lost)
    known = lost(call.state.lost)
    if known is None or known.told:
        return ""
    note_told(call.state.lost, known)
    return not_kept_text(known)
