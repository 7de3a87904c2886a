"""A workspace that a server keeps open sees what changes under it; others see no path of a home."""

import json
import os
from pathlib import Path

from satchel.application.outlet import Outlet
from satchel.engine.search.records import StoredMemory
from satchel.features.memories.approvals import held
from satchel.features.sessions.files import SessionFiles
from satchel.interfaces.cli.notes.learnings import open_notes
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace


def test_a_server_notices_that_bd_keeps_the_tasks_from_now_on() -> None:
    with temporary_workspace(git=True) as workspace:
        assert workspace.tasks.view.backend == ""
        beads = Path(workspace.project.place.root, ".beads")
        beads.mkdir()
        (beads / "metadata.json").write_text(json.dumps({"backend": "dolt"}))
        assert workspace.tasks.view.backend == "dolt"


def places_of(workspace: Workspace) -> tuple[str, ...]:
    place = workspace.sessions.store.place
    assert isinstance(place, SessionFiles)
    return place.places


def test_a_link_that_a_pull_brings_is_not_followed_by_an_open_workspace(tmp_path: Path) -> None:
    with temporary_workspace(git=True) as opened:
        home = Path(opened.owner().home.path)
        (home / "config.toml").write_text("[sessions]\ntracked = true\n")
        workspace = opened.reopened()
        assert places_of(workspace)[0] == workspace.project.tracked.sessions
        outside = tmp_path / "outside"
        outside.mkdir()
        os.symlink(outside, workspace.project.tracked.sessions)
        assert workspace.project.tracked.sessions not in places_of(workspace)


def test_others_read_no_path_of_the_home_in_what_is_wrong() -> None:
    with temporary_workspace() as workspace:
        home = workspace.owner().home
        workspace.project.note_fault("settings", f"{home.configuration}: line 3 is no TOML")
        root = workspace.project.place.root
        assert any(home.path in one.what for one in workspace.examine())
        with Workspace.open_for_others(root, home=home.path) as others:
            told = [f"{one.subject} {one.what} {one.next_step}" for one in others.examine()]
        assert any("line 3" in one for one in told)
        assert not [one for one in told if home.path in one]


def test_whatever_the_outlet_holds_back_can_be_approved() -> None:
    with temporary_workspace() as workspace:
        for kind in ("learned", "activity", "action_report", "checkpoint", "insight"):
            workspace.remember(f"an imported {kind}", kind=kind, trust="imported")
        workspace.refresh()
        every = workspace.memories.own.live()
        assert Outlet(workspace).admitted(StoredMemory(one, "private") for one in every) == []
        waiting = held(workspace.memories)
        assert {one.id for one in waiting} == {one.id for one in every}


def test_notes_of_a_project_close_everything_that_they_opened() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("the parser is recursive")
        root, home = workspace.project.place.root, workspace.owner().home.path
        with open_notes(root, home=home) as notes:
            notes.search("parser", mode="local")
            closes = notes.on_close
            assert closes is not None
        assert notes.on_close is None
