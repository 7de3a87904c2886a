"""Memories pinned to code: fresh, moved, changed or gone, by what git and the files say."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.errors import NotFoundError
from satchel.features.code.anchors.rules import (
    CHANGED,
    FRESH,
    GONE,
    MOVED,
    Anchor,
    anchors_in,
    as_data,
    find_elsewhere,
    lines_of,
    state_here,
    text_hash,
)
from satchel.features.code.map.repository import Repository
from satchel.features.code.symbols.parsing import parse
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

DIVE = "def dive(far):\n    deep = far * 2\n    if deep > 10:\n        return 10\n    return deep\n"
SEA = 'class Sea:\n    """Wide."""\n\n    def tide(self):\n        return 1\n\n\n' + DIVE


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as opened:
        put(opened, "sea.py", SEA)
        run_git(opened.project.place.root, "add", "--all")
        run_git(opened.project.place.root, "commit", "--quiet", "--message", "sea")
        yield opened


def put(workspace: Workspace, path: str, text: str) -> None:
    Path(workspace.project.place.root, path).write_text(text)


def state(workspace: Workspace, anchor: Anchor) -> tuple[str, str, str, int]:
    with workspace.code as code:
        found = code.states([anchor])[0]
        return found.state, found.path, found.symbol, found.line


def pinned(workspace: Workspace, path: str, symbol: str = "") -> Anchor:
    with workspace.code as code:
        return code.pin(path, symbol)


def test_an_anchor_knows_path_symbol_hash_and_commit(workspace: Workspace) -> None:
    anchor = pinned(workspace, "sea.py", "tide")
    assert (anchor.path, anchor.symbol) == ("sea.py", "Sea.tide")
    assert anchor.commit == run_git(workspace.project.place.root, "rev-parse", "HEAD").strip()
    assert anchor.blob == run_git(workspace.project.place.root, "hash-object", "sea.py").strip()
    assert state(workspace, anchor)[:2] == (FRESH, "sea.py")


def test_edits_elsewhere_and_other_blanks_leave_it_fresh(workspace: Workspace) -> None:
    anchor = pinned(workspace, "sea.py", "dive")
    put(workspace, "sea.py", "# new\n\n" + SEA.replace("deep = far * 2", "deep  =  far*2"))
    assert state(workspace, anchor) == (FRESH, "sea.py", "dive", 10)


def test_an_edit_of_it_is_a_change(workspace: Workspace) -> None:
    anchor = pinned(workspace, "sea.py", "dive")
    put(workspace, "sea.py", SEA.replace("far * 2", "far * 3"))
    assert state(workspace, anchor) == (CHANGED, "sea.py", "dive", 8)


def test_moved_as_it_was_or_a_little_different_it_is_found(workspace: Workspace) -> None:
    anchor = pinned(workspace, "sea.py", "dive")
    put(workspace, "sea.py", "x = 1\n")
    put(workspace, "deep.py", "import os\n\n" + DIVE)
    assert state(workspace, anchor) == (MOVED, "deep.py", "dive", 3)
    put(workspace, "deep.py", "import os\n\n" + DIVE.replace("> 10", "> 11"))
    assert state(workspace, anchor) == (CHANGED, "deep.py", "dive", 3)


def committed(workspace: Workspace, old: str, new: str, text: str = "") -> None:
    root = workspace.project.place.root
    Path(root, new).parent.mkdir(exist_ok=True)
    run_git(root, "mv", old, new)
    if text:
        put(workspace, new, text)
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message", f"{old} to {new}")


@pytest.mark.parametrize("symbol", ["", "dive"])
def test_renames_are_followed_across_commits(workspace: Workspace, symbol: str) -> None:
    anchor = pinned(workspace, "sea.py", symbol)
    committed(workspace, "sea.py", "water/ocean.py")
    assert state(workspace, anchor)[:2] == (MOVED, "water/ocean.py")
    other = SEA.replace("far * 2", "far * 3").replace("10", "12")
    committed(workspace, "water/ocean.py", "deep.py", other)
    assert state(workspace, anchor)[:2] == (CHANGED, "deep.py")


def test_without_git_a_file_that_was_renamed_and_edited_is_lost(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seeded bug: only the map is asked where a file is."""
    monkeypatch.setattr(Repository, "renames_since", lambda *_: [])
    anchor = pinned(workspace, "sea.py")
    committed(workspace, "sea.py", "ocean.py", SEA.replace("far * 2", "far * 3"))
    assert state(workspace, anchor)[0] == GONE


