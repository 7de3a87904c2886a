"""What was learnt is true where its work is: merged, rewritten, taken back, in real repositories."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from integration.followed_shop import (
    ELSEWHERE,
    HERE,
    LATER,
    LESSON,
    REVERTED,
    Shop,
    changed,
    told_of,
)
from satchel.features.branches import service
from satchel.storage import git

FULL = os.environ.get("SATCHEL_TORTURE") == "full"


def on_a_branch(shop: Shop) -> None:
    """Work on a branch of two commits, and learn something before and after the first of them."""
    shop.git("checkout", "-q", "-b", "tax")
    shop.learn()
    shop.commit("Round taxes", **{"a.py": changed(1, 2, 3, 4), "b.py": changed(5, 6)})
    shop.learn(LATER)
    shop.commit("Say how", README="Taxes are rounded half up, as the office wants.\n")
    shop.git("checkout", "-q", "main")
    shop.commit("Meanwhile", **{"c.py": "something_else = entirely()\n"})


def merge(shop: Shop) -> None:
    shop.passes()
    shop.git("merge", "-q", "--no-ff", "tax", "-m", "Merge tax")


def squash(shop: Shop) -> None:
    shop.passes()
    shop.git("merge", "-q", "--squash", "tax")
    shop.git("commit", "-q", "-m", "Taxes (#12)")


def rebase(shop: Shop) -> None:
    shop.passes()
    shop.git("rebase", "-q", "main", "tax")
    shop.git("checkout", "-q", "main")
    shop.git("merge", "-q", "--ff-only", "tax")


def pick(shop: Shop) -> None:
    shop.passes()
    shop.git("cherry-pick", "tax~1")


def revert(shop: Shop, what: str = "HEAD", *more: str) -> None:
    shop.passes()
    shop.git("revert", "--no-edit", *more, what)


def drop_branch(shop: Shop) -> None:
    shop.git("branch", "-q", "-D", "tax")


def throw_away(shop: Shop) -> None:
    shop.states()
    drop_branch(shop)
    shop.git("reflog", "expire", "--expire=all", "--expire-unreachable=all", "--all")
    shop.git("gc", "-q", "--prune=now")


def amend(shop: Shop) -> None:
    shop.git("checkout", "-q", "tax~1")
    shop.passes()
    (shop.root / "a.py").write_text(changed(9, 10, 11, 12), "utf-8")
    shop.git("commit", "-q", "--all", "--amend", "-m", "Round taxes, all of them")
    shop.git("cherry-pick", "tax")
    shop.git("branch", "-q", "-f", "tax")
    shop.git("checkout", "-q", "main")


def rewritten_then_squashed(shop: Shop) -> None:
    """Later commits of the branch change what the first one wrote."""
    shop.git("checkout", "-q", "tax")
    shop.commit("Again", **{"a.py": changed(11, 12, 13, 14), "b.py": changed(15, 16)})
    shop.git("checkout", "-q", "main")
    squash(shop)


def synced_then_squashed(shop: Shop) -> None:
    """The trunk was merged into the branch, and something was learnt right after."""
    shop.git("checkout", "-q", "tax")
    shop.passes()
    shop.git("merge", "-q", "--no-ff", "main", "-m", "Bring the trunk")
    shop.learn("merged_tax() works")
    shop.git("checkout", "-q", "main")
    assert shop.states()["merged_tax() works"].startswith(ELSEWHERE)
    squash(shop)
    assert shop.states()["merged_tax() works"] == HERE


def force_push(shop: Shop) -> None:
    """What was merged is pushed away again by somebody, and pulled."""
    merge(shop)
    assert shop.state() == HERE
    shop.git("reset", "-q", "--hard", "HEAD~1")
    shop.commit("Instead", **{"d.py": "another_way = taken()\n"})


class Story(NamedTuple):
    """What happens to the branch, and how the lesson stands on main after each step."""

    name: str
    steps: tuple[tuple[Callable[[Shop], None], str], ...]


def step(do: Callable[..., None], *words: str) -> Callable[[Shop], None]:
    return lambda shop: do(shop, *words)


STORIES = [
    Story("merge", ((merge, HERE),)),
    Story("merge, then the branch is deleted", ((merge, HERE), (drop_branch, HERE))),
    Story("squash merge", ((squash, HERE),)),
    Story("squash merge, then the branch is deleted", ((squash, HERE), (throw_away, HERE))),
    Story("squash merge of rewritten lines", ((rewritten_then_squashed, HERE),)),
    Story("squash merge after the trunk was merged", ((synced_then_squashed, HERE),)),
    Story("rebase", ((rebase, HERE),)),
    Story("amend", ((amend, ELSEWHERE), (merge, HERE))),
    Story("cherry-pick", ((pick, HERE),)),
    Story("revert", ((merge, HERE), (step(revert, "tax~1"), REVERTED))),
    Story("revert of a merge, and of that revert", (
        (merge, HERE), (step(revert, "HEAD", "-m", "1"), REVERTED), (revert, HERE),
        (revert, REVERTED))),
    Story("revert of a squash merge", ((squash, HERE), (revert, REVERTED), (revert, HERE))),
    Story("revert of a rebased commit", ((rebase, HERE), (step(revert, "tax~1"), REVERTED))),
    Story("revert, then picked again", ((pick, HERE), (revert, REVERTED), (pick, HERE))),
    Story("force push", ((force_push, ELSEWHERE),)),
    Story("deleted branch", ((drop_branch, ELSEWHERE),)),
    Story("a branch that git has thrown away", ((throw_away, ELSEWHERE),)),
]  # fmt: skip


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop with work on a branch that was never merged, made once."""
    shop = Shop.made(tmp_path_factory.mktemp("worked"))
    on_a_branch(shop)
    assert shop.state() == ELSEWHERE
    return shop.directory


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop.made(tmp_path)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_a_lesson_follows_its_work(worked: Path, tmp_path: Path, story: Story) -> None:
    shutil.copytree(worked, tmp_path / "same")
    shop = Shop(tmp_path / "same")
    shop.passes(3600)
    expected = ELSEWHERE
    for number, (do, expected) in enumerate(story.steps):
        do(shop)
        assert shop.state() == expected, f"after step {number + 1}"
    brief = shop.brief()
    assert {LESSON in brief, LATER in brief} == {expected == HERE}


