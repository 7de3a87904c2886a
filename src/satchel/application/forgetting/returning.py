"""Scrubs forgotten content from backups and archives, matched by their own words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.application.forgetting.choosing import keeps_its_words, texts_of
from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.places import Rules
from satchel.application.forgetting.receipts import ForgottenIndex
from satchel.application.forgetting.scrub import is_tombstone
from satchel.storage.ledger.lines import decode
from satchel.storage.ledger.record import Record


def rules_for_returned(known: ForgottenIndex, ledgers: Iterable[Sequence[bytes]]) -> Rules | None:
    """Return rules to scrub incoming files, or None if nothing was forgotten here.

    Args:
        known: the receipts, which name ids and hashes and hold no text.
        ledgers: lines of every ledger that comes, which may still have the text.
    """
    if not (known.ids or known.hashes):
        return None

    def goes(record: Record) -> bool:
        named = record.id in known.ids or str((record.data or {}).get("of")) in known.ids
        return (named or record.hash in known.hashes) and not is_tombstone(record)

    records = [
        record for lines in ledgers for raw in lines if (record := decode(raw).record) is not None
    ]
    gone = [one for one in records if goes(one)]
    spared = [
        text for one in records if keeps_its_words(one) and not goes(one) for text in texts_of(one)
    ]
    traces = TraceMatcher([text for one in gone for text in texts_of(one)], spared)
    return Rules(traces, goes, keeps_its_words, 0, known.ids | {one.id for one in gone})
