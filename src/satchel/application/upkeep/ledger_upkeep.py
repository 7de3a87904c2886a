"""Maintenance of ledgers: each step by name, with a report in words."""

from __future__ import annotations

import math
import os
from typing import NamedTuple

from satchel.core.errors import BusyError, StoreError
from satchel.core.plurals import counted
from satchel.engine.search.records import expiry_of, record_of
from satchel.features.memories.ledgers import TRACKED
from satchel.features.memories.service import Memories
from satchel.features.memories.team import TeamMemories
from satchel.storage.ledger.purging import purge
from satchel.storage.ledger.quarantine import Quarantine
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.rotation import rotate
from satchel.storage.settings.table import Settings


class ExpiryReport(NamedTuple):
    """The result of a run, or of a dry run.

    `due` is how many of the `of` undeleted memories had expired; `deleted` got a deletion line, and
    `held_back` were left because of the cap.
    """

    of: int
    due: int
    deleted: tuple[Record, ...]
    held_back: int


def expire(
    memories: Memories,
    cap: float,
    *,
    confirmed: bool = False,
    dry_run: bool = False,
    only: str = "",
    spent: int = 0,
) -> ExpiryReport:
    """Write deletion lines for expired memories, longest expired first.

    At most the share `cap` of all memories in one run, but at least one: a clock that jumped ten
    years ahead must not delete everything before somebody notices. `confirmed` lifts the cap.
    `only` names a kind; `spent` is how many the same run has already deleted.
    """
    now = int(memories.clock.now())
    ours = [s for s in memories.sources if s.label != TRACKED]
    index = memories.index
    mine = {hit.document.identity for hit in index.latest(ours)}
    standing = [
        hit.document
        for hit in index.latest(memories.sources)
        # Memories only in the team's file are for the team to delete; expiry hides them here too.
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

    It sorts right after the version it deletes, so that one written meanwhile stays.
    """
    bare = record._replace(content="", title="", data=None, extra=None, hash="", edited=False)
    return bare._replace(deleted_at=now, rev=record.rev + 1, wall=now)


#: Steps that concern only the memories' ledgers.
OF_LEDGERS = ("insights", "expire", "purge", "rotate")
INSIGHT = "insight"


class LedgerUpkeep:
    """A run over a project's ledgers. The caller has refreshed the index.

    Args:
        dry_run: only show what would be done.
        confirmed: the user confirmed exceeding the cap.
    """

    def __init__(
        self, memories: Memories, settings: Settings, *, dry_run: bool, confirmed: bool
    ) -> None:
        self.memories = memories
        self.settings = settings
        self.dry_run = dry_run
        self.confirmed = confirmed
        #: How many this run has expired so far: the cap applies to all its steps together.
        self._spent = 0

    def run(self, step: str) -> str:
        """Run one step of `OF_LEDGERS`; return its report. A held lock is not an error."""
        try:
            if step == "insights":
                return self._expire("expired insights", INSIGHT)
            if step == "expire":
                return self._expire("expired memories", "")
            if step == "purge":
                return _purged(self.memories, self.settings, dry_run=self.dry_run)
            return _rotated(self.memories, self.settings, dry_run=self.dry_run)
        except BusyError as error:
            return f"left for the next run: {error}"

    def _expire(self, what: str, only: str) -> str:
        done = expire(
            self.memories,
            self.settings.number("upkeep.expiry_cap"),
            confirmed=self.confirmed,
            dry_run=self.dry_run,
            only=only,
            spent=self._spent,
        )
        self._spent += len(done.deleted)
        return _format_report(done, what, dry_run=self.dry_run)


def _format_report(done: ExpiryReport, what: str, *, dry_run: bool) -> str:
    would = "would be deleted" if dry_run else "deleted"
    text = f"{len(done.deleted)} of {done.due} {what} {would}"
    if done.held_back:
        text += f"; {done.held_back} are left for later runs, or for one with --confirm"
    return text


def _purged(memories: Memories, settings: Settings, *, dry_run: bool) -> str:
    days = settings.integer("memory.purge_after_days")
    done = purge(
        memories.ledgers.files(),
        memories.ledgers.tracked,
        now=memories.clock.now(),
        after_days=days,
        elsewhere=_other_tracked(memories),
        dry_run=dry_run,
    )
    count = len(done.memories)
    gone = counted(count, "memory", "memories")
    would = "would lose" if dry_run else "lost"
    scrubbed = "" if dry_run or not count else _scrub_index(memories)
    lines = counted(done.lines, "line")
    return f"{gone} deleted over {days} days ago {would} {lines}{scrubbed}"


def purged_on_server(team: TeamMemories, now: float, days: int, *, dry_run: bool) -> str:
    """Purge the team's server; return a report. A server that is away is not an error."""
    try:
        done = team.purge(now=now, after_days=days, dry_run=dry_run)
    except (BusyError, StoreError) as error:
        return f"the team's server is left for the next run: {error}"
    gone = counted(len(done.memories), "memory", "memories")
    would = "would lose" if dry_run else "lost"
    return f"{gone} of the team's server {would} {counted(done.lines, 'line')}"


def _other_tracked(memories: Memories) -> list[str]:
    """Return ledgers of the project's other work trees that the index has seen."""
    ledgers = memories.ledgers.files()
    private = {path for ledger in ledgers for path in (ledger.path, ledger.archive)}
    return sorted(path for path in memories.index.hashes() if path not in private)


def _scrub_index(memories: Memories) -> str:
    """Remove purged content from the index file, not only from results."""
    index, now = memories.index, int(memories.clock.now())
    quarantine = Quarantine(memories.ledgers.state.quarantine)
    try:
        # Rewritten files are read whole again, and their damaged lines are recorded again.
        for damage in index.catch_up(memories.sources).damage:
            quarantine.keep(damage.path, damage.raw.rstrip(b"\n"), damage.reason, now)
        index.compact()
    except StoreError as error:
        return f"; the index keeps their words until `satchel rebuild` ({error})"
    except BusyError:
        return "; the index is in use and keeps their words until `satchel rebuild`"
    return ""


def _rotated(memories: Memories, settings: Settings, *, dry_run: bool) -> str:
    above, move = settings.integer("rotation.above"), settings.integer("rotation.move")
    moved = 0
    for ledger in memories.ledgers.files():
        if not os.path.exists(ledger.path):
            continue
        if dry_run:
            moved += move if len(ledger.read()) > above else 0
        else:
            moved += rotate(ledger, above=above, move=move).moved
    return f"{moved} lines {'would move' if dry_run else 'moved'} to the archives"
