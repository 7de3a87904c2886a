"""Random work in a real repository: a lesson is true exactly where its lines lie in the work tree."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from integration.followed_shop import HERE, Shop
from satchel.features.branches.rules import ReplayedHistory

FULL = os.environ.get("SATCHEL_TORTURE") == "full"
SEEDS, STEPS = (range(30), 40) if FULL else (range(2), 16)
#: Longer than work takes, so that a lesson after a commit is about that alone.
_LONG = 100_000


class RandomWork:
    """Does what people do with git; each commit adds a file of its own, and teaches two lessons."""

    def __init__(self, shop: Shop, seed: int) -> None:
        self.shop, self.chance = shop, random.Random(seed)
        self.count, self.done = 0, list[str]()

    def step(self) -> None:
        """Do one thing; what git refuses is not done."""
        do = self.chance.choice([
            self.commit, self.commit, self.commit, self.commit_beside, self.commit_beside,
            self.switch, self.merge, self.merge, self.squash, self.rebase, self.pick, self.revert,
            self.revert, self.revert_merge, self.amend, self.delete,
        ])  # fmt: skip
        self.shop.passes(_LONG)
        try:
            do()
            self.done.append(do.__name__)
        except AssertionError:
            for refused in ("merge", "rebase", "cherry-pick", "revert"):
                try:
                    self.shop.git(refused, "--abort")
                except AssertionError:
                    continue
            self.shop.git("reset", "-q", "--hard")

    def text(self, number: int, more: str = "") -> str:
        return "".join(f"line_{number}_{n} = made_by({number})\n" for n in range(5)) + more

    def commit(self) -> None:
        self.count += 1
        number = self.count
        self.shop.learn(f"before {number} of f{number}.py")
        self.shop.commit(f"Add {number}", **{f"f{number}.py": self.text(number)})
        self.shop.learn(f"after {number} of f{number}.py")

    def branches(self) -> list[str]:
        names = self.shop.git("branch", "--format=%(refname:short)").split()
        here = self.shop.git("branch", "--show-current")
        return sorted(set(names) - {here})

    def other(self) -> str:
        names = self.branches()
        assert names, "there is one branch only"
        return self.chance.choice(names)

    def commit_beside(self) -> None:
        """Commit on a new branch, and go back."""
        here = self.shop.git("branch", "--show-current")
        self.shop.git("checkout", "-q", "-b", f"b{self.count}")
        self.commit()
        if self.chance.random() < 0.5:
            self.shop.passes(_LONG)
            self.commit()
        self.shop.git("checkout", "-q", here)

    def switch(self) -> None:
        self.shop.git("checkout", "-q", self.other())

    def merge(self) -> None:
        name = self.other()
        self.shop.git("merge", "-q", "--no-edit", self.chance.choice(["--no-ff", "--ff"]), name)

    def squash(self) -> None:
        name = self.other()
        # Nothing in a squash says that what it took back of a merge was picked once more.
        assert "reversing" not in self.shop.git("log", "--format=%b", f"HEAD..{name}")
        self.shop.git("merge", "-q", "--squash", name)
        # With the messages of all its commits, as git and forges write it.
        self.shop.git("commit", "-q", "--no-edit")

    def rebase(self) -> None:
        self.shop.git("rebase", "-q", self.other())

    def pick(self) -> None:
        self.shop.git("cherry-pick", self.other())

    def is_only_one_that_reverts(self) -> bool:
        """Both sides of a merge that take the same back, of which one brings it back, are a limit."""
        words = ("--branches", "--not", "HEAD", "--grep=This reverts commit", "--format=%h")
        return not self.shop.git("log", *words)

    def revert(self) -> None:
        """Take back what a file's last commit did: what added it, or what took it away."""
        assert self.is_only_one_that_reverts()
        number = self.chance.randint(1, max(1, self.count))
        last = self.shop.git("log", "-1", "--no-merges", "--format=%H", "--", f"f{number}.py")
        self.shop.git("revert", "--no-edit", last or "none")

    def revert_merge(self) -> None:
        assert self.is_only_one_that_reverts()
        last = self.shop.git("log", "-1", "--merges", "--format=%H")
        self.shop.git("revert", "--no-edit", "-m", "1", last or "none")

    def amend(self) -> None:
        name = self.shop.git("show", "--format=", "--name-only", "--diff-filter=A", "HEAD")
        # A revert whose message is gone is nothing that could be known.
        assert self.shop.git("show", "-s", "--format=%s").startswith("Add ")
        assert "\n" not in name
        (self.shop.root / name).write_text(self.text(int(name[1:-3]), f"more = {name[1:-3]}\n"))
        self.shop.git("commit", "-q", "--all", "--amend", "-m", f"Add {name}, and more")

    def delete(self) -> None:
        self.shop.git("branch", "-q", "-D", self.other())

    def wrong(self) -> list[str]:
        """Lessons that are told to hold where their file is not, or the other way round."""
        found = []
        for text, state in self.shop.states().items():
            there = (self.shop.root / text.rpartition(" ")[2]).exists()
            if (state == HERE) != there:
                found.append(
                    f"{text}: {state or 'here'}, and the file is {'' if there else 'not '}there"
                )
        return found


def works(shop: Shop, seed: int) -> int:
    """Work; return how many lessons were compared."""
    work, compared = RandomWork(shop, seed), 0
    for _ in range(STEPS):
        work.step()
        wrong = work.wrong()
        assert not wrong, f"seed {seed}: {work.done}: {wrong}"
        compared += 2 * work.count
    return compared


@pytest.mark.parametrize("seed", SEEDS)
def test_a_lesson_is_true_where_its_lines_lie(tmp_path: Path, seed: int) -> None:
    compared = works(Shop.made(tmp_path), seed)
    print(f"n = {compared}, seed {seed}; no failure, so at most {3 / compared:.4f} of them")


def test_a_revert_that_is_not_noticed_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReplayedHistory, "_undone_by", lambda *_: [])
    with pytest.raises(AssertionError, match="file is not there"):
        works(Shop.made(tmp_path), 0)
