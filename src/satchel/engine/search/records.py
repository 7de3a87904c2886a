"""Converts records to index documents and back, and the index's rows to values."""

from __future__ import annotations

from satchel.core import quick_json
from satchel.core.errors import NotReadableError
from satchel.core.kinds import KINDS
from satchel.core.redaction.personal import is_personal
from satchel.core.times import DAY
from satchel.core.trust import IMPORTED
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import AUTHOR, MATCHED, Document, Filter, Hit, Source
from satchel.storage.ledger.lines import decode, fields_of, record_from
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import Row, Value

#: Edited by hand: the line parses, but its hash shows that Satchel did not write it.
_EDITED = "_edited"
_NOWHERE = Source("", "")
#: The column with the visible source that has the row.
HOLDER = 17


class StoredMemory(NamedTuple):
    """A record, its ledger's label, and its score if from a search."""

    record: Record
    source: str
    score: float = 0.0


def parse_line(raw: bytes) -> Document | str:
    """Convert a ledger line to a document, or return why it is none."""
    line = decode(raw)
    return line.reason if line.record is None else document_of(line.record)


def document_of(record: Record) -> Document:
    """Return a record's document."""
    fields = fields_of(record)
    del fields["content"]
    fields.pop("title", None)
    if record.edited:
        fields[_EDITED] = True
        fields["trust"] = "imported"
    return Document(
        identity=record.identity,
        hash=record.version[3],
        kind=record.kind,
        ts=record.ts,
        id=record.id,
        rev=record.rev,
        title=record.title,
        content=record.content,
        tags=" ".join(record.tags) + (f" {record.key}" if record.kind == "preference" else ""),
        task=record.task,
        epic=record.epic,
        expires_at=end_of(record),
        deleted=record.deleted_at is not None,
        private=is_private(record),
        fields=quick_json.dumps(fields),
        record=None if record.edited else record,
    )


def is_private(record: Record) -> bool:
    """Return whether a record is private, as marked or by its content."""
    said = f"{record.title} {record.content} {record.data or ''}"
    return record.visibility == "private" or is_personal(said)


def record_of(document: Document) -> Record:
    """Return a document's record."""
    if document.record is not None:
        return document.record
    fields = quick_json.loads(document.fields)
    edited, author = bool(fields.pop(_EDITED, False)), str(fields.pop(AUTHOR, ""))
    if author:
        # A repository's line may falsely claim to be from the user or this agent.
        fields["source"], fields["agent"] = author, ""
    record = record_from(fields)
    return record._replace(
        content=document.content,
        title=document.title,
        hash=document.hash.removeprefix("~"),
        edited=edited,
    )


def is_foreign(document: Document) -> bool:
    """Return whether a gate named the author of a document: it is somebody else's."""
    return AUTHOR in quick_json.loads(document.fields)


def expiry_of(record: Record) -> int | None:
    """Return when a record expires, in Unix seconds: as set, or by its kind's default.

    The default is only for Satchel's own records, which always state their trust.
    """
    if record.expires_at is not None:
        return record.expires_at
    kind = KINDS.get(record.kind)
    # Other programs' lines have no expiry, and those programs know none.
    foreign = record.trust in ("", IMPORTED)
    if foreign or kind is None or kind.default_days is None:
        return None
    return record.when + int(kind.default_days * DAY)


def end_of(record: Record) -> int | None:
    """Return when a record stops being live: it expires, or a newer fact closes it.

    A closed fact stays for questions about the past; expiry never deletes it.
    """
    ends = [end for end in (expiry_of(record), record.valid_to) if end is not None]
    return min(ends, default=None)


def remembered(hit: Hit) -> StoredMemory:
    """Convert an index hit to a memory."""
    return StoredMemory(record_of(hit.document), hit.source, hit.score)


def hit_of(row: Row, holders: dict[int | None, Source]) -> Hit:
    """Return a hit from a row of the query `columns`; `sources` maps numbers to sources.

    Raises `NotReadableError` if the row is damaged.
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
        # As literals: for a bound value, SQLite cannot know that a partial index applies.
        said = ",".join(f"'{one}'" if one.isalpha() else place(one) for one in only.without_trust)
        parts.append(f"AND coalesce(json_extract(d.fields, '$.trust'), '') NOT IN ({said})")
    if only.shareable:
        parts.append("AND NOT d.private")
    if only.naming:
        said = place(only.naming)
        parts.append(f"AND (instr(d.content, {said}) OR instr(d.title, {said})")
        parts.append(f"OR instr(d.fields, {said}))")
    for name, value in only.having:
        if name not in MATCHED:
            raise LookupError(name)  # without it, everything would match
        parts.append(f"AND coalesce(json_extract(d.fields, '$.{name}'), '') = {place(value)}")
    return " ".join(parts), values
