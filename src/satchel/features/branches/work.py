"""Finds the commit that contains the work a memory was learned in, from the reflog of HEAD.

A lesson learned during work depends on the commit of that work, more than on the one before. Git
records each move of a HEAD with its time, for each work tree.
"""

from __future__ import annotations

from satchel.features.branches.reflogs import MOVING, RENAMED, Move, Reflogs, WorkTreeHead
from satchel.storage.ledger.record import Record

#: Seconds after which a commit is no longer taken for a memory's work.
WORK_ENDS = 86_400
_MAKING = ("commit", "cherry-pick", "revert", "rebase (pick)")
_MERGED = "Merge made by"


def work_of(record: Record, logs: Reflogs, trunk: str = "") -> tuple[str, ...]:
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
        for _, one in logs.leaving(record.commit)
        if one.branch == record.branch
        and 0 <= one.at - record.when <= WORK_ENDS
        and makes_new_work(one)
    )
    return tuple(dict.fromkeys([*first, *list(on_its_branch)[:1]]))


def _first_work(record: Record, logs: Reflogs) -> tuple[str, ...]:
    # A log in which nothing left the commit has no work on it.
    for head in dict.fromkeys(head for head, _ in logs.leaving(record.commit)):
        here, branch, near = record.commit, record.branch, WORK_ENDS
        left = head.touching(here, -1)[::-1]
        while left:
            place = left.pop()
            one = head.moves[place]
            if not 0 <= one.at - record.when <= WORK_ENDS:
                continue
            if one.what.startswith((MOVING, RENAMED)):
                goes_along = one.old == one.new == here and one.left == branch
                if goes_along or (one.new == here and one.branch == record.branch):
                    branch = one.branch
                    near = one.at - record.when if branch != record.branch else WORK_ENDS
            elif one.old == here and (one.branch == branch or (one.rebases and not branch)):
                here = one.new
                if makes_new_work(one):
                    own = (record.commit,) if _is_made_on(record, head, logs, near) else ()
                    return (*own, here)
                left = head.touching(here, place)[::-1]
    return ()


def makes_new_work(one: Move) -> bool:
    """Return whether a move commits new work, not something committed before."""
    step = one.what.partition(":")[0]
    is_commit = step.startswith("commit") and step != "commit (amend)"
    return is_commit or (one.rebases and step.endswith("(continue)"))


def _is_made_on(record: Record, head: WorkTreeHead, logs: Reflogs, near: int) -> bool:
    return any(
        log is head
        and one.branch == record.branch
        and one.what.startswith(_MAKING)
        and record.when - one.at < near
        for log, one in logs.reaching(record.commit)
    )


def made_here(record: Record, logs: Reflogs) -> bool | None:
    """Return whether the commit that a memory was learned at was made within a day before.

    None if no work tree had it checked out then: it was learned elsewhere.
    """
    found = None
    for head in logs.heads:
        last = head.before(record.when)
        if last is not None and (last.new, last.branch) == (record.commit, record.branch):
            found = found or any(
                log is head
                and 0 <= record.when - one.at <= WORK_ENDS
                and (one.what.startswith(_MAKING) or _MERGED in one.what)
                for log, one in logs.reaching(record.commit)
            )
    return found


def made_on(commit: str, logs: Reflogs) -> str:
    """Return the branch that was checked out when a commit was made, or ""."""
    moves = (one for _, one in logs.reaching(commit))
    made = (one for one in moves if not one.what.startswith((MOVING, RENAMED)))
    return next((one.branch for one in made), "")


def waits_elsewhere(record: Record, logs: Reflogs, branch: str) -> bool:
    """Return whether another work tree has the memory's branch, still at its commit."""
    return record.branch not in ("", branch) and any(
        one.branch == record.branch and one.commit == record.commit for one in logs.heads
    )