def test_what_is_not_about_code_is_told_with_its_branch(shop: Shop) -> None:
    shop.git("checkout", "-q", "-b", "tax")
    shop.learn("the office closes at noon on Fridays")
    shop.learn()
    shop.commit("Round taxes", **{"a.py": changed(1, 2, 3)})
    assert set(shop.states().values()) == {""}
    shop.git("checkout", "-q", "main")
    assert set(shop.states().values()) == {"elsewhere learnt on branch tax, not merged here"}
    brief = shop.brief()
    assert LESSON not in brief
    assert "Fridays" in brief
    assert "learnt on branch tax, not merged here" in brief
    assert "1 memory of work that is not part of this history" in brief
    with shop.open() as work:
        told = {one.record.content: one.branch for one in work.recall("rounds half up").items}
        assert told_of(told[LESSON]) == "elsewhere learnt on branch tax, not merged here"


def test_what_is_learnt_just_before_a_branch_is_begun_is_of_the_branch(shop: Shop) -> None:
    shop.passes(3600)
    shop.learn()
    shop.git("checkout", "-q", "-b", "tax")
    shop.commit("Round taxes", **{"a.py": changed(1, 2, 3)})
    assert shop.states() == {LESSON: HERE}
    shop.git("checkout", "-q", "main")
    assert shop.states() == {LESSON: "elsewhere learnt on branch tax, not merged here"}
    assert LESSON not in shop.brief()
    squash(shop)
    assert shop.states() == {LESSON: HERE}


