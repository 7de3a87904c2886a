"""History from the ledgers' own lines: what was remembered, changed or deleted, and when.

Nothing keeps a log beside the ledgers: their lines are the log. What was purged is gone from it
too, but for the line that says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.core.values import NamedTuple
from satchel.engine.search.records import end_of
from satchel.storage.ledger.record import Record

REMEMBERED, CHANGED, DELETED, NOTED = "remembered", "changed", "deleted", "noted"


class LedgerEntry(NamedTuple):
    """A ledger line, and its ledger's label: private, tracked, user, or its name."""

    record: Record
    ledger: str
    operation: bool = False


class Event(NamedTuple):
    """The effect of a line: a memory remembered, changed or deleted, or an operation."""

    what: str
    record: Record
    ledger: str


def events(lines: Iterable[LedgerEntry]) -> list[Event]:
    """Return the effects of lines, oldest first; duplicate lines count once.

    Within a second the order of the ledger's lines decides: give archives before ledgers.
    """
    once = {
        (one.operation and one.ledger, one.record.identity, one.record.version): one
        for one in lines
    }
    ordered = sorted(once.values(), key=lambda one: one.record.ts)
    seen: set[str] = set()
    found = []
    for one in ordered:
        if one.operation:
            found.append(Event(NOTED, one.record, one.ledger))
            continue
        identity = one.record.identity
        what = CHANGED if identity in seen else REMEMBERED
        if one.record.deleted_at is not None:
            what = DELETED
        seen.add(identity)
        found.append(Event(what, one.record, one.ledger))
    return found


def state_at(lines: Iterable[LedgerEntry], at: float) -> list[LedgerEntry]:
    """Return the memories as of a given time, newest first.

    Args:
        lines: of every ledger.
        at: Unix seconds; lines up to it count, by the ledgers' own order (`ts`).

    What had been deleted, had expired, or had stopped holding by then is left out.
    """
    newest: dict[str, LedgerEntry] = {}
    for one in lines:
        record = one.record
        if record.ts > at or one.operation:
            continue
        known = newest.get(record.identity)
        if known is None or record.version > known.record.version:
            newest[record.identity] = one
    standing = [one for one in newest.values() if _stands(one.record, at)]
    return sorted(standing, key=lambda one: one.record.version, reverse=True)


def _stands(record: Record, at: float) -> bool:
    if record.deleted_at is not None:
        return False
    until = end_of(record)
    return until is None or until > at


def matching(record: Record, kinds: Sequence[str]) -> bool:
    """Return whether a record is of one of these kinds; no kinds means all."""
    return not kinds or record.kind in kinds
