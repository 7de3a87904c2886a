"""Where a work tree or a home is read-only, commands say what was done: nothing, or all of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from integration.installed import Machine, as_ordinary_user, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.ok("remember", "The quokka relay listens on port 4711.", at=machine.repository())
    return machine


def read_only(path: Path) -> None:
    subprocess.run(["chmod", "-R", "a-w", str(path)], check=True)


@pytest.mark.parametrize("command", ["init", "install", "uninstall", "adopt"])
def test_a_work_tree_that_cannot_be_written_is_no_bad_input(machine: Machine, command: str) -> None:
    app = machine.directory / "app"
    read_only(app)
    told = machine.fails(5, command, "--yes", at=app, before=as_ordinary_user)
    assert told.startswith(f"satchel: {app} cannot be written; nothing was changed.")


def test_a_memory_is_taken_back_where_the_work_tree_cannot_be_written(machine: Machine) -> None:
    app = machine.directory / "app"
    read_only(app)
    done = machine.run("undo", "--yes", at=app, before=as_ordinary_user)
    assert done.code == 0, done
    assert machine.json("list", at=app) == []


def test_files_of_a_client_stay_where_no_journal_can_be_written(machine: Machine) -> None:
    app = machine.directory / "app"
    settings = (app / ".claude" / "settings.json").read_bytes()
    read_only(machine.home / ".satchel")
    done = machine.run("uninstall", "--yes", at=app, before=as_ordinary_user)
    assert done.code == 5
    assert "cannot be written: Permission denied; nothing was changed." in done.err
    assert (app / ".claude" / "settings.json").read_bytes() == settings


def test_what_only_had_to_be_read_is_not_said_to_be_unwritable(machine: Machine) -> None:
    home = machine.home / ".satchel"
    home.chmod(0)
    told = machine.fails(5, "backup", before=as_ordinary_user)
    home.chmod(0o700)
    assert f"{home}" in told
    assert "could not be used: Permission denied." in told
