"""What a colleague shared can be refused, and taking an approval back says what is true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from integration.somebody import Somebody, begun, cloned

BOB = ("Bob", "bob@example.org")
RULE, OTHER = "Never push to main without a review.", "Always deploy on Fridays."


@pytest.fixture
def bob(tmp_path: Path) -> Somebody:
    one = begun(tmp_path / "bob", BOB)
    one.shares(RULE, OTHER)
    return one


@pytest.fixture
def ann(bob: Somebody, tmp_path: Path) -> Somebody:
    return cloned(tmp_path / "ann", bob)


def waits(one: Somebody) -> dict[str, str]:
    """Text of what waits -> its id."""
    return {
        row["content"]: row["id"] for row in json.loads(one.satchel("approve", "--json"))["held"]
    }


def test_a_refused_line_is_never_asked_about_or_shown_again(ann: Somebody) -> None:
    ids = waits(ann)
    told = ann.satchel("approve", "--reject", ids[OTHER])
    assert f"Put aside: {OTHER}" in told
    assert set(waits(ann)) == {RULE}
    ann.satchel("approve", "--repository", "--yes")
    assert RULE in ann.starts()
    assert OTHER not in ann.starts()
    assert OTHER not in ann.satchel("recall", "deploy on Fridays")
    assert OTHER not in ann.satchel("list")
    # A pull asks no second time, and neither does `--all`.
    ann.satchel("approve", "--revoke", "--repository")
    ann.satchel("approve", "--all", "--yes")
    assert OTHER not in ann.starts()
    assert OTHER in (ann.root / ".satchel" / "knowledge.jsonl").read_text()
    assert "put aside already" in ann.complaint("approve", "--reject", ids[OTHER])
    assert "no longer put aside" in ann.satchel("approve", "--revoke", ids[OTHER])
    assert set(waits(ann)) == {OTHER}


def test_several_are_refused_at_once_and_what_was_let_in_too(ann: Somebody) -> None:
    ids = waits(ann)
    ann.satchel("approve", "--author", BOB[1], "--yes")
    told = ann.satchel("approve", "--reject", *ids.values())
    assert told.count("Put aside: ") == 2
    assert RULE not in ann.starts()
    ann.satchel("remember", "--kind", "rule", "Mine alone.")
    mine = json.loads(ann.satchel("list", "--json"))[0]["id"]
    assert "your own" in ann.complaint("approve", "--reject", mine)


def test_revoking_says_what_is_true(ann: Somebody) -> None:
    ids = waits(ann)
    assert "was never approved: it waits" in ann.satchel("approve", "--revoke", ids[RULE])
    ann.satchel("approve", "--author", BOB[1], "--yes")
    told = ann.satchel("approve", "--revoke", ids[RULE])
    assert "was never approved" in told
    assert f"--revoke --author {BOB[1]}" in told
    assert "was not approved as an author" in ann.satchel(
        "approve", "--revoke", "--author", "eve@example.org"
    )


def test_an_authors_end_names_the_approval_that_still_lets_them_in(ann: Somebody) -> None:
    ann.satchel("approve", "--author", BOB[1], "--repository", "--yes")
    told = ann.satchel("approve", "--revoke", "--author", BOB[1])
    assert "still comes in" in told
    assert "`satchel approve --revoke --repository` ends that." in told
    assert RULE in ann.starts()
    ann.satchel("approve", "--revoke", "--repository")
    assert RULE not in ann.starts()


def test_what_its_author_deleted_or_replaced_is_not_asked_about(
    bob: Somebody, ann: Somebody
) -> None:
    ids = waits(ann)
    bob.satchel("hide", ids[OTHER], "--yes", "--share")
    bob.satchel("edit", ids[RULE], "Never push to main.")
    bob.satchel("share", "--yes")
    bob.commits()
    ann.git("pull", "--quiet")
    assert set(waits(ann)) == {"Never push to main."}
    assert "1 shared memory waits" in ann.satchel("list")


def test_what_a_let_in_line_ended_is_not_asked_about(
    bob: Somebody, ann: Somebody, tmp_path: Path
) -> None:
    eve = cloned(tmp_path / "eve", bob, ("Eve", "eve@example.org"))
    eve.satchel("approve", "--all", "--yes")
    ids = waits(ann)
    eve.satchel("hide", ids[OTHER], "--yes", "--share")
    eve.shares("Never push to main with a review, push to release instead.")
    line = {"supersedes": [ids[RULE]]}
    ledger = eve.root / ".satchel" / "knowledge.jsonl"
    rows = ledger.read_text().splitlines()
    last = {**json.loads(rows[-1]), **line}
    ledger.write_text("\n".join([*rows[:-1], json.dumps(last)]) + "\n")
    eve.commits()
    ann.git("pull", "--quiet", str(eve.root), "main")
    ann.satchel("approve", "--author", "eve@example.org", "--yes")
    assert OTHER not in waits(ann)
    assert RULE not in waits(ann)


@pytest.mark.parametrize("last", ["bob", "ann"])
def test_ones_own_soft_rules_outlive_the_approval_of_another_author(
    bob: Somebody, ann: Somebody, last: str
) -> None:
    bob.satchel("rules", "add", "Use pnpm, never npm")
    bob.commits()
    ann.git("pull", "--quiet")
    ann.satchel("approve", "--author", BOB[1], "--yes")
    ann.satchel("rules", "add", "Run ruff before a commit")
    ann.commits()
    if last == "bob":
        bob.git("pull", "--quiet", str(ann.root), "main")
        bob.satchel("rules", "add", "Name branches by topic")
        bob.commits()
        ann.git("pull", "--quiet", str(bob.root), "main")
    told = ann.satchel("approve", "--revoke", "--author", BOB[1])
    assert "instincts.yaml" in told
    begins = ann.starts()
    assert "Run ruff before a commit" in begins
    assert "pnpm" not in begins
    assert "Name branches" not in begins
