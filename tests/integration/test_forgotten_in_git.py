"""The receipt names what git still says: old commits, messages, names, the repository of sync."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.installed import needs_command
from integration.test_sync_cli import Two, home_of
from satchel.application.exchange.sharing import share, shareable_records
from satchel.application.forgetting.service import Forgetting, Plan, Selection
from satchel.application.forgetting.values import Receipt
from satchel.core.clock import FixedClock
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

SAID = "The copper heron waits beside the yellow gate valves at night."


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setenv("HOME", str(tmp_path))
    with temporary_workspace(git=True) as made:
        yield made


def root_of(workspace: Workspace) -> str:
    return workspace.project.place.root


def commit(workspace: Workspace, message: str) -> str:
    run_git(root_of(workspace), "add", "--all")
    run_git(root_of(workspace), "commit", "--quiet", "--allow-empty", "--message", message)
    return run_git(root_of(workspace), "rev-parse", "HEAD").strip()


def forget(workspace: Workspace, *given: str) -> Receipt:
    forgetting = Forgetting(workspace)
    return forgetting.apply(forgetting.plan(Selection(given=given)))


def named(receipt: Receipt, what: str) -> list[str]:
    return [one.where for one in receipt.remains if one.what == what]


def learnt_twice(workspace: Workspace) -> tuple[str, str, str]:
    """Share and commit a lesson, and learn it again: the ids of both, and the commit."""
    first = workspace.learn(SAID)
    workspace.refresh()
    own = workspace.memories.own
    share(own, shareable_records(own, workspace.project.shared_kinds))
    told = commit(workspace, "knowledge")
    assert isinstance(workspace.project.clock, FixedClock)
    workspace.project.clock.advance(60)
    second = workspace.learn(SAID, source="somebody else")
    assert second.id != first.id
    return first.id, second.id, told


def brought_back(workspace: Workspace) -> bool:
    """Forget what was learnt twice, bring back the old file, and say whether it stays."""
    _, second, _ = learnt_twice(workspace)
    forget(workspace, second)
    run_git(root_of(workspace), "checkout", "--quiet", "--", ".satchel/knowledge.jsonl")
    workspace.refresh()
    return SAID in Path(root_of(workspace), ".satchel", "knowledge.jsonl").read_text("utf-8")


def test_a_receipt_names_every_id_that_a_lesson_had(workspace: Workspace) -> None:
    first, second, told = learnt_twice(workspace)
    receipt = forget(workspace, second)
    assert set(receipt.ids) == {first, second}
    assert len(receipt.hashes) >= 2
    assert named(receipt, "git history") == [told]


def test_what_was_learnt_twice_does_not_come_back_with_an_old_file(workspace: Workspace) -> None:
    assert not brought_back(workspace)


def test_a_receipt_with_the_newest_ids_alone_is_noticed(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Plan, "ids", property(lambda plan: tuple(one.id for one in (*plan.chosen, *plan.derived)))
    )
    assert brought_back(workspace)


def test_messages_and_names_are_named(workspace: Workspace) -> None:
    record = workspace.learn(SAID)
    told = commit(workspace, f"Close the gate\n\n{SAID}")
    run_git(root_of(workspace), "tag", "--annotate", "v1", "--message", SAID)
    run_git(root_of(workspace), "branch", "the-copper-heron-waits-beside-the-gate")
    receipt = forget(workspace, record.id)
    assert named(receipt, "git history") == [told]
    assert len(named(receipt, "a tag in git")) == 1
    assert named(receipt, "the name of a branch or tag") == [root_of(workspace)]
    assert "heron" not in str(receipt)


def test_commits_of_other_files_are_named(workspace: Workspace) -> None:
    record = workspace.learn(SAID)
    Path(root_of(workspace), "GATES.md").write_text(f"# Gates\n\nNote: {SAID}\n", "utf-8")
    told = commit(workspace, "Describe gates")
    Path(root_of(workspace), "GATES.md").write_text("# Gates\n", "utf-8")
    later = commit(workspace, "Shorten")
    commit(workspace, "Something else")
    assert set(named(forget(workspace, record.id), "git history")) == {told, later}


def test_a_word_of_its_own_counts_though_a_copy_has_it_too(workspace: Workspace) -> None:
    record = workspace.learn("The zebraquux77 pump: the copper heron waits beside yellow valves.")
    workspace.remember(
        "The zebraquux77 pump: the copper heron waits beside yellow valves.", kind="decision"
    )
    workspace.remember("Start zebraquux77 by hand.", kind="checkpoint")
    receipt = forget(workspace, record.id)
    assert len(receipt.ids) == 2
    state = Path(workspace.project.state.path)
    assert not [p for p in state.rglob("*.jsonl") if b"zebraquux77" in p.read_bytes()]


@pytest.mark.skipif(bool(needs_command()), reason=needs_command())
@pytest.mark.parametrize("shared", [False, True])
def test_the_repository_of_sync_is_named(tmp_path: Path, shared: bool) -> None:  # noqa: FBT001
    two = Two(tmp_path)
    if not shared:
        two.meet()
    two.one.ok("learn", SAID, at=two.here)
    if shared:
        two.meet()
    said = two.one.ok("forget", "--query", "heron", "--yes", at=two.here)
    assert (str(home_of(two.one) / "sync" / "repository") in said) is shared
    assert ("Nothing found on this machine" in said) is not shared
