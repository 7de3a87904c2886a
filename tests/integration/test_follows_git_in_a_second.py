"""Git counts whole seconds: commits of one author in one second are told apart all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.followed_shop import ELSEWHERE, HERE, REVERTED, Shop, changed


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A shop with a lesson, and two commits of one second that touch one file on a branch."""
    shop = Shop.made(tmp_path)
    shop.git("checkout", "-q", "-b", "tax")
    shop.learn()
    _commit(shop, "Round taxes", changed(1, 2, 3))
    _commit(shop, "Round fees", changed(1, 2, 3, 15, 16, 17))
    shop.git("checkout", "-q", "main")
    return shop


def _commit(shop: Shop, message: str, text: str) -> None:
    (shop.root / "a.py").write_text(text, "utf-8")
    shop.git("commit", "-q", "--all", "-m", message)


def test_of_two_commits_one_is_picked(shop: Shop) -> None:
    shop.git("cherry-pick", "tax")
    assert shop.state() == ELSEWHERE
    shop.git("cherry-pick", "tax~1")
    assert shop.state() == HERE


def test_a_revert_by_its_title_alone(shop: Shop) -> None:
    shop.git("merge", "-q", "--ff-only", "tax~1")
    assert shop.state() == HERE
    _commit(shop, 'Revert "Round taxes" (#13)', changed())
    assert shop.state() == REVERTED


def test_a_squash_that_is_reverted(shop: Shop) -> None:
    shop.git("merge", "-q", "--squash", "tax")
    shop.git("commit", "-q", "-m", "Taxes")
    assert shop.state() == HERE
    shop.git("revert", "--no-edit", "HEAD")
    assert shop.state() == REVERTED