def test_what_is_learnt_while_a_rebase_stops_is_of_the_branch(shop: Shop) -> None:
    shop.git("checkout", "-q", "-b", "tax")
    shop.commit("Round taxes", **{"a.py": changed(1, 2, 3)})
    shop.git("checkout", "-q", "main")
    shop.commit("Otherwise", **{"a.py": changed(2)})
    shop.git("checkout", "-q", "tax")
    with pytest.raises(AssertionError):
        shop.git("rebase", "main")
    (shop.root / "a.py").write_text(changed(1, 2, 3, 4), "utf-8")
    shop.learn()
    shop.git("add", "--all")
    shop.git("rebase", "--continue")
    shop.git("checkout", "-q", "main")
    assert shop.states() == {LESSON: "elsewhere learnt on branch tax, not merged here"}


def test_rules_wishes_and_what_a_person_said_on_the_trunk_are_everywhere(shop: Shop) -> None:
    first = shop.git("rev-parse", "HEAD")
    shop.commit("On the trunk", **{"a.py": changed(7, 8, 9)})
    shop.learn("a person on the trunk knows a.py", trust="user")
    shop.learn("an agent on the trunk knows c.py")
    shop.git("checkout", "-q", "-b", "tax")
    shop.learn("never touch a.py", kind="constraint")
    shop.learn("short lines in a.py", kind="preference")
    shop.learn("a person at work knows b.py", trust="user")
    shop.commit("Round taxes", **{"a.py": changed(1, 2, 3)})
    shop.git("checkout", "-q", "main")
    shop.git("reset", "-q", "--hard", first)
    states = shop.states()
    assert states["a person on the trunk knows a.py"] == ""
    assert states["an agent on the trunk knows c.py"].startswith(ELSEWHERE)
    assert states["a person at work knows b.py"].startswith(ELSEWHERE)
    assert {"never touch a.py", "short lines in a.py"}.isdisjoint(states)
    brief = shop.brief()
    assert "never touch a.py" in brief
    assert "short lines in a.py" in brief
    assert "knows b.py" not in brief


def test_work_trees_on_two_branches_at_once(shop: Shop) -> None:
    shop.git("worktree", "add", "-q", "-b", "tax", str(shop.directory / "tree"))
    other = shop.at(shop.directory / "tree")
    other.learn()
    # Nothing is committed there yet.
    assert shop.state() == ELSEWHERE
    assert other.state() == HERE
    other.commit("Round taxes", **{"a.py": changed(1, 2, 3)})
    assert shop.state() == ELSEWHERE
    assert other.state() == HERE
    shop.passes(600)
    shop.git("merge", "-q", "tax")
    assert shop.state() == HERE
    assert other.state() == HERE


def test_a_detached_head_and_a_reset(shop: Shop) -> None:
    first = shop.git("rev-parse", "HEAD")
    shop.commit("Round taxes", **{"a.py": changed(1, 2, 3)})
    shop.learn()
    shop.git("checkout", "-q", "--detach", first)
    assert shop.states()[LESSON] == "elsewhere learnt on branch main, not merged here"
    shop.git("checkout", "-q", "--detach", "main")
    assert shop.state() == HERE
    shop.git("checkout", "-q", "main")
    shop.git("reset", "-q", "--hard", first)
    assert "which is not part of this history" in shop.states()[LESSON]


def test_where_git_cannot_tell_everything_is_as_ever(shop: Shop) -> None:
    on_a_branch(shop)
    assert shop.state() == ELSEWHERE
    shop.git("clone", "-q", "--bare", str(shop.root), str(shop.directory / "remote"))
    shop.git("fetch", "-q", "--depth", "1", f"file://{shop.directory}/remote", "main")
    assert shop.state() == HERE
    assert LESSON in shop.brief()


