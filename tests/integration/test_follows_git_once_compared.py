"""What was compared once is not compared again, and what was not is, though it is older."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from integration.followed_shop import ELSEWHERE, HERE, Shop, changed
from satchel.features.branches.same_changes import SameChanges
from satchel.storage.commits import Commit, History, Outline


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A branch with a lesson, and ten other commits of the trunk to the same file since."""
    shop = Shop.made(tmp_path)
    shop.git("checkout", "-q", "-b", "tax")
    shop.learn()
    shop.commit("Round taxes", **{"a.py": changed(1, 2, 3, 4)})
    shop.git("checkout", "-q", "main")
    for number in range(10, 20):
        shop.commit(f"Change {number}", **{"a.py": changed(number)})
    return shop


def read(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the subjects of the commits whose changes a new table reads."""
    seen = list[str]()
    commits = History.commits

    def noted(self: History, shas: Sequence[str], *paths: str) -> Iterator[Commit]:
        for one in commits(self, shas, *paths):
            seen.append(one.subject)
            yield one

    with monkeypatch.context() as patch:
        patch.setattr(History, "commits", noted)
        assert shop.state() == ELSEWHERE
    return seen


def test_one_commit_further_only_that_one_is_compared(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(read(shop, monkeypatch)) == 11
    assert read(shop, monkeypatch) == []
    shop.commit("Change 5", **{"a.py": changed(5)})
    assert sorted(read(shop, monkeypatch)) == ["Change 5", "Round taxes"]
    shop.commit("Elsewhere", **{"b.py": "nothing_of_that = True\n"})
    assert read(shop, monkeypatch) == []
    # On another history, everything is new.
    shop.git("checkout", "-q", "-b", "other", "main~5")
    assert len(read(shop, monkeypatch)) == 8


def picked_before_it_was_lost(shop: Shop) -> str:
    """Return the state of a lesson about a commit that the trunk had got before it was learned."""
    shop.git("checkout", "-q", "tax")
    shop.commit("Round fees", **{"a.py": changed(1, 2, 3, 4, 6, 7, 8)})
    shop.git("checkout", "-q", "main")
    shop.commit("Fees", **{"a.py": changed(6, 7, 8)})
    shop.states()
    shop.git("checkout", "-q", "tax")
    shop.passes(100_000)
    shop.learn("fees are rounded in a.py")
    shop.git("checkout", "-q", "main")
    return shop.states()["fees are rounded in a.py"]


def test_what_is_looked_for_later_is_found_in_what_was_searched(shop: Shop) -> None:
    assert picked_before_it_was_lost(shop) == HERE


def test_searching_only_what_is_new_is_noticed(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SameChanges, "_fresh", lambda *_: set())
    assert picked_before_it_was_lost(shop) != HERE


def squashed_before_its_branch_went_on(shop: Shop) -> str:
    """Return the lesson's state after its branch gets what the trunk has as one commit."""
    better = changed(1, 2, 3, 4, 6).replace("changed_line", "better_line", 3)
    shop.commit("Taxes, better", **{"a.py": better})
    assert shop.state() == ELSEWHERE
    shop.git("checkout", "-q", "tax")
    shop.commit("Better", **{"a.py": better})
    shop.git("checkout", "-q", "main")
    return shop.state()


def test_a_branch_that_went_on_is_compared_again(shop: Shop) -> None:
    assert squashed_before_its_branch_went_on(shop) == HERE


def test_comparing_a_branch_once_is_noticed(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SameChanges, "_fresh", lambda self, ids, _: {*ids} - {*self.compared.lost})
    assert squashed_before_its_branch_went_on(shop) == ELSEWHERE


def test_a_table_is_made_without_looking_for_garbage(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That was a sixth of the time, and found nothing."""
    looked, outlines = list[bool](), History.outlines

    def noted(self: History, revisions: Sequence[str], *words: str) -> list[Outline]:
        looked.append(gc.isenabled())
        return outlines(self, revisions, *words)

    monkeypatch.setattr(History, "outlines", noted)
    shop.states()
    assert set(looked) == {False}
    assert gc.isenabled()
