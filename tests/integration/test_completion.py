"""Completion as a real shell does it, from the script that the command prints."""

import subprocess
import sys
from pathlib import Path

import pytest

from satchel.interfaces.cli.commands import COMMANDS, run_of
from satchel.interfaces.cli.shell.completion import SHELLS, parser_of

#: What bash runs when Tab is pressed, for words on a line.
_PRESS_TAB = """
. "$1"; shift
function=$(complete -p satchel | sed 's/.*-F \\([^ ]*\\).*/\\1/')
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
"$function" satchel "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def script_of(shell: str) -> str:
    words = [sys.executable, "-m", "satchel", "completion", shell]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def bash(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bash") / "satchel.bash"
    path.write_text(script_of("bash"), encoding="utf-8")
    return path


def offered(script: Path, *words: str) -> set[str]:
    done = subprocess.run(
        ["bash", "-c", _PRESS_TAB, "bash", str(script), "satchel", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=script.parent,
    )
    assert not done.stderr
    return set(done.stdout.split())


def test_commands_are_completed(bash: Path) -> None:
    assert offered(bash, "re") == {name for name in COMMANDS if name.startswith("re")}


def test_actions_options_and_choices_are_completed(bash: Path) -> None:
    assert {"list", "show", "delete"} <= offered(bash, "memory", "")
    assert {"ingest", "visualize"} <= offered(bash, "graph", "")
    assert "--relation" in offered(bash, "graph", "ingest", "--rel")
    assert "--method" in offered(bash, "recall", "--m")
    assert "deny" in offered(bash, "guards", "add", "--do", "")
    assert "--blocked-by" not in offered(bash, "recall", "--")


def test_files_are_completed_where_an_option_takes_one(bash: Path) -> None:
    (bash.parent / "monday.jsonl").touch()
    assert "monday.jsonl" in offered(bash, "reflect", "--transcript", "mon")


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_every_command(shell: str) -> None:
    script = script_of(shell)
    assert [name for name in COMMANDS if name not in script] == []


def test_hooks_and_bare_commands_are_not_run_to_learn_their_options() -> None:
    assert parser_of(run_of("hook")) is None
    assert parser_of(run_of("recall")) is not None


def test_a_shell_that_is_not_known_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "satchel", "completion", "ksh"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "bash" in done.stderr
