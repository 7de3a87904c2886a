"""A clone that may be of a known project: its memory stays apart, and can be joined without loss."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from integration.somebody import ANN, Somebody, begun
from satchel.application.exchange import joining
from satchel.application.exchange.joining import join
from satchel.project import registry
from satchel.project.place import find_place, may_be_joined
from satchel.storage.inbox.spool import Inbox
from satchel.storage.paths import UserHome

_NOTICE = "`satchel join`"


@pytest.fixture
def ann(tmp_path: Path) -> Somebody:
    one = begun(tmp_path, ANN)
    one.satchel("learn", "The staging database resets every night")
    return one


def _beside(one: Somebody, directory: Path) -> Somebody:
    """Return the same person, with the same home, at work in another directory."""
    other = Somebody.__new__(Somebody)
    other.home, other.root, other.who, other.variables = one.home, directory, one.who, {}
    return other


@pytest.fixture
def shallow(ann: Somebody, tmp_path: Path) -> Somebody:
    ann.writes("a", "a")
    ann.commits()
    place = tmp_path / "shallow"
    ann.git("clone", "--quiet", "--depth", "1", f"file://{ann.root}", str(place), at=tmp_path)
    return _beside(ann, place)


def _states(one: Somebody) -> list[str]:
    return sorted(os.listdir(one.home / ".satchel" / "projects"))


def test_a_shallow_clone_reads_and_writes_nothing_of_the_project(
    ann: Somebody, shallow: Somebody
) -> None:
    assert "nothing found" in shallow.satchel("recall", "staging database").lower()
    shallow.satchel("learn", "Shallow clones build without tags")
    assert "tags" not in ann.satchel("memory", "list")
    assert "staging" not in shallow.starts()


def test_the_brief_says_it_and_the_answer_is_remembered(ann: Somebody, shallow: Somebody) -> None:
    assert _NOTICE not in ann.starts()
    assert _NOTICE in shallow.starts()
    assert "Kept apart" in shallow.satchel("join", "--apart")
    assert _NOTICE not in shallow.starts()
    assert "nothing to join" in shallow.satchel("join")
    assert len(_states(ann)) == 2


def test_joining_loses_nothing(ann: Somebody, shallow: Somebody) -> None:
    shallow.satchel("learn", "Shallow clones build without tags")
    prompt = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "build it"}
    shallow.satchel("hook", "UserPromptSubmit", stdin=json.dumps(prompt))
    comment = "bd comment X-1 'LEARNED: the linker needs two passes'"
    event = {
        "session_id": "s",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": comment},
    }
    shallow.satchel("hook", "PostToolUse", stdin=json.dumps(event))
    told = shallow.satchel("join", "--yes")
    assert "The staging" not in told
    assert "Joined" in told
    for one in (ann, shallow):
        listed = one.satchel("memory", "list")
        assert all(word in listed for word in ("resets every night", "without tags", "two passes"))
    assert len(_states(ann)) == 1
    assert _NOTICE not in shallow.starts()


def test_an_event_that_was_not_drained_comes_along(ann: Somebody, shallow: Somebody) -> None:
    shallow.satchel("learn", "Shallow clones build without tags")
    (apart,) = [name for name in _states(ann) if name.startswith("shallow")]
    home = UserHome(str(ann.home / ".satchel"))
    other = next(name for name in _states(ann) if name != apart)
    event = {"event": "PostToolUse", "said": "later"}
    Inbox(home.project_state(apart).inbox).append(event, 1_800_000_000.0)
    done = join(home, apart, other)
    assert done.files == 1
    assert [one["said"] for one in Inbox(home.project_state(other).inbox).peek()] == ["later"]


def renamed(ann: Somebody, directory: Path) -> None:
    """Somebody's commit gives the project another id."""
    mallory = Somebody(directory, ("Mallory", "mallory@example.net"))
    mallory.git("clone", "--quiet", str(ann.root), str(mallory.root), at=directory)
    told = mallory.root / ".satchel" / "project.toml"
    told.write_text(told.read_text().replace('id = "01', 'id = "02'))
    mallory.commits()
    ann.git("pull", "--quiet", str(mallory.root), "main")


def test_a_pull_that_changes_the_id_takes_no_memory_away(ann: Somebody, tmp_path: Path) -> None:
    ann.starts()
    renamed(ann, tmp_path / "mallory")
    assert "staging database" not in ann.satchel("list")
    assert _NOTICE in ann.starts()
    assert _NOTICE in ann.satchel("list")
    ann.satchel("join", "--yes")
    assert "staging database" in ann.satchel("list")
    assert "staging database" in ann.starts()
    assert _NOTICE not in ann.starts()


def test_a_registry_that_forgets_the_former_id_is_caught(
    ann: Somebody, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "entry_of", lambda *_: {})
    renamed(ann, tmp_path / "mallory")
    home = UserHome(str(ann.home / ".satchel"))
    place = find_place(str(ann.root))
    assert place is not None
    assert not may_be_joined(home.project_state(registry.register(home, place)).identity)


def test_an_agent_may_not_join(ann: Somebody, shallow: Somebody) -> None:
    shallow.satchel("stats")
    shallow.variables["CLAUDECODE"] = "1"
    shallow.satchel("join", "--yes", code=2)
    assert len(_states(ann)) == 2


def test_a_registry_that_guesses_is_caught(
    ann: Somebody, shallow: Somebody, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Seeded bug: the only project of that id is taken for this one."""
    home = UserHome(str(ann.home / ".satchel"))
    place = registry.place_for_init(str(shallow.root))
    guessing = registry._may_be_same
    monkeypatch.setattr(
        registry,
        "_match",
        lambda siblings, seen: next((one for one in siblings if guessing(one, seen)), None),
    )
    registry.register(home, place)
    with pytest.raises(AssertionError):
        test_a_shallow_clone_reads_and_writes_nothing_of_the_project(ann, shallow)


def test_a_join_that_was_interrupted_loses_nothing_and_can_be_run_again(
    ann: Somebody, shallow: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    shallow.satchel("learn", "Shallow clones build without tags")
    (apart,) = [name for name in _states(ann) if name.startswith("shallow")]
    other = next(name for name in _states(ann) if name != apart)
    home = UserHome(str(ann.home / ".satchel"))
    calls: list[str] = []

    def stopped(*words: str) -> None:
        calls.append(words[-1])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(joining, "point_to", stopped)
        with pytest.raises(KeyboardInterrupt):
            joining.join(home, apart, other)
    assert calls == [other]
    assert "without tags" in shallow.satchel("memory", "list")
    shallow.satchel("learn", "Tags come with a full clone")
    shallow.satchel("join", "--yes")
    listed = ann.satchel("memory", "list")
    assert listed.count("without tags") == 1
    assert "full clone" in listed
    assert _states(ann) == [other]
