"""Imports memories of other programs; each line is kept, exactly once.

What comes from a file waits for this person's approval, whatever it says of its trust, and never
takes the place of what is here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from satchel.application.forgetting.scrub import is_tombstone
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.hashing import digest
from satchel.core.ids import derived_ulid
from satchel.core.trust import IMPORTED
from satchel.features.memories.contract import MemoryLedgers
from satchel.features.memories.ledgers import grouped
from satchel.project.approvals.rules import trust_of
from satchel.storage.database.contract import Database
from satchel.storage.files import read_file
from satchel.storage.ledger.lines import decode, record_from, split_lines
from satchel.storage.ledger.quarantine import Quarantine
from satchel.storage.ledger.record import Record
from satchel.storage.paths import archive_of

#: Columns of Beads Console's `memory_entries`, besides `id` -> the fields of a line.
_CMEM_FIELDS = {
    "kind": "type",
    "title": "title",
    "content": "content",
    "bead_id": "bead",
    "epic_id": "epic",
    "session_id": "session",
    "chat_id": "chat",
    "agent_name": "agent",
    "relevance_score": "relevance",
    "expires_at": "expires_at",
    "deleted_at": "deleted_at",
    "created_at": "ts",
    "data": "data",
    "intent_anchors": "intent_anchors",
}


class ImportReport(NamedTuple):
    """The result of an import: lines read, records written, already present, quarantined.

    `forgotten` were here and stay out.
    """

    read: int
    written: int
    known: int
    quarantined: int
    forgotten: int = 0


def import_lines(path: str, ledgers: MemoryLedgers, quarantine: Quarantine) -> ImportReport:
    """Import a knowledge.jsonl and the archive beside it, changing neither."""
    if os.path.isdir(path):
        raise BadInputError(f"{path} is a directory.", hint="Name the knowledge.jsonl in it.")
    if not os.path.exists(path):
        raise NotFoundError(f"There is no file {path}.")
    if not os.path.isfile(path):
        raise BadInputError(f"{path} is a device or a pipe.", hint="Save it to a file first.")
    data = read_file(path)
    archive = archive_of(path)
    if archive != path:
        data += b"\n" + read_file(archive)
    lines = [decode(raw) for raw in split_lines(data)]
    now = int(ledgers.clock.now())
    bad = [line for line in lines if line.record is None]
    for line in bad:
        quarantine.keep(path, line.raw, line.reason, now)
    records = [line.record for line in lines if line.record is not None]
    return _added(records, ledgers)._replace(read=len(lines), quarantined=len(bad))


def import_memory_db(path: str, database: Database, ledgers: MemoryLedgers) -> ImportReport:
    """Import the `memory_entries` of an open Beads Console memory.db."""
    tables = database.read("SELECT 1 FROM sqlite_master WHERE name = 'memory_entries'")
    if not tables:
        raise BadInputError(
            f"{path} has no table `memory_entries`.", hint="Is it another program's database?"
        )
    have = {str(row[1]) for row in database.read("PRAGMA table_info(memory_entries)")}
    names = [name for name in ("id", *_CMEM_FIELDS) if name in have]
    rows = database.read(f"SELECT {', '.join(names)} FROM memory_entries ORDER BY created_at")
    records = [_from_cmem(dict(zip(names, row, strict=True))) for row in rows]
    return _added(records, ledgers)


def _from_cmem(row: dict[str, Any]) -> Record:
    import json

    def parsed(name: str) -> Any:
        try:
            return json.loads(row.get(name) or "null")
        except ValueError:
            return None

    fields = {field: row.get(name) for name, field in _CMEM_FIELDS.items()}
    fields |= {"type": fields["type"] or "learned", "content": fields["content"] or ""}
    fields |= {name: parsed(name) for name in ("data", "intent_anchors")}
    fields["source"] = "cmem"
    record = record_from({k: v for k, v in fields.items() if v is not None})
    uuid = str(row.get("id") or "")
    # The same row gives the same id, so that importing twice writes once.
    ident = derived_ulid(record.ts * 1000, digest(uuid.encode()))
    return record._replace(id=ident, extra={"imported_id": uuid} if uuid else None)


def _added(records: Sequence[Record], ledgers: MemoryLedgers) -> ImportReport:
    written = add_imported(records, ledgers)
    gone = {one.id for one in _here(ledgers) if is_tombstone(one)}
    forgotten = sum(one.id in gone for one in records)
    return ImportReport(len(records), written, len(records) - written - forgotten, 0, forgotten)


def add_imported(records: Sequence[Record], ledgers: MemoryLedgers) -> int:
    """Append records that the private ledgers lack; return how many."""
    unique = list({(r.id, r.rev, r.ts): r for r in records}.values())
    new = _held_back(unique, ledgers)
    return sum(len(ledger.append_new(group)) for ledger, group in grouped(ledgers, new))


def _held_back(records: Sequence[Record], ledgers: MemoryLedgers) -> list[Record]:
    """Return those records that are versions of nothing of this person's, as imported ones.

    They may replace each other, but no memory that is here.
    """
    here = [one for one in _here(ledgers) if trust_of(one) != IMPORTED]
    taken = {name for one in here for name in (one.id, one.identity) if name}
    ids = {one.id for one in records} - taken
    return [
        one._replace(
            trust=IMPORTED,
            edited=False,
            supersedes=tuple(name for name in one.supersedes if name in ids),
        )
        for one in records
        if taken.isdisjoint((one.id, one.identity))
    ]


def _here(ledgers: MemoryLedgers) -> list[Record]:
    tracked = [ledgers.tracked] if ledgers.tracked else []
    lines = (line for one in (*ledgers.every_private(), *tracked) for line in one.read())
    return [line.record for line in lines if line.record]
