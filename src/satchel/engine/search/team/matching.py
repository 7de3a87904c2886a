"""A team store's query for a question, and the meaning of its answers. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.engine.search.binary_codes import least_likeness
from satchel.engine.search.team.rows import LEAST_IDF, bits_of, plain
from satchel.engine.search.tokens import distinctive_words, prefixes, spellings
from satchel.storage.ledger.team import array_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import Row, Value

#: Matches of one question to read, and those to score in full, which bounds a question of common
#: words. Smaller stores are searched whole.
LOOKED_AT = 4000
SCORED = 400
_WORDS = 96
#: Most words of a project that one prefix stands for, the commonest first.
_BEGUN = 24
#: The columns of `match` with a document's number, and the differing bits of its code.
_NUMBER, _FAR = 2, 5


def match_values(question: str, now: float, limit: int, code: bytes = b"") -> tuple[Value, ...]:
    """Return the parameters of the statement `match` after its sources; none without words."""
    words = distinctive_words(question)[:_WORDS]
    if not words or limit <= 0:
        return ()
    scored = max(SCORED, 4 * limit)
    return (
        int(now),
        plain(" ".join(one for word in words for one in spellings(word))),
        array_of([plain(begun) for begun in prefixes(question)]),
        LOOKED_AT,
        scored,
        scored if '"' in question else limit,
        LEAST_IDF,
        _BEGUN,
        bits_of(code) if code else None,
    )


def likeness_in(rows: Sequence[Row], code: bytes) -> dict[int, float]:
    """Share of equal bits of matches with a code, by row."""
    told = [(row[_NUMBER], row[_FAR]) for row in rows if row[_FAR] is not None]
    return {int(number or 0): 1 - int(far or 0) / (len(code) * 8) for number, far in told}


def nearer_than_chance(rows: Sequence[Row], code: bytes) -> dict[int, float]:
    """Share of equal bits of the documents nearer to a code than chance, by row."""
    bits = len(code) * 8
    every = int(rows[0][2] or 0) if rows else 0
    farthest = int(bits * (1 - least_likeness(every))) if every else -1
    near = [(int(row or 0), int(far or 0)) for row, far, _ in rows]
    return {row: 1 - far / bits for row, far in near if far <= farthest}
