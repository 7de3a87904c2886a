"""A command that is forked from a loaded process does what one does that was started from nothing."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from integration import loaded_command
from integration.installed import COMMAND, Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (("--version",), b""),
        (("recall", "walrus"), b""),
        (("recal", "walrus"), b""),
        (("import", "-", "--json"), b'{"type": "learned", "content": "\xff"}\n'),
        (("recall", b"\xff"), b""),
        (("config", "--json"), b""),
    ],
)
def test_code_and_output_are_the_same(
    machine: Machine, app: Path, words: tuple[str | bytes, ...], given: bytes
) -> None:
    done = subprocess.run(
        [COMMAND, *words], cwd=app, input=given, env=machine.environment, capture_output=True
    )
    forked = loaded_command.run(words, str(app), given, machine.environment, 60)
    assert forked == (done.returncode, done.stdout, done.stderr)


def test_each_fork_has_an_environment_and_a_place_of_its_own(machine: Machine, app: Path) -> None:
    other = machine.of_somebody_else("Otto")
    machine.ok("learn", "mine alone", at=app)
    for environment, found in ((machine.environment, True), (other.environment, False)):
        told = loaded_command.run(("memory", "list"), str(app), b"", environment, 60)[1]
        assert (b"mine alone" in told) == found


@pytest.mark.parametrize(
    "more", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}, {"LANG": "C"}, {"TZ": "Asia/Tokyo"}]
)
def test_what_is_read_when_the_interpreter_starts_needs_a_start(
    machine: Machine, more: dict[str, str]
) -> None:
    assert loaded_command.can_run({**machine.environment, "SATCHEL_HOME": "/x", "HOME": "/y"})
    assert not loaded_command.can_run({**machine.environment, **more})


def test_one_that_does_not_end_is_killed(machine: Machine, app: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired, match="watch"):
        loaded_command.run(("memory", "watch"), str(app), b"", machine.environment, 1)


def test_every_action_is_started_from_nothing_once(
    machine: Machine, app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forked: list[object] = []
    real = loaded_command.run

    def noted(words: Sequence[str | bytes], *asked: Any) -> tuple[int, bytes, bytes]:
        forked.append(words)
        return real(words, *asked)

    monkeypatch.setattr(loaded_command, "run", noted)
    monkeypatch.setattr("integration.installed._RUN_BEFORE", set())
    for words in (("recall", "a b"), ("memory", "list"), ("memory", "show")):
        machine.run(*words, at=app)
    assert forked == []
    machine.run("recall", "c d", at=app)
    machine.run("memory", "list", "--json", at=app)
    assert forked == [("recall", "c d"), ("memory", "list", "--json")]
