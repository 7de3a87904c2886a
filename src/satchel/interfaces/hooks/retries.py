"""Answers after a shell command: with nothing, or with a question about a resolved failure.

Runs after every command of every agent, so imports only what it takes to say nothing.
"""

from __future__ import annotations

import os
import time

from satchel.core.hashing import short_hash
from satchel.interfaces.hooks.call import HookCall
from satchel.interfaces.hooks.capture import SHELLS, may_teach
from satchel.interfaces.hooks.command_result import exit_code, prints_failure
from satchel.storage.inbox.nudge_state import FAILURES, NudgeState
from satchel.storage.paths import PrivateState

#: Programs that fail to mean "no": nothing is learned from that.
_SAY_NO = (
    " ls cat head tail grep rg find fd which test [ cd echo printf stat diff cmp sleep true false"
    " ps kill pgrep wc sed awk "
)
#: What a command may begin with that makes another one pass, beside variables.
_LEADS = ("env", "cd", "sudo", "timeout")
#: Characters of a command to show; words that may be put before one to make it pass.
_COMMAND, _BEFORE = 100, 8


def after_command(call: HookCall) -> str:
    """Return the line that asks for cause and fix of a resolved failure, or ""."""
    session = call.text("session_id")
    given = call.value("tool_input")
    command = given.get("command") if isinstance(given, dict) else None
    if not session or not isinstance(command, str) or call.value("agent_id"):
        return ""
    if call.text("tool_name") not in SHELLS:
        return ""
    failed = exit_code(call) != 0 or prints_failure(call)
    nudges = NudgeState(call.state, session)
    if not failed and not nudges.failed:
        return ""
    if may_teach(command):
        # The agent has just remembered something: earlier failures need no nudge.
        nudges.failed = {}
        nudges.save()
        return ""
    return _counted(call, nudges, command, failed=failed)


def _counted(call: HookCall, nudges: NudgeState, command: str, *, failed: bool) -> str:
    """Count a failure; at the first success after several, return the question to ask."""
    words = command.split()
    if failed:
        if words and f" {os.path.basename(words[0])} " not in _SAY_NO:
            name = _name_of(words)
            nudges.failed[name] = [nudges.failed.get(name, [0.0])[0] + 1, time.time()]
            nudges.save()
        return ""
    # What had failed may pass with something before it: `PYTHONPATH=. python job.py`.
    leads = words and ("=" in words[0] or words[0] in _LEADS)  # `echo make` is not make
    ends = (words[at:] for at in range(min(len(words), _BEFORE + 1) if leads else 1))
    failing = next((one for one in ends if _name_of(one) in nudges.failed), None)
    if failing is None:
        return ""
    name = _name_of(failing)
    times, last = nudges.failed.pop(name)
    asks = times >= FAILURES and nudges.may_ask() and not _written_since(call.state, last)
    asks = asks and nudges.claim(name)
    if not asks:
        nudges.save()
        return ""
    told = _failure_text(call, _changed(command, failing, int(times)))
    nudges.note_asked()
    return told


def _name_of(words: list[str]) -> str:
    return short_hash(" ".join(words).encode("utf-8", "replace"))


def _written_since(state: PrivateState, moment: float) -> bool:
    """Return whether anything was remembered since then."""
    try:
        return os.stat(state.ledger("knowledge")).st_mtime > moment
    except OSError:
        return False


def _changed(command: str, failing: list[str], times: int) -> str:
    """Return what a command did before it passed, and what was changed in it."""
    from satchel.core.excerpts import beginning
    from satchel.core.redaction.redactor import redact
    from satchel.core.trust import clean_line

    shown = [
        beginning(clean_line(redact(one)[0]), _COMMAND) for one in (" ".join(failing), command)
    ]
    passes = "now succeeds" if failing == command.split() else f"`{shown[1]}` succeeds"
    return f"`{shown[0]}` failed {times} times and {passes}."


def _failure_text(call: HookCall, said: str) -> str:
    """Ask, and record in the injection ledger that the agent was asked."""
    from satchel.core.clock import Clock
    from satchel.core.errors import SatchelError
    from satchel.core.token_budget import estimate_tokens
    from satchel.core.trust import fence, new_nonce
    from satchel.features.injections.injection_ledger import InjectionLedger
    from satchel.features.injections.nudges import FIXED, nudge_injection
    from satchel.storage.ledger.file import Ledger
    from satchel.storage.settings.environment import installed_command

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
    path, lock = call.state.ledger("injections"), call.state.lock("injections")
    try:
        InjectionLedger(Ledger(path, lock, clock=Clock(), timeout=0.2)).note(injection)
    except SatchelError as error:
        call.fault(f"nudge not recorded: {error}")
    return told
