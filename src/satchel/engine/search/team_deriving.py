"""Documents derived from the lines of a team's store, in the transaction that keeps the lines."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.hashing import digest
from satchel.engine.search.documents import Document
from satchel.engine.search.source_reader import Parse
from satchel.engine.search.team_rows import (
    array_of_numbers,
    bounded,
    bytes_of,
    row_of,
    searched_words,
)
from satchel.storage.database.queries import load_queries
from satchel.storage.ledger.lines import Line
from satchel.storage.ledger.team import array_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.team_contract import TeamDatabase

_PAGE = 500


class Derivation:
    """Keeps the documents of one project in step with its lines.

    Args:
        database: the server.
        project: whose documents.
        parse: turns a line into a Document, or into the reason why it is none.
    """

    def __init__(self, database: TeamDatabase, project: str, parse: Parse) -> None:
        self.database = database
        self.project = project
        self._parse = parse
        self._sql = load_queries(__file__, "team_deriving.sql")

    def derive(self, ledger: str, lines: Sequence[Line]) -> None:
        """Add the documents of new lines. The caller holds the project in a transaction."""
        documents: dict[str, tuple[Document, bytes]] = {}
        marks: list[tuple[str, bytes]] = []
        for line in lines:
            document = self._parse(line.raw)
            if isinstance(document, Document):
                documents.setdefault(document.hash, (document, line.raw))
                marks.append((document.hash, digest(line.raw)))
        if not documents:
            return
        rows = self.database.read(
            self._sql["known_hashes"], (self.project, array_of(list(documents)))
        )
        numbers = {str(hash_): int(number or 0) for hash_, number in rows}
        self._add({h: pair for h, pair in documents.items() if h not in numbers}, numbers)
        self.database.write_many(
            self._sql["note_document"],
            [(self.project, ledger, numbers[hash_], mark) for hash_, mark in marks],
        )

    def _add(self, new: dict[str, tuple[Document, bytes]], numbers: dict[str, int]) -> None:
        if not new:
            return
        last, count, tokens = self.database.read(self._sql["hold_project"], (self.project,))[0]
        number, rows, total = int(last or 0), [], int(tokens or 0)
        for hash_, (document, raw) in new.items():
            number += 1
            numbers[hash_] = number
            length, values = searched_words(document)
            total += length
            rows.append((self.project, number, *row_of(document), raw, length, *values))
        self.database.write_many(self._sql["put_document"], rows)
        totals = (self.project, number, int(count or 0) + len(rows), total)
        self.database.write(self._sql["put_totals"], totals)
        things = array_of(sorted({bounded(document.identity) for document, _ in new.values()}))
        self.database.write(self._sql["mark_superseded"], (self.project, things))
        added = array_of_numbers([numbers[hash_] for hash_ in new])
        self.database.write(self._sql["count_words"], (self.project, added))

    def rebuild(self) -> int:
        """Derive every document of the project anew from its lines; return how many there are."""

        def work(_: bool) -> int:  # noqa: FBT001
            rows = self.database.read(self._sql["hold_project"], (self.project,))
            if not rows:
                return 0
            for query in ("forget_documents", "forget_words", "forget_numbers"):
                self.database.write(self._sql[query], (self.project,))
            # Numbers are never used twice: vectors held in memory may outlive a document.
            self.database.write(self._sql["put_totals"], (self.project, int(rows[0][0] or 0), 0, 0))
            ledger, place = "", 0
            while page := self.database.read(
                self._sql["all_lines"], (self.project, ledger, place, _PAGE)
            ):
                by_ledger: dict[str, list[Line]] = {}
                for name, at, raw in page:
                    ledger, place = str(name), int(at or 0)
                    by_ledger.setdefault(ledger, []).append(Line(bytes_of(raw), None))
                for held, lines in by_ledger.items():
                    self.derive(held, lines)
            return int(self.database.read(self._sql["totals"], (self.project,))[0][0] or 0)

        return self.database.attempt(work)
