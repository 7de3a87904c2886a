"""Converts the index's rows to values."""

from __future__ import annotations

from satchel.core.errors import NotReadableError
from satchel.engine.search.documents import MATCHED, Document, Filter, Hit, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import Row, Value

_NOWHERE = Source("", "")
#: Where such a row tells which of the visible sources holds it.
HOLDER = 17


def hit_of(row: Row, holders: dict[int | None, Source]) -> Hit:
    """Return a hit from a row of the query `columns`; sources are given by number.

    Raises `NotReadableError` where the row is not what was put into it.
    """
    texts = [str(value) if value is not None else "" for value in row]
    document = Document(
        identity=texts[0],
        hash=texts[1],
        kind=texts[2],
        ts=int(row[3] or 0),
        id=texts[4],
        rev=int(row[5] or 0),
        title=texts[6],
        content=texts[7],
        tags=texts[8],
        task=texts[9],
        epic=texts[10],
        expires_at=None if row[11] is None else int(row[11]),
        deleted=bool(row[12]),
        fields=texts[13],
        thread=texts[15],
        place=int(row[16] or 0),
    )
    if document.seal() != texts[14]:
        raise NotReadableError("A row of the index is damaged.")
    number = row[HOLDER]
    holder = holders.get(None if number is None else int(number)) or _NOWHERE
    return Hit(document, -float(row[19] or 0.0), holder.label, holder.path, int(row[18] or 0))


def bytes_of(value: Value) -> bytes:
    """Return a line's bytes, stored as bytes or text."""
    return value if isinstance(value, bytes) else str(value).encode()


def clause_of(only: Filter, used: int) -> tuple[str, list[Value]]:
    """Convert a filter to SQL with numbered parameters, and their values."""
    parts: list[str] = []
    values: list[Value] = []

    def place(value: Value) -> str:
        values.append(value)
        return f"?{used + len(values)}"

    if only.kinds:
        parts.append(f"AND d.kind IN ({','.join(place(k) for k in only.kinds)})")
    if only.without:
        parts.append(f"AND d.kind NOT IN ({','.join(place(k) for k in only.without)})")
    if only.task:
        parts.append(f"AND d.task = {place(only.task)}")
    if only.epic:
        parts.append(f"AND d.epic = {place(only.epic)}")
    if only.tag:
        parts.append(f"AND instr(' ' || d.tags || ' ', {place(f' {only.tag} ')}) > 0")
    if only.since:
        parts.append(f"AND d.ts >= {place(only.since)}")
    if only.until:
        parts.append(f"AND d.ts < {place(only.until)}")
    if only.identity:
        parts.append(f"AND d.identity = {place(only.identity)}")
    if only.without_trust:
        # As literals: of a value that is bound, SQLite cannot know that a partial index has it.
        said = ",".join(f"'{one}'" if one.isalpha() else place(one) for one in only.without_trust)
        parts.append(f"AND coalesce(json_extract(d.fields, '$.trust'), '') NOT IN ({said})")
    if only.shareable:
        parts.append("AND NOT d.private")
    for name, value in only.having:
        if name in MATCHED:
            parts.append(f"AND coalesce(json_extract(d.fields, '$.{name}'), '') = {place(value)}")
    return " ".join(parts), values
