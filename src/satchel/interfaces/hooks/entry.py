"""`satchel hook EVENT`: capture the client's event, or answer it with memories.

Fail-open: whatever goes wrong, the agent gets exit code 0 and either one JSON object or
nothing, within the deadline; `satchel doctor` shows what it was.
"""

from __future__ import annotations

import os
import sys
import time

from satchel.clients.hook_contract import (
    canonical_event,
    client_of,
    from_client,
    goes_on,
    is_idle,
    is_superseded,
    to_client,
)
from satchel.clients.registry import WHOLE, working_directory
from satchel.core import quick_json
from satchel.core.errors import SatchelError
from satchel.interfaces.hooks.call import HookCall, call_in_project, context_answer
from satchel.project.place import find_place, known_key
from satchel.storage.inbox.events import AFTER_TOOLS, HOOK_EVENTS
from satchel.storage.paths import UserHome
from satchel.storage.settings.environment import disabled, home_path

try:
    # The `signal` module costs more than the rest of a hook.
    import _signal as signals  # type: ignore[import-not-found]
except ImportError:
    import signal as signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sys import UnraisableHookArgs

#: Clients with an event for failed commands; the others report failure in the answer.
_TELL_FAILURES = ("claude-code", "cursor")
_INJECTING = ("SessionStart", "UserPromptSubmit", "SubagentStart")
#: Events after which a session is archived and reflected on, and the least seconds between two:
#: some clients announce compaction before every model call; each end is another session's.
_LOOK_EVERY = {"PreCompact": 600.0, "SessionEnd": 0.0}
#: Most characters of an unknown event's name to report.
_EVENT_SHOWN = 40
_MOST_INPUT = 64 * 1024 * 1024
_DEADLINE = 1.8
#: Seconds after which a missed deadline is retried.
_SOON = 0.01
#: Seconds that a terminated hook still has. A client that ends terminates what is running, and
#: nobody waits for the answer then, but what the session's last command taught must be kept.
_ONCE_TERMINATED = 0.3


class DeadlineError(BaseException):
    """The hook took too long. Not an Exception, so that no handler swallows it."""


def run_hook(words: list[str]) -> int:
    """Run one hook. Always returns 0."""
    if words[:1] in (["-h"], ["--help"]):
        _say("usage: satchel hook EVENT [--client NAME] < event.json")
        _say(f"EVENT: {', '.join(HOOK_EVENTS)}; NAME: {', '.join(WHOLE)}")
        return 0
    started = time.monotonic()
    event = canonical_event(words[0]) if words else ""
    answer = ""
    try:
        _arm(started)
        answer = _answer(event, started, words)
    except DeadlineError:
        _note(event, f"gave up after {time.monotonic() - started:.1f} s")
    except Exception as error:  # noqa: BLE001 -- the hook's boundary: an agent must not notice
        _note(event, f"{type(error).__name__}: {error}")
    finally:
        _disarm()
    if answer:
        _say(answer)
    return 0


def _answer(event: str, started: float, words: list[str]) -> str:
    """Return what to print: one JSON object, or nothing."""
    if disabled():
        return ""
    raw = _read_input()
    if event not in HOOK_EVENTS:
        _note(event, f"unknown hook event {event[:_EVENT_SHOWN]!r}")
        return ""
    try:
        payload = quick_json.loads(raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))
    except ValueError as error:
        _note(event, f"the client sent no JSON: {error}")
        return ""
    given = payload if isinstance(payload, dict) else {}
    client = client_of(words, given)
    if client not in WHOLE:
        _note(event, "unknown client")
        return ""
    if is_idle(client, event, given):
        return ""
    call = call_in_project(event, client, from_client(client, given))
    if call is None or is_superseded(words, client, call.place.root):
        return ""
    _arm(started, call.settings.integer("hooks.deadline_ms") / 1000)
    said = _contract_answer(call, event, gated="--gate" in words)
    return to_client(client, event, given, said)


def _contract_answer(call: HookCall, event: str, *, gated: bool) -> str:
    if event == "PreToolUse":
        return _guarded(call) or _about_file(call)
    if event == "SessionStart":
        # Its own presence is recorded afterwards: the brief need not wait for that to be drained.
        try:
            return _respond(call, event, gated=gated)
        except DeadlineError:
            told = _last_brief(call)
            sent = "sent the last one" if told else "there was no earlier one to send"
            _note(event, f"no time for a new brief: {sent}")
            return told
        finally:
            _capture(call)
    unkept = _capture(call)
    if event in _LOOK_EVERY:
        from satchel.interfaces.hooks.sessions import look_at_sessions

        look_at_sessions(call, _LOOK_EVERY[event])
    answer = _respond(call, event, gated=gated)
    if not unkept:
        return answer
    # Nothing can be written anywhere, so no later session will hear of it.
    told = quick_json.loads(answer) if answer else {}
    return quick_json.dumps({"systemMessage": f"Satchel: not kept: {unkept}", **told})


