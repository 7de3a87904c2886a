"""`config` shows settings by section, and where each value comes from."""

from pathlib import Path

import pytest

from integration.installed import Machine


@pytest.fixture
def app(machine: Machine) -> Path:
    return machine.repository("app")


def test_settings_are_shown_by_section_with_their_origin(machine: Machine, app: Path) -> None:
    machine.ok("config", "set", "recall.limit", "7", at=app)
    lines = machine.ok("config", at=app).splitlines()
    assert lines.count("[recall]") == 1
    assert lines.index("[recall]") < lines.index(
        "recall.limit = 7  (default 10, from ~/.satchel/config.toml)"
    )
    assert "prompt.max_items = 3  (default)" in lines
    assert machine.ok("config", "get", "recall.limit", at=app) == machine.ok(
        "config", "recall.limit", at=app
    )
    assert machine.json("config", "get", "recall.limit", at=app) == {"recall.limit": 7}
    assert "config get NAME" in machine.fails(2, "config", "get", at=app)
    assert "One setting" in machine.fails(2, "config", "get", "recall.limit", "7", at=app)


def test_what_goes_before_a_setting_that_was_set_is_named(machine: Machine, app: Path) -> None:
    machine.ok("config", "set", "recall.limit", "9", "--project", at=app)
    told = machine.ok("config", "set", "recall.limit", "7", at=app)
    assert "recall.limit = 9  (written to ~/.satchel/config.toml; " in told
    assert "project.toml goes before it)" in told
    machine.environment["SATCHEL_RECALL_LIMIT"] = "5"
    assert "from SATCHEL_RECALL_LIMIT" in machine.ok("config", "get", "recall.limit", at=app)
    told = machine.ok("config", "unset", "recall.limit", at=app)
    assert told.strip() == "recall.limit = 5  (SATCHEL_RECALL_LIMIT)"


def test_what_people_type_shows_all_or_a_section(machine: Machine, app: Path) -> None:
    every = machine.ok("config", at=app)
    assert machine.ok("config", "list", at=app) == every
    section = machine.ok("config", "recall", at=app)
    assert section.startswith("[recall]")
    assert "recall.limit" in section
    assert "prompt." not in section
