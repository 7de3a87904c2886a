"""What real clients wrote to their hooks, recorded by `make clients`, given to the installed hook."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from clients.recording import RECORDED, folder
from clients.stand import locked_versions
from clients.table import CLIENTS, FAILING, LEARNT, OF_HELPER, RULE, Client
from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
_LEARNING = (LEARNT, FAILING, RULE, OF_HELPER)
_ECHO = re.compile(r"satchel-memory|hook_context|task-notification|what Satchel said")


def stale(recorded: Path, versions: dict[str, str]) -> set[str]:
    """Return folders that are there and should not be, or the other way round."""
    wanted = {folder(one.name, versions[one.package]).name for one in CLIENTS}
    return wanted ^ {path.name for path in recorded.iterdir() if any(path.iterdir())}


def test_recordings_are_of_the_locked_versions() -> None:
    assert stale(RECORDED, locked_versions()) == set(), (
        "run `make clients`, and commit tests/clients"
    )


def test_a_recording_of_another_version_is_noticed(tmp_path: Path) -> None:
    versions = locked_versions()
    for one in CLIENTS:
        (tmp_path / f"{one.name}-{versions[one.package]}" / "empty").mkdir(parents=True)
    assert stale(tmp_path, versions) == set()
    newer = {**versions, CLIENTS[0].package: "99.0.0"}
    assert len(stale(tmp_path, newer)) == 2


@pytest.fixture
def shop(machine: Machine) -> Path:
    return machine.repository("shop", init=True)


def inputs(client: Client, machine: Machine, shop: Path) -> list[tuple[str, dict[str, Any]]]:
    """Return each event and what the client wrote, on this machine."""
    found = []
    for path in sorted(folder(client.name, locked_versions()[client.package]).glob("*.json")):
        text = path.read_text("utf-8").replace("/home/you/shop", str(shop))
        all_of_event = json.loads(text.replace("/home/you", str(machine.home)))
        found += [(path.stem, one) for one in all_of_event]
    return found


def hook(machine: Machine, client: Client, event: str, given: dict[str, Any], shop: Path) -> str:
    """Give the hook one input, as the client does; return what it read."""
    done = machine.run("hook", event, "--client", client.name, at=shop, stdin=json.dumps(given))
    assert (done.code, done.err) == (0, ""), event
    return done.out


def told(client: Client, event: str, answer: str) -> str:
    """Return the text that the client takes from an answer; keys that it does not know fail."""
    if not answer:
        return ""
    whole = json.loads(answer)
    inner = whole.pop("hookSpecificOutput", {})
    if client.name == "copilot":
        assert set(whole) == {"additionalContext"}
        assert (
            inner.get("additionalContext", whole["additionalContext"]) == whole["additionalContext"]
        )
        return str(whole["additionalContext"])
    assert whole == {}
    assert set(inner) == {"hookEventName", "additionalContext"}
    assert inner["hookEventName"] == event
    return str(inner["additionalContext"])


@pytest.mark.parametrize("client", CLIENTS, ids=lambda one: one.name)
def test_what_a_client_wrote_is_captured_and_answered(
    machine: Machine, shop: Path, client: Client
) -> None:
    given = inputs(client, machine, shop)
    starts = [(event, one) for event, one in given if event == "SessionStart"]
    assert starts
    for event, one in given:
        told(client, event, hook(machine, client, event, one, shop))
    held = machine.json("memory", "list", "--limit", "1000", at=shop)
    contents = [one["content"] for one in held]
    assert [one for one in _LEARNING if one not in contents] == []
    assert any("HELPER-TASK" in one for one in contents)
    assert [one for one in contents if _ECHO.search(one)] == []
    (first,) = (one for event, one in starts if one.get("source") in ("startup", "new", None))
    fresh = {**first, "session_id": "another"}
    assert LEARNT in told(
        client, "SessionStart", hook(machine, client, "SessionStart", fresh, shop)
    )


def test_each_week_the_newest_clients_are_tried() -> None:
    root = RECORDED.parents[2]
    weekly = yaml.safe_load((root / ".github" / "workflows" / "clients.yml").read_text("utf-8"))
    (job,) = weekly["jobs"].values()
    made = [one["run"] for one in job["steps"] if one.get("run", "").startswith("make")]
    assert made == ["make clients-newest", "make clients"]
