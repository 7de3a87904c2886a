"""Maintenance of ledgers: each step by name, and a report in words."""

from __future__ import annotations

import os

from satchel.application.upkeep.expiry import ExpiryReport, expire
from satchel.core.errors import BusyError, StoreError
from satchel.core.plurals import counted
from satchel.features.memories.service import Memories
from satchel.storage.ledger.purging import purge
from satchel.storage.ledger.quarantine import Quarantine
from satchel.storage.ledger.rotation import rotate
from satchel.storage.settings.table import Settings

#: Steps that the ledgers of memories alone are asked about.
OF_LEDGERS = ("insights", "expire", "purge", "rotate")
INSIGHT = "insight"


class LedgerUpkeep:
    """A run over a project's ledgers. The caller has refreshed the index.

    Args:
        memories: the project's.
        settings: its settings.
        dry_run: only show what would be done.
        confirmed: more may expire than the cap allows.
    """

    def __init__(
        self, memories: Memories, settings: Settings, *, dry_run: bool, confirmed: bool
    ) -> None:
        self.memories = memories
        self.settings = settings
        self.dry_run = dry_run
        self.confirmed = confirmed
        #: What this run has expired so far: the cap is one for all of its steps.
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
            self.memories.clock,
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
        # Rewritten files are read whole again, and their damaged lines are noted again.
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
