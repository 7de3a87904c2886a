"""Removes forgotten lines that came back by a merge, copy or backup, before they are indexed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from satchel.application.forgetting.choosing import keeps_its_words, texts_of
from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.places import Rules
from satchel.application.forgetting.receipts import ForgottenIndex, Receipts
from satchel.application.forgetting.scrub import is_tombstone, without_lines
from satchel.application.forgetting.values import LEDGER
from satchel.core.errors import BusyError, StoreError
from satchel.features.memories.service import Memories
from satchel.storage.files import read_file
from satchel.storage.inbox.faults import note_fault
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.rewriting import rewrite


def rules_for_returned(
    known: ForgottenIndex, ledgers: Iterable[Sequence[bytes]], lost: Iterable[str] = ()
) -> Rules | None:
    """Return rules to scrub incoming files, or None if nothing was forgotten here.

    Args:
        known: the receipts, which have ids and hashes but no text.
        ledgers: lines of every incoming ledger, which may still have the text.
        lost: what incoming archives say that was forgotten out of their turns.
    """
    lost = list(lost)
    if not (known.ids or known.hashes or lost):
        return None

    records = [
        record for lines in ledgers for raw in lines if (record := decode(raw).record) is not None
    ]
    derived = _derived(records, known)

    def goes(record: Record) -> bool:
        named = record.id in known.ids or str((record.data or {}).get("of")) in known.ids
        named = named or record.hash in known.hashes or record.id in derived
        return named and not is_tombstone(record)

    gone = [one for one in records if goes(one)]
    spared = [
        text for one in records if keeps_its_words(one) and not goes(one) for text in texts_of(one)
    ]
    traces = TraceMatcher([*lost, *(text for one in gone for text in texts_of(one))], spared)
    return Rules(traces, goes, keeps_its_words, 0, known.ids | {one.id for one in gone})


def _derived(records: Sequence[Record], known: ForgottenIndex) -> frozenset[str]:
    """Return the ids of what was made elsewhere from something that was forgotten here."""
    made = [one for one in records if one.derived_from and not is_tombstone(one)]
    ids = set(known.ids) | {one.id for one in records if one.hash in known.hashes}
    while True:
        more = {one.id for one in made if one.id not in ids and ids.intersection(one.derived_from)}
        if not more:
            return frozenset(ids - known.ids)
        ids |= more


_NOTHING = TraceMatcher(())


def scrub_resurrected(memories: Memories, now: float) -> int:
    """Rewrite changed ledgers with forgotten lines; return how many were rewritten.

    A ledger in use is left for the next reader, and recorded as a fault.
    """
    state, clock = memories.ledgers.state, memories.clock
    changed = set(memories.index.changed(memories.sources))
    # A receipt from a sync or an import concerns lines indexed long ago.
    arrived = _is_newer(state.ledger(LEDGER), state.index)
    if not changed and not arrived:
        return 0
    known = Receipts(Ledger(state.ledger(LEDGER), state.lock(LEDGER), clock=clock)).known()
    ledgers = memories.ledgers.files()
    if memories.ledgers.tracked is not None:
        ledgers.append(memories.ledgers.tracked)
    done = 0
    for ledger in ledgers:
        for path in (ledger.path, ledger.archive):
            if path not in changed and not arrived:
                continue
            try:
                if _has_returned(path, known):
                    with ledger.lock():
                        rewrite(path, lambda lines: _scrubbed(lines, known, now))
                    done += 1
            except (BusyError, StoreError) as error:
                note_fault(state.faults, "forgetting", str(error), now)
                arrived = False  # the next reader looks again
    if arrived:
        _clear(memories, state.index, rewritten=done > 0)
    return done


def _is_newer(receipts: str, index: str) -> bool:
    try:
        return os.stat(receipts).st_mtime_ns > os.stat(index).st_mtime_ns
    except OSError:
        return False


def _clear(memories: Memories, index: str, *, rewritten: bool) -> None:
    """Remove rewritten content from the index, and record that receipts were checked."""
    try:
        if rewritten:
            memories.index.catch_up(memories.sources)
            memories.index.compact()
        os.utime(index)
    except (OSError, StoreError):
        return  # a read-only disk or an index in use: the next reader checks again


def _has_returned(path: str, known: ForgottenIndex) -> bool:
    return bool(known.ids or known.hashes) and any(
        (record := decode(raw).record) is not None and _is_forgotten(record, known)
        for raw in split_lines(read_file(path))
    )


def _is_forgotten(record: Record, known: ForgottenIndex) -> bool:
    named = record.id in known.ids or record.hash in known.hashes
    return named and not is_tombstone(record)


def _scrubbed(lines: list[bytes], known: ForgottenIndex, now: float) -> list[bytes]:
    def goes(record: Record) -> bool:
        return _is_forgotten(record, known)

    there = {r.id for raw in lines if (r := decode(raw).record) is not None and is_tombstone(r)}
    # If the empty line already exists, no second one is needed.
    left = [
        raw for raw in lines if (r := decode(raw).record) is None or not (goes(r) and r.id in there)
    ]
    return without_lines(left, _NOTHING, goes, lambda _: True, now=int(now))
