"""Finds the commit that contains the work a memory was learned in, from the reflog of HEAD.

A lesson learned during work depends on the commit of that work, more than on the one before. Git
records each move of a HEAD with its time, for each work tree.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from satchel.core.values import NamedTuple
from satchel.storage.files import text_in
from satchel.storage.ledger.record import Record

#: Seconds after which a commit is no longer taken for a memory's work.
WORK_ENDS = 86_400
_BRANCH = "ref: refs/heads/"
MOVING = "checkout: moving from "
_RENAMED = "Branch: renamed "
_HEADS, _TAGS = "refs/heads/", "refs/tags/"
_MAKING = ("commit", "cherry-pick", "revert", "rebase (pick)")
_MERGED = "Merge made by"
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


class WorkTreeHead(NamedTuple):
    """HEAD of a work tree: its branch ("" for none), its commit, and its reflog."""

    branch: str
    commit: str
    moves: tuple[Move, ...]


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
    return {one.left: one.at for one in moves if one.what.startswith(_RENAMED)}


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
    if what.startswith(_RENAMED):
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
    begin = next((one for one in (MOVING, _RENAMED) if what.startswith(one)), "")
    if not begin:
        return None
    old, _, new = what.removeprefix(begin).partition(" to ")
    return _branch(old, tags), _branch(new, tags)


def _branch(name: str, tags: frozenset[str]) -> str:
    short = name.removeprefix(_HEADS)
    return "" if short in tags or _NO_BRANCH.fullmatch(short) else short


def work_of(record: Record, logs: Sequence[WorkTreeHead], trunk: str = "") -> tuple[str, ...]:
    """Return the commits of the work a memory was learned in; empty if no reflog tells.

    They are the first commit within a day on its branch, or on a branch to which uncommitted work
    was carried from the memory's commit, in whichever work tree had it checked out. If there are
    both, nothing tells which it was; only on the trunk the next commit is others' work. The
    memory's own commit is included if it was made on its branch within a day before, and nearer to
    it than such a checkout; otherwise it is only where the work began.
    """
    first = _first_work(record, logs)
    if not first or record.branch in ("", trunk):
        return first
    on_its_branch = (
        one.new
        for log in logs
        for one in log.moves
        if (one.old, one.branch) == (record.commit, record.branch)
        and 0 <= one.at - record.when <= WORK_ENDS
        and makes_new_work(one)
    )
    return tuple(dict.fromkeys([*first, *list(on_its_branch)[:1]]))


def _first_work(record: Record, logs: Sequence[WorkTreeHead]) -> tuple[str, ...]:
    began, ends = record.when, record.when + WORK_ENDS  # asked of every move, for every memory
    for head in logs:
        here, branch, near = record.commit, record.branch, WORK_ENDS
        for one in head.moves:
            if not began <= one.at <= ends:
                continue
            if one.what.startswith((MOVING, _RENAMED)):
                goes_along = one.old == one.new == here and one.left == branch
                if goes_along or (one.new == here and one.branch == record.branch):
                    branch = one.branch
                    near = one.at - began if branch != record.branch else WORK_ENDS
            elif one.old == here and (one.branch == branch or (one.rebases and not branch)):
                here = one.new
                if makes_new_work(one):
                    return (record.commit, here) if _is_made_on(record, head, near) else (here,)
    return ()


def makes_new_work(one: Move) -> bool:
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


def made_here(record: Record, heads: Sequence[WorkTreeHead]) -> bool | None:
    """Return whether the commit that a memory was learned at was made within a day before.

    None if no work tree had it checked out then: it was learned elsewhere.
    """
    found = None
    for head in heads:
        before = [one for one in head.moves if one.at <= record.when]
        if before and (before[-1].new, before[-1].branch) == (record.commit, record.branch):
            found = found or any(
                one.new == record.commit
                and record.when - one.at <= WORK_ENDS
                and (one.what.startswith(_MAKING) or _MERGED in one.what)
                for one in before
            )
    return found


def made_on(commit: str, heads: Sequence[WorkTreeHead]) -> str:
    """Return the branch that was checked out when a commit was made, or ""."""
    moves = (one for head in heads for one in head.moves if one.new == commit)
    made = (one for one in moves if not one.what.startswith((MOVING, _RENAMED)))
    return next((one.branch for one in made), "")


def waits_elsewhere(record: Record, heads: Sequence[WorkTreeHead], branch: str) -> bool:
    """Return whether another work tree has the memory's branch, still at its commit."""
    return record.branch not in ("", branch) and any(
        one.branch == record.branch and one.commit == record.commit for one in heads
    )


def last_seen(branch: str, heads: Sequence[WorkTreeHead]) -> str:
    """Return the last commit any work tree had of a branch, or ""."""
    seen = [one for head in heads for one in head.moves if one.branch == branch]
    return max(seen, key=lambda one: one.at).new if seen else ""
