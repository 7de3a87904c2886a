"""Tables of memories that do not simply hold at a commit, one small file each."""

from __future__ import annotations

import os
from collections.abc import Mapping

from satchel.core import quick_json
from satchel.core.errors import StoreError
from satchel.core.hashing import short_hash
from satchel.core.values import Any, NamedTuple
from satchel.features.branches.values import BranchState
from satchel.storage.files import read_file, read_object, replace_file

#: Increased whenever a table's content changes: older ones are not read.
_FORMAT = 1
_ENDING = ".table.json"
#: Tables that are kept, the newest.
_KEPT = 64


class Table(NamedTuple):
    """The states of memories that do not simply hold, for one commit and branch.

    Attributes:
        until: time of the newest memory included.
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
        told = read_object(self.facts)
        return told if told.get("format") == _FORMAT else {}

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
