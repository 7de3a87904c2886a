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
SCRIPT = Path(__file__).with_name("without_posix.py")


def answers(tmp_path: Path, *commands: tuple[str, ...]) -> tuple[int, list[dict[str, Any]]]:
    """Run commands in one process without POSIX; return how many modules it imported first."""
    repository = tmp_path / "shop"
    repository.mkdir()
    run_git(str(repository), "init", "-q")
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        cwd=repository,
        input="".join(json.dumps(words) + "\n" for words in commands),
        env={
            "HOME": str(tmp_path),
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": os.pathsep.join([SOURCE, *(p for p in sys.path if "site-packages" in p)]),
            "SATCHEL_HOME": str(tmp_path / "home"),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    first, *rest = map(json.loads, done.stdout.splitlines())
    return first["modules"], rest


def test_what_works_without_posix_works_and_the_rest_says_what_to_do(tmp_path: Path) -> None:
    modules, told = answers(
        tmp_path,
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