def _last_brief(call: HookCall) -> str:
    if not call.settings.flag("hooks.inject"):
        return ""
    from satchel.interfaces.hooks.last_brief import last_brief

    if goes_on(call.client, call.event, call.payload):
        return ""  # the conversation holds it
    told = last_brief(call.state, time.time(), call.text("agent_type"))
    return context_answer(call.event, told)


def _may_ask(call: HookCall) -> bool:
    """Return whether a question may follow a command; usually nothing has failed."""
    if not call.settings.flag("hooks.nudge"):
        return False
    if call.event == "PostToolUseFailure" or call.client not in _TELL_FAILURES:
        return True
    return os.path.exists(call.state.asking_of(call.text("session_id")))


def _guarded(call: HookCall) -> str:
    if not call.settings.flag("hooks.guard"):
        return ""
    from satchel.interfaces.hooks.guard import guard

    return guard(call)


def _about_file(call: HookCall) -> str:
    settings = call.settings
    if not (settings.flag("hooks.touch") and settings.flag("hooks.inject")):
        return ""
    from satchel.interfaces.hooks.touch import about_touched_file

    return context_answer(call.event, about_touched_file(call))


def _captures(call: HookCall) -> bool:
    elsewhere = call.settings.words("hooks.capture_elsewhere")
    return call.settings.flag("hooks.capture") and call.place.project_id not in elsewhere


def _capture(call: HookCall) -> str:
    """Keep what the event teaches; return why not, if even that could not be recorded."""
    if not _captures(call):
        return ""
    from satchel.interfaces.hooks.capture import capture

    try:
        capture(call)
    except SatchelError as error:
        from satchel.storage.inbox.lost import note_lost

        # A full disk must not cost the agent its brief too.
        counted = note_lost(call.state.lost, str(error), time.time())
        call.fault(str(error))
        return "" if counted else str(error)
    except BaseException as error:
        from satchel.storage.inbox.lost import note_lost

        note_lost(call.state.lost, str(error) or type(error).__name__, time.time())
        raise
    return ""


def _respond(call: HookCall, event: str, *, gated: bool) -> str:
    if event in _INJECTING and call.settings.flag("hooks.inject"):
        from satchel.interfaces.hooks.inject import inject

        return inject(call)
    if event in AFTER_TOOLS and _may_ask(call):
        from satchel.interfaces.hooks.retries import after_command

        return context_answer(event, after_command(call))
    if event == "SubagentStop" and (gated or call.settings.flag("hooks.gate_subagent_stop")):
        from satchel.interfaces.hooks.gate import gate

        _disarm()  # a gate is waited for on purpose; git has its own limits there
        return gate(call)
    return ""


def _read_input() -> bytes:
    blocks = []
    size = 0
    while size < _MOST_INPUT:
        block = os.read(0, 1 << 20)
        if not block:
            break
        blocks.append(block)
        size += len(block)
    return b"".join(blocks)


def _arm(started: float, seconds: float = _DEADLINE) -> None:
    """Stop at the deadline, or soon after SIGTERM, whatever the code is doing."""
    left = min(seconds, _DEADLINE) - (time.monotonic() - started)

    def give_up(number: int, frame: object) -> None:  # noqa: ARG001 -- the signal's own signature
        raise DeadlineError

    def hurry(number: int, frame: object) -> None:  # noqa: ARG001 -- the same
        left, _ = signals.getitimer(signals.ITIMER_REAL)
        signals.setitimer(signals.ITIMER_REAL, min(left or _ONCE_TERMINATED, _ONCE_TERMINATED))

    sys.unraisablehook = _unheard

    signals.signal(signals.SIGALRM, give_up)
    signals.signal(signals.SIGTERM, hurry)
    signals.setitimer(signals.ITIMER_REAL, max(0.05, left))


def _unheard(lost: UnraisableHookArgs) -> None:
    """Retry after a deadline that hit a destructor, where it is lost and must not be printed."""
    if lost.exc_type is DeadlineError:
        signals.setitimer(signals.ITIMER_REAL, _SOON)
    else:
        sys.__unraisablehook__(lost)


def _disarm() -> None:
    signals.setitimer(signals.ITIMER_REAL, 0)


def _say(answer: str) -> None:
    """Write the answer at once; an agent that stopped reading is not an error."""
    data = memoryview(answer.encode("utf-8", "replace") + b"\n")
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return


def _note(event: str, what: str) -> None:
    """Log an error in the project if it can be found, otherwise for the user. Never raises."""
    try:
        home = UserHome(home_path())
        place = find_place(working_directory())
        key = known_key(home.registry, place) if place else ""
        state = home.project_state(key) if key else home.user_state
        from satchel.core.redaction.redactor import redact
        from satchel.storage.inbox.faults import note_fault
    except Exception:  # noqa: BLE001 -- the last resort: without a place to write there is none
        return
    where = event if event in HOOK_EVENTS else "hook"
    note_fault(state.faults, where, redact(what)[0], time.time())
