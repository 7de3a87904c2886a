"""Every brief ends with the line that says how to remember, and the line works as it stands."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from integration.client_stdin import run_hooks
from integration.installed import Machine, context_of, needs_command
from integration.mcp_machine import Lines
from integration.test_hooks_of_clients import OTHERS, context_in
from satchel.application.briefs import composing
from satchel.clients.registry import BY_NAME
from satchel.clients.setup.wired import CLIENTS
from satchel.core.token_budget import estimate_tokens
from satchel.testing import run_git, temporary_workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
EXAMPLE = '"what, when it applies, why"'
LESSON = "Staging is reset every night, so seed it again"
ELSEWHERE = "/usr/local/bin:/usr/bin:/bin"


def empty_repository(machine: Machine, *words: str) -> Path:
    """A repository without a commit, and a project without a memory."""
    path = machine.directory / "empty"
    path.mkdir()
    run_git(str(path), "init", "--quiet")
    machine.ok("init", "--yes", *words, at=path)
    return path


def last_line(context: str) -> str:
    *_, last, end = context.rstrip().split("\n")
    assert end.startswith("</satchel-memory")
    return last


def paste(machine: Machine, line: str, at: Path, **variables: str) -> None:
    """Run what a line says as an agent's shell does, with a lesson in the example's place."""
    assert EXAMPLE in line
    command = line.partition(": ")[2].replace(EXAMPLE, f'"{LESSON}"')
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=at,
        env={**machine.environment, **variables},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done


def written(machine: Machine, at: Path) -> dict[str, Any]:
    found = [one for one in machine.json("memory", "list", at=at) if one["type"] != "activity"]
    (one,) = found
    assert one["content"] == LESSON
    return dict(one)


@pytest.mark.parametrize("path", ["", ELSEWHERE])
def test_the_first_brief_says_how_and_what_is_pasted_is_the_agent_s_and_of_its_session(
    machine: Machine, path: str
) -> None:
    exports = machine.directory / "exports.sh"
    machine.environment |= {"CLAUDE_ENV_FILE": str(exports)} | ({"PATH": path} if path else {})
    app = empty_repository(machine)
    for _ in range(2):  # as it starts, and as it is compacted
        answer = machine.hook("SessionStart", app, source="startup", session_id="s-42")
    line = last_line(context_of(answer, "SessionStart"))
    assert estimate_tokens(line) <= 45
    assert ("/satchel learn" in line) == bool(path)
    assert exports.read_text("utf-8").count("\n") == 1
    session = exports.read_text("utf-8").strip().partition("'")[2].rstrip("'")
    paste(machine, line, app, CLAUDECODE="1", SATCHEL_SESSION=session)
    record = written(machine, app)
    assert (record["trust"], record["session"]) == ("agent", "s-42")
    brief = context_of(machine.hook("SessionStart", app, source="resume"), "SessionStart")
    assert LESSON in brief
    assert last_line(brief) == line


def test_a_session_s_id_cannot_put_words_into_its_shells(machine: Machine) -> None:
    app = empty_repository(machine)
    exports = machine.directory / "exports.sh"
    machine.environment["CLAUDE_ENV_FILE"] = str(exports)
    for hostile in ("'; touch x; '", "a\nb", "\x00"):
        machine.hook("SessionStart", app, source="startup", session_id=hostile)
    assert not exports.exists()


@pytest.mark.parametrize("client", OTHERS)
def test_every_client_s_first_brief_says_how(machine: Machine, client: str) -> None:
    app = empty_repository(machine, "--no-hooks")
    machine.ok("install", client, "--hooks", "--yes", at=app)
    start = next(event.name for event in CLIENTS[client].events if event.means == "SessionStart")
    (answer,) = run_hooks(machine, client, start, app)
    line = last_line(context_in(client, start, answer))
    one = BY_NAME[BY_NAME[client].part_of or client]
    session = {one.session_variable: "s-7"} if one.session_variable else {}
    paste(machine, line, app, **(dict.fromkeys(one.variables, "1") | session))
    record = written(machine, app)
    assert (record["trust"], record.get("session", "")) == ("agent", "s-7" if session else "")


def test_where_the_shell_does_not_know_the_session_the_hook_after_it_does(
    machine: Machine,
) -> None:
    app = empty_repository(machine)
    answer = machine.hook("SessionStart", app, source="startup", session_id="s-9")
    line = last_line(context_of(answer, "SessionStart"))
    paste(machine, f"{line} --tag nightly", app, CLAUDECODE="1")
    assert "session" not in written(machine, app)
    machine.says(f'satchel learn "{LESSON}" --tag nightly', app, session_id="s-9")
    record = written(machine, app)
    assert (record["trust"], record["session"]) == ("agent", "s-9")
    assert "nightly" in record["tags"]
    # Of a memory that a person wrote, or that another session did, it says nothing.
    machine.says(f'satchel learn "{LESSON}"', app, session_id="s-10")
    assert written(machine, app)["session"] == "s-9"


def test_where_there_is_only_the_server_the_line_names_its_tool(machine: Machine) -> None:
    app = empty_repository(machine)
    with Lines(machine, app).hello() as server:
        for kind in ("session", "prime"):
            told = server.ask("tools/call", name="brief", arguments={"kind": kind})
            line = last_line(told["result"]["content"][0]["text"])
            assert "`remember`" in line
            assert estimate_tokens(line) <= 45
        given = {"content": LESSON, "kind": "learned"}
        server.ask("tools/call", name="remember", arguments=given)
    assert written(machine, app)["trust"] == "agent"


def test_a_subagent_that_there_is_nothing_to_tell_is_not_spoken_to(machine: Machine) -> None:
    app = empty_repository(machine)
    assert machine.hook("SubagentStart", app, agent_id="a1", agent_type="scout") == {}
    machine.ok("learn", LESSON, at=app)
    answer = machine.hook("SubagentStart", app, agent_id="a1", agent_type="scout")
    assert "Remember what lasts" in last_line(context_of(answer, "SubagentStart"))


def test_a_path_is_one_word_of_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from satchel.storage.settings import environment

    home = tmp_path / "her home"
    for directory in (home / "bin", tmp_path / "it's here"):
        directory.mkdir(parents=True)
        program = directory / "satchel"
        program.write_text("#!/bin/sh\necho ran\n")
        program.chmod(0o755)
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("PATH", ELSEWHERE)
        monkeypatch.setattr("sys.executable", str(directory / "python"))
        command = environment.installed_command()
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
        assert done.stdout == "ran\n"
        # Another satchel that the shell would find is not this one.
        other = tmp_path / "other"
        other.mkdir(exist_ok=True)
        (other / "satchel").write_text("#!/bin/sh\n")
        (other / "satchel").chmod(0o755)
        monkeypatch.setenv("PATH", f"{other}{os.pathsep}{ELSEWHERE}")
        assert environment.installed_command() == command
        monkeypatch.setenv("PATH", f"{directory}{os.pathsep}{ELSEWHERE}")
        assert environment.installed_command() == "satchel"


def test_a_seeded_bug_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A brief with nothing to show is empty, as it was."""
    with temporary_workspace() as workspace:
        assert workspace.briefs.session().text

        def forgetful(*sections: Any, always: str, **more: Any) -> Any:
            assert always
            return composing.compose(*sections, **more)

        monkeypatch.setattr("satchel.application.briefs.session_start.compose", forgetful)
        assert not workspace.briefs.session().text
