"""Finds the commit that contains the work a memory was learned in, from the reflog of HEAD.

What is learnt while something is being written hangs on the commit that comes of it, more than on
the one before. Git notes each move of a HEAD with its time, for each work tree.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from satchel.core.errors import StoreError
from satchel.core.values import NamedTuple
from satchel.storage.ledger.record import Record
from satchel.storage.locks import read_file

#: Seconds after which a commit is no longer taken for what a memory was learnt in.
_WORK_ENDS = 86_400
_BRANCH = "ref: refs/heads/"
_MOVING = "checkout: moving from "
_MAKING = ("commit", "cherry-pick", "revert", "rebase (pick)")
#: Digits from which on a name is an id: then no branch was checked out.
_ID = 40


class Move(NamedTuple):
    """A reflog entry: HEAD moved from one commit to another on a branch."""

    old: str
    new: str
    at: int
    what: str
    branch: str


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
    # Old and new commit, a name with blanks in it, seconds, time zone.
    if len(words) < 4 or not words[-2].isdigit():  # noqa: PLR2004
        return None
    return Move(words[0], words[1], int(words[-2]), what, "")


def _labelled(moves: list[Move], now: str) -> Iterator[Move]:
    """Label each move with the branch that was checked out, from the checkouts among them."""
    branch = next((_ends(one)[0] for one in moves if one.what.startswith(_MOVING)), now)
    for one in moves:
        if one.what.startswith(_MOVING):
            branch = _ends(one)[1]
        yield one._replace(branch="" if len(branch) >= _ID and branch.isalnum() else branch)


def _ends(one: Move) -> tuple[str, str]:
    old, _, new = one.what.removeprefix(_MOVING).partition(" to ")
    return old, new


def work_of(record: Record, heads: list[WorkTreeHead]) -> tuple[str, ...]:
    """Return the commits of the work a memory was learned in; empty if no reflog tells.

    The last is the first commit on its branch within a day, of whichever work tree that had the
    memory's commit checked out then. The memory's own commit is one of them where it was made on
    that branch within a day before; else it is only what the work began at.
    """
    for head in heads:
        here = record.commit
        for one in head.moves:
            if not 0 <= one.at - record.when <= _WORK_ENDS:
                continue
            if one.branch != record.branch or one.old != here or one.what.startswith(_MOVING):
                continue
            here = one.new
            if one.what.startswith("commit") and not one.what.startswith("commit (amend)"):
                return (record.commit, here) if _is_made_on(record, head) else (here,)
    return ()


def _is_made_on(record: Record, head: WorkTreeHead) -> bool:
    return any(
        one.new == record.commit
        and one.branch == record.branch
        and one.what.startswith(_MAKING)
        and record.when - one.at <= _WORK_ENDS
        for one in head.moves
    )


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
