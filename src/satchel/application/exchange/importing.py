"""Imports memories of other programs; each line is kept, exactly once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.hashing import digest
from satchel.core.ids import derived_ulid
from satchel.storage.database.contract import Database
from satchel.storage.ledger.lines import Line, decode, record_from, split_lines
from satchel.storage.ledger.quarantine import Quarantine
from satchel.storage.ledger.record import Record
from satchel.storage.locks import read_file
from satchel.storage.paths import archive_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.features.memories.contract import MemoryLedgers

_CMEM_COLUMNS = (
    "id",
    "bead_id",
    "epic_id",
    "session_id",
    "chat_id",
    "agent_name",
    "kind",
    "title",
    "content",
    "data",
    "intent_anchors",
    "relevance_score",
    "expires_at",
    "deleted_at",
    "created_at",
)


class ImportReport(NamedTuple):
    """The result of an import: lines read, records written, already present, quarantined."""

    read: int
    written: int
    known: int
    quarantined: int


def import_lines(path: str, ledgers: MemoryLedgers, quarantine: Quarantine) -> ImportReport:
    """Import a knowledge.jsonl and the archive beside it, changing neither."""
    if os.path.isdir(path):
        raise BadInputError(f"{path} is a directory.", hint="Name the knowledge.jsonl in it.")
    if not os.path.isfile(path):
        raise NotFoundError(f"There is no file {path}.")
    data = read_file(path)
    archive = archive_of(path)
    if archive != path:
        data += b"\n" + read_file(archive)
    lines = [decode(raw) for raw in split_lines(data)]
    now = int(ledgers.clock.now())
    bad = [line for line in lines if line.record is None]
    for line in bad:
        quarantine.keep(path, line.raw, line.reason, now)
    known, written = _write(_imported(lines), ledgers)
    return ImportReport(len(lines), written, known, len(bad))


def import_memory_db(path: str, database: Database, ledgers: MemoryLedgers) -> ImportReport:
    """Import the `memory_entries` of an open Beads Console memory.db."""
    tables = database.read("SELECT 1 FROM sqlite_master WHERE name = 'memory_entries'")
    if not tables:
        raise BadInputError(
            f"{path} has no table `memory_entries`.", hint="Is it another program's database?"
        )
    have = {str(row[1]) for row in database.read("PRAGMA table_info(memory_entries)")}
    names = [name for name in _CMEM_COLUMNS if name in have]
    rows = database.read(f"SELECT {', '.join(names)} FROM memory_entries ORDER BY created_at")
    records = [_from_cmem(dict(zip(names, row, strict=True))) for row in rows]
    known, written = _write(records, ledgers)
    return ImportReport(len(rows), written, known, 0)


def _from_cmem(row: dict[str, Any]) -> Record:
    import json

    def parsed(name: str) -> Any:
        try:
            return json.loads(row.get(name) or "null")
        except ValueError:
            return None

    fields = {
        "type": row.get("kind") or "learned",
        "title": row.get("title"),
        "content": row.get("content") or "",
        "bead": row.get("bead_id"),
        "epic": row.get("epic_id"),
        "session": row.get("session_id"),
        "chat": row.get("chat_id"),
        "agent": row.get("agent_name"),
        "relevance": row.get("relevance_score"),
        "expires_at": row.get("expires_at"),
        "deleted_at": row.get("deleted_at"),
        "ts": row.get("created_at"),
        "source": "cmem",
        "trust": "imported",
        "data": parsed("data"),
        "intent_anchors": parsed("intent_anchors"),
    }
    record = record_from({k: v for k, v in fields.items() if v is not None})
    uuid = str(row.get("id") or "")
    # The same row gives the same id, so that importing twice writes once.
    ident = derived_ulid(record.ts * 1000, digest(uuid.encode()))
    return record._replace(id=ident, extra={"imported_id": uuid} if uuid else None)


def _imported(lines: Iterable[Line]) -> list[Record]:
    return [
        line.record._replace(trust=line.record.trust or "imported", edited=False)
        for line in lines
        if line.record is not None
    ]


def _write(records: Sequence[Record], ledgers: MemoryLedgers) -> tuple[int, int]:
    """Append records that the private ledgers lack; return how many were new and known."""
    unique = list({(r.id, r.rev, r.ts): r for r in records}.values())
    written = 0
    for ledger, group in ledgers.grouped(unique):
        written += len(ledger.append_new(group))
    return len(records) - written, written
