"""Histories played: what is in force at their end, whatever was reverted, merged and picked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.features.branches.reflogs import Move, Reflogs, WorkTreeHead, _labelled, _parsed
from satchel.features.branches.rules import ReplayedHistory, names_code
from satchel.features.branches.work import made_here, made_on, work_of
from satchel.storage.commits import Outline
from satchel.storage.ledger.record import Record


def commit(sha: str, *parents: str, undoes: str = "", subject: str = "") -> Outline:
    return Outline(sha, parents, sha, 0, 0, subject, (undoes,) if undoes else ())


def off(*oldest_first: Outline) -> set[str]:
    played = ReplayedHistory(oldest_first[::-1], {}, {}, lambda *_: False)
    played.play()
    return set(played.off)


@given(st.lists(st.integers(0, 8), max_size=8))
def test_reverts_of_reverts_undo_each_other(targets: list[int]) -> None:
    """A line of commits: one change, then reverts, each of any commit before it."""
    log = [commit("c0")]
    for number, target in enumerate(targets, 1):
        undone = f"c{min(target, number - 1)}"
        log.append(commit(f"c{number}", f"c{number - 1}", undoes=undone))
    # By hand: each takes back what stands of what its target gave, and brings back what it took.
    effects: dict[str, tuple[set[str], set[str]]] = {}
    down: set[str] = set()
    for one in log:
        gave, took = (
            effects.get(one.undoes[0], ({one.undoes[0]}, set())) if one.undoes else ((), ())
        )
        effects[one.sha] = ({one.sha, *(down & set(took))}, set(gave) - down)
        down = (down | effects[one.sha][1]) - effects[one.sha][0]
    assert off(*log) == down


def test_a_message_without_a_first_line_reverts_nothing() -> None:
    assert off(commit("a"), commit("b", "a"), commit("c", "b")) == set()


def test_a_message_that_quotes_a_revert_of_an_unknown_commit_reverts_nothing() -> None:
    """A squash has the messages of its branch, whose commits are not of this history."""
    assert off(commit("a"), commit("b", "a", undoes="gone")) == set()


def test_a_merge_is_reverted_with_what_it_brought_and_no_more() -> None:
    log = [
        commit("a"), commit("b", "a"), commit("x", "a"), commit("y", "x"),
        commit("m", "b", "y"), commit("n", "m"),
    ]  # fmt: skip
    assert off(*log, commit("r", "n", undoes="m")) == {"m", "x", "y"}
    assert off(*log, commit("r", "n", undoes="m"), commit("s", "r", undoes="r")) == {"r"}


def test_a_merge_is_reverted_with_what_it_brought_back_itself() -> None:
    log = [
        commit("a"), commit("b", "a"), commit("x", "a"), commit("y", "x", undoes="x"),
        commit("z", "y", undoes="y"), commit("m", "b", "z"),
    ]  # fmt: skip
    assert off(*log) == {"y"}
    assert off(*log, commit("r", "m", undoes="m")) == {"m", "x", "y", "z"}


def test_a_merge_that_is_reverted_twice_brings_nothing_back_that_was_there_before_it() -> None:
    """The branch and the trunk made the same change; the trunk then takes it back."""
    log = [
        commit("a"), commit("b", "a"), commit("x", "a"), commit("y", "x"), commit("m", "b", "y"),
        commit("r", "m", undoes="m"), commit("q", "r", undoes="b"), commit("s", "q", undoes="r"),
    ]  # fmt: skip
    played = ReplayedHistory(log[::-1], {}, {"x": ["b"], "b": ["x"]}, lambda *_: True)
    played.play()
    assert set(played.off) == {"b", "r", "x"}


def test_the_revert_of_a_lost_merge_leaves_what_its_first_parent_had() -> None:
    """A rebase put the commits in a row: `b` and `x` are one commit, picked on both sides."""
    picked = Outline("x", ("a",), "b", 0, 0, "")
    beside = {one.sha: one for one in (picked, commit("y", "x"), commit("m", "b", "y"))}
    again = Outline("z", ("b",), "y", 0, 0, "")
    log = [commit("a"), commit("b", "a"), again, commit("r", "z", undoes="m")]
    played = ReplayedHistory(log[::-1], beside, {}, lambda *_: True)
    played.play()
    assert set(played.off) == {"z"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tax_of rounds", True), ("see `make test`", True), ("parseURL fails", True),
        ("src/pay.py is slow", True), ("pay.py is slow", True), ("call close()", True),
        ("UserStore is slow", True), ("the office closes at noon", False),
        ("say yes/no, e.g. at noon, i.e. late", False), ("Use pnpm. Not npm.", False),
        ("version 1.2 and 3.11", False),
    ],
)  # fmt: skip
def test_what_names_code(text: str, *, expected: bool) -> None:
    assert names_code(text) is expected


def moves(branch: str, *lines: str) -> Reflogs:
    read = [_parsed(line) for line in lines]
    found = tuple(_labelled([one for one in read if one is not None], branch))
    return Reflogs([WorkTreeHead(branch, found[-1].new, found)])


def learnt(commit: str, at: int, branch: str = "tax") -> Record:
    return Record(kind="learned", commit=commit, ts=at, branch=branch)


def test_the_log_of_a_head_tells_which_commit_work_went_into() -> None:
    head = moves(
        "main",
        "0 a A B <a@b> 100 +0000\tcommit (initial): first",
        "a a A B <a@b> 200 +0000\tcheckout: moving from main to tax",
        "a a A B <a@b> 250 +0000\treset: moving to HEAD",
        "a b A B <a@b> 300 +0000\tcommit: one",
        "b c A B <a@b> 310 +0000\tcommit (amend): one, better",
        "c d A B <a@b> 400 +0000\tcommit: two",
        "d a A B <a@b> 500 +0000\tcheckout: moving from tax to main",
        "a e A B <a@b> 600 +0000\tcommit: on main",
        "not a line of a log",
    )
    assert work_of(learnt("a", 220), head) == ("b",)
    # Amended before anything else was committed.
    assert work_of(learnt("b", 305), head) == ("b", "d")
    assert work_of(learnt("c", 350), head) == ("c", "d")
    assert work_of(learnt("d", 450), head) == ()
    assert work_of(learnt("a", 550, "main"), head) == ("a", "e")
    assert work_of(learnt("a", 220 - 86_400), head) == ()
    assert head.last_seen("tax") == "d"
    assert head.last_seen("gone") == ""


def test_what_is_not_committed_goes_along_to_a_branch_that_is_begun() -> None:
    head = moves(
        "main",
        "0 a A B <a@b> 100 +0000\tcommit: on main",
        "a a A B <a@b> 200 +0000\tcheckout: moving from main to tax",
        "a b A B <a@b> 300 +0000\tcommit: one",
        "b a A B <a@b> 400 +0000\tcheckout: moving from tax to main",
        "a c A B <a@b> 500 +0000\tcommit: two",
    )
    assert work_of(learnt("a", 190, "main"), head, "main") == ("b",)
    # Soon after a commit, it may be about that one.
    assert work_of(learnt("a", 110, "main"), head, "main") == ("a", "b")
    assert work_of(learnt("a", 450, "main"), head, "main") == ("a", "c")
    assert made_on("b", head) == "tax"


def test_what_a_rebase_that_stops_is_given_is_of_its_branch() -> None:
    head = moves(
        "tax",
        "0 a A B <a@b> 100 +0000\tcommit (initial): first",
        "a m A B <a@b> 110 +0000\tcommit: on main",
        "m b A B <a@b> 120 +0000\tcheckout: moving from main to tax",
        "b m A B <a@b> 130 +0000\trebase (start): checkout main",
        "m c A B <a@b> 200 +0000\trebase (continue): one",
        "c c A B <a@b> 200 +0000\trebase (finish): returning to refs/heads/tax",
        "c d A B <a@b> 300 +0000\tcommit: two",
    )
    assert work_of(learnt("m", 150, ""), head) == ("c",)
    assert work_of(learnt("c", 250), head) == ("d",)
    assert work_of(learnt("c", 250, ""), head) == ()
    assert made_on("c", head) == "tax"


def test_a_clock_that_was_set_back_hides_no_move() -> None:
    logs = moves(
        "main",
        "0 a A B <a@b> 300 +0000\tcommit (initial): first",
        "a b A B <a@b> 100 +0000\tcommit: one",
        "b c A B <a@b> 200 +0000\tcommit: two",
    )
    (head,) = logs.heads
    assert [one and one.new for one in map(head.before, (99, 100, 250, 300))] == [
        None, "b", "c", "c",
    ]  # fmt: skip
    assert work_of(learnt("a", 50, "main"), logs) == ("a", "b")


class Counted(tuple[Move, ...]):
    """A log that counts how often it is read."""

    __slots__ = ()
    reads = 0

    def __getitem__(self, at: Any) -> Any:
        Counted.reads += 1
        return super().__getitem__(at)

    def __iter__(self) -> Iterator[Move]:
        Counted.reads += len(self)
        return super().__iter__()


def test_a_memory_reads_only_what_a_log_says_of_its_commit() -> None:
    """The log of a HEAD has ten thousand moves, and every memory asks."""
    log = [Move(f"{n}", f"{n + 1}", 60 * n, f"commit: {n}", "main") for n in range(10_000)]
    logs = Reflogs([WorkTreeHead("main", "10000", Counted(log))])
    Counted.reads = 0
    for n in range(9, 9_009, 9):
        record = learnt(f"{n}", 60 * n - 30, "main")
        assert work_of(record, logs, "main")[-1:] == (f"{n + 1}",)
        assert made_here(record, logs)
    assert Counted.reads < 5 * 1_000
