"""The audit log: one line per request, hash-chained so that no removal goes unnoticed."""

from __future__ import annotations

from satchel.core.hashing import digest
from satchel.core.values import NamedTuple
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.ledger.record import Record
from satchel.storage.locks import read_file

#: The kind of its lines.
KIND = "audit"


class AuditEntry(NamedTuple):
    """A request that changed something or was refused, without its content."""

    user: str
    method: str
    path: str
    status: int
    project: str = ""


class AuditLog:
    """The audit log of one server.

    Args:
        ledger: an append-only ledger of its own.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._last = ""

    def note(self, asked: AuditEntry) -> None:
        """Append an entry."""
        before = self._last or self._tail()
        data = {**asked._asdict(), "prev": before}
        record = Record(kind=KIND, source=asked.user or "nobody", data=data)
        (written,) = self.ledger.append([record])
        self._last = _mark(written)

    def entries(self, limit: int = 100) -> list[tuple[int, AuditEntry]]:
        """Return the last entries, newest first, with their times."""
        found = [
            (one.ts, AuditEntry(**{n: (one.data or {}).get(n, "") for n in AuditEntry._fields}))
            for one in self._records()
        ]
        return found[-limit:][::-1]

    def broken(self) -> list[int]:
        """Return the numbers of entries, from 1, that were changed or follow a missing one."""
        wrong, before = [], ""
        for number, record in enumerate(self._records(), 1):
            if record.edited or (record.data or {}).get("prev", "") != before:
                wrong.append(number)
            before = _mark(record)
        return wrong

    def _records(self) -> list[Record]:
        data = read_file(self.ledger.archive) + b"\n" + read_file(self.ledger.path)
        lines = (decode(raw).record for raw in split_lines(data))
        return [one for one in lines if one is not None and one.kind == KIND]

    def _tail(self) -> str:
        records = self._records()
        return _mark(records[-1]) if records else ""


def _mark(record: Record) -> str:
    return digest(f"{record.id}{record.hash}".encode()).hex()[:32]