def test_a_submodule_is_a_project_of_its_own(shop: Shop, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    top = shop.at(outer)
    top.git("init", "-q", "-b", "main")
    top.git("submodule", "--quiet", "add", str(shop.root), "inner")
    top.git("commit", "-q", "-m", "With a submodule")
    inner = shop.at(outer / "inner")
    on_a_branch(inner)
    assert inner.state() == ELSEWHERE
    inner.git("checkout", "-q", "tax")
    assert inner.state() == HERE


def test_until_its_table_is_made_commits_leave_the_last_one_true(shop: Shop) -> None:
    on_a_branch(shop)
    assert shop.state() == ELSEWHERE
    before = shop.git("rev-parse", "--short=10", "HEAD")
    shop.commit("More")
    shop.commit("And more")
    assert shop.states(make=False)[LESSON].endswith(f"(as of {before})")
    assert shop.state() == ELSEWHERE
    # Newer than the table, and learnt on another branch.
    shop.git("checkout", "-q", "tax")
    shop.learn("learnt since")
    shop.git("checkout", "-q", "main")
    assert shop.states(make=False)["learnt since"].startswith(ELSEWHERE)


@pytest.mark.parametrize("moves", [merge, rebase, squash])
def test_right_after_a_merge_nothing_is_said_to_be_elsewhere(
    shop: Shop, moves: Callable[[Shop], None]
) -> None:
    on_a_branch(shop)
    assert shop.state() == ELSEWHERE
    moves(shop)
    if moves is not squash:  # its own commit is a plain one, as far as the reflog tells
        assert shop.states(make=False)[LESSON] == HERE
    with shop.open() as work:
        (one,) = [
            one for one in work.recall("rounds half up").items if LESSON in one.record.content
        ]
        assert one.branch is None
    assert LESSON in shop.brief()


def test_right_after_a_pull_or_a_checkout_nothing_is_said_to_be_elsewhere(shop: Shop) -> None:
    on_a_branch(shop)
    merged = shop.directory / "merged"
    shop.git("clone", "-q", str(shop.root), str(merged))
    for words in (["fetch", "-q", "origin", "tax"], ["merge", "-q", "--no-edit", "FETCH_HEAD"]):
        shop.git("-C", str(merged), "-c", "user.name=B", "-c", "user.email=b@example.org", *words)
    assert shop.state() == ELSEWHERE
    shop.git("pull", "-q", str(merged), "main")
    assert shop.states(make=False)[LESSON] == HERE
    assert LESSON in shop.brief()
    shop.git("checkout", "-q", "-b", "next")
    assert shop.states(make=False)[LESSON] == HERE
    shop.learn("born on next in a.py")
    shop.git("checkout", "-q", "main")
    shop.learn("born on main in a.py")
    assert shop.states(make=False)["born on main in a.py"] == HERE


def test_where_many_memories_are_compared_nobody_waits(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_AT_ONCE", 1)
    on_a_branch(shop)
    assert shop.state() == ELSEWHERE
    merge(shop)
    made: list[str] = []
    monkeypatch.setattr(service.Branches, "make", lambda *_: made.append("made"))
    with shop.open() as work:
        assert {one.branch for one in work.recall("rounds half up").items} == {None}
    assert not made


def test_asking_starts_no_git(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    on_a_branch(shop)
    shop.states()
    shop.commit("More")
    with shop.open() as work:
        records = work.memories.following_git()

        def started(*_: object, **__: object) -> None:
            raise AssertionError("git was started")

        monkeypatch.setattr(git, "run", started)
        assert work.branches.states(records)


def test_a_bisection_is_right_at_each_checkout(shop: Shop) -> None:
    count, checkouts = (400, 200) if FULL else (24, 10)
    learnt = {}
    for number in range(count):
        learnt[f"lesson {number} of a.py"] = shop.commit(str(number), **{"a.py": f"{number}\n"})
        shop.learn(f"lesson {number} of a.py")
    shop.git("bisect", "start", "HEAD", f"HEAD~{count - 1}")
    chance, made = random.Random(7), 0.0
    for n in range(checkouts):
        if n:
            shop.git("checkout", "-q", "--detach", f"main~{chance.randrange(count)}")
        begin = time.perf_counter()
        with shop.open() as work:
            work.branches.make()
        made += time.perf_counter() - begin
        shas = set(shop.git("log", "--format=%H").split())
        states = shop.states(make=False)
        assert {text for text in learnt if states[text] == HERE} == {
            text for text, sha in learnt.items() if sha in shas
        }
    print(f"{checkouts} checkouts, {1000 * made / checkouts:.0f} ms for each table")
