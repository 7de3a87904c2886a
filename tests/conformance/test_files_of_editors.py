"""Files of clients that no test can run, by VS Code's own schemas and by what Cursor documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft7Validator, meta

from satchel.clients.contract.wiring import wiring_of
from satchel.clients.setup.wired import PROJECT
from satchel.clients.setup.wiring import HOOKS, MCP, WiringRequest, plan_wiring
from satchel.storage.inbox.events import HOOK_EVENTS

HERE = Path(__file__).parent
FILES = [(client, part) for client in ("vscode", "cursor") for part in (HOOKS, MCP)]


def schema(client: str, part: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / client / f"{part}.schema.json").read_text("utf-8"))
    meta.validate(found)
    return found


def written(client: str, part: str, root: Path) -> dict[str, Any]:
    """Return what stands in the file that `install` makes."""
    asked = WiringRequest((client,), (part,), PROJECT, str(root), "satchel", guard=True)
    (change,) = plan_wiring(asked).changes
    found: dict[str, Any] = json.loads(change.after or b"")
    return found


def faults(client: str, part: str, value: dict[str, Any]) -> list[str]:
    """Say what is wrong with a file; VS Code checks one without a version by its own events."""
    values = [value]
    if (client, part) == ("vscode", HOOKS):
        values.append({key: one for key, one in value.items() if key != "version"})
    checker = Draft7Validator(schema(client, part), validate_formats=True)
    return [error.message for one in values for error in checker.iter_errors(one)]


@pytest.mark.parametrize(("client", "part"), FILES)
def test_what_is_written_is_what_the_client_reads(client: str, part: str, tmp_path: Path) -> None:
    assert faults(client, part, written(client, part, tmp_path)) == []


def test_every_event_of_vs_code_that_hooks_understand_is_wired(tmp_path: Path) -> None:
    known = schema("vscode", HOOKS)["else"]["properties"]["hooks"]["properties"]
    wired = {event.means for event in wiring_of("vscode").events} | {"PreToolUse"}
    assert wired <= set(HOOK_EVENTS)
    assert set(known) & wired <= set(written("vscode", HOOKS, tmp_path)["hooks"])


Break = Callable[[dict[str, Any]], None]
BROKEN: list[tuple[str, str, Break]] = [
    ("vscode", HOOKS, lambda file: file["hooks"]["SessionStart"][0].pop("command")),
    ("vscode", HOOKS, lambda file: file["hooks"]["SessionStart"][0].update(type="shell")),
    ("vscode", HOOKS, lambda file: file.update(hooks=[])),
    ("vscode", MCP, lambda file: file.update(mcpServers=file.pop("servers"))),
    ("vscode", MCP, lambda file: file["servers"]["satchel"].update(type="local")),
    ("vscode", MCP, lambda file: file["servers"]["satchel"].update(tools=["*"])),
    ("cursor", HOOKS, lambda file: file.pop("version")),
    ("cursor", HOOKS, lambda file: file["hooks"].update(SessionStart=[])),
    ("cursor", HOOKS, lambda file: file["hooks"]["sessionStart"][0].update(timeout="10")),
    ("cursor", HOOKS, lambda file: file["hooks"]["postToolUse"][0].update(matcher="(")),
    ("cursor", MCP, lambda file: file.update(servers=file.pop("mcpServers"))),
    ("cursor", MCP, lambda file: file["mcpServers"]["satchel"].update(command=["satchel", "mcp"])),
]


@pytest.mark.parametrize(("client", "part", "spoil"), BROKEN)
def test_a_seeded_fault_in_a_file_is_caught(
    client: str, part: str, spoil: Break, tmp_path: Path
) -> None:
    value = written(client, part, tmp_path)
    spoil(value)
    assert faults(client, part, value)
