"""Codes: a bit per dimension of a document's static vector, for searches from a cold start.

Comparing ten thousand of them with a question takes a few milliseconds without any library: an
integer XOR and a bit count each.
"""

from __future__ import annotations

from satchel.core.errors import NotReadableError
from satchel.engine.ranking.extreme_value import greatest_by_chance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.storage.database.contract import Database, Row

#: With more documents, comparing codes one by one takes too long for a cold start.
MOST = 30_000
#: Share of equal bits between unrelated texts: its mean, and a spread slightly above the measured
#: one, so that 9 of 10 nearest neighbors of foreign questions stay below the threshold.
_MEAN, _SPREAD = 0.575, 0.04


def least_likeness(count: int) -> float:
    """Return the similarity above which the nearest of `count` documents beats chance."""
    return greatest_by_chance(count, _MEAN, _SPREAD)


def nearest_codes(database: Database, code: bytes, count: int) -> dict[int, float]:
    """Return the nearest documents' share of equal bits, .5 (chance) to 1, by row.

    Empty if the index has more than `MOST` codes or if nothing is nearer than chance.
    """
    if database.read(f"SELECT 1 FROM codes LIMIT 1 OFFSET {MOST}"):
        return {}
    return nearest_of(database.read("SELECT doc_id, code FROM codes"), code, count)


def nearest_of(rows: Sequence[Row], code: bytes, count: int) -> dict[int, float]:
    """Do the same for loaded codes, each with its row."""
    if not rows or len(rows) > MOST:
        return {}
    asked, read = int.from_bytes(code), int.from_bytes
    bits = len(code) * 8
    farthest = int(bits * (1 - least_likeness(len(rows))))
    near = []
    try:
        for doc_id, other in rows:
            distance = (read(other) ^ asked).bit_count()  # type: ignore[arg-type]
            if distance <= farthest:
                near.append((distance, doc_id))
    except TypeError:
        raise NotReadableError("A code of the index is damaged.") from None
    near.sort()
    return {int(doc_id or 0): 1 - distance / bits for distance, doc_id in near[:count]}


def code_likeness(database: Database, code: bytes, rows: list[int]) -> dict[int, float]:
    """Return some documents' share of equal bits, by row, omitting those without a code."""
    if not rows:
        return {}
    listed = ",".join(map(str, rows))
    found = database.read(f"SELECT doc_id, code FROM codes WHERE doc_id IN ({listed})")
    return likeness_of(found, code)


def likeness_of(found: Sequence[Row], code: bytes) -> dict[int, float]:
    """Return the share of equal bits of loaded codes, by row."""
    asked, bits = int.from_bytes(code), len(code) * 8
    try:
        return {
            int(row or 0): 1 - (int.from_bytes(other) ^ asked).bit_count() / bits  # type: ignore[arg-type]
            for row, other in found
        }
    except TypeError:
        raise NotReadableError("A code of the index is damaged.") from None
