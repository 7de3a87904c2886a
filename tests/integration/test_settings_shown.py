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
    name = "code.map_ttl_hours"
    machine.ok("config", "set", name, "9", "--project", at=app)
    told = machine.ok("config", "set", name, "7", at=app)
    assert f"{name} = 9.0  (written to ~/.satchel/config.toml; " in told
    assert "project.toml goes before it)" in told
    machine.environment["SATCHEL_CODE_MAP_TTL_HOURS"] = "5"
    assert "from SATCHEL_CODE_MAP_TTL_HOURS" in machine.ok("config", "get", name, at=app)
    told = machine.ok("config", "unset", name, at=app)
    assert told.strip() == f"{name} = 5.0  (SATCHEL_CODE_MAP_TTL_HOURS)"


def test_what_people_type_shows_all_or_a_section(machine: Machine, app: Path) -> None:
    every = machine.ok("config", at=app)
    assert machine.ok("config", "list", at=app) == every
    section = machine.ok("config", "recall", at=app)
    assert section.startswith("[recall]")
    assert "recall.limit" in section
    assert "prompt." not in section
