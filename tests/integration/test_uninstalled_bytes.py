"""What `uninstall` leaves of a file that nobody else has changed: the very bytes of before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from satchel.clients.settings_files import plan
from satchel.clients.setup.wired import PROJECT
from satchel.clients.setup.wiring import HOOKS, WiringRequest, plan_unwiring, plan_wiring

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def shop(machine: Machine) -> Path:
    return machine.repository("shop", init=False)


OWN = [
    ("claude-code", ".claude/settings.json", '{\n   "model": "sonnet",   "hooks": { }\n}\n'),
    ("claude-code", ".claude/settings.json", '{"hooks": {"Stop": [ ]  },\n "x":1}'),
    ("claude-code", ".mcp.json", '{ "mcpServers": { } }'),
    ("cursor", ".cursor/hooks.json", '{"version":1,"hooks":{ "stop": [ ] } }\n'),
    ("opencode", "opencode.json", '{ "instructions": [] }\n'),
    (
        "opencode",
        "opencode.json",
        '{\n  "$schema": "https://opencode.ai/config.json",\n  "a": 1\n}',
    ),
]


@pytest.mark.parametrize(("client", "name", "text"), OWN)
def test_uninstall_gives_a_file_that_nobody_else_changed_its_bytes_back(
    machine: Machine, shop: Path, client: str, name: str, text: str
) -> None:
    path = shop / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    machine.ok("init", "--yes", at=shop)
    machine.ok("install", client, "--yes", at=shop)
    machine.ok("install", client, "--hooks", "--guard", "--yes", at=shop)
    assert "satchel" in path.read_text()
    machine.ok("uninstall", client, "--yes", at=shop)
    assert path.read_text() == text


def test_uninstall_keeps_what_was_written_since(machine: Machine, shop: Path) -> None:
    path = shop / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{"hooks": { }, "model": "a"}')
    machine.ok("install", "claude-code", "--hooks", "--yes", at=shop)
    path.write_text(path.read_text().replace('"a"', '"b"'))
    machine.ok("uninstall", "claude-code", "--yes", at=shop)
    assert json.loads(path.read_text()) == {"model": "b"}


def test_each_step_is_gone_back_while_nobody_else_changed_the_file(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{ "hooks": { } }')
    asked = WiringRequest(("claude-code",), (HOOKS,), PROJECT, str(tmp_path), "satchel")
    journals = [str(tmp_path / name) for name in ("1.json", "2.json")]
    plan.apply(plan_wiring(asked), journals[0])
    plan.apply(plan_wiring(asked._replace(guard=True)), journals[1])
    (change,) = plan.as_before(plan_unwiring(asked), journals[::-1]).changes
    assert change.after == b'{ "hooks": { } }'
    # Where a step is not known, the entries are taken out and no more.
    Path(journals[0]).write_text("damaged")
    (change,) = plan.as_before(plan_unwiring(asked), journals[::-1]).changes
    assert change.after is None


def test_a_seeded_bug_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what the last plan made of a file is known, not what it was before the first."""
    known = plan._first_known
    monkeypatch.setattr(plan, "_first_known", lambda target, now, old: known(target, now, old[:1]))
    with pytest.raises(AssertionError):
        test_each_step_is_gone_back_while_nobody_else_changed_the_file(tmp_path)
