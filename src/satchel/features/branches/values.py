"""The state of a memory's work seen from one commit, as values and in words."""

from __future__ import annotations

from satchel.core.kinds import ALWAYS, EVERYWHERE, KINDS
from satchel.core.trust import USER
from satchel.core.values import NamedTuple
from satchel.storage.ledger.record import Record

#: Its work is not in this history; it was, and was reverted.
ELSEWHERE, REVERTED = "elsewhere", "reverted"
_SHORT = 10


class Birth(NamedTuple):
    """What a memory depends on.

    Attributes:
        commits: those of its work and what took their place, or else the one checked out.
        about_code: whether it is about code.
        waits: its work is not committed yet, and is in another work tree.
        own: whether the commits are its work, not just checked out; None if nobody knows.
        learned: when it was learned.
    """

    id: str
    commits: tuple[str, ...]
    branch: str
    about_code: bool = False
    waits: bool = False
    own: bool | None = None
    learned: int = 0


class BranchState(NamedTuple):
    """The state of a memory that does not simply hold here.

    Attributes:
        state: elsewhere or reverted.
        branch: the one it was learned on; "" for none, or for the one checked out.
        commit: the one that reverted it, or at which it was learned.
        as_of: the commit this was computed for, if another one is checked out now.
        waits: its work is not committed yet, and may still come here.
    """

    state: str
    branch: str
    commit: str
    about_code: bool = False
    as_of: str = ""
    waits: bool = False

    @property
    def is_held(self) -> bool:
        """Return whether briefs leave it out."""
        return self.state == REVERTED or self.about_code

    @property
    def briefly(self) -> str:
        """Return the state in two or three words."""
        return f"on branch {self.branch}" if self.state == ELSEWHERE and self.branch else self.state

    @property
    def told(self) -> str:
        """Return the state in words."""
        words = f"learnt at {self.commit[:_SHORT]}, which is not part of this history"
        if self.state == REVERTED:
            words = f"reverted by {self.commit[:_SHORT]}"
        elif self.branch:
            words = f"learnt on branch {self.branch}, not merged here"
        return words + (f" (as of {self.as_of[:_SHORT]})" if self.as_of else "")


def follows_git(record: Record, trunk: str = "") -> bool:
    """Return whether a memory holds only where its work is present.

    Rules and preferences are true everywhere, and so is what a user said outside a branch's work:
    on no branch, or on the trunk.
    """
    kind = KINDS.get(record.kind)
    if not record.commit or (kind is not None and EVERYWHERE in kind.uses):
        return False
    return record.trust != USER or record.branch not in ("", trunk)


def is_about_work(record: Record) -> bool:
    """Return whether a memory is about the state of work, not a fact about the code."""
    kind = KINDS.get(record.kind)
    return kind is not None and ALWAYS in kind.uses
