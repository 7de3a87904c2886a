"""Quarantine: what tools, the web and files said stays out of session starts until approved.

A memory of lower trust is found by recall, labelled with where it comes from. What a session
starts with, and instruction files, get it only after a person has approved this very text:
approvals are lines of a private ledger, so nobody's repository can approve itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.core.hashing import digest
from satchel.core.trust import AGENT, IMPORTED, USER
from satchel.core.values import NamedTuple
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.ledger.record import Record
from satchel.storage.locks import read_file

#: The kind of their lines.
KIND = "approval"
_TRUSTED = (USER, AGENT)
_APPROVE, _REVOKE, _FOREIGN = "approve", "revoke", "foreign"


class ApprovalSet(NamedTuple):
    """What was approved: marks of texts; and whether lines of another program count as trusted."""

    marks: frozenset[str] = frozenset()
    foreign: bool = False

    @property
    def trusted(self) -> tuple[str, ...]:
        """How far a record is to be trusted in order not to be held back, whatever it says."""
        return (*_TRUSTED, "") if self.foreign else _TRUSTED

    def holds(self, record: Record) -> bool:
        """Return whether a record is held back."""
        return trust_of(record) not in self.trusted and mark_of(record) not in self.marks


def trust_of(record: Record) -> str:
    """Return how far a record is trusted: a line that was edited by hand is imported.

    "" is a line that another program wrote, and that says nothing of trust.
    """
    return IMPORTED if record.edited else record.trust


def mark_of(record: Record) -> str:
    """Return what an approval is bound to: the kind and the whole text."""
    text = f"{record.kind}\0{record.key}\0{record.title}\0{record.content}"
    return digest(text.encode("utf-8", "replace")).hex()[:32]


class Approvals:
    """What a person approved in one project.

    Args:
        ledger: a private ledger of its own.
        foreign: whether lines of another program are trusted unless a person said something.
    """

    def __init__(self, ledger: Ledger, *, foreign: bool = False) -> None:
        self.ledger = ledger
        self._foreign = foreign

    def load(self) -> ApprovalSet:
        """Read what is approved now."""
        marks: set[str] = set()
        foreign = self._foreign
        data = read_file(self.ledger.archive) + b"\n" + read_file(self.ledger.path)
        if not data.strip():
            return ApprovalSet(foreign=foreign)
        lines = [decode(raw).record for raw in split_lines(data)]
        ours = [one for one in lines if one is not None and one.kind == KIND and not one.edited]
        for record in sorted(ours, key=lambda one: (one.ts, one.id)):
            said = record.data or {}
            given = {str(one) for one in said.get("marks") or ()}
            if said.get("op") == _APPROVE:
                marks |= given
            elif said.get("op") == _REVOKE:
                marks -= given
            elif said.get("op") == _FOREIGN:
                foreign = bool(said.get("on"))
        return ApprovalSet(frozenset(marks), foreign)

    def approve(self, records: Sequence[Record], *, by: str = USER) -> int:
        """Let these texts into session starts; return how many were not before."""
        known = self.load().marks
        marks = sorted({mark_of(record) for record in records} - known)
        if marks:
            self._write({"op": _APPROVE, "marks": marks, "ids": [one.id for one in records]}, by)
        return len(marks)

    def revoke(self, records: Iterable[Record], *, by: str = USER) -> None:
        """Take approvals back."""
        self._write({"op": _REVOKE, "marks": sorted({mark_of(one) for one in records})}, by)

    def trust_foreign(self, *, on: bool, by: str = USER) -> None:
        """Trust lines that another program writes into the tracked ledger, or no more."""
        if self.load().foreign != on:
            self._write({"op": _FOREIGN, "on": on}, by)

    def _write(self, data: dict[str, object], by: str) -> None:
        self.ledger.append([Record(kind=KIND, source=by, data=data)])
