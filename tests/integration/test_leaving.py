"""`uninstall` says what git tracks of what it changes, and what stays."""

import json
from pathlib import Path

import pytest

from integration.installed import Machine
from satchel.testing import run_git


@pytest.fixture
def app(machine: Machine) -> Path:
    return machine.repository("app")


def test_a_file_that_git_tracks_is_named_before_and_can_be_put_back(
    machine: Machine, app: Path
) -> None:
    settings = app / ".claude" / "settings.json"
    run_git(str(app), "ls-files", "--error-unmatch", ".claude/settings.json")
    before = settings.read_bytes()
    asked = machine.run("uninstall", at=app)
    assert asked.code == 2
    assert "git tracks .claude/settings.json: commit the change" in asked.err
    assert settings.read_bytes() == before
    done = machine.run("uninstall", "--yes", at=app)
    assert "git tracks .claude/settings.json" in done.err
    assert "`satchel undo --setup` puts the file back" in done.err
    machine.ok("undo", "--setup", "--yes", at=app)
    assert settings.read_bytes() == before


def test_what_stays_is_named_with_the_way_to_be_rid_of_it(machine: Machine, app: Path) -> None:
    machine.ok("install", "cursor", "--mcp", "--yes", at=app)
    machine.ok("learn", "Retry the upload twice.", at=app)
    done = machine.run("uninstall", "cursor", "--yes", at=app)
    assert "git tracks" not in done.err
    stays = done.out.partition("What stays:")[2]
    assert "/projects/app-" in stays
    assert str(app / ".satchel") in stays
    assert "`satchel forget`" in stays
    assert "What stays" not in machine.ok("uninstall", "--dry-run", at=app)
    assert json.loads(machine.ok("uninstall", "--json", "--yes", at=app))["applied"]
