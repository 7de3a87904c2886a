"""Deleted and forgotten memories do not come back, whichever way a copy of them returns."""

from collections.abc import Iterator

import pytest

from satchel.application.exchange.sharing import share, shareable_records
from satchel.core.clock import FixedClock
from satchel.core.errors import BadInputError
from satchel.engine.search import catching_up
from satchel.engine.search.documents import Filter
from satchel.storage.database.queries import load_queries
from satchel.storage.ledger.record import Record
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

_DAY = 86_400


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as made:
        yield made


def clock_of(workspace: Workspace) -> FixedClock:
    assert isinstance(workspace.project.clock, FixedClock)
    return workspace.project.clock


def contents(workspace: Workspace) -> list[str]:
    workspace.refresh()
    return [item.record.content for item in workspace.memories.list(Filter(), 100)]


def share_all(workspace: Workspace) -> list[Record]:
    workspace.refresh()
    kinds = workspace.project.shared_kinds
    return share(workspace.memories.own, shareable_records(workspace.memories.own, kinds))


def commit(workspace: Workspace, message: str) -> None:
    run_git(workspace.project.place.root, "add", "--all")
    run_git(workspace.project.place.root, "commit", "--quiet", "--message", message)


def merged_after_a_purge(workspace: Workspace, *, twice: bool = False) -> Record:
    """Share on a branch, delete on main, purge a month later, merge; return what was shared."""
    root = workspace.project.place.root
    record = workspace.learn("Retry the upload three times before giving up.")
    run_git(root, "checkout", "--quiet", "-b", "side")
    share_all(workspace)
    commit(workspace, "side")
    run_git(root, "checkout", "--quiet", "main")
    newest = record
    if twice:
        clock_of(workspace).advance(60)
        newest = workspace.learn("Retry the upload three times before giving up.", source="again")
        assert newest.id != record.id
    workspace.memories.delete(newest.id)
    clock_of(workspace).advance(31 * _DAY)
    assert "purge" in workspace.upkeep("purge", dry_run=False, confirmed=True)
    run_git(root, "merge", "--quiet", "--no-edit", "side")
    return record


@pytest.mark.parametrize("twice", [False, True])
def test_what_was_purged_does_not_come_back_with_a_merge(
    workspace: Workspace, *, twice: bool
) -> None:
    record = merged_after_a_purge(workspace, twice=twice)
    assert contents(workspace) == []
    assert workspace.recall("retry the upload").items == ()
    with pytest.raises(BadInputError):
        workspace.memories.delete(record.id)
    workspace.rebuild()
    assert contents(workspace) == []
    assert workspace.memories.own.index.problems() == []


def test_what_was_purged_can_be_taken_from_the_team_as_well(workspace: Workspace) -> None:
    merged_after_a_purge(workspace)
    (line,) = share_all(workspace)
    assert line.deleted_at is not None
    assert line.content == ""
    assert share_all(workspace) == []


def test_two_lines_with_one_id_are_not_ambiguous(workspace: Workspace) -> None:
    record = workspace.learn("Retry the upload three times.")
    other = record._replace(content="Retry it twice.", key="learned-other", text_id="", rev=1)
    workspace.memories.own.append([other._replace(hash="", ts=record.ts + 1)])
    workspace.refresh()
    assert workspace.memories.find(record.id).record.content == "Retry it twice."
    workspace.memories.delete(record.id)
    assert contents(workspace) == []


def test_an_index_that_matches_tombstones_by_key_alone_is_caught(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def by_key(place: str, name: str) -> dict[str, str]:
        found = load_queries(place, name)
        return {
            k: sql.replace("n.id = d.id AND n.deleted", "0 AND n.deleted")
            for k, sql in found.items()
        }

    monkeypatch.setattr(catching_up, "load_queries", by_key)
    workspace.close()
    merged_after_a_purge(workspace)
    assert contents(workspace) == ["Retry the upload three times before giving up."]
