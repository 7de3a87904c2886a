"""Work is found by git's logs: on no branch, under another name, in a work tree that is gone."""

from __future__ import annotations

import pytest

from integration.followed_shop import ELSEWHERE, HERE, LESSON, Shop, changed
from integration.test_memory_follows_git import amend, merge, on_a_branch
from integration.test_memory_follows_git import shop as made_shop
from satchel.features.branches.reflogs import former_names

shop = made_shop


@pytest.mark.parametrize("checked_out", ["--detach", "v1", "HEAD~0"])
def test_what_is_learnt_on_no_branch_is_of_the_commit_that_follows(
    shop: Shop, checked_out: str
) -> None:
    shop.git("tag", "v1")
    shop.git("checkout", "-q", checked_out)
    shop.learn()
    shop.commit("Round taxes", **{"a.py": changed(1, 2, 3)})
    assert shop.state() == HERE
    shop.git("checkout", "-q", "main")
    assert "which is not part of this history" in shop.states()[LESSON]


def test_a_renamed_branch_keeps_what_was_learnt_on_it(shop: Shop) -> None:
    shop.git("checkout", "-q", "-b", "wip")
    shop.git("branch", "-m", "tax")
    shop.learn()
    shop.git("branch", "-m", "rounding")
    shop.commit("Round taxes", **{"a.py": changed(1, 2, 3)})
    shop.git("checkout", "-q", "main")
    assert shop.states()[LESSON] == "elsewhere learnt on branch rounding, not merged here"


def test_the_log_of_a_renamed_branch_has_what_was_learnt_under_its_former_names(
    shop: Shop,
) -> None:
    shop.git("checkout", "-q", "-b", "wip")
    shop.passes()
    learnt = int(shop.repository.now)
    for name in ("tax", "rounding"):
        shop.passes()
        shop.git("branch", "-m", name)
    shop.passes()
    shop.git("branch", "wip")
    common = str(shop.root / ".git")
    former = former_names(common, "rounding")
    assert set(former) == {"wip", "tax"}
    assert learnt < former["wip"] < former["tax"] < shop.repository.now
    assert former_names(common, "wip") == {}


def test_what_was_learnt_in_a_removed_work_tree_is_of_its_branch(shop: Shop) -> None:
    tree = shop.directory / "tree"
    shop.git("worktree", "add", "-q", "-b", "tax", str(tree))
    other = shop.at(tree)
    other.learn()
    other.commit("Round taxes", **{"a.py": changed(1, 2, 3)})
    shop.git("worktree", "remove", str(tree))
    assert shop.states()[LESSON] == "elsewhere learnt on branch tax, not merged here"
    shop.git("merge", "-q", "tax")
    assert shop.state() == HERE


@pytest.mark.parametrize(
    "again",
    [
        ("--amend", "--reset-author"),
        ("--amend", "--date=now"),
        (),
    ],
    ids=["a new author", "a new date", "undone and committed again"],
)
def test_a_commit_made_again_in_other_words_keeps_its_lesson(
    shop: Shop, again: tuple[str, ...]
) -> None:
    shop.git("checkout", "-q", "-b", "tax")
    shop.learn()
    shop.commit("wip", **{"a.py": changed(*range(10))})
    shop.passes(20)
    if not again:
        shop.git("reset", "-q", "--soft", "HEAD~1")
    (shop.root / "a.py").write_text(changed(*range(4, 8), 11, 12, 13), "utf-8")
    shop.git("add", "--all")
    shop.git("commit", "-q", *again, "-m", "Round taxes")
    assert shop.state() == HERE
    shop.git("checkout", "-q", "main")
    assert shop.state() == ELSEWHERE
    shop.git("merge", "-q", "tax")
    assert shop.state() == HERE


def test_an_amended_commit_is_known_though_git_has_forgotten_its_log(shop: Shop) -> None:
    on_a_branch(shop)
    assert shop.state() == ELSEWHERE
    amend(shop)
    shop.git("reflog", "expire", "--expire=all", "--expire-unreachable=all", "--all")
    merge(shop)
    assert shop.state() == HERE
