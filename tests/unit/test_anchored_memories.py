"""Memories that are about code: what becomes of the code is shown; what is gone is not injected."""

import os
import shutil

import pytest

from satchel.application.upkeep.anchoring import follow_anchors, repin
from satchel.core.errors import NotFoundError
from satchel.features.code.anchored import pinned
from satchel.features.code.anchors.rules import anchors_in
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

SOURCE = """class Store:
    def open(self, path):
        return path


def retry(times):
    for _ in range(times):
        pass
"""
SAYS = "Store.open gives back the path it was given"


def write(workspace: Workspace, path: str, text: str) -> None:
    whole = os.path.join(workspace.project.place.root, path)
    os.makedirs(os.path.dirname(whole), exist_ok=True)
    with open(whole, "w", encoding="utf-8") as file:
        file.write(text)


def learnt(workspace: Workspace) -> str:
    write(workspace, "src/store.py", SOURCE)
    run_git(workspace.project.place.root, "add", "--all")
    run_git(workspace.project.place.root, "commit", "--quiet", "--message", "code")
    return workspace.learn(SAYS, data=pinned(workspace.code, ["src/store.py:Store.open"])).id


def state_of(workspace: Workspace, ident: str) -> tuple[str, bool, bool]:
    """Return the state of the code, and whether a session and a prompt are told the memory."""
    answer = workspace.ask("what does store open give back")
    records = [piece.found.record for piece in answer.pieces if piece.found]
    assert [record.id for record in records] == [ident]
    told = SAYS in workspace.briefs.session().text
    prompted = SAYS in workspace.briefs.prompt("what does Store.open give back?", session="").text
    return workspace.code_states(records)[ident].state, told, prompted


def test_code_that_stays_moves_changes_and_goes() -> None:
    with temporary_workspace(git=True) as workspace:
        ident = learnt(workspace)
        assert state_of(workspace, ident) == ("fresh", True, True)
        write(workspace, "src/store.py", "# a line above\n\n" + SOURCE)
        assert state_of(workspace, ident) == ("fresh", True, True)
        write(workspace, "src/store.py", SOURCE.replace("return path", "return path + '/'"))
        assert state_of(workspace, ident) == ("changed", True, True)
        assert "code changed since: src/store.py:Store.open" in workspace.briefs.session().text
        code = workspace.code
        code.refresh()
        code.close()
        os.rename(
            os.path.join(workspace.project.place.root, "src/store.py"),
            os.path.join(workspace.project.place.root, "src/rows.py"),
        )
        write(workspace, "src/rows.py", SOURCE)
        assert state_of(workspace, ident) == ("moved", True, True)
        write(workspace, "src/rows.py", "def retry(times):\n    pass\n")
        assert state_of(workspace, ident) == ("gone", True, False)
        brief = workspace.briefs.session()
        assert "About code that is gone" in brief.text
        assert "code gone: src/store.py:Store.open" in brief.text
        workspace.briefs.note_injection(brief, session="s", event="SessionStart")
        assert state_of(workspace, ident) == ("gone", False, False)


def test_what_moved_is_pinned_where_it_is_now() -> None:
    with temporary_workspace(git=True) as workspace:
        ident = learnt(workspace)
        root = workspace.project.place.root
        run_git(root, "mv", "src/store.py", "src/rows.py")
        run_git(root, "commit", "--quiet", "--message", "rename")
        assert [one.repinned for one in follow_anchors(workspace, dry_run=True)] == [False]
        (moved,) = follow_anchors(workspace)
        assert moved.repinned
        record = workspace.memories.find(ident).record
        (anchor,) = anchors_in(record.data)
        assert (anchor.path, record.content) == ("src/rows.py", SAYS)
        assert state_of(workspace, ident)[0] == "fresh"
        write(workspace, "src/rows.py", SOURCE.replace("return path", "return path + '/'"))
        assert not follow_anchors(workspace)[0].repinned  # whether it still holds, a person says
        repin(workspace, ident, ["src/rows.py:Store.open"])
        assert state_of(workspace, ident)[0] == "fresh"


def hooked_into(workspace: Workspace) -> Workspace:
    """Open the project as a hook does, with little patience."""
    home = workspace.owner().home.path
    return Workspace.open(
        workspace.project.place.root, home=home, clock=workspace.project.clock, patience=0.2
    )


def test_where_nothing_was_ever_mapped_a_hook_says_so_and_a_reader_maps() -> None:
    with temporary_workspace(git=True) as workspace:
        ident = learnt(workspace)
        shutil.rmtree(os.path.dirname(workspace.code.path))
        os.rename(
            os.path.join(workspace.project.place.root, "src/store.py"),
            os.path.join(workspace.project.place.root, "src/rows.py"),
        )
        with hooked_into(workspace) as hooked:
            brief = hooked.briefs.session().text
        assert "not found, and nothing is mapped yet: src/store.py:Store.open" in brief
        assert state_of(workspace, ident) == ("moved", True, True)


def test_what_is_pinned_is_followed_without_anybody_asking_for_a_map() -> None:
    with temporary_workspace(git=True) as workspace:
        ident = learnt(workspace)
        os.remove(os.path.join(workspace.project.place.root, "src/store.py"))
        with hooked_into(workspace) as hooked:
            assert "code gone" in hooked.briefs.session().text
        assert state_of(workspace, ident) == ("gone", True, False)


def test_one_of_two_places_that_is_left_keeps_a_memory() -> None:
    with temporary_workspace(git=True) as workspace:
        write(workspace, "src/store.py", SOURCE)
        data = pinned(workspace.code, ["src/store.py:Store.open", "src/store.py:retry"])
        record = workspace.learn("Both are needed at start", data=data)
        write(workspace, "src/store.py", SOURCE.replace("def retry", "def again"))
        standing = workspace.code_states([record])[record.id]
        assert not standing.gone
        assert "src/store.py:retry" in standing.told


def test_a_place_that_is_not_there_is_named() -> None:
    with temporary_workspace(git=True) as workspace:
        write(workspace, "src/store.py", SOURCE)
        with pytest.raises(NotFoundError, match=r"defines no 'Store\.opne'"):
            pinned(workspace.code, ["src/store.py:Store.opne"])
        with pytest.raises(NotFoundError, match=r"src/none\.py"):
            pinned(workspace.code, ["src/none.py"])


def test_a_fact_keeps_its_triple_beside_its_anchors() -> None:
    with temporary_workspace(git=True) as workspace:
        write(workspace, "src/store.py", SOURCE)
        record = workspace.remember(
            "store | keeps | rows", kind="fact", data=pinned(workspace.code, ["src/store.py"])
        )
        assert record.data is not None
        assert record.data["subject"] == "store"
        assert record.data["anchors"][0]["path"] == "src/store.py"


def test_a_memory_without_anchors_opens_no_map() -> None:
    with temporary_workspace() as workspace:
        record = workspace.learn("nothing about code")
        assert workspace.code_states([record]) == {}
        assert not os.path.isdir(os.path.dirname(workspace.code.path))
