"""A repository that lists another one's work tree as its own gets nothing of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from satchel.application.forgetting.service import Forgetting, Selection
from satchel.storage import work_trees as listing
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

SAID = "The quorvex relay listens behind the amber gateway on port 4417."


@pytest.fixture
def unpacked() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        yield workspace


@pytest.fixture
def theirs(unpacked: Workspace, tmp_path: Path) -> Path:
    """Make a repository whose shared line says it, listed by the other one."""
    run_git(str(tmp_path), "init", "--quiet")
    ledger = tmp_path / ".satchel" / "knowledge.jsonl"
    ledger.parent.mkdir()
    with temporary_workspace() as other:
        other.remember(SAID, kind="decision")
        ledger.write_bytes(Path(other.project.state.ledger("knowledge")).read_bytes())
    entry = Path(unpacked.project.place.common, "worktrees", "x")
    entry.mkdir(parents=True)
    (entry / "gitdir").write_text(f"{tmp_path}/.git\n")
    (entry / "HEAD").write_text("ref: refs/heads/main\n")
    (entry / "commondir").write_text("../..\n")
    return ledger


def forget(unpacked: Workspace) -> None:
    forgetting = Forgetting(unpacked)
    made = unpacked.remember(SAID, kind="decision")
    forgetting.apply(forgetting.plan(Selection((made.id,))))


def test_forgetting_erases_nothing_in_another_repository(unpacked: Workspace, theirs: Path) -> None:
    forget(unpacked)
    assert SAID in theirs.read_text()


def test_a_list_that_is_believed_is_caught(
    unpacked: Workspace, theirs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "_is_of", lambda *_: True)
    forget(unpacked)
    assert SAID not in theirs.read_text()


def test_every_work_tree_of_its_own_is_listed(unpacked: Workspace, tmp_path: Path) -> None:
    root = unpacked.project.place.root
    for name in ("a", "b c"):
        run_git(root, "worktree", "add", "--quiet", "-b", name[0], str(tmp_path / name))
    run_git(str(tmp_path), "clone", "--quiet", "--bare", root, "bare.git")
    run_git(str(tmp_path / "bare.git"), "worktree", "add", "--quiet", str(tmp_path / "d"), "a")
    tops = [root, str(tmp_path / "a"), str(tmp_path / "b c")]
    assert [one.path for one in listing.work_trees(root)] == tops
    assert [one.path for one in listing.work_trees(str(tmp_path / "a"))] == tops
    assert [one.path for one in listing.work_trees(str(tmp_path / "d"))] == [str(tmp_path / "d")]
