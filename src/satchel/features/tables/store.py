"""Rows in a ledger and an index, in either store. The only file here that accesses these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from satchel.core.clock import Clock
from satchel.core.quick_json import loads
from satchel.engine.search.contracts import SearchIndex
from satchel.engine.search.documents import Filter, Hit, Source, View
from satchel.features.tables.rows import KIND, tag_of
from satchel.storage.ledger.contract import RecordLedger
from satchel.storage.ledger.lines import record_from
from satchel.storage.ledger.record import Record


class RowStore:
    """The rows of a project, as records.

    Args:
        ledger: holds every version as a line.
        sources: the ledger as a source of the index.
    """

    def __init__(
        self, ledger: RecordLedger, index: SearchIndex, sources: Sequence[Source], clock: Clock
    ) -> None:
        self.ledger = ledger
        self.index = index
        self.sources = list(sources)
        self.clock = clock

    def write(self, make: Callable[[], Iterable[Record]]) -> list[Record]:
        """Append what `make` returns, called under the lock with every row."""

        def looked() -> list[Record]:
            self.refresh()
            return list(make())

        written = self.ledger.append_made(looked)
        self.refresh()
        return written

    def refresh(self) -> None:
        """Update the index from the ledger."""
        self.index.catch_up(self.sources)

    def rows(self, table: str) -> list[Record]:
        """Return a table's current rows."""
        hits = self.index.live(self._view(table))
        return [_record(hit) for hit in hits]

    def count(self, table: str) -> int:
        """Count the rows of a table."""
        return self.index.counts(self._view(table)).get(KIND, 0)

    def found(self, question: str, table: str, limit: int) -> list[tuple[Record, float]]:
        """Return rows matching a question's words, best first; of all tables for ""."""
        hits = self.index.search(question, self._view(table), limit=limit)
        return [(_record(hit), hit.score) for hit in hits]

    def _view(self, table: str) -> View:
        only = Filter(kinds=(KIND,), tag=tag_of(table) if table else "")
        return View(self.sources, self.clock.now(), only)

    def with_id(self, beginning: str) -> list[Record]:
        """Return rows by id prefix in their newest version, deleted ones included."""
        hits = self.index.with_id(beginning, self.sources)
        return [_record(hit) for hit in hits if hit.document.kind == KIND]

    def newest(self, ident: str) -> Record | None:
        """Return a row's newest version by its full id."""
        return next((one for one in self.with_id(ident) if one.id == ident), None)

    def history(self, ident: str) -> list[Record]:
        """Return every version of a row, newest first."""
        return [_record(hit) for hit in self.index.history(ident, self.sources)]

    def tables(self) -> dict[str, int]:
        """Return each table's number of lines, including tables without a schema."""
        counts: dict[str, int] = {}
        only = Filter(kinds=(KIND,))
        for hit in self.index.latest(self.sources, only=only):
            for tag in hit.document.tags.split():
                if tag.startswith(tag_of("")) and not hit.document.deleted:
                    name = tag.removeprefix(tag_of(""))
                    counts[name] = counts.get(name, 0) + 1
        return counts


def _record(hit: Hit) -> Record:
    document = hit.document
    record = record_from(loads(document.fields))
    return record._replace(
        content=document.content, title=document.title, hash=document.hash.removeprefix("~")
    )