def test_another_thing_of_the_same_name_is_not_it(workspace: Workspace) -> None:
    anchor = pinned(workspace, "sea.py", "dive")
    put(workspace, "sea.py", "x = 1\n")
    put(workspace, "plane.py", "def dive(plane):\n    plane.nose = 'down'\n    plane.pray()\n")
    assert state(workspace, anchor)[0] == GONE


def test_removed_with_its_file_it_is_gone_and_back_again_fresh(workspace: Workspace) -> None:
    anchor = pinned(workspace, "sea.py", "dive")
    Path(workspace.project.place.root, "sea.py").unlink()
    assert state(workspace, anchor)[0] == GONE
    run_git(workspace.project.place.root, "checkout", "--quiet", "sea.py")
    assert state(workspace, anchor)[0] == FRESH


def test_a_whole_file_may_be_pinned(workspace: Workspace) -> None:
    anchor = pinned(workspace, "sea.py")
    assert state(workspace, anchor)[0] == FRESH
    Path(workspace.project.place.root, "sea.py").rename(
        Path(workspace.project.place.root, "ocean.py")
    )
    assert state(workspace, anchor)[:2] == (MOVED, "ocean.py")
    put(workspace, "sea.py", "y = 2\n")
    assert state(workspace, anchor)[0] == CHANGED


def test_what_is_not_there_cannot_be_pinned(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError, match="defines no 'tied'") as caught:
        pinned(workspace, "sea.py", "tied")
    assert "Sea.tide" in caught.value.hint
    with pytest.raises(NotFoundError, match="not a file of this project"):
        pinned(workspace, "../outside.py", "x")


def test_what_is_at_its_path_needs_no_map(workspace: Workspace) -> None:
    anchor = pinned(workspace, "sea.py", "dive")
    with workspace.code as code:
        assert code.states([anchor])[0].state == FRESH
        assert not Path(code.path).exists()


def test_outside_of_git_it_works_by_the_files_alone() -> None:
    with temporary_workspace() as opened:
        put(opened, "sea.py", SEA)
        anchor = pinned(opened, "sea.py", "Sea.tide")
        assert anchor.commit == ""
        put(opened, "sea.py", SEA + "\n")
        assert state(opened, anchor)[0] == FRESH
        put(opened, "sea.py", DIVE)
        assert state(opened, anchor)[0] == GONE


def test_anchors_survive_a_record_and_what_is_none_is_left_out() -> None:
    anchors = [Anchor("a.py", "f", "h", "c", "b"), Anchor("b.py", "", "h")]
    assert anchors_in(as_data(anchors)) == anchors
    odd = {"anchors": [{"path": 3}, "x", {"symbol": "f"}, {"path": "a", "hash": 1}]}
    assert anchors_in(odd) == [Anchor("a", "", "")]
    assert anchors_in(None) == anchors_in({"anchors": 3}) == anchors_in([]) == []


@given(st.lists(st.text("ab \t", max_size=6), max_size=8))
def test_blanks_never_matter_to_the_hash(lines: list[str]) -> None:
    spaced = [" " + line.replace("a", " a\t") for line in lines]
    assert text_hash(lines) == text_hash([*spaced, "", "   "])


def test_a_definition_that_only_got_another_name_is_found_in_its_file() -> None:
    text = "def echo(words):\n    for word in words:\n        print(word)\n    return echo\n"
    [symbol] = parse("a.py", text.encode()).symbols
    anchor = Anchor("a.py", "echo", text_hash(lines_of(symbol, text)))
    now = text.replace("echo", "shout") + "\n\ndef other(words):\n    a\n    b\n    c\n"
    state = state_here(anchor, parse("a.py", now.encode()).symbols, now)
    assert state is not None
    assert (state.state, state.path, state.symbol) == (MOVED, "a.py", "shout")
    twice = now + "\n\n" + text.replace("echo", "cry")
    assert state_here(anchor, parse("a.py", twice.encode()).symbols, twice) is None


def test_a_getter_of_another_class_is_not_the_one_that_was_deleted() -> None:
    getter = "    def get(self):\n        return 1\n"
    text = "class B:\n" + getter
    [symbol] = [s for s in parse("t.py", text.encode()).symbols if s.name == "get"]
    lines = lines_of(symbol, text)
    anchor = Anchor("t.py", "A.get", text_hash(lines))
    assert find_elsewhere(anchor, [("t.py", symbol, lines)], []).state == GONE
    same = symbol._replace(parent="A")
    assert find_elsewhere(anchor, [("u.py", same, lines)], []).state == MOVED
