"""Encodes documents, filters and questions for PostgreSQL, and reads its answers. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log

from satchel.core.hashing import digest
from satchel.engine.search.binary_codes import least_likeness
from satchel.engine.search.documents import MATCHED, Document, Filter
from satchel.engine.search.tokens import (
    code_words,
    distinctive_words,
    prefixes,
    spellings,
    words_of,
)
from satchel.storage.database.contract import Row, Value
from satchel.storage.ledger.team import LONGEST, array_of, clean_text

#: Matches of one question to read, and those to score in full, which bounds a question of common
#: words. Smaller stores are searched whole.
LOOKED_AT = 4000
SCORED = 400
_WORDS = 96
#: Most words of a project that one prefix stands for, the commonest first.
_BEGUN = 24
#: The columns of `match` with a document's number, and the differing bits of its code.
_NUMBER, _FAR = 2, 5
#: Most characters of one text to index by words; PostgreSQL allows at most a megabyte.
_SEARCHED = 200_000
#: FTS5's weight for a word in more than half of the documents.
LEAST_IDF = 1e-6


def bounded(text: str) -> str:
    """Return a text that PostgreSQL can index; longer ones are replaced by their hash."""
    text = clean_text(text)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST // 2]}#{digest(text.encode()).hex()}"


def row_of(document: Document) -> tuple[Value, ...]:
    """Return a document's columns from `hash` to `fields`."""
    return (
        document.hash,
        bounded(document.identity),
        bounded(document.kind),
        document.ts,
        clean_text(document.id)[:LONGEST],
        document.rev,
        bounded(document.task),
        bounded(document.epic),
        clean_text(document.tags),
        document.expires_at,
        int(document.deleted),
        int(document.private),
        bounded(document.thread),
        document.place,
        clean_text(document.title),
        clean_text(document.content),
        # PostgreSQL refuses an escaped NUL in JSON. The line keeps it.
        document.fields.replace("\\u0000", "\\ufffd"),
    )


def searched_words(document: Document) -> tuple[int, list[str]]:
    """Return a document's word count, and the words of title, content, tags and code."""
    texts = (document.title, document.content, document.tags)
    parts = [words_of(plain(text[:_SEARCHED])) for text in texts]
    parts.append(code_words(plain(f"{document.title} {document.content[:_SEARCHED]}")))
    return sum(map(len, parts)), [" ".join(words) for words in parts]


def plain(text: str) -> str:
    """Remove diacritics from Latin, Greek and Cyrillic letters, as FTS5's unicode61 does."""
    if text.isascii():
        return clean_text(text)
    from unicodedata import normalize

    apart = normalize("NFD", clean_text(text))
    return normalize("NFC", "".join(c for c in apart if not "\u0300" <= c <= "\u036f"))


def clause_of(only: Filter, used: int) -> tuple[str, list[Value]]:
    """Convert a filter to SQL with numbered parameters, and their values."""
    parts: list[str] = []
    values: list[Value] = []

    def place(sql: str, value: Value) -> None:
        values.append(value)
        parts.append(sql.replace("{}", f"?{used + len(values)}"))

    if only.kinds:
        place("AND d.kind = ANY({}::text[])", array_of(only.kinds))
    if only.without:
        place("AND d.kind <> ALL({}::text[])", array_of(only.without))
    if only.task:
        place("AND d.task = {}", bounded(only.task))
    if only.epic:
        place("AND d.epic = {}", bounded(only.epic))
    if only.tag:
        place("AND strpos(' ' || d.tags || ' ', {}) > 0", clean_text(f" {only.tag} "))
    if only.since:
        place("AND d.ts >= {}", only.since)
    if only.until:
        place("AND d.ts < {}", only.until)
    if only.naming:
        place(
            "AND strpos(d.title || ' ' || d.content || ' ' || d.fields::text, {}) > 0",
            clean_text(only.naming),
        )
    if only.identity:
        place("AND d.identity = {}", bounded(only.identity))
    if only.without_trust:
        said = array_of(only.without_trust)
        place("AND coalesce(d.fields ->> 'trust', '') <> ALL({}::text[])", said)
    for name, value in only.having:
        if name not in MATCHED:
            raise LookupError(name)  # without it, everything would match
        place(f"AND coalesce(d.fields ->> '{name}', '') = {{}}", bounded(value))
    return " ".join(parts), values


def rarity(documents: int, holders: int) -> float:
    """Return BM25's inverse document frequency."""
    value = log((documents - holders + 0.5) / (holders + 0.5)) if documents >= holders else 0.0
    return value if value > 0 else LEAST_IDF


def array_of_numbers(numbers: Iterable[int]) -> str:
    """Encode integers as a PostgreSQL array."""
    return "{" + ",".join(map(str, numbers)) + "}"


def bytes_of(value: Value) -> bytes:
    """Return a value if it is bytes; anything else is damage, and returns no bytes."""
    return value if isinstance(value, bytes) else b""


def bits_of(code: bytes) -> str:
    """Encode a code as PostgreSQL reads bits."""
    return f"x{code.hex()}"


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
