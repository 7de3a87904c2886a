"""A memory's id leads on: to its thread, and to what replaced it."""

import json
from pathlib import Path

import pytest

from integration.installed import Machine


@pytest.fixture
def app(machine: Machine) -> Path:
    return machine.repository("app")


def test_a_thread_takes_a_memorys_id(machine: Machine, app: Path) -> None:
    task = machine.json("tasks", "create", "Invoices", at=app)["id"]
    ident = machine.json("learn", "Retry the upload twice.", "--task", task, at=app)["id"]
    told = machine.ok("thread", ident, at=app)
    assert "Retry the upload twice." in told
    assert task in told
    assert (
        "Name a task, a session, a commit, FILE:LINE, FILE:SYMBOL, a note or a memory"
        in machine.fails(4, "thread", "01NOSUCHTHING", at=app)
    )


@pytest.mark.parametrize("command", ["why", "thread"])
def test_the_words_of_a_memory_lead_to_its_id(machine: Machine, app: Path, command: str) -> None:
    ident = machine.json("learn", "Never run migrations on Fridays.", at=app)["id"]
    told = machine.fails(4, command, "migrations on fridays", at=app)
    assert "Did you mean one of these?" in told
    assert ident[:14] in told
    assert "Did you mean" not in machine.fails(4, command, "the meaning of life", at=app)


def test_the_id_of_a_replaced_memory_leads_on(machine: Machine, app: Path) -> None:
    first = machine.json("remember", "--kind", "decision", "We deploy with Jenkins.", at=app)["id"]
    second = machine.json(
        "remember", "--kind", "decision", "We no longer deploy with Jenkins but with Argo.", at=app
    )["id"]
    for command in ("show", "why", "thread"):
        told = machine.ok(command, first, at=app)
        (line,) = [one for one in told.splitlines() if "was replaced by" in one]
        assert line.startswith(first[:14])
        assert "We deploy with Jenkins." in line
        assert second[:14] in line
        assert "but with Argo" in told
        assert "was replaced by" not in machine.ok(command, second, at=app)
    # Programs get what they named.
    assert json.loads(machine.ok("show", first, "--json", at=app))["id"] == first


def test_what_became_of_another_kind_is_followed(machine: Machine, app: Path) -> None:
    first = machine.json("learn", "Run make check first.", at=app)["id"]
    machine.ok("edit", first, "--kind", "rule", at=app)
    told = machine.ok("show", first, at=app)
    assert "was replaced by" in told
    assert "Run make check first." in told
