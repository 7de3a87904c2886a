"""`satchel rules` as a person uses it."""

from pathlib import Path

import pytest

from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def test_a_rule_is_added_confirmed_promoted_and_told(machine: Machine, app: Path) -> None:
    assert "No soft rules" in machine.ok("instincts", at=app)
    added = machine.json(
        "instincts",
        "add",
        "Quote paths",
        "--scope",
        "universal",
        "--evidence",
        "correction",
        at=app,
    )
    ident = added["changes"][0]["id"]
    machine.fails(7, "instincts", "promote", ident, "--yes", at=app)
    assert "0.7 -> 0.8" in machine.ok("instincts", "reinforce", ident, at=app)
    machine.fails(2, "instincts", "promote", ident, at=app)
    assert machine.json("instincts", "promote", ident, "--dry-run", at=app)["applied"] is False
    assert machine.json("instincts", "promote", ident, "--yes", at=app)["applied"] is True
    shown = machine.json("instincts", "show", ident, "--history", at=app)
    assert [event["what"] for event in shown["history"]] == ["added", "reinforced", "promoted"]
    assert "Quote paths" in machine.ok("brief", at=app)
    for _ in range(3):
        machine.ok("instincts", "contradict", ident, at=app)
    machine.fails(2, "instincts", "prune", at=app)
    assert machine.json("instincts", "prune", "--yes", at=app)["pruned"] == [ident]
    assert machine.json("instincts", at=app)["instincts"] == []


def test_a_broken_file_is_told_by_its_line_and_left_alone(machine: Machine, app: Path) -> None:
    path = app / ".satchel" / "instincts.yaml"
    path.write_text("instincts:\n  - id: a\n   rule: b\n", "utf-8")
    before = path.read_bytes()
    for words in (("show",), ("add", "Use tabs"), ("review", "--yes"), ("prune", "--yes")):
        assert "line 3" in machine.fails(2, "instincts", *words, at=app)
    assert path.read_bytes() == before
    assert machine.ok("upkeep", at=app)
