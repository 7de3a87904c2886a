"""Expiry: writes deletion lines for expired memories, which were already hidden."""

from __future__ import annotations

import math
from typing import NamedTuple

from satchel.core.clock import Clock
from satchel.engine.search.records import expiry_of, record_of
from satchel.features.memories.ledgers import TRACKED
from satchel.features.memories.service import Memories
from satchel.storage.ledger.record import Record

_EVERYTHING = 1_000_000


class ExpiryReport(NamedTuple):
    """The result of a run, or of a dry run.

    `due` is how many had expired of `of`, which were not deleted; `deleted` were given a
    deletion line, and `held_back` were left by the cap.
    """

    of: int
    due: int
    deleted: tuple[Record, ...]
    held_back: int


def expire(
    memories: Memories,
    clock: Clock,
    cap: float,
    *,
    confirmed: bool = False,
    dry_run: bool = False,
    only: str = "",
    spent: int = 0,
) -> ExpiryReport:
    """Write deletion lines for expired memories, longest expired first.

    At most the share `cap` of all of them in one run, but one at least: a clock that jumped ten
    years ahead must not delete everything before somebody notices. `confirmed` lifts the cap.
    `only` names a kind; `spent` is what the same run has deleted before.
    """
    now = int(clock.now())
    ours = [s for s in memories.sources if s.label != TRACKED]
    index = memories.index
    mine = {hit.document.identity for hit in index.latest(ours, limit=_EVERYTHING)}
    standing = [
        hit.document
        for hit in index.latest(memories.sources, limit=_EVERYTHING)
        # What only the team's file holds is the team's to delete; its expiry hides it here too.
        if not hit.document.deleted and hit.document.identity in mine
    ]
    asked = [r for r in map(record_of, standing) if only in ("", r.kind)]
    expired = [(expiry_of(r), r) for r in asked]
    late = sorted((at, r.id, r) for at, r in expired if at is not None and at <= now)
    due = [record for _, _, record in late]
    most = len(due) if confirmed else max(0, max(1, math.ceil(len(standing) * cap)) - spent)
    chosen = tuple(deletion_of(record, now) for record in due[:most])
    held_back = len(due) - len(chosen)
    if chosen and not dry_run:
        chosen = tuple(memories.append(chosen))
    return ExpiryReport(len(standing), len(due), chosen, held_back)


def deletion_of(record: Record, now: int) -> Record:
    """Return the line that deletes a record, without its content.

    It is ordered right after the version it deletes, so that one written meanwhile stays.
    """
    return record._replace(
        content="",
        title="",
        data=None,
        extra=None,
        deleted_at=now,
        rev=record.rev + 1,
        wall=now,
        hash="",
        edited=False,
    )
