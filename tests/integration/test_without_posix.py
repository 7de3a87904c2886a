"""As if on Windows: what needs POSIX says so, with what to do instead; everything else works."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import satchel
from satchel.core.errors import BadInputError
from satchel.storage import platforms
from satchel.testing import run_git

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(satchel.__file__)))
CLIENT = {"name": "test", "version": "1"}
SCRIPT = Path(__file__).with_name("without_posix.py")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    made = tmp_path / "shop"
    made.mkdir()
    run_git(str(made), "init", "-q")
    return made


def without_posix(repository: Path, *words: str, stdin: str) -> str:
    """Run a command, or those of `stdin`, in a process without POSIX; return what it printed."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words],
        cwd=repository,
        input=stdin,
        env={
            "HOME": str(repository.parent),
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": os.pathsep.join([SOURCE, *(p for p in sys.path if "site-packages" in p)]),
            "SATCHEL_HOME": str(repository.parent / "home"),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def answers(repository: Path, *commands: tuple[str, ...]) -> tuple[int, list[dict[str, Any]]]:
    """Run commands in one process without POSIX; return how many modules it imported first."""
    stdin = "".join(json.dumps(words) + "\n" for words in commands)
    first, *rest = map(json.loads, without_posix(repository, stdin=stdin).splitlines())
    return first["modules"], rest


def test_what_works_without_posix_works_and_the_rest_says_what_to_do(repository: Path) -> None:
    modules, told = answers(
        repository,
        ("init", "--yes"),
        ("learn", "The harbour opens at dawn."),
        ("recall", "harbour"),
        ("tasks", "add", "Dredge the harbour"),
        ("upkeep",),
        ("memory", "list"),
        ("doctor",),
        ("serve", "--workers", "2"),
        ("upkeep", "--within", "5"),
        ("upkeep", "install"),
    )
    assert modules > 800, "every module is imported"
    init, _, recall, _, _, listed, doctor, *refused = told
    assert [one["code"] for one in told[:7]] == [0] * 7, told
    assert "Git Bash" in init["err"]
    assert "harbour opens" in recall["out"]
    assert "harbour opens" in listed["out"]
    assert "run `satchel upkeep` yourself" in doctor["out"]
    assert "private files" not in doctor["out"], "modes mean nothing there"
    assert [one["code"] for one in refused] == [2] * 3
    for one, instead in zip(refused, ("--workers", "--within", "Task Scheduler"), strict=True):
        assert "on Windows" in one["err"]
        assert instead in one["err"].partition("hint: ")[2]


def test_a_refusal_is_raised_where_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platforms, "WINDOWS", True)
    for use in (lambda: platforms.fork(lambda: 0), lambda: platforms.end_after(5)):
        with pytest.raises(BadInputError, match="on Windows") as raised:
            use()
        assert raised.value.hint
    monkeypatch.setattr(platforms, "WINDOWS", False)
    assert platforms.notes_on_hooks() == ()


def test_hooks_and_the_mcp_server_work_without_posix(repository: Path) -> None:
    without_posix(repository, "init", "--yes", stdin="")
    tool = {"command": 'bd comment BD-1 "LEARNED: the parser is recursive"'}
    event = {"session_id": "s", "tool_name": "Bash", "tool_input": tool}
    assert without_posix(repository, "hook", "PostToolUse", stdin=json.dumps(event)) == ""
    brief = without_posix(repository, "hook", "SessionStart", stdin='{"session_id": "t"}')
    assert "the parser is recursive" in brief
    pytest.importorskip("mcp")
    about = {"protocolVersion": "2025-06-18", "capabilities": {}}
    asked = {"name": "recall", "arguments": {"question": "parser"}}
    requests: tuple[dict[str, Any], ...] = (
        {"id": 1, "method": "initialize", "params": {**about, "clientInfo": CLIENT}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": asked},
    )
    lines = [json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in requests]
    *_, told = without_posix(repository, "mcp", stdin="".join(lines)).splitlines()
    assert "the parser is recursive" in told
