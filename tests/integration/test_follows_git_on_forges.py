"""A forge squashes, merges and reverts whole requests, and says so by title and number."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.followed_shop import HERE, LATER, LESSON, REVERTED, Shop, changed

_HOURS = 3 * 3600


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A shop with two branches, each of one commit with a lesson."""
    shop = Shop.made(tmp_path)
    for branch, lesson in (("tax", LESSON), ("fees", LATER)):
        shop.git("checkout", "-q", "-b", branch, "main")
        shop.learn(lesson)
        shop.commit("wip", **{f"{branch}.py": changed(*range(len(branch)))})
        shop.passes(_HOURS)
    shop.git("checkout", "-q", "main")
    return shop


def revert(shop: Shop, path: str, subject: str, *body: str) -> None:
    shop.passes()
    shop.git("rm", "-q", path)
    shop.git("commit", "-q", *(word for text in (subject, *body) for word in ("-m", text)))


@pytest.mark.parametrize(
    "message",
    [
        ('Revert "Fix tests" (#3)', "Reverts ann/shop#1"),
        ('Revert "Fix tests (#1)" (#3)',),
    ],
)
def test_of_two_requests_with_one_title_the_one_that_is_named_is_reverted(
    shop: Shop, message: tuple[str, ...]
) -> None:
    for number, branch in enumerate(("tax", "fees"), 1):
        shop.passes()
        shop.git("merge", "-q", "--squash", branch)
        shop.git("commit", "-q", "-m", f"Fix tests (#{number})")
    assert shop.states() == {LESSON: HERE, LATER: HERE}
    revert(shop, "tax.py", *message)
    states = shop.states()
    assert states[LESSON].startswith(REVERTED)
    assert states[LATER] == HERE


def test_the_merge_of_a_request_is_reverted_by_its_number(shop: Shop) -> None:
    for number, branch in enumerate(("tax", "fees"), 1):
        title = f"Merge pull request #{number} from ann/{branch}"
        shop.git("merge", "-q", "--no-ff", "-m", title, branch)
    revert(shop, "tax.py", 'Revert "Round taxes" (#3)', "Reverts ann/shop#1")
    states = shop.states()
    assert states[LESSON].startswith(REVERTED)
    assert states[LATER] == HERE


def test_of_two_commits_for_one_issue_the_one_with_the_title_is_reverted(shop: Shop) -> None:
    for title, branch in (("Round", "tax"), ("Charge", "fees")):
        shop.passes()
        shop.git("merge", "-q", "--squash", branch)
        shop.git("commit", "-q", "-m", f"{title} (#12)")
    revert(shop, "tax.py", 'Revert "Round (#12)"')
    states = shop.states()
    assert states[LESSON].startswith(REVERTED)
    assert states[LATER] == HERE
