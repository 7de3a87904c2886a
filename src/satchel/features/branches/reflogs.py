"""Reads git's reflogs: how each HEAD and each branch moved from commit to commit."""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from satchel.core.values import NamedTuple
from satchel.storage.files import text_in

_BRANCH = "ref: refs/heads/"
MOVING = "checkout: moving from "
RENAMED = "Branch: renamed "
_HEADS, _TAGS = "refs/heads/", "refs/tags/"
REBASING, _STEPS = ("rebase", "pull"), ("(start)", "(finish)", "(abort)")
#: Names of a checkout that are not branches.
_NO_BRANCH = re.compile(
    r"HEAD|(?=[a-f]*\d)[0-9a-f]{7,}|.*(?:[~^:]|@\{).*|(?:refs/)?(?:tags|remotes)/.*"
)


class Move(NamedTuple):
    """A reflog entry: HEAD moved from one commit to another on a branch.

    Attributes:
        left: the branch that a checkout left, or the former name of a renamed one.
        rebases: a rebase of the branch is unfinished: then no branch is checked out.
    """

    old: str
    new: str
    at: int
    what: str
    branch: str
    left: str = ""
    rebases: bool = False


class WorkTreeHead:
    """HEAD of a work tree, or a branch, with its reflog.

    Args:
        branch: the one checked out, "" for none.
        commit: the one checked out.
        moves: the reflog, oldest first.
    """

    def __init__(self, branch: str, commit: str, moves: tuple[Move, ...]) -> None:
        self.branch, self.commit, self.moves = branch, commit, moves
        #: The moves' times with their places: a clock may have been set back.
        self._by_time = sorted((one.at, place) for place, one in enumerate(moves))
        self._latest = list(accumulate((place for _, place in self._by_time), max))
        self._touching: dict[str, list[int]] = {}
        for place, one in enumerate(moves):
            for end in {one.old, one.new}:
                self._touching.setdefault(end, []).append(place)

    def touching(self, commit: str, after: int) -> list[int]:
        """Return the places, after one, of moves from a commit or to it."""
        places = self._touching.get(commit, [])
        return places[bisect_right(places, after) :]

    def before(self, at: int) -> Move | None:
        """Return the last move until some time."""
        count = bisect_left(self._by_time, (at + 1, 0))
        return self.moves[self._latest[count - 1]] if count else None


class Reflogs:
    """Reflogs, in which every memory asks for its commit.

    Args:
        heads: those to search, in order.
    """

    def __init__(self, heads: Sequence[WorkTreeHead]) -> None:
        self.heads = heads
        self._leaving: dict[str, list[tuple[WorkTreeHead, Move]]] = {}
        self._reaching: dict[str, list[tuple[WorkTreeHead, Move]]] = {}
        self._last: dict[str, Move] = {}
        for head in heads:
            for one in head.moves:
                self._leaving.setdefault(one.old, []).append((head, one))
                self._reaching.setdefault(one.new, []).append((head, one))
                if one.branch not in self._last or one.at > self._last[one.branch].at:
                    self._last[one.branch] = one

    def leaving(self, commit: str) -> list[tuple[WorkTreeHead, Move]]:
        """Return the moves from a commit, with their logs."""
        return self._leaving.get(commit, [])

    def reaching(self, commit: str) -> list[tuple[WorkTreeHead, Move]]:
        """Return the moves to a commit, with their logs."""
        return self._reaching.get(commit, [])

    def last_seen(self, branch: str) -> str:
        """Return the last commit any log had of a branch, or ""."""
        return self._last[branch].new if branch in self._last else ""


def read_heads(common: str) -> list[WorkTreeHead]:
    """Read the HEAD and reflog of every work tree of a repository."""
    linked = os.path.join(common, "worktrees")
    names = sorted(os.listdir(linked)) if os.path.isdir(linked) else []
    tags = _tags(common)
    folders = (common, *(os.path.join(linked, name) for name in names))
    return [_read(git, "HEAD", tags) for git in folders]


def read_branch(common: str, branch: str) -> list[WorkTreeHead]:
    """Read the reflog of a branch, which stays when the work tree that had it is removed."""
    if not branch or not os.path.isfile(os.path.join(common, "logs", _HEADS, branch)):
        return []
    head = _read(common, _HEADS + branch, frozenset())
    moves = tuple(one._replace(branch=branch) for one in head.moves)
    return [WorkTreeHead(branch, head.commit, moves)]


def former_names(common: str, branch: str) -> dict[str, int]:
    """Return the names that a branch had before, and until when, by its reflog."""
    moves = [one for log in read_branch(common, branch) for one in log.moves]
    return {one.left: one.at for one in moves if one.what.startswith(RENAMED)}


def _tags(common: str) -> frozenset[str]:
    """Return the names of tags that no branch has."""
    packed = [
        line.partition(" ")[2] for line in text_in(os.path.join(common, "packed-refs")).splitlines()
    ]
    branches = {one.removeprefix(_HEADS) for one in packed if one.startswith(_HEADS)}
    found = {one.removeprefix(_TAGS) for one in packed if one.startswith(_TAGS)}
    folder = os.path.join(common, _TAGS)
    for path, _, names in os.walk(folder):
        found.update(os.path.relpath(os.path.join(path, name), folder) for name in names)
    loose = os.path.join(common, _HEADS)
    return frozenset(
        one for one in found - branches if not os.path.lexists(os.path.join(loose, one))
    )


def _read(git: str, name: str, tags: frozenset[str]) -> WorkTreeHead:
    head = text_in(os.path.join(git, "HEAD")).strip()
    branch = head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else ""
    lines = [_parsed(line) for line in text_in(os.path.join(git, "logs", name)).splitlines()]
    moves = tuple(_labelled([one for one in lines if one is not None], branch, tags))
    return WorkTreeHead(branch, moves[-1].new if moves else "", moves)


def _parsed(line: str) -> Move | None:
    before, _, what = line.partition("\t")
    words = before.split(" ")
    # Old and new commit, a name that may contain spaces, seconds, time zone.
    if len(words) < 4 or not words[-2].isdigit():  # noqa: PLR2004
        return None
    old, new = words[:2]
    if what.startswith(RENAMED):
        # Git writes that the old name goes, and then that the new one comes.
        if not new.strip("0"):
            return None
        old = new
    return Move(old, new, int(words[-2]), what, "")


def _labelled(moves: list[Move], now: str, tags: frozenset[str] = frozenset()) -> Iterator[Move]:
    """Label each move with the branch that was checked out, from the checkouts among them."""
    ends = [_ends(one.what, tags) for one in moves]
    branch = next((each[0] for each in ends if each is not None), now)
    rebases = False
    for one, each in zip(moves, ends, strict=True):
        step, left = one.what.partition(":")[0], ""
        if each is not None:
            left, branch = each
        elif step.startswith(REBASING) and step.endswith(_STEPS):
            rebases = step.endswith(_STEPS[0])
        yield one._replace(branch=branch, left=left, rebases=rebases)


def _ends(what: str, tags: frozenset[str]) -> tuple[str, str] | None:
    """Return the branches before and after a checkout or a renaming, "" for none."""
    begin = next((one for one in (MOVING, RENAMED) if what.startswith(one)), "")
    if not begin:
        return None
    old, _, new = what.removeprefix(begin).partition(" to ")
    return _branch(old, tags), _branch(new, tags)


def _branch(name: str, tags: frozenset[str]) -> str:
    short = name.removeprefix(_HEADS)
    return "" if short in tags or _NO_BRANCH.fullmatch(short) else short
