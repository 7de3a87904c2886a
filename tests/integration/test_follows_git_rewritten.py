"""A branch is rewritten by who works on it: what was kept keeps its lessons, what was dropped not."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.followed_shop import ELSEWHERE, HERE, LATER, LESSON, REVERTED, Shop, changed

_HOURS = 3 * 3600


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A shop whose branch has two commits of one line, each with a lesson."""
    shop = Shop.made(tmp_path)
    shop.git("checkout", "-q", "-b", "tax")
    shop.passes(3 * 86_400)
    shop.learn()
    shop.commit("One", **{"b.py": "rounding_mode = 'half up'\n"})
    shop.passes(2 * 86_400)
    shop.learn(LATER)
    shop.commit("Two", **{"c.py": "tax_decimal = Decimal\n"})
    shop.passes(_HOURS)
    return shop


def rebase(shop: Shop, word: str) -> None:
    editor = f"sequence.editor=sed -i '2,$s/^pick/{word}/'"
    shop.git("-c", editor, "-c", "core.editor=true", "rebase", "-q", "-i", "main")


@pytest.mark.parametrize("how", ["squash", "fixup", "reset"])
def test_squashed_commits_keep_their_lessons_and_are_merged_with_them(shop: Shop, how: str) -> None:
    if how == "reset":
        shop.git("reset", "-q", "--soft", "HEAD~2")
        shop.passes(120)
        shop.git("commit", "-q", "-m", "All taxes")
    else:
        rebase(shop, how)
    assert shop.states() == {LESSON: HERE, LATER: HERE}
    shop.git("checkout", "-q", "main")
    assert shop.state() == ELSEWHERE
    shop.git("merge", "-q", "tax")
    assert shop.states() == {LESSON: HERE, LATER: HERE}


def test_a_dropped_commit_takes_its_lesson_along(shop: Shop) -> None:
    rebase(shop, "drop")
    states = shop.states()
    assert states[LESSON] == HERE
    assert states[LATER].startswith(ELSEWHERE)


def test_what_a_commit_was_only_checked_out_for_outlives_its_revert(tmp_path: Path) -> None:
    shop = Shop.made(tmp_path)
    shop.git("checkout", "-q", "-b", "bump")
    shop.commit("Bump lodash", **{"c.py": changed(1, 2, 3)})
    shop.git("checkout", "-q", "main")
    shop.git("merge", "-q", "--ff-only", "bump")
    shop.passes(2 * 86_400)
    shop.learn("the staging cluster is in Frankfurt")
    shop.passes(2 * 86_400)
    shop.git("revert", "--no-edit", "HEAD")
    assert set(shop.states().values()) == {HERE}


def test_a_branch_left_for_another_keeps_its_lesson(tmp_path: Path) -> None:
    shop = Shop.made(tmp_path)
    shop.git("checkout", "-q", "-b", "tax")
    shop.learn()
    shop.git("checkout", "-q", "-b", "fees")
    shop.commit("Fees", **{"b.py": changed(1, 2, 3)})
    shop.git("checkout", "-q", "tax")
    shop.commit("Taxes", **{"c.py": changed(4, 5, 6)})
    assert shop.state() == HERE


def test_what_a_squash_took_back_before_it_was_made_stays_where_it_was_picked(
    tmp_path: Path,
) -> None:
    shop = Shop.made(tmp_path)
    shop.git("branch", "release")
    shop.learn()
    shop.commit("Round", **{"b.py": changed(1, 2, 3)})
    shop.git("checkout", "-q", "release")
    shop.commit("Begin a release")
    shop.git("cherry-pick", "main")
    assert shop.state() == HERE
    shop.git("checkout", "-q", "main")
    shop.passes(2 * 86_400)
    shop.commit("Fees", **{"c.py": changed(4, 5, 6)})
    shop.git("revert", "--no-edit", "HEAD~1")
    assert shop.state() == REVERTED
    shop.git("checkout", "-q", "release")
    shop.git("merge", "-q", "--squash", "main")
    shop.git("commit", "-q", "--no-edit")
    assert (shop.root / "b.py").exists()
    assert shop.state() == HERE
    # A revert in other words still takes it back.
    shop.git("revert", "--no-commit", "HEAD~1")
    shop.git(
        "commit",
        "-q",
        "-m",
        f"Round no more\n\nThis reverts commit {shop.git('rev-parse', 'HEAD~1')}.",
    )
    assert shop.state() == REVERTED


def test_a_merge_that_is_reverted_leaves_what_was_there_before_it(tmp_path: Path) -> None:
    shop = Shop.made(tmp_path)
    shop.git("branch", "release")
    shop.learn()
    shop.commit("Round", **{"b.py": changed(1, 2, 3)})
    shop.passes(2 * 86_400)
    shop.learn("fees_of() takes a Decimal")
    shop.commit("Fees", **{"c.py": changed(4, 5, 6)})
    shop.git("checkout", "-q", "release")
    shop.commit("Begin a release")
    shop.git("cherry-pick", "main~1")
    shop.git("merge", "-q", "--no-ff", "-m", "Merge main", "main")
    shop.git("revert", "--no-edit", "-m", "1", "HEAD")
    assert ((shop.root / "b.py").exists(), (shop.root / "c.py").exists()) == (True, False)
    states = shop.states()
    assert states[LESSON] == HERE
    assert states["fees_of() takes a Decimal"].startswith(REVERTED)


def test_the_revert_of_a_merge_that_a_rebase_undid_is_noticed(tmp_path: Path) -> None:
    shop = Shop.made(tmp_path)
    shop.git("checkout", "-q", "-b", "tax")
    shop.learn()
    shop.commit("Round", **{"b.py": changed(1, 2, 3)})
    shop.git("checkout", "-q", "-b", "work", "main")
    shop.commit("Work", **{"d.py": changed(7, 8)})
    shop.git("merge", "-q", "--no-ff", "-m", "Merge tax", "tax")
    assert shop.state() == HERE
    shop.git("revert", "--no-edit", "-m", "1", "HEAD")
    assert shop.state() == REVERTED
    shop.git("checkout", "-q", "main")
    shop.commit("Fees", **{"c.py": changed(4, 5, 6)})
    shop.git("checkout", "-q", "work")
    shop.git("rebase", "-q", "main")
    assert not (shop.root / "b.py").exists()
    assert shop.git("rev-list", "--merges", "HEAD") == ""
    assert shop.state() == REVERTED
