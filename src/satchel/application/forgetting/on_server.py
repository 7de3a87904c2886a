"""Forgetting on a team's server: lines go, and one empty line for each memory stays."""

from __future__ import annotations

from collections.abc import Collection

from satchel.application.forgetting.scrub import is_tombstone, tombstone_of
from satchel.storage.ledger.lines import decode
from satchel.storage.ledger.team import TeamLedger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.ledger.record import Record


def forget_lines(ledger: TeamLedger, ids: Collection[str], now: int) -> int:
    """Replace the lines of some records by empty ones; return how many lines went.

    The documents are derived anew by the caller.
    """
    gone: dict[str, list[Record]] = {}
    lines: list[bytes] = []
    for raw in ledger.raws():
        record = decode(raw).record
        if record is not None and record.id in ids and not is_tombstone(record):
            gone.setdefault(record.id, []).append(record)
            lines.append(raw)
    if lines:
        ledger.replace(lines, [tombstone_of(records, now) for records in gone.values()])
    return len(lines)
