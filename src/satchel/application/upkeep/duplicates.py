"""Finds memories that say the same, in any number of them. Pure; compares only likely pairs."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.engine.statements.contradictions import SAME, Rule, clashes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.ledger.record import Record

#: Words in more memories than this are ignored; most pairs to compare.
_COMMON, _MOST = 40, 100_000
_WORD = 4


def find_duplicates(records: Sequence[Record], most: int = 20) -> list[tuple[Record, Record]]:
    """Return at most `most` pairs (older, newer) of a kind that say the same."""
    holders: dict[tuple[str, str], list[int]] = {}
    for at, record in enumerate(records):
        for word in set(record.content.casefold().split()):
            if len(word) >= _WORD:
                holders.setdefault((record.kind, word), []).append(at)
    pairs: dict[tuple[int, int], None] = {}
    for places in sorted(holders.values(), key=len):
        if len(places) > _COMMON or len(pairs) > _MOST:
            break
        for number, one in enumerate(places):
            pairs.update(dict.fromkeys((one, other) for other in places[number + 1 :]))
    found: list[tuple[Record, Record]] = []
    gone: set[int] = set()
    for one, other in pairs:
        if one in gone or other in gone or len(found) == most:
            continue
        first, second = records[one], records[other]
        told = clashes(first.content, [Rule("", 0, second.content)])
        if any(clash.what == SAME for clash in told):
            older, newer = sorted((first, second), key=lambda record: record.version)
            gone.add(one if older is first else other)
            found.append((older, newer))
    return found
