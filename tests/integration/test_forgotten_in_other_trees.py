"""What one machine forgot is looked for in the other machine's work trees, and what is left named."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.installed import needs_command
from integration.seeded_bugs import plant
from integration.test_sync_cli import Two, home_of
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

LESSON = "The quokka relay listens on the seventh port behind the turbine."


@pytest.fixture
def two(tmp_path: Path) -> Two:
    """Two machines with one lesson; the second has two clones, one of them with a second tree."""
    two = Two(tmp_path)
    two.one.ok("learn", LESSON, at=two.here)
    two.meet()
    run_git(str(two.there), "worktree", "add", "--quiet", "-b", "side", str(tmp_path / "beside"))
    run_git(str(tmp_path), "clone", "--quiet", str(two.here), str(tmp_path / "again"))
    for tree in trees(two):
        two.two.ok("list", at=tree)
        (tree / ".satchel" / "sessions").mkdir(parents=True)
        (tree / ".satchel" / "sessions" / "a.md").write_text(f"We said: {LESSON}\nAnd more.\n")
        (tree / "notes.md").write_text(f"Remember: {LESSON}\n")
        (tree / "other.md").write_text("The wombat ladder reaches the upper gate of the lock.\n")
    return two


def trees(two: Two) -> list[Path]:
    return [two.there, two.there.parent / "beside", two.there.parent / "again"]


def saying(*roots: Path) -> list[Path]:
    """Name the files below directories that say it, without git's own."""
    every = (path for root in roots for path in root.rglob("*"))
    files = (path for path in every if path.is_file() and ".git" not in path.parts)
    return sorted(path for path in files if b"quokka" in path.read_bytes())


def test_sessions_in_work_trees_lose_the_words_and_files_of_the_person_are_named(two: Two) -> None:
    own = sorted(tree / "notes.md" for tree in trees(two))
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    two.one.ok("sync", "now")
    told = two.two.json("sync", "now")
    assert saying(*trees(two)) == own, "only what is the person's own stays"
    assert [path.read_text() for path in own] == [f"Remember: {LESSON}\n"] * 3
    assert {Path(one["where"]) for one in told["left"]} >= {path.resolve() for path in own}
    receipts = two.two.json("forget", "--receipts", at=two.there)
    assert [one["remains"] for one in receipts] == [told["left"]]
    assert sorted(Path(place["path"]) for place in receipts[0]["places"]) == sorted(
        (tree / ".satchel" / "sessions" / "a.md").resolve() for tree in trees(two)
    )
    assert two.two.json("sync", "now")["left"] == [], "nobody is told twice"


def test_what_one_says_is_said_in_words_without_the_words(two: Two) -> None:
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    two.one.ok("sync", "now")
    said = two.two.ok("sync", "now")
    assert f"left: {two.there.resolve()}/notes.md: a file of the work tree: is your own" in said
    assert "quokka" not in said


def test_a_commit_that_says_it_is_named(two: Two) -> None:
    run_git(str(two.there), "add", "notes.md")
    run_git(str(two.there), "commit", "--quiet", "-m", "Write it down")
    head = run_git(str(two.there), "rev-parse", "HEAD").strip()
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    two.one.ok("sync", "now")
    left = two.two.json("sync", "now")["left"]
    assert [one["what"] for one in left if one["where"] == head] == ["git history"]


def test_a_person_who_forgets_in_every_project_is_told_of_every_project(two: Two) -> None:
    other = two.two.repository("other")
    (other / "notes.md").write_text("The tapir signal means that the harbour bridge is closed.\n")
    said = "The tapir signal means that the harbour bridge is closed."
    two.one.ok("learn", "--user", said, at=two.here)
    two.meet()
    two.one.ok("forget", "--query", "tapir", "--yes", at=two.here)
    two.one.ok("sync", "now")
    left = two.two.json("sync", "now")["left"]
    assert str((other / "notes.md").resolve()) in [one["where"] for one in left]


def test_a_project_that_forgot_nothing_is_left_alone(two: Two) -> None:
    other = two.two.repository("other")
    (other / ".satchel" / "sessions").mkdir()
    kept = other / ".satchel" / "sessions" / "b.md"
    kept.write_text(f"We said: {LESSON}\n")
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    two.one.ok("sync", "now")
    left = two.two.json("sync", "now")["left"]
    assert kept.read_text() == f"We said: {LESSON}\n"
    assert not [one for one in left if one["where"].startswith(str(other.resolve()))]


def test_a_dry_run_changes_no_work_tree(two: Two) -> None:
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    two.one.ok("sync", "now")
    before = saying(*trees(two))
    two.two.ok("sync", "now", "--dry-run")
    assert saying(*trees(two)) == before
    two.two.ok("sync", "now")
    assert len(saying(*trees(two))) == 3
    assert saying(home_of(two.two)) == []


#: A round that is killed right after it wrote what came.
KILLED = """
written = append_lines
def append_lines(path, lines):
    written(path, lines)
    if lines:
        import os
        os._exit(9)
"""


def test_a_round_that_was_killed_leaves_a_receipt_that_names_the_rest(two: Two) -> None:
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    two.one.ok("sync", "now")
    plant(two.two, "satchel.application.exchange.sync.service", KILLED)
    assert two.two.run("sync", "now").code == 9
    del two.two.environment["PYTHONPATH"]
    two.two.ok("sync", "now")
    receipts = two.two.json("forget", "--receipts", at=two.there)
    named = {one["where"] for receipt in receipts for one in receipt["remains"]}
    assert {str((tree / "notes.md").resolve()) for tree in trees(two)} <= named
    assert saying(home_of(two.two)) == []


def test_a_sync_that_looks_at_no_work_tree_is_noticed(two: Two) -> None:
    seed = "scrub_outside = lambda *_: Outside()"
    plant(two.two, "satchel.application.exchange.sync.forgotten", seed)
    with pytest.raises(AssertionError):
        test_sessions_in_work_trees_lose_the_words_and_files_of_the_person_are_named(two)
