"""Each promise about agent clients has a test that fails where the promise is broken."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from integration import test_committed_hooks as committed
from integration import test_install_clients as installing
from integration import test_mcp_beginnings as beginnings
from integration import test_opencode as opencode
from integration import test_reflecting_by_itself as reflecting
from integration import test_uninstalled_bytes as bytes_back
from integration import test_what_clients_send as sends
from integration import test_wired_trusted_seen as seen
from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from satchel.clients.hook_contract import hooks_of
from satchel.clients.registry import BY_NAME
from satchel.clients.setup.wired import CLIENTS

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


class Bug(NamedTuple):
    """A defect, and the test that must fail of it.

    Attributes:
        promise: what is broken.
        module: where; below `satchel`.
        seed: what the module is given.
        test: what must notice.
        given: its parameters.
    """

    promise: str
    module: str
    seed: str
    test: Callable[..., Any]
    given: dict[str, Any] = {}  # noqa: RUF012 -- the field of a tuple


TASK = {"message": sends.TASK, "agent_type": "scout"}
IGNORANT = "WIRING = WIRING._replace(events=[one for one in WIRING.events if one.means != '{}'])"
BUGS = [
    # Claude Code
    Bug(
        "what a failing command taught is kept",
        "interfaces.hooks.capture",
        "AFTER_TOOLS = ('PostToolUse',)",
        sends.test_what_a_failing_command_taught_is_kept,
    ),
    Bug(
        "a task notification is nobody's word",
        "clients.transcript_format.texts",
        "_INJECTED = '(?!)'",
        sends.test_a_prompt_that_a_client_wrote_is_answered_by_nothing,
        {"source": ""},
    ),
    Bug(
        "a prompt of the system is nobody's word",
        "interfaces.hooks.inject",
        "_asked = lambda call: call.text('prompt')",
        sends.test_a_prompt_that_a_client_wrote_is_answered_by_nothing,
        {"source": "system"},
    ),
    Bug(
        "the end of a compaction is not that of a subagent",
        "interfaces.hooks.gate",
        "def gate(call, whole=gate):\n call.payload.pop('agent_id')\n return whole(call)",
        sends.test_the_end_of_a_compaction_is_not_that_of_a_subagent,
    ),
    Bug(
        "what an agent writes is the agent's, with its session",
        "clients.registry",
        "running_agent = lambda: None",
        opencode.test_what_its_agent_writes_names_the_session,
    ),
    Bug(
        "recall and remember stand in the first request",
        "interfaces.mcp.serving",
        "_tool = lambda tool, whole=_tool: whole(tool._replace(from_start=False))",
        beginnings.test_recall_and_remember_ask_to_be_shown_from_the_start,
    ),
    Bug(
        "the plugin holds what the validator asks for",
        "clients.claude_code.plugin",
        "_README = ''",
        installing.test_a_plugin_with_its_marketplace_is_whole_and_its_hooks_run,
    ),
    Bug(
        "uninstall gives bytes back",
        "clients.settings_files.plan",
        "as_before = lambda planned, journals: planned",
        bytes_back.test_uninstall_gives_a_file_that_nobody_else_changed_its_bytes_back,
        dict(zip(("client", "name", "text"), bytes_back.OWN[0], strict=True)),
    ),
    # Gemini CLI, Codex, Copilot CLI
    Bug(
        "what Satchel said comes back, and is not the person's",
        "clients.transcript_format.texts",
        "said_by_person = lambda text: text",
        sends.test_from_session_to_session_nothing_that_satchel_said_is_captured,
    ),
    Bug(
        "what is about to be compressed leaves no checkpoint",
        "clients.gemini.hooks",
        "HOOKS = Hooks(events=_EVENTS, tools=HOOKS.tools, answer=_answer)",
        sends.test_a_compression_that_was_asked_for_leaves_a_checkpoint,
    ),
    Bug(
        "what a subagent of Codex is asked is recorded",
        "clients.hook_contract",
        "_AGENT_ARGUMENTS = {}",
        sends.test_what_a_subagent_is_asked_is_recorded,
        {"client": "codex", "tool": "spawn_agent", "given": TASK},
    ),
    Bug(
        "Copilot CLI is told at a prompt",
        "clients.copilot.wiring",
        IGNORANT.format("UserPromptSubmit"),
        sends.test_copilot_is_told_at_a_prompt_what_it_concerns,
    ),
    # opencode
    Bug(
        "opencode's configuration has its own shape",
        "clients.opencode.wiring",
        "WIRING = WIRING._replace(mcp_in_one_list=False)",
        opencode.test_its_configuration_has_the_shape_that_it_starts_with,
    ),
    Bug(
        "opencode's file is known",
        "clients.setup.wiring",
        "client_of_file = lambda path, key: ''",
        opencode.test_its_file_is_known_where_any_client_is_wired,
        {"name": "opencode.json"},
    ),
    Bug(
        "a plugin that somebody edited stays",
        "clients.opencode.wiring",
        "_is_ours = lambda raw: True",
        opencode.test_a_plugin_that_somebody_edited_stays,
    ),
    Bug(
        "the plugin calls the hooks",
        "clients.opencode.wiring",
        "def _plugin(command, *, guard, whole=_plugin):\n"
        " return whole(command, guard=guard).replace(b'\"PostToolUse\"', b'\"Nothing\"')",
        opencode.test_its_sessions_are_captured_and_told_what_is_known,
    ),
    # What a person is told
    Bug(
        "install says the next step",
        "interfaces.cli.setup.init",
        "next_steps = lambda clients, root: []",
        seen.test_after_the_installation_the_next_step_is_said,
        {"client": BY_NAME["codex"]},
    ),
    Bug(
        "init says the next step",
        "interfaces.cli.setup.init",
        "_clients_of = lambda planned, root: []",
        seen.test_init_says_it_too_of_each_client_that_it_wires,
    ),
    Bug(
        "the status says who trusts the folder",
        "clients.settings_files.kept_by_client",
        "member_in = lambda *_: None",
        seen.test_the_status_says_whether_a_client_is_trusted_and_when_it_was_seen,
        dict(zip(("client", "name", "text"), seen.TRUSTED[0], strict=True)),
    ),
    Bug(
        "the status says when the last event came",
        "storage.inbox.seen",
        "note_seen = lambda path: None",
        seen.test_the_status_says_whether_a_client_is_trusted_and_when_it_was_seen,
        dict(zip(("client", "name", "text"), seen.TRUSTED[1], strict=True)),
    ),
    Bug(
        "doctor says who is wired twice",
        "clients.setup.checking",
        "check_wired_twice = lambda root: []",
        seen.test_doctor_names_who_is_wired_twice_and_who_is_silent,
    ),
    Bug(
        "doctor says who is silent",
        "application.health.surroundings",
        "_SILENT = 1e12",
        seen.test_doctor_names_who_is_wired_twice_and_who_is_silent,
    ),
    # What a team commits
    Bug(
        "no path of a machine is committed",
        "clients.settings_files.hook_entries",
        "FOUND = '/opt/mine/bin/satchel'",
        committed.test_what_is_written_into_a_repository_holds_no_path_of_this_machine,
        {"client": BY_NAME["gemini"]},
    ),
    Bug(
        "a colleague's init changes nothing",
        "clients.settings_files.hook_entries",
        "FOUND = os.environ['HOME'] + '/bin/satchel'",
        committed.test_a_second_init_by_a_colleague_changes_nothing,
    ),
    Bug(
        "a server that cannot start is told of",
        "clients.setup.checking",
        "check_servers = lambda root: []",
        committed.test_who_has_no_command_on_the_path_is_told_that_the_server_cannot_start,
    ),
    Bug(
        "doctor tells of hooks that found nothing",
        "clients.settings_files.hook_entries",
        "last_not_found = lambda: 0.0",
        committed.test_doctor_says_that_a_hook_did_not_find_the_command_until_it_is_found,
    ),
    Bug(
        "doctor tells of it until the command is found",
        "clients.settings_files.hook_entries",
        "forget_not_found = lambda: None",
        committed.test_doctor_says_that_a_hook_did_not_find_the_command_until_it_is_found,
    ),
]


@pytest.mark.parametrize("bug", BUGS, ids=lambda one: one.promise)
def test_a_seeded_bug_is_caught(
    bug: Bug, machine: Machine, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    given = dict(bug.given)
    for name in inspect.signature(bug.test).parameters:
        if name not in given:
            own = {"machine": machine, "tmp_path": tmp_path}
            given[name] = own[name] if name in own else made(name, machine, request)
    plant(machine, f"satchel.{bug.module}", bug.seed)
    # Tests unpack and look up what is missing; in a session of MCP they fail in a group.
    with pytest.raises((AssertionError, LookupError, ValueError, ExceptionGroup)) as caught:
        bug.test(**given)
    assert "Traceback" not in str(caught.value), "the seed broke the command, not the promise"


def made(name: str, machine: Machine, request: pytest.FixtureRequest) -> Any:
    """Return a repository as the test's own module has it."""
    if name == "project":
        return machine.repository()
    return request.getfixturevalue(name)


# Where the test looks in its own process


def test_what_starts_a_subagent_is_listened_to(
    machine: Machine, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codex = CLIENTS["codex"]
    deaf = [one._replace(matcher="Bash") for one in codex.events]
    monkeypatch.setitem(CLIENTS, "codex", codex._replace(events=tuple(deaf)))
    with pytest.raises(AssertionError):
        sends.test_the_hook_after_a_tool_is_called_for_what_starts_a_subagent(
            machine, shop, "codex"
        )


def test_a_transcript_that_an_end_does_not_name_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooks_of("copilot"), "refine", None)
    with pytest.raises((AssertionError, KeyError)):
        reflecting.test_copilot_s_own_file_is_found_where_an_end_does_not_name_it(
            tmp_path, monkeypatch
        )


def test_a_hook_without_its_command_is_silent(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committed, "FOUND", "satchel")
    with pytest.raises(AssertionError):
        committed.test_where_the_command_is_missing_the_hook_ends_silently_and_leaves_a_mark(
            machine, "sh"
        )
