from pathlib import Path

import pytest

from satchel.application.exchange.sharing import (
    contradictions_of,
    scrubbed_for_team,
    share,
    shareable_records,
)
from satchel.core.clock import FixedClock
from satchel.core.errors import ConflictError
from satchel.engine.search.documents import Filter
from satchel.storage.git_attributes import keep_attributes
from satchel.storage.ledger.lines import decode
from satchel.storage.ledger.record import Record
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace


def offered(workspace: Workspace) -> list[str]:
    workspace.refresh()
    kinds = workspace.project.shared_kinds
    return sorted(record.content for record in shareable_records(workspace.memories.own, kinds))


def share_all(workspace: Workspace) -> list[Record]:
    workspace.refresh()
    return share(
        workspace.memories.own,
        shareable_records(workspace.memories.own, workspace.project.shared_kinds),
    )


def test_what_is_meant_for_a_team_is_offered_and_nothing_else() -> None:
    with temporary_workspace() as workspace:
        for kind in ("learned", "decision", "constraint", "checkpoint", "next_step", "insight", "activity",
                     "preference", "context"):  # fmt: skip
            workspace.remember(f"a {kind}", kind=kind)
        workspace.remember("a | fact | here", kind="fact")
        workspace.learn("a private lesson", visibility="private")
        deleted = workspace.learn("a deleted lesson")
        workspace.memories.delete(deleted.id)
        workspace.learn("an expired lesson", expires_in=1)
        assert isinstance(workspace.project.clock, FixedClock)
        workspace.project.clock.advance(5)
        assert offered(workspace) == ["a constraint", "a decision", "a learned", "a | fact | here"]


def test_what_was_replaced_or_put_aside_before_anybody_saw_it_stays_here() -> None:
    with temporary_workspace() as workspace:
        workspace.remember("Use Kafka for events, not RabbitMQ", kind="decision")
        workspace.remember("We drop Kafka for events, a table is enough", kind="decision")
        workspace.learn("an idea that was taken back", tags=("archived",))
        assert offered(workspace) == ["We drop Kafka for events, a table is enough"]


def test_a_private_record_never_becomes_shared_by_a_later_version() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("between us", visibility="private")
        workspace.rebuild()
        assert share_all(workspace) == []
        assert not Path(workspace.project.tracked.knowledge).exists()


def test_sharing_is_offered_once_and_again_for_a_newer_version() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("use sqlite", session="s-1", worktree="/home/me/tree")
        (line,) = share_all(workspace)
        assert (line.session, line.worktree) == ("", "")
        assert offered(workspace) == []
        assert isinstance(workspace.project.clock, FixedClock)
        workspace.project.clock.advance(10)
        workspace.learn("use sqlite", source="somebody else")
        assert offered(workspace) == ["use sqlite"]
        share_all(workspace)
        assert len(workspace.memories.list(Filter(), 10)) == 1


def test_sharing_the_same_record_twice_writes_one_line() -> None:
    with temporary_workspace() as workspace:
        record = workspace.learn("use sqlite")
        workspace.refresh()
        share(workspace.memories.own, [record])
        workspace.refresh()
        share(workspace.memories.own, [record])
        assert len(Path(workspace.project.tracked.knowledge).read_bytes().splitlines()) == 1


def test_shared_lines_are_whole_and_nobodys_edit() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("ünïcode 🦊 and\nlines", tags=("a", "b"))
        share_all(workspace)
        (raw,) = Path(workspace.project.tracked.knowledge).read_bytes().splitlines()
        record = decode(raw).record
        assert record is not None
        assert not record.edited
        assert "\n" in record.content


def test_two_branches_that_both_share_merge_without_a_conflict() -> None:
    with temporary_workspace(git=True) as workspace:
        root = workspace.project.place.root
        workspace.learn("on main")
        run_git(root, "checkout", "--quiet", "-b", "side")
        share_all(workspace)
        run_git(root, "add", "--all")
        run_git(root, "commit", "--quiet", "--message", "side")
        run_git(root, "checkout", "--quiet", "main")
        workspace.learn("more on main")
        share_all(workspace)
        run_git(root, "add", "--all")
        run_git(root, "commit", "--quiet", "--message", "main")
        run_git(root, "merge", "--quiet", "--no-edit", "side")
        contents = [item.record.content for item in workspace.memories.list(Filter(), 10)]
        assert sorted(contents) == ["more on main", "on main"]
        assert offered(workspace) == []


def test_the_attributes_file_keeps_what_the_team_wrote(tmp_path: Path) -> None:
    attributes = tmp_path / ".gitattributes"
    attributes.write_text("*.png binary", "utf-8")
    ledger = str(tmp_path / "knowledge.jsonl")
    for _ in range(2):
        keep_attributes(ledger)
    assert attributes.read_text("utf-8").splitlines() == [
        "*.png binary",
        "knowledge.jsonl text eol=lf merge=union",
        "knowledge.archive.jsonl text eol=lf merge=union",
    ]


def test_a_ledger_that_leads_elsewhere_is_not_written(tmp_path: Path) -> None:
    with temporary_workspace() as workspace:
        workspace.learn("x")
        Path(workspace.project.tracked.knowledge).symlink_to(tmp_path / "elsewhere")
        with pytest.raises(ConflictError, match="does not write"):
            share_all(workspace)
        assert not (tmp_path / "elsewhere").exists()


def test_a_directory_that_leads_elsewhere_is_not_written(tmp_path: Path) -> None:
    with temporary_workspace(settings='[layout]\npreset = "agents"\n') as workspace:
        workspace.learn("x")
        (tmp_path / "elsewhere").mkdir()
        Path(workspace.project.place.root, ".agents").symlink_to(tmp_path / "elsewhere")
        with pytest.raises(ConflictError, match="does not write"):
            share_all(workspace)
        assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_record_is_redacted_again_on_its_way_out() -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    record = scrubbed_for_team(
        Record(kind="learned", content=f"use {secret}", key="k", data={"a": [secret]})
    )
    assert secret not in repr(record)


def test_each_statement_is_taken_apart_once_however_many_it_is_compared_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sharing 3,306 lines took 96 seconds: every pair took both of its statements apart."""
    from satchel.engine.statements import contradictions
    from satchel.engine.statements import subject_words as statement_words

    contradictions._statement.cache_clear()
    counted: list[str] = []
    plain = statement_words.words_of

    def counting(text: str) -> list[str]:
        counted.append(text)
        return plain(text)

    monkeypatch.setattr(contradictions, "words_of", counting)
    with temporary_workspace() as workspace:
        for number in range(60):
            workspace.learn(f"topic{chr(97 + number % 26)}{number} wants gadget{number}")
        workspace.refresh()
        records = shareable_records(workspace.memories.own, workspace.project.shared_kinds)
        counted.clear()
        contradictions._statement.cache_clear()
        contradictions_of(workspace.memories.own, records)
    assert len(counted) == 60
