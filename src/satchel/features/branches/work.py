"""Finds the commit that contains the work a memory was learned in, from the reflog of HEAD.

A lesson learned during work depends on the commit of that work, more than on the one before. Git
records each move of a HEAD with its time, for each work tree.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from satchel.core.errors import StoreError
from satchel.core.values import NamedTuple
from satchel.storage.ledger.record import Record
from satchel.storage.locks import read_file

#: Seconds after which a commit is no longer taken for a memory's work.
_WORK_ENDS = 86_400
_BRANCH = "ref: refs/heads/"
_MOVING = "checkout: moving from "
_MAKING = ("commit", "cherry-pick", "revert", "rebase (pick)")
_REBASING, _STEPS = ("rebase", "pull"), ("(start)", "(finish)", "(abort)")
#: Fewest digits that make a name an id: then no branch was checked out.
_ID = 40


class Move(NamedTuple):
    """A reflog entry: HEAD moved from one commit to another on a branch.

    Attributes:
        rebases: a rebase of the branch is unfinished: then no branch is checked out.
    """

    old: str
    new: str
    at: int
    what: str
    branch: str
    rebases: bool = False


class WorkTreeHead(NamedTuple):
    """HEAD of a work tree: its branch ("" for none), its commit, and its reflog."""

    branch: str
    commit: str
    moves: tuple[Move, ...]


def read_heads(common: str) -> list[WorkTreeHead]:
    """Read the HEAD and reflog of every work tree of a repository."""
    linked = os.path.join(common, "worktrees")
    names = sorted(os.listdir(linked)) if os.path.isdir(linked) else []
    return [_read(git) for git in (common, *(os.path.join(linked, name) for name in names))]


def _read(git: str) -> WorkTreeHead:
    head = _text(os.path.join(git, "HEAD")).strip()
    branch = head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else ""
    lines = [_parsed(line) for line in _text(os.path.join(git, "logs", "HEAD")).splitlines()]
    moves = tuple(_labelled([one for one in lines if one is not None], branch))
    return WorkTreeHead(branch, moves[-1].new if moves else "", moves)


def _parsed(line: str) -> Move | None:
    before, _, what = line.partition("\t")
    words = before.split(" ")
    # Old and new commit, a name that may contain spaces, seconds, time zone.
    if len(words) < 4 or not words[-2].isdigit():  # noqa: PLR2004
        return None
    return Move(words[0], words[1], int(words[-2]), what, "")


def _labelled(moves: list[Move], now: str) -> Iterator[Move]:
    """Label each move with the branch that was checked out, from the checkouts among them."""
    branch = next((_ends(one)[0] for one in moves if one.what.startswith(_MOVING)), now)
    rebases = False
    for one in moves:
        step = one.what.partition(":")[0]
        if one.what.startswith(_MOVING):
            branch = _ends(one)[1]
        elif step.startswith(_REBASING) and step.endswith(_STEPS):
            rebases = step.endswith(_STEPS[0])
        yield one._replace(branch=branch, rebases=rebases)


def _ends(one: Move) -> tuple[str, str]:
    """Return the branches that a checkout goes from and to, "" for none."""
    old, _, new = one.what.removeprefix(_MOVING).partition(" to ")
    return _branch(old), _branch(new)


def _branch(name: str) -> str:
    return "" if len(name) >= _ID and name.isalnum() else name


def work_of(record: Record, heads: list[WorkTreeHead]) -> tuple[str, ...]:
    """Return the commits of the work a memory was learned in; empty if no reflog tells.

    The last is the first commit within a day on its branch, or on a branch to which uncommitted
    work was carried from the memory's commit, in whichever work tree had it checked out. The
    memory's own commit is included if it was made on its branch within a day before, and nearer to
    it than such a checkout; otherwise it is only where the work began.
    """
    for head in heads:
        here, branch, near = record.commit, record.branch, _WORK_ENDS
        for one in head.moves:
            if not 0 <= one.at - record.when <= _WORK_ENDS:
                continue
            if one.what.startswith(_MOVING):
                goes_along = one.old == one.new == here and _ends(one)[0] == branch
                if goes_along or (one.new == here and one.branch == record.branch):
                    branch = one.branch
                    near = one.at - record.when if branch != record.branch else _WORK_ENDS
            elif one.old == here and (one.branch == branch or (one.rebases and not branch)):
                here = one.new
                if _makes(one):
                    return (record.commit, here) if _is_made_on(record, head, near) else (here,)
    return ()


def _makes(one: Move) -> bool:
    """Return whether a move commits new work, not something committed before."""
    step = one.what.partition(":")[0]
    is_commit = step.startswith("commit") and step != "commit (amend)"
    return is_commit or (one.rebases and step.endswith("(continue)"))


def _is_made_on(record: Record, head: WorkTreeHead, near: int) -> bool:
    return any(
        one.new == record.commit
        and one.branch == record.branch
        and one.what.startswith(_MAKING)
        and record.when - one.at < near
        for one in head.moves
    )


def made_on(commit: str, heads: list[WorkTreeHead]) -> str:
    """Return the branch that was checked out when a commit was made, or ""."""
    moves = (one for head in heads for one in head.moves if one.new == commit)
    return next((one.branch for one in moves if not one.what.startswith(_MOVING)), "")


def waits_elsewhere(record: Record, heads: list[WorkTreeHead], branch: str) -> bool:
    """Return whether another work tree has the memory's branch, still at its commit."""
    return record.branch not in ("", branch) and any(
        one.branch == record.branch and one.commit == record.commit for one in heads
    )


def last_seen(branch: str, heads: list[WorkTreeHead]) -> str:
    """Return the last commit any work tree had of a branch, or ""."""
    seen = [one for head in heads for one in head.moves if one.branch == branch]
    return max(seen, key=lambda one: one.at).new if seen else ""


def _text(path: str) -> str:
    try:
        return read_file(path).decode("utf-8", "replace")
    except StoreError:
        return ""
