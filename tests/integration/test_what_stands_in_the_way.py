"""Pipes, sockets, directories and files of gigabytes where files are read: `doctor` says so."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

_TREE = (".satchel/MEMORY.md", "PROJECT_INTENT.md")
_STATE = ("identity.json", "lost")


def put(path: Path, kind: str) -> None:
    """Put something that is no file in a file's place."""
    if path.exists():
        path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        here = os.getcwd()
        os.chdir(path.parent)  # a socket's path is short
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
        os.chdir(here)
    elif kind == "directory":
        path.mkdir()
    elif kind == "circle":
        path.symlink_to(path.name)
    else:
        with path.open("wb") as file:
            file.truncate(1 << 30)


def told(machine: Machine, root: Path) -> str:
    return machine.run("doctor", at=root).out


@pytest.mark.parametrize("kind", ["pipe", "socket", "directory", "circle"])
@pytest.mark.parametrize("name", [*_TREE, *_STATE])
def test_doctor_names_what_is_no_file(tmp_path: Path, name: str, kind: str) -> None:
    machine = Machine(tmp_path, "home")
    root = machine.repository()
    assert name not in told(machine, root)
    (state,) = (machine.home / ".satchel" / "projects").iterdir()
    put(root / name if name in _TREE else state / name, kind)
    said = told(machine, root)
    assert f"{name}: " in said
    assert "Nothing is wrong" not in said


def assert_too_large_is_named(machine: Machine) -> None:
    root = machine.repository()
    put(root / ".satchel" / "MEMORY.md", "large")
    assert "MEMORY.md: has 1024 MB" in told(machine, root)


def test_doctor_names_what_is_too_large(tmp_path: Path) -> None:
    assert_too_large_is_named(Machine(tmp_path, "home"))


def test_a_doctor_that_looks_at_none_is_noticed(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "home")
    plant(machine, "satchel.application.health.doctor", "unread_files = lambda _: []")
    with pytest.raises(AssertionError):
        assert_too_large_is_named(machine)
