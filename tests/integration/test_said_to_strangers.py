"""What commands tell somebody who does not know them, or uses other clients than Claude Code."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_an_option_that_is_not_there_is_named_and_not_its_value(machine: Machine) -> None:
    app = machine.repository()
    refused = machine.fails(2, "brief", "--client", "copilot", at=app)
    assert "Unrecognized arguments: --client" in refused
    assert "copilot" not in refused
    assert "invalid choice: 'copilot'" in machine.fails(2, "brief", "copilot", at=app)


def test_the_doctor_does_not_miss_claude_code_where_nobody_uses_it(machine: Machine) -> None:
    app = machine.directory / "app"
    app.mkdir()
    (machine.home / ".codex").mkdir()
    machine.ok("init", "--yes", at=app)
    assert (app / ".codex" / "hooks.json").is_file()
    assert "Claude Code" not in machine.run("doctor", at=app).out
    (machine.home / ".claude").mkdir()
    assert "no hook of Satchel is installed for Claude Code" in machine.run("doctor", at=app).out
