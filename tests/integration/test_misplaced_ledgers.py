"""A link, a pipe, a file or a directory where a ledger belongs: no copy silently lacks memories."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from integration.installed import Machine, needs_command
from integration.mcp_machine import LEGACY, over_stdio
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.ok("remember", "The quokka relay listens on port 4711.", at=machine.repository())
    return machine


def ledgers_of(machine: Machine) -> Path:
    (found,) = machine.home.glob(".satchel/projects/*/ledgers")
    return found


def linked(path: Path) -> None:
    away = path.with_name(path.name + ".away")
    path.rename(away)
    path.symlink_to(away)


def piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def made_a_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def made_a_file(path: Path) -> None:
    path.rename(path.with_name(path.name + ".away"))
    path.write_text("x")


MISPLACED: dict[str, tuple[str, Callable[[Path], None]]] = {
    "a linked ledger": ("knowledge.jsonl", linked),
    "a pipe": ("knowledge.jsonl", piped),
    "a directory": ("knowledge.jsonl", made_a_directory),
    "a linked directory": ("", linked),
    "a file for the directory": ("", made_a_file),
}


@pytest.mark.parametrize("how", MISPLACED)
def test_no_copy_is_made_without_the_memories(machine: Machine, how: str) -> None:
    app, remote = machine.directory / "app", machine.directory / "remote.git"
    run_git(str(machine.directory), "init", "--quiet", "--bare", str(remote))
    machine.ok("sync", "init", str(remote))
    name, misplace = MISPLACED[how]
    path = ledgers_of(machine) / name
    misplace(path)
    archive = machine.directory / "copy.tar.gz"
    for command in (("export", str(archive)), ("backup",), ("sync", "now")):
        told = machine.fails(5, *command, at=app)
        assert f"{path} is a link or no " in told, command
        assert "nothing was done" in told
    assert not archive.exists()
    assert not run_git(str(remote), "branch", "--list").strip()


def test_what_was_written_before_a_ledger_failed_is_told(machine: Machine) -> None:
    app = machine.directory / "app"
    made_a_file(ledgers_of(machine))
    told = machine.run("share", "--yes", at=app).err
    assert told.startswith("satchel: Shared 1 memory, but approved none on this machine. /")
    assert "quokka" in (app / ".satchel" / "knowledge.jsonl").read_text()
    told = machine.run("rules", "add", "Never push on Fridays.", at=app).err
    assert ".satchel/instincts.yaml was changed, but its history was not. /" in told
    assert "Fridays" in (app / ".satchel" / "instincts.yaml").read_text()


def test_an_agent_is_told_that_nothing_could_be_read_not_that_nothing_is_there(
    machine: Machine,
) -> None:
    app, ledgers = machine.directory / "app", ledgers_of(machine)
    for index in ledgers.parent.glob("index.db*"):
        index.unlink()
    piped(ledgers / "knowledge.jsonl")

    async def session() -> None:
        async with over_stdio(machine, app, mode=LEGACY) as client:
            found = await client.call_tool("recall", {"question": "which port has the relay"})
            text = found.content[0].text  # type: ignore[union-attr]
            assert "Nothing found." in text
            assert f"Note: {ledgers / 'knowledge.jsonl'} is not a file" in text
            assert text.count("Note: ") == 1

    anyio.run(session)
