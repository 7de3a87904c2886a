"""Converts records to index documents and back."""

from __future__ import annotations

from satchel.core import quick_json
from satchel.core.kinds import KINDS
from satchel.core.redaction.personal import is_personal
from satchel.core.trust import IMPORTED
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import AUTHOR, Document, Hit
from satchel.storage.ledger.lines import decode, fields_of, record_from
from satchel.storage.ledger.record import Record

_DAY = 86_400
#: Edited by hand: the line parses, and its hash says that somebody else than Satchel wrote it.
_EDITED = "_edited"


class StoredMemory(NamedTuple):
    """A record, its ledger's label, and its score if it was searched for."""

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
    )


def is_private(record: Record) -> bool:
    """Return whether a record is private, as marked or by its content."""
    said = f"{record.title} {record.content} {record.data or ''}"
    return record.visibility == "private" or is_personal(said)


def record_of(document: Document) -> Record:
    """Return a document's record."""
    fields = quick_json.loads(document.fields)
    edited, author = bool(fields.pop(_EDITED, False)), str(fields.pop(AUTHOR, ""))
    if author:
        # Who says in a repository that it was the user, or this agent, need not have been.
        fields["source"], fields["agent"] = author, ""
    record = record_from(fields)
    return record._replace(
        content=document.content,
        title=document.title,
        hash=document.hash.removeprefix("~"),
        edited=edited,
    )


def expiry_of(record: Record) -> int | None:
    """Return when a record expires, in Unix seconds: as set, or by its kind's default.

    The default is for what Satchel wrote, which always says how far it is trusted.
    """
    if record.expires_at is not None:
        return record.expires_at
    kind = KINDS.get(record.kind)
    # Another program's lines say nothing of expiry, and their program knew none.
    foreign = record.trust in ("", IMPORTED)
    if foreign or kind is None or kind.default_days is None:
        return None
    return record.when + int(kind.default_days * _DAY)


def end_of(record: Record) -> int | None:
    """Return when a record stops being live: it expires, or a newer fact closes it.

    A closed fact is kept for questions about the past; expiry never deletes it.
    """
    ends = [end for end in (expiry_of(record), record.valid_to) if end is not None]
    return min(ends, default=None)


def remembered(hit: Hit) -> StoredMemory:
    """Convert an index hit to a memory."""
    return StoredMemory(record_of(hit.document), hit.source, hit.score)
