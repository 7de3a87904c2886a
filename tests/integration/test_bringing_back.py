"""What a deletion leaves for colleagues, how it is taken back, and what `undo` says before it acts."""

import json
from pathlib import Path

import pytest

from reliability.stand import Stand

LESSON = "Retry the upload three times before giving up."


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    return Stand(str(tmp_path / "p"))


def learnt(stand: Stand, text: str = LESSON) -> str:
    return str(json.loads(stand.satchel("learn", text, "--json").out)["id"])


def shown(stand: Stand) -> bool:
    return LESSON.encode() in stand.satchel("memory", "list").out


def tracked(stand: Stand) -> str:
    return Path(stand.path("repo", ".satchel", "knowledge.jsonl")).read_text("utf-8")


def test_deleting_what_is_shared_says_so_and_offers_the_share(stand: Stand) -> None:
    ident = learnt(stand)
    assert stand.satchel("share", "--yes").code == 0
    ran = stand.satchel("memory", "delete", ident, "--yes")
    assert ran.code == 0
    assert b"colleagues go on seeing it" in ran.out
    assert b"satchel share " in ran.out
    assert "deleted_at" not in tracked(stand)
    assert stand.satchel("share", ident, "--yes").code == 0
    assert "deleted_at" in tracked(stand)


def test_a_deletion_is_shared_in_the_same_breath(stand: Stand) -> None:
    ident = learnt(stand)
    assert stand.satchel("share", "--yes").code == 0
    ran = stand.satchel("memory", "delete", ident, "--yes", "--share")
    assert b"Shared the deletion" in ran.out
    # Not the opposite in the line before it.
    assert b"go on seeing it" not in ran.out
    assert "deleted_at" in tracked(stand)


def test_deleting_what_is_private_says_nothing_of_colleagues(stand: Stand) -> None:
    ran = stand.satchel("memory", "delete", learnt(stand), "--yes", "--share")
    assert b"colleagues" not in ran.out
    assert b"It was never shared" in ran.out


def test_an_edit_is_what_undo_takes_back_where_it_came_last(stand: Stand) -> None:
    ident = learnt(stand, "Retry twice.")
    assert stand.satchel("edit", ident, LESSON).code == 0
    told = stand.satchel("undo", "--dry-run").out
    assert b"was edited" in told
    assert b"Before: Retry twice." in told
    assert b"says again: Retry twice." in stand.satchel("undo", "--yes").out
    assert not shown(stand)
    # Taking back is no edit that a second `undo` would take back.
    assert b"was edited" not in stand.satchel("undo", "--dry-run").out


@pytest.mark.parametrize("words", [("memory", "restore"), ("restore",)])
def test_a_deleted_memory_is_brought_back(stand: Stand, words: tuple[str, ...]) -> None:
    ident = learnt(stand)
    assert stand.satchel("memory", "delete", ident, "--yes").code == 0
    assert not shown(stand)
    ran = stand.satchel(*words, ident)
    assert ran.code == 0, ran.text
    assert LESSON.encode() in ran.out
    assert shown(stand)
    assert LESSON.encode() in stand.satchel("recall", "retry upload").out
    assert stand.satchel("memory", "restore", ident).code == 2
    assert stand.satchel("memory", "delete", ident, "--yes").code == 0
    assert not shown(stand)


def test_what_was_forgotten_is_not_brought_back(stand: Stand) -> None:
    ident = learnt(stand)
    assert stand.satchel("forget", ident, "--yes").code == 0
    ran = stand.satchel("memory", "restore", ident)
    assert ran.code == 4, ran.text
    assert b"forgotten" in ran.err


def test_undo_brings_back_the_memory_that_was_deleted_last(stand: Stand) -> None:
    ident = learnt(stand)
    assert stand.satchel("memory", "delete", ident, "--yes").code == 0
    named = stand.satchel("undo")
    assert named.code == 2
    assert b"was hidden" in named.out
    assert not shown(stand)
    ran = stand.satchel("undo", "--yes")
    assert ran.code == 0, ran.text
    assert shown(stand)


def test_undo_brings_back_a_soft_rule_as_it_was(stand: Stand) -> None:
    added = ("rules", "add", "Use pnpm, not npm", "--confidence", "0.8", "--scope", "universal")
    assert stand.satchel(*added).code == 0
    before = json.loads(stand.satchel("rules", "--json").out)["instincts"][0]
    assert stand.satchel("rules", "remove", "Use pnpm", "--yes").code == 0
    assert b"a soft rule was removed" in stand.satchel("undo", "--dry-run").out
    assert stand.satchel("undo", "--yes").code == 0
    after = json.loads(stand.satchel("rules", "--json").out)["instincts"][0]
    assert {**after, "line": 0, "id": ""} == {**before, "line": 0, "id": ""}
    assert b"a soft rule was removed" not in stand.satchel("undo", "--dry-run").out


def test_undo_names_what_it_takes_back_before_it_does(stand: Stand) -> None:
    learnt(stand)
    assert stand.satchel("share", "--yes").code == 0
    project = Path(stand.path("repo", ".satchel", "project.toml"))
    before = project.read_bytes()
    for words in (("undo", "--setup"), ("undo", "--setup", "--dry-run")):
        ran = stand.satchel(*words)
        assert b"`init`, `install`, `adopt`" in ran.out
        assert str(project).encode() + b": removed" in ran.out
        assert project.read_bytes() == before
    assert stand.satchel("undo", "--setup", "--yes").code == 0
    assert not project.exists()
