"""`undo` goes by commands, the newest first; what set the project up goes only with --setup."""

from pathlib import Path

import pytest

from integration.installed import Machine


@pytest.fixture
def app(machine: Machine) -> Path:
    path = machine.repository("app")
    machine.ok("init", "--yes", at=path)
    return path


def said(machine: Machine, app: Path) -> set[str]:
    return {one["content"] for one in machine.json("list", at=app)}


def test_what_was_remembered_last_is_named_and_taken_back(machine: Machine, app: Path) -> None:
    machine.ok("learn", "Retry the upload twice.", at=app)
    machine.ok("remember", "--kind", "decision", "Ship on Fridays.", at=app)
    told = machine.ok("undo", "--dry-run", at=app)
    assert "decision" in told
    assert "was remembered" in told
    assert "Ship on Fridays." in told
    assert said(machine, app) == {"Retry the upload twice.", "Ship on Fridays."}
    machine.ok("undo", "--yes", at=app)
    assert said(machine, app) == {"Retry the upload twice."}
    # Taking back is no deletion that the next `undo` would bring back.
    assert "Retry the upload twice." in machine.ok("undo", "--yes", at=app)
    assert said(machine, app) == set()


def test_setup_is_undone_only_where_it_is_asked_for(machine: Machine, app: Path) -> None:
    settings = app / ".claude" / "settings.json"
    machine.ok("learn", "Retry the upload twice.", at=app)
    machine.ok("undo", "--yes", at=app)
    assert settings.exists()
    assert "--setup" in machine.fails(4, "undo", "--yes", at=app)
    assert settings.exists()
    # Newer than anything that was remembered, and all the same not what a bare `undo` is about.
    machine.ok("install", "cursor", "--mcp", "--yes", at=app)
    machine.fails(4, "undo", "--yes", at=app)
    assert (app / ".cursor" / "mcp.json").exists()
    machine.ok("undo", "--setup", "--yes", at=app)
    assert not (app / ".cursor" / "mcp.json").exists()


def test_commands_come_back_in_their_order(machine: Machine, app: Path) -> None:
    first = machine.json("learn", "Retry the upload twice.", at=app)["id"]
    machine.ok("edit", first, "Retry the upload thrice.", at=app)
    assert "says again: Retry the upload twice." in machine.ok("undo", "--yes", at=app)
    machine.ok("hide", first, "--yes", at=app)
    assert "Brought back" in machine.ok("undo", "--yes", at=app)
    assert "Taken back" in machine.ok("undo", "--yes", at=app)
    assert said(machine, app) == set()
    machine.fails(4, "undo", "--yes", at=app)
    machine.ok("restore", first, at=app)
    assert said(machine, app) == {"Retry the upload twice."}


def test_what_it_replaced_holds_again(machine: Machine, app: Path) -> None:
    preference = ("remember", "--kind", "preference", "--key", "indent")
    machine.ok(*preference, "Four spaces.", at=app)
    machine.ok(*preference, "Tabs.", at=app)
    machine.ok("undo", "--yes", at=app)
    assert said(machine, app) == {"Four spaces."}
    fact = ("remember", "--kind", "fact", "--single")
    machine.ok(*fact, "api | listens on | port 80", "--from", "2026-01-01", at=app)
    machine.ok(*fact, "api | listens on | port 90", at=app)
    machine.ok("undo", "--yes", at=app)
    facts = machine.ok("memory", "facts", at=app)
    assert "port 80" in facts
    assert "port 90" not in facts


def test_what_is_the_persons_is_taken_back_too(machine: Machine, app: Path) -> None:
    machine.ok("remember", "--user", "--kind", "preference", "Tabs everywhere.", at=app)
    assert "Tabs everywhere." in machine.ok("undo", "--yes", at=app)
    assert "Tabs everywhere." not in machine.ok("list", at=app)
