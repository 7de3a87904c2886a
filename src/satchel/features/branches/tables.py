"""Tables of memories that do not simply hold at a commit, one small file each."""

from __future__ import annotations

import os

from satchel.core import quick_json
from satchel.core.errors import StoreError
from satchel.core.hashing import short_hash
from satchel.core.kinds import ALWAYS, EVERYWHERE, KINDS
from satchel.core.trust import USER
from satchel.core.values import Any, NamedTuple
from satchel.storage.ledger.record import Record
from satchel.storage.locks import read_file, replace_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: Its work is not in this history; it was, and was taken back.
ELSEWHERE, REVERTED = "elsewhere", "reverted"
_SHORT = 10


class Birth(NamedTuple):
    """What a memory depends on.

    Attributes:
        commits: those of its work, or else the one that was checked out.
        about_code: whether it speaks of code.
        waits: its work is not committed yet, and lies in another work tree.
    """

    id: str
    commits: tuple[str, ...]
    branch: str
    about_code: bool = False
    waits: bool = False


class BranchState(NamedTuple):
    """The state of a memory that does not simply hold here.

    Attributes:
        state: elsewhere or reverted.
        branch: the one it was learnt on; "" for none, or for the one that is checked out.
        commit: by which it was reverted, or at which it was learnt.
        as_of: the commit for which this was found out, where another one is checked out now.
    """

    state: str
    branch: str
    commit: str
    about_code: bool = False
    as_of: str = ""

    @property
    def is_held(self) -> bool:
        """Return whether briefs leave it out."""
        return self.state == REVERTED or self.about_code

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

    Rules and preferences are true everywhere, and so is what a person said outside of a branch's
    work: on no branch, or on the one that all others come from.
    """
    kind = KINDS.get(record.kind)
    if not record.commit or (kind is not None and EVERYWHERE in kind.uses):
        return False
    return record.trust != USER or record.branch not in ("", trunk)


def is_about_work(record: Record) -> bool:
    """Return whether a memory is about the state of work, not a fact about the code."""
    kind = KINDS.get(record.kind)
    return kind is not None and ALWAYS in kind.uses


#: Raised whenever what a table holds changes: older ones are not read.
_FORMAT = 1
_ENDING = ".table.json"
#: Tables that are kept, the newest.
_KEPT = 64


class Table(NamedTuple):
    """The states of memories that do not simply hold, for one commit and branch.

    Attributes:
        until: time of the newest memory that it knows of.
        trunk: the branch that all others come from.
        states: by the memory's id.
    """

    commit: str
    branch: str
    until: int
    trunk: str
    states: Mapping[str, BranchState]


class Tables:
    """The tables of one project."""

    def __init__(self, directory: str) -> None:
        self.directory = directory

    @property
    def facts(self) -> str:
        """Stored facts about commits, for when git no longer has them."""
        return os.path.join(self.directory, "facts.json")

    def find(self, commit: str, branch: str) -> Table | None:
        """Return a commit's table, or else the last one, preferably of this branch."""
        exact = _name(commit, branch)
        found = self._read(exact)
        if found is not None:
            return found
        try:
            with os.scandir(self.directory) as entries:
                there = {
                    one.name: one.stat().st_mtime_ns
                    for one in entries
                    if one.name.endswith(_ENDING)
                }
        except OSError:
            return None
        begin = exact.partition("-")[0]
        names = sorted(there, key=lambda name: (name.startswith(begin), there[name]))
        return next(filter(None, map(self._read, names[::-1])), None)

    def _read(self, name: str) -> Table | None:
        try:
            told = quick_json.loads(read_file(os.path.join(self.directory, name)).decode())
            if told["format"] != _FORMAT:
                return None
            states = {ident: BranchState(*one) for ident, one in told["states"].items()}
            return Table(told["commit"], told["branch"], told["until"], told["trunk"], states)
        except (StoreError, ValueError, KeyError, TypeError):
            return None  # it is made again

    def write(self, table: Table) -> None:
        """Save a table, keeping only the newest few."""
        told = {**table._asdict(), "format": _FORMAT}
        told["states"] = {ident: list(one) for ident, one in table.states.items()}
        path = os.path.join(self.directory, _name(table.commit, table.branch))
        replace_file(path, quick_json.dumps(told).encode("utf-8", "surrogateescape"))
        with os.scandir(self.directory) as entries:
            there = [one for one in entries if one.name.endswith(_ENDING)]
        for one in sorted(there, key=lambda one: -one.stat().st_mtime_ns)[_KEPT:]:
            os.unlink(one.path)

    def read_facts(self) -> dict[str, Any]:
        """Return stored facts about commits; empty if the file is unreadable."""
        try:
            told = quick_json.loads(read_file(self.facts).decode() or "{}")
        except (StoreError, ValueError):
            return {}
        return told if isinstance(told, dict) and told.get("format") == _FORMAT else {}

    def write_facts(self, facts: Mapping[str, Any]) -> None:
        """Save facts about commits."""
        told = quick_json.dumps({**facts, "format": _FORMAT})
        replace_file(self.facts, told.encode("utf-8", "surrogateescape"))

    def clear(self) -> None:
        """Remove all tables."""
        for name in os.listdir(self.directory) if os.path.isdir(self.directory) else []:
            os.unlink(os.path.join(self.directory, name))


def _name(commit: str, branch: str) -> str:
    return f"{short_hash(branch.encode('utf-8', 'replace'))}-{commit}{_ENDING}"
