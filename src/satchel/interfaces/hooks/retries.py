"""Answers after a shell command: with nothing, or with a question about a resolved failure.

Runs after every command of every agent, so imports only what it takes to say nothing.
"""

from __future__ import annotations

import os
import time

from satchel.core.hashing import short_hash
from satchel.interfaces.hooks.call import HookCall
from satchel.interfaces.hooks.capture import SHELLS, may_teach
from satchel.interfaces.hooks.command_result import exit_code
from satchel.storage.inbox.nudge_state import FAILURES, NudgeState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.paths import PrivateState

#: Programs that fail to mean "no": nothing is learned from that.
_SAY_NO = (
    " ls cat head tail grep rg find fd which test [ cd echo printf stat diff cmp sleep true false"
    " ps kill pgrep wc sed awk "
)
_COMMAND = 100


def after_command(call: HookCall) -> str:
    """Return the line that asks for cause and fix of a resolved failure, or ""."""
    session, state = call.text("session_id"), call.state
    given = call.value("tool_input")
    command = given.get("command") if isinstance(given, dict) else None
    if state is None or not session or not isinstance(command, str) or call.value("agent_id"):
        return ""
    if call.text("tool_name") not in SHELLS:
        return ""
    failed = exit_code(call) != 0
    nudges = NudgeState(state, session)
    if not failed and not nudges.failed:
        return ""
    if may_teach(command):
        # The agent has just remembered something: earlier failures need no nudge.
        nudges.failed = {}
        nudges.save()
        return ""
    return _counted(call, state, nudges, command, failed=failed)


def _counted(
    call: HookCall, state: PrivateState, nudges: NudgeState, command: str, *, failed: bool
) -> str:
    """Count a failure; at the first success after several, return the question to ask."""
    words = command.split()
    name = short_hash(" ".join(words).encode("utf-8", "replace"))
    times, _ = nudges.failed.get(name, [0.0, 0.0])
    if failed:
        if words and f" {os.path.basename(words[0])} " not in _SAY_NO:
            nudges.failed[name] = [times + 1, time.time()]
            nudges.save()
        return ""
    if name not in nudges.failed:
        return ""
    _, last = nudges.failed.pop(name)
    asks = times >= FAILURES and nudges.may_ask() and not _written_since(state, last)
    asks = asks and nudges.claim(name)
    if not asks:
        nudges.save()
        return ""
    told = _failure_text(call, state, command, int(times))
    nudges.note_asked()
    return told


def _written_since(state: PrivateState, moment: float) -> bool:
    """Return whether anything was remembered since then."""
    try:
        return os.stat(state.ledger("knowledge")).st_mtime > moment
    except OSError:
        return False


def _failure_text(call: HookCall, state: PrivateState, command: str, times: int) -> str:
    """Ask, and record in the injection ledger that the agent was asked."""
    from satchel.core.clock import Clock
    from satchel.core.errors import SatchelError
    from satchel.core.redaction.redactor import redact
    from satchel.core.token_budget import estimate_tokens
    from satchel.core.trust import clean_line, fence, new_nonce
    from satchel.features.injections.injection_ledger import InjectionLedger
    from satchel.features.injections.nudges import FIXED, nudge_injection
    from satchel.storage.ledger.file import Ledger
    from satchel.storage.settings.environment import installed_command

    shown = clean_line(redact(command)[0])
    shown = shown if len(shown) <= _COMMAND else shown[: _COMMAND - 1] + "…"
    said = f"`{shown}` failed {times} times and now succeeds."
    text = f'{said} If that may come again, keep it: {installed_command()} learn "CAUSE; FIX"'
    told = fence(new_nonce(), "to keep", text)
    injection = nudge_injection(
        call.event,
        call.text("session_id"),
        FIXED,
        said,
        text,
        tokens=estimate_tokens(told),
        now=time.time(),
    )
    path, lock = state.ledger("injections"), state.lock("injections")
    try:
        InjectionLedger(Ledger(path, lock, clock=Clock(), timeout=0.2)).note(injection)
    except SatchelError as error:
        call.fault(f"nudge not recorded: {error}")
    return told
