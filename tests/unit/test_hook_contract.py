"""One contract for every client's hooks: fields in, answers out."""

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.clients import hook_contract as clients
from satchel.clients.hook_contract import canonical_event, client_of, from_client, to_client
from satchel.clients.registry import WHOLE
from satchel.storage.inbox.events import HOOK_EVENTS

FIELDS = [name for ours, others in clients._FIELDS.items() for name in (ours, *others)]
VALUES: st.SearchStrategy[Any] = st.sampled_from(["", "x", None, 0, [], {}])
PAYLOADS = st.dictionaries(st.sampled_from([*FIELDS, "cwd", "other"]), VALUES, max_size=6)


def keeps_what_is_there(translate: Any, payload: dict[str, Any]) -> bool:
    """Whether snake_case goes first by being there, and nothing that was sent is lost."""
    found = translate("codex", payload)
    for ours, others in clients._FIELDS.items():
        sent = next((payload[name] for name in (ours, *others) if name in payload), None)
        if ours == "tool_input" and isinstance(sent, str):
            sent = {}
        if found.get(ours) != sent:
            return False
    return all(name in found for name in payload)


@given(PAYLOADS)
@settings(max_examples=200, deadline=None)
def test_a_field_s_presence_decides_and_snake_case_goes_first(payload: dict[str, Any]) -> None:
    before = json.dumps(payload)
    assert keeps_what_is_there(from_client, payload)
    assert json.dumps(payload) == before


def test_the_measure_notices_a_reader_that_goes_by_truth_instead_of_presence() -> None:
    def careless(client: str, payload: dict[str, Any]) -> dict[str, Any]:
        found = dict(payload)
        for ours, others in clients._FIELDS.items():
            for other in others:
                found[ours] = found.get(ours) or payload.get(other)
        return found

    payload = {"session_id": "", "sessionId": "camel"}
    assert keeps_what_is_there(from_client, payload)
    assert not keeps_what_is_there(careless, payload)


@pytest.mark.parametrize(("given", "command"), [
    ({"command": "ls"}, "ls"), ('{"command": "ls"}', "ls"), ({"command": ["bash", "-lc", "ls -l"]}, "ls -l"),
    ({"command": ["git", "status"]}, "git status"), ({"cmd": "ls"}, "ls"),
])  # fmt: skip
def test_a_command_is_a_command_however_it_is_sent(given: Any, command: str) -> None:
    assert from_client("codex", {"toolArgs": given})["tool_input"]["command"] == command


def test_every_client_s_spelling_of_an_event_is_known() -> None:
    spelled = {
        "sessionStart": "SessionStart", "beforeSubmitPrompt": "UserPromptSubmit", "BeforeAgent": "UserPromptSubmit",
        "AfterTool": "PostToolUse", "postToolUse": "PostToolUse", "PreCompress": "PreCompact", "preCompact": "PreCompact",
        "subagentStop": "SubagentStop", "sessionEnd": "SessionEnd", "userPromptSubmitted": "UserPromptSubmit",
        "Stop": "Stop", "": "",
    }  # fmt: skip
    assert {word: canonical_event(word) for word in spelled} == spelled
    assert [canonical_event(event) for event in HOOK_EVENTS] == list(HOOK_EVENTS)


def test_who_calls_is_seen_by_what_was_sent_unless_it_is_said() -> None:
    assert client_of([], {"session_id": "s", "permission_mode": "default"}) == "claude-code"
    assert client_of([], {"conversation_id": "c"}) == "cursor"
    assert client_of([], {"sessionId": "c"}) == "copilot"
    assert client_of(["--client", "gemini"], {"conversation_id": "c"}) == "gemini"
    assert client_of(["--client", "vscode"], {}) == "copilot"
    assert client_of(["--client"], {}) == "claude-code"


BLOCK = '{"decision":"block","reason":"not finished"}'
WARNING = '{"systemMessage":"guard: w","hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"w"}}'
ASK = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"r"}}'


@pytest.mark.parametrize(("client", "said", "event", "told"), [
    ("codex", BLOCK, "SubagentStop", json.loads(BLOCK)),
    ("copilot", BLOCK, "SubagentStop", json.loads(BLOCK)),
    ("cursor", BLOCK, "SubagentStop", {"followup_message": "not finished"}),
    ("gemini", ASK, "PreToolUse", {"decision": "deny", "reason": "r"}),
    ("cursor", ASK, "PreToolUse", {"permission": "ask", "user_message": "r", "agent_message": "r"}),
    ("copilot", ASK, "PreToolUse", {"permissionDecision": "ask", "permissionDecisionReason": "r"}),
    ("gemini", WARNING, "PreToolUse", {"systemMessage": "guard: w"}),
    ("copilot", WARNING, "PreToolUse", {"additionalContext": "w"}),
])  # fmt: skip
def test_gates_and_guards_speak_each_client_s_words(
    client: str, said: str, event: str, told: dict[str, Any]
) -> None:
    assert json.loads(to_client(client, event, {}, said)) == told


@given(st.sampled_from(WHOLE), PAYLOADS)
@settings(max_examples=100, deadline=None)
def test_no_client_is_ever_told_to_allow(client: str, payload: dict[str, Any]) -> None:
    for said in (BLOCK, WARNING, ASK):
        assert '"allow"' not in to_client(client, "PreToolUse", payload, said)
    assert to_client(client, "PreToolUse", payload, "") == ""


_SLOW_END = """
import time, weakref
from satchel.interfaces.hooks import entry

class Slow:
    pass

slow = (lambda _: time.sleep(0.3)) if KIND == "callback" else None
if slow is None:
    Slow.__del__ = lambda self: time.sleep(0.3)

entry._arm(time.monotonic(), 0.05)
one = Slow()
watching = slow and weakref.ref(one, slow)
try:
    del one
    time.sleep(20)
except entry.DeadlineError:
    print("gave up")
"""


@pytest.mark.parametrize("kind", ["callback", "__del__"])
def test_a_deadline_that_falls_into_a_clean_up_is_kept_after_it(kind: str) -> None:
    program = _SLOW_END.replace("KIND", repr(kind))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=15
    )
    assert (done.stdout, done.stderr) == ("gave up\n", "")
