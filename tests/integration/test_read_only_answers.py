"""Where nothing can be written, what was asked is answered, and what was not kept is said."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.installed import Machine, as_ordinary_user, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[tuple[Machine, Path]]:
    """A project whose private state can be read, not written; with an archived session."""
    made = Machine(tmp_path)
    app = made.repository()
    made.ok("learn", "The tapir bus is reset high.", at=app)
    made.ok("route", "fix the tapirs", at=app)
    made.hook("SessionStart", app, source="startup")
    made.ok("why", "README:1", at=app)
    made.hook("SessionStart", app, source="startup", session_id="s-2")
    made.ok("list", at=app)
    (state,) = (made.home / ".satchel" / "projects").iterdir()
    folders = [state, *(path for path in state.rglob("*") if path.is_dir())]
    (state / "locks" / "thread.lock").unlink(missing_ok=True)
    (state / "locks" / "routing_decision.lock").unlink(missing_ok=True)
    for folder in folders:
        folder.chmod(0o500)
    yield made, app
    for folder in folders:
        folder.chmod(0o700)


def test_a_message_is_routed_though_nobody_can_note_it(machine: tuple[Machine, Path]) -> None:
    made, app = machine
    done = made.run("route", "fix the tapirs", at=app, before=as_ordinary_user)
    assert done.code == 0, done
    assert done.out.strip()
    assert "The decision was not recorded" in done.err
    assert "outcome" not in done.out
    told = made.run("route", "fix the tapirs", "--json", at=app, before=as_ordinary_user).json
    assert told["id"] == ""
    assert told["agent"]


@pytest.mark.parametrize("command", ["why", "thread"])
def test_where_something_comes_from_is_told(machine: tuple[Machine, Path], command: str) -> None:
    made, app = machine
    ident = made.json("memory", "list", at=app)[0]["id"] if os.geteuid() == 0 else "README:1"
    words = (command, ident)
    done = made.run(*words, at=app, before=as_ordinary_user)
    assert done.code == 0, done
    assert done.out.strip()
    assert "thread.lock could not be written" in done.err
