"""One round of upkeep: each step by name, and what it did in words."""

from __future__ import annotations

import os

from satchel.errors import BusyError, StoreError
from satchel.ledger.quarantine import Quarantine
from satchel.ledger.rotation import rotate
from satchel.memories.service import Memories
from satchel.settings.table import Settings
from satchel.upkeep.expiry import expire
from satchel.upkeep.purging import purge

STEPS = ("expire", "purge", "rotate")


def run_rounds(
    memories: Memories, settings: Settings, step: str, *, dry_run: bool, confirmed: bool
) -> dict[str, str]:
    """Run one of `STEPS`, or `all` of them; return what each did, in words.

    The caller has caught the index up. A step that finds a lock taken says so and is no error.
    """
    report: dict[str, str] = {}
    for name in STEPS:
        if step not in ("all", name):
            continue
        try:
            if name == "expire":
                report[name] = _expired(memories, settings, dry_run=dry_run, confirmed=confirmed)
            elif name == "purge":
                report[name] = _purged(memories, settings, dry_run=dry_run)
            else:
                report[name] = _rotated(memories, settings, dry_run=dry_run)
        except BusyError as error:
            report[name] = f"left for the next time: {error}"
    return report


def _expired(memories: Memories, settings: Settings, *, dry_run: bool, confirmed: bool) -> str:
    done = expire(
        memories,
        memories.clock,
        settings.number("upkeep.expiry_cap"),
        confirmed=confirmed,
        dry_run=dry_run,
    )
    would = "would be deleted" if dry_run else "deleted"
    text = f"{len(done.deleted)} of {done.due} expired memories {would}"
    if done.held_back:
        text += f"; {done.held_back} are left for later runs, or for one with --confirm"
    return text


def _purged(memories: Memories, settings: Settings, *, dry_run: bool) -> str:
    days = settings.integer("memory.purge_after_days")
    done = purge(
        memories.ledgers,
        now=memories.clock.now(),
        after_days=days,
        elsewhere=_other_tracked(memories),
        dry_run=dry_run,
    )
    count = len(done.memories)
    if dry_run or not count:
        would = "would lose" if dry_run else "lost"
        return f"{count} memories deleted over {days} days ago {would} their {done.lines} lines"
    scrubbed = _scrub_index(memories)
    return f"{count} memories deleted over {days} days ago lost their {done.lines} lines{scrubbed}"


def _other_tracked(memories: Memories) -> list[str]:
    """Ledgers of other work trees of this project, as far as the index has seen them."""
    ledgers = memories.ledgers.every_private()
    private = {path for ledger in ledgers for path in (ledger.path, ledger.archive)}
    return sorted(path for path in memories.index.hashes() if path not in private)


def _scrub_index(memories: Memories) -> str:
    """Take what was purged out of the index's file, not only out of its answers."""
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
    for ledger in memories.ledgers.every_private():
        if not os.path.exists(ledger.path):
            continue
        if dry_run:
            moved += move if len(ledger.read()) > above else 0
        else:
            moved += rotate(ledger, above=above, move=move).moved
    return f"{moved} lines {'would move' if dry_run else 'moved'} to the archives"
