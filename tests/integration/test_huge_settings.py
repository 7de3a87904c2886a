"""A file of gigabytes in place of settings holds up no hook and no command: a clone may bring one."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

_HUGE = 3 << 30
#: Seconds that a hook may take, and a command on a busy machine.
_HOOK, _COMMAND = 4.0, 20.0
_START = json.dumps({"session_id": "s", "hook_event_name": "SessionStart"})


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, "home")


def huge(path: Path, size: int = _HUGE) -> None:
    """Let a file be a hole, of which git packs three gigabytes into some megabytes."""
    with path.open("ab") as file:
        file.truncate(size)


def assert_answers(machine: Machine, root: Path) -> None:
    began = time.monotonic()
    assert machine.run("hook", "SessionStart", at=root, stdin=_START).code == 0
    assert time.monotonic() - began < _HOOK
    began = time.monotonic()
    found = machine.run("recall", "door", at=root)
    assert time.monotonic() - began < _COMMAND
    assert "File too large" in found.err + machine.run("doctor", at=root).out


@pytest.mark.parametrize("which", ["config.toml", "project.toml"])
def test_settings_of_gigabytes_are_refused_at_once(machine: Machine, which: str) -> None:
    root = machine.repository()
    machine.ok("learn", "The door is green.", at=root)
    home = machine.home / ".satchel"
    huge(home / which if which == "config.toml" else root / ".satchel" / which)
    assert_answers(machine, root)


def test_a_file_that_stands_for_a_repository_is_no_pointer_of_gigabytes(
    machine: Machine, tmp_path: Path
) -> None:
    root = tmp_path / "unpacked"
    root.mkdir()
    (root / ".git").write_text("gitdir: elsewhere\n")
    huge(root / ".git")
    began = time.monotonic()
    assert machine.run("hook", "SessionStart", at=root, stdin=_START).code == 0
    assert time.monotonic() - began < _HOOK


def test_a_reader_that_reads_whatever_there_is_is_noticed(machine: Machine) -> None:
    root = machine.repository()
    machine.ok("learn", "The door is green.", at=root)
    plant(machine, "satchel.storage.files", "SETTINGS_SIZE = 0")
    huge(root / ".satchel" / "project.toml", 2 << 20)
    with pytest.raises(AssertionError):
        assert_answers(machine, root)
