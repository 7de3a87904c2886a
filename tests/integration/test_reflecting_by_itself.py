"""A session that is compacted or ends is looked at by a process of its own; nothing is applied."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from integration.installed import COMMAND, Machine, context_of, needs_command
from integration.transcripts_made import a_mornings_work
from satchel.clients.hook_contract import from_client
from satchel.clients.transcript_format.project_key import project_key
from satchel.storage.locks import FileLock
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
_PATIENCE = 60.0


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    del made.environment["SATCHEL_EMBED_BACKGROUND"]
    return made


def transcript(machine: Machine, app: Path) -> str:
    """A session that taught four things, where Claude Code keeps it."""
    made = a_mornings_work(str(app))
    folder = machine.home / ".claude" / "projects" / project_key(str(app))
    return made.write(str(folder / f"{made.session}.jsonl"))


def processes(app: Path) -> list[str]:
    """What still runs for a project."""
    told = subprocess.run(
        ["ps", "-ewwo", "args"], capture_output=True, text=True, check=True
    ).stdout
    return [line for line in told.splitlines() if f"-C {app} upkeep" in line]


def settled(app: Path) -> None:
    """Wait until nothing runs for the project: its directory goes with the test."""
    end = time.monotonic() + _PATIENCE
    while processes(app):
        assert time.monotonic() < end, processes(app)
        time.sleep(0.1)


def waiting(machine: Machine, app: Path) -> list[dict[str, Any]]:
    """Suggestions that wait, once those processes have ended."""
    settled(app)
    found: list[dict[str, Any]] = machine.json("review", at=app)
    return found


@pytest.mark.parametrize("event", ["PreCompact", "SessionEnd"])
def test_what_a_session_taught_waits_and_the_next_brief_says_so(
    machine: Machine, event: str
) -> None:
    app = machine.repository()
    path = transcript(machine, app)
    assert machine.hook(event, app, transcript_path=path, trigger="auto", reason="other") == {}
    found = waiting(machine, app)
    assert len(found) >= 3
    assert {one["state"] for one in found} == {"pending"}
    answer = machine.hook("SessionStart", app, source="startup")
    brief = context_of(answer, "SessionStart")
    assert f"\n{len(found)} suggestions wait: satchel review\nRemember what lasts" in brief
    # The client shows it to the person too: who reviews is they, not the agent.
    assert answer["systemMessage"] == f"Satchel: {len(found)} suggestions wait: satchel review"
    again = machine.hook("SessionStart", app, source="startup")
    assert "suggestions wait" not in context_of(again, "SessionStart")  # once is enough for a day
    assert "systemMessage" not in again
    # Nothing that anybody reads has changed.
    assert run_git(str(app), "status", "--porcelain") == ""
    assert not (app / "AGENTS.md").exists()
    machine.ok("review", "N", at=app)
    settled(app)
    brief = context_of(machine.hook("SessionStart", app, source="startup"), "SessionStart")
    assert "satchel review" not in brief
    settled(app)


def test_a_session_that_ends_soon_after_its_start_is_looked_at(machine: Machine) -> None:
    app = machine.repository()
    machine.hook("SessionStart", app, source="startup")
    settled(app)
    machine.hook("SessionEnd", app, transcript_path=transcript(machine, app), reason="other")
    assert waiting(machine, app)


def test_an_end_that_finds_another_at_work_is_made_up_for_by_the_next_start(
    machine: Machine,
) -> None:
    app = machine.repository()
    machine.hook("SessionStart", app, source="startup")
    settled(app)
    (state,) = (machine.home / ".satchel" / "projects").iterdir()
    with FileLock(str(next(state.rglob("reflect.lock-runs"))), timeout=0):
        machine.hook("SessionEnd", app, transcript_path=transcript(machine, app), reason="other")
    machine.hook("SessionStart", app, source="startup")
    assert waiting(machine, app)


def test_a_start_looks_at_sessions_whose_end_nobody_told(machine: Machine) -> None:
    app = machine.repository()
    transcript(machine, app)
    machine.hook("SessionStart", app, source="startup")
    assert waiting(machine, app)


def test_it_can_be_turned_off(machine: Machine) -> None:
    app = machine.repository()
    path = transcript(machine, app)
    machine.ok("reflect", "off", at=app)
    machine.environment["SATCHEL_SESSIONS_IMPORT"] = "false"
    for event in ("PreCompact", "SessionEnd", "SessionStart"):
        machine.hook(event, app, transcript_path=path, trigger="auto", reason="other")
        others = ("embed", "branches")
        assert [one for one in processes(app) if not one.endswith(others)] == []
    settled(app)
    assert waiting(machine, app) == []


def test_of_many_ends_at_once_one_reflects(machine: Machine) -> None:
    app = machine.repository()
    path = transcript(machine, app)
    ends = [
        threading.Thread(
            target=machine.hook,
            args=("SessionEnd", app),
            kwargs={"transcript_path": path, "session_id": f"s-{n}"},
        )
        for n in range(4)
    ]
    for one in ends:
        one.start()
    for one in ends:
        one.join()
    first = waiting(machine, app)
    assert len({one["title"] for one in first}) == len(first)
    (state,) = (machine.home / ".satchel" / "projects").iterdir()
    with FileLock(str(next(state.rglob("reflecting*"))), timeout=0):
        assert "another process reflects" in machine.ok("upkeep", "reflect", at=app)


def test_a_reflection_that_hangs_is_ended(machine: Machine) -> None:
    app = machine.repository()
    transcript(machine, app)
    machine.ok("reflect", "--status", at=app)
    (state,) = (machine.home / ".satchel" / "projects").iterdir()
    machine.ok("upkeep", "reflect", at=app)
    transcript(machine, app)
    with FileLock(str(next(state.rglob("*proposals*.lock"))), timeout=0):
        transcript(machine, app)
        begun = time.monotonic()
        done = subprocess.run(
            [COMMAND, "upkeep", "reflect", "--within", "2"],
            cwd=app,
            env=machine.environment,
            capture_output=True,
            timeout=30,
            check=False,
        )
        assert time.monotonic() - begun < 10
    assert done.returncode == -signal.SIGALRM


def test_copilot_s_own_file_is_found_where_an_end_does_not_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COPILOT_HOME", str(tmp_path))
    events = tmp_path / "session-state" / "c-1" / "events.jsonl"
    events.parent.mkdir(parents=True)
    events.write_text("", "utf-8")
    ended = from_client("copilot", {"sessionId": "c-1", "timestamp": 1, "reason": "complete"})
    assert ended["transcript_path"] == str(events)
    for other in ("c-2", "../c-1", ""):
        gone = from_client("copilot", {"sessionId": other, "timestamp": 1})
        assert not gone.get("transcript_path")


def test_a_seeded_bug_is_caught(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reflection is off unless somebody asked for it."""
    monkeypatch.setitem(machine.environment, "SATCHEL_REFLECT_AUTO", "false")
    app = machine.repository()
    machine.hook("SessionEnd", app, transcript_path=transcript(machine, app), reason="other")
    assert waiting(machine, app) == []
