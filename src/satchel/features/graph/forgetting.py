"""Purges operations undone long ago, leaving a tombstone for each.

Until then the undo can itself be undone; afterwards, nothing of the text is left.
"""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.times import DAY
from satchel.core.values import NamedTuple
from satchel.features.graph.operations import UNDO, Operation, active, read_operations
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import decode, encode
from satchel.storage.ledger.rewriting import drop_unfinished, rewrite

#: Field of the line that replaces a forgotten operation.
FORGOTTEN = "forgotten"


class PurgeCounts(NamedTuple):
    """How many operations and lines were purged, or would be."""

    operations: int
    lines: int


def forget_undone(
    ledger: Ledger, *, now: float, after_days: float, dry_run: bool = False
) -> PurgeCounts:
    """Purge operations that were undone more than `after_days` ago.

    Args:
        now: Unix seconds.
        after_days: how long an undo can itself be undone.
        dry_run: only report what would be purged.
    """
    if dry_run:
        return _counted(ledger.path, _doomed(ledger.path, now - after_days * DAY))
    # Decided under the lock: operations that were restored meanwhile stay.
    with ledger.lock():
        drop_unfinished(ledger.path)
        doomed = _doomed(ledger.path, now - after_days * DAY)
        done = _counted(ledger.path, doomed)
        if doomed:
            rewrite(ledger.path, lambda lines: _without(lines, doomed))
    return done


def is_forgotten(operation: Operation) -> bool:
    """Return whether only a tombstone is left of an operation."""
    return bool(operation.data.get(FORGOTTEN))


def _doomed(path: str, before: float) -> set[str]:
    operations = read_operations(path).operations
    standing = active(operations)
    kept = {one.id for one in standing}
    undone = {
        str(ident)
        for one in standing
        if one.name == UNDO and one.ts <= before
        for ident in one.data.get("undoes") or ()
    }
    return {
        one.id
        for one in operations
        if one.id in undone and one.id not in kept and one.name != UNDO and not is_forgotten(one)
    }


def _counted(path: str, doomed: set[str]) -> PurgeCounts:
    if not doomed:
        return PurgeCounts(0, 0)
    from satchel.storage.files import read_file

    return PurgeCounts(len(doomed), sum(_id(raw) in doomed for raw in read_file(path).split(b"\n")))


def _without(lines: Sequence[bytes], doomed: set[str]) -> list[bytes]:
    """Return the lines with each operation's last one replaced by a tombstone."""
    kept: list[bytes] = []
    stood: set[str] = set()
    for raw in reversed(lines):
        ident = _id(raw)
        if ident not in doomed:
            kept.append(raw)
        elif ident not in stood:
            stood.add(ident)
            kept.append(_stone(raw))
    return kept[::-1]


def _stone(raw: bytes) -> bytes:
    found = decode(raw).record
    if found is None:
        return raw
    key, data = f"{FORGOTTEN}-{found.id.lower()}", {"op": (found.data or {}).get("op")}
    bare = found._replace(content="", title="", agent="", source="", tags=(), extra=None, hash="")
    stone = bare._replace(key=key, data=data | {FORGOTTEN: True}, edited=False, rev=found.rev + 1)
    return encode(stone).rstrip(b"\n")


def _id(raw: bytes) -> str:
    found = decode(raw).record if raw.strip() else None
    return found.id if found is not None else ""
