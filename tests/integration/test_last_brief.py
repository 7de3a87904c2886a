"""A session's start that runs out of time gets the last brief, marked, instead of nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from integration.somebody import ANN, Somebody, begun
from satchel.interfaces.hooks import last_brief
from satchel.project.approvals.rules import Approvals
from satchel.storage.paths import PrivateState, UserHome
from satchel.workspace import Workspace

LESSON = "The staging database resets every night"
#: A start has no time for an index of so many memories that has to be made first.
_MANY, _HURRY = 4000, "60"


@pytest.fixture
def ann(tmp_path: Path) -> Somebody:
    one = begun(tmp_path, ANN)
    one.satchel("learn", LESSON)
    return one


def _late(one: Somebody) -> str:
    """Start a session while the index is gone, with little time."""
    state = _state(one)
    ledger = Path(state.ledger("knowledge"))
    line = ledger.read_bytes().splitlines()[0]
    ledger.write_bytes(
        b"".join(line.replace(b"night", b"night %d" % n) + b"\n" for n in range(_MANY))
    )
    for ending in ("", "-wal", "-shm"):
        Path(state.index + ending).unlink(missing_ok=True)
    one.variables["SATCHEL_HOOKS_DEADLINE_MS"] = _HURRY
    try:
        return one.starts()
    finally:
        del one.variables["SATCHEL_HOOKS_DEADLINE_MS"]


def _state(one: Somebody) -> PrivateState:
    home = UserHome(str(one.home / ".satchel"))
    (key,) = os.listdir(Path(home.path, "projects"))
    return home.project_state(key)


def test_there_is_a_brief_though_there_was_no_time(ann: Somebody) -> None:
    first = ann.starts()
    assert LESSON in first
    told = _late(ann)
    assert LESSON in told
    assert "no time to make a new brief" in told
    nonces = [text.partition('nonce="')[2].partition('"')[0] for text in (first, told)]
    assert nonces[0] != nonces[1]
    assert told.count(nonces[1]) == first.count(nonces[0])


def test_without_a_last_brief_there_is_nothing(ann: Somebody) -> None:
    assert _late(ann) == ""


def test_what_was_revoked_since_is_not_told(ann: Somebody) -> None:
    ann.starts()
    made = os.stat(_state(ann).last_brief).st_mtime - 60
    os.utime(_state(ann).last_brief, (made, made))
    with Workspace.open(str(ann.root), home=str(ann.home / ".satchel")) as work:
        approvals = Approvals(work.project.ledger("approvals"))
        approvals.approve(["file:1234"])  # takes nothing back
        assert LESSON in last_brief.last_brief(_state(ann), made + 60)
        approvals.revoke(["file:1234"])
    assert _late(ann) == ""


def test_what_was_forgotten_is_not_in_it(ann: Somebody) -> None:
    ann.starts()
    ann.satchel("forget", "--query", "staging database", "--yes")
    assert not Path(_state(ann).last_brief).exists()


def test_who_one_agent_is_is_told_to_no_other(ann: Somebody) -> None:
    ann.starts()
    state = _state(ann)
    made = os.stat(state.last_brief).st_mtime
    general = last_brief.last_brief(state, made, "daneel")
    assert LESSON in general
    soul = 'nonce="x"\n## Who you are\n[SOUL] Keeps the plan'
    for whose in ("seldon", ""):
        last_brief.keep_brief(state, soul, whose)
        made = os.stat(state.last_brief).st_mtime
        told = last_brief.last_brief(state, made, whose.title())
        assert "Keeps the plan" in told
        assert "of agent" not in told
        assert last_brief.last_brief(state, made, "daneel") == ""


def test_an_old_brief_says_too_little(ann: Somebody) -> None:
    ann.starts()
    state = _state(ann)
    made = os.stat(state.last_brief).st_mtime
    assert LESSON in last_brief.last_brief(state, made + 60)
    assert last_brief.last_brief(state, made + 8 * 86_400) == ""
    assert last_brief.last_brief(state, made - 60) == ""
