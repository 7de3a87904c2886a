"""`list` shows a person what memories say: short id, kind, text, when."""

from pathlib import Path

import pytest

from integration.installed import Machine


@pytest.fixture
def app(machine: Machine) -> Path:
    return machine.repository("app")


def test_columns_are_id_kind_text_and_when(machine: Machine, app: Path) -> None:
    ident = machine.json("learn", "Retry the upload twice.", at=app)["id"]
    machine.ok("remember", "--kind", "rule", "Never push to main.", at=app)
    rule, lesson = machine.ok("list", at=app).splitlines()
    assert lesson.split("  ") == [ident[:14], "lesson", "Retry the upload twice.", "now"]
    assert rule.split()[1] == "rule"
    assert rule.index("Never push") == lesson.index("Retry the")


def test_the_text_stands_where_a_title_or_a_made_up_key_stood(machine: Machine, app: Path) -> None:
    machine.ok("learn", "--title", "Uploads", "Retry them twice.", at=app)
    machine.ok("remember", "--kind", "preference", "Tabs everywhere.", at=app)
    machine.ok("remember", "--kind", "preference", "--key", "quotes", "Double ones.", at=app)
    told = machine.ok("list", at=app)
    assert "Uploads: Retry them twice." in told
    assert "quotes: Double ones." in told
    assert "preference-tabs" not in told
    gone = machine.json("learn", "It was said once.", at=app)["id"]
    machine.ok("hide", gone, "--yes", at=app)
    assert "It was said once.  (deleted)" in machine.ok("list", "--all", at=app)
