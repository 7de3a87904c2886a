"""The audit log: one line per request, hash-chained so that no removal goes unnoticed."""

from __future__ import annotations

from satchel.core.hashing import digest
from satchel.core.values import NamedTuple
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.project.server_ledgers import ServerLedger

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

    def __init__(self, ledger: ServerLedger) -> None:
        self.ledger = ledger
        self._last: Record | None = None

    def note(self, asked: AuditEntry) -> None:
        """Append an entry that names the one before it, whichever worker wrote that."""

        def follow(last: Record | None) -> list[Record]:
            before = last
            # If the log ends before this worker's last entry, that was removed.
            if self._last is not None and (last is None or last.id < self._last.id):
                before = self._last
            data = {**asked._asdict(), "prev": _mark(before) if before else ""}
            return [Record(kind=KIND, source=asked.user or "nobody", data=data)]

        (self._last,) = self.ledger.append_after(follow)

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
        records = (line.record for line in self.ledger.read())
        return [one for one in records if one is not None and one.kind == KIND]


def _mark(record: Record) -> str:
    return digest(f"{record.id}{record.hash}".encode()).hex()[:32]
