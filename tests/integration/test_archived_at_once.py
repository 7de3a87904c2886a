"""What a session said is found as soon as it ended, also where nobody told of its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.test_reflecting_by_itself import settled, transcript

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    del made.environment["SATCHEL_EMBED_BACKGROUND"]
    made.environment["SATCHEL_SESSIONS_KEEP_DAYS"] = "100000"  # the session lies in the past
    return made


def kept(machine: Machine, app: Path) -> list[str]:
    """Sessions that the archive holds, without an import before the list."""
    machine.environment["SATCHEL_SESSIONS_IMPORT"] = "false"
    found = machine.json("session", "list", "--status", "imported", at=app)
    del machine.environment["SATCHEL_SESSIONS_IMPORT"]
    return [one["id"] for one in found]


def test_a_killed_session_is_in_the_list(machine: Machine) -> None:
    app = machine.repository()
    path = transcript(machine, app)
    assert kept(machine, app) == []
    (found,) = machine.json("session", "list", at=app)
    assert found["id"] == Path(path).stem


@pytest.mark.parametrize("event", ["SessionEnd", "PreCompact"])
def test_an_end_has_the_session_archived(machine: Machine, event: str) -> None:
    app = machine.repository()
    machine.environment["SATCHEL_REFLECT_AUTO"] = "false"
    if event == "SessionEnd":
        machine.hook("SessionStart", app, source="startup")  # the archive was looked at just now
        settled(app)
    path = transcript(machine, app)
    machine.hook(event, app, transcript_path=path, reason="other", trigger="auto")
    settled(app)
    assert kept(machine, app) == [Path(path).stem]


def test_a_session_is_shown_by_what_the_list_calls_it(machine: Machine) -> None:
    app = machine.repository()
    path = transcript(machine, app)
    machine.hook("SessionEnd", app, transcript_path=path, reason="other")
    settled(app)
    listed = machine.ok("sessions", at=app)
    name = listed.split()[0]
    assert Path(path).stem.startswith(name)
    assert len(name) == 8
    shown = machine.ok("sessions", "show", name, at=app)
    assert Path(path).stem in shown
    assert "\nuser " in shown
    said = machine.json("sessions", "show", name, at=app)["messages"]
    assert {one["role"] for one in said} == {"user", "assistant"}
    machine.fails(4, "sessions", "show", "nobody", at=app)


def test_earlier_sessions_are_what_a_new_project_is_pointed_to(machine: Machine) -> None:
    app = machine.repository()
    assert machine.json("status", at=app)["next_step"] == 'satchel remember "..."'
    transcript(machine, app)
    assert machine.json("status", at=app)["next_step"] == "satchel reflect"
    machine.ok("learn", "Use pnpm", at=app)
    assert machine.json("status", at=app)["next_step"] != "satchel reflect"


def test_a_search_finds_a_session_whose_end_nobody_told(machine: Machine) -> None:
    app = machine.repository()
    path = transcript(machine, app)
    machine.environment["SATCHEL_EMBED_BACKGROUND"] = "0"
    text = Path(path).read_text()
    word = next(w for w in text.split() if w.isalpha() and len(w) > 7)
    found = machine.json("session", "search", word, at=app)
    assert found, word
    assert {one["session"] for one in found} == {Path(path).stem}


def test_nothing_is_read_where_a_person_turned_it_off(machine: Machine) -> None:
    app = machine.repository()
    path = transcript(machine, app)
    machine.environment["SATCHEL_SESSIONS_IMPORT"] = "false"
    machine.hook("SessionEnd", app, transcript_path=path, reason="other")
    settled(app)
    machine.ok("session", "search", "cache", at=app)
    assert kept(machine, app) == []


def test_a_seeded_bug_is_caught(machine: Machine) -> None:
    """Sessions are imported by no hook and no search, only by hand."""
    machine.environment["SATCHEL_SESSIONS_IMPORT"] = "false"
    with pytest.raises(AssertionError):
        test_a_search_finds_a_session_whose_end_nobody_told(machine)
