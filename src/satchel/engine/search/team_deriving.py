"""Derives a team store's documents from its lines, in the same transaction."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.engine.search.documents import Document
from satchel.engine.search.source_reader import Parse
from satchel.engine.search.team_rows import (
    bounded,
    bytes_of,
    row_of,
    searched_words,
)
from satchel.storage.database.queries import load_queries
from satchel.storage.ledger.lines import Line
from satchel.storage.ledger.team import Totals, array_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import TeamDatabase

_PAGE = 500


class Derivation:
    """Keeps a project's documents in sync with its lines.

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

    def derive(self, lines: Sequence[Line], totals: Totals) -> tuple[list[int | None], Totals]:
        """Add documents of new lines. The caller locks the project in a transaction.

        Returns the number of each line's document, None where it has none, and what the project
        counts then.
        """
        documents: dict[str, tuple[Document, bytes]] = {}
        hashes: list[str] = []
        for line in lines:
            document = self._parse(line.raw)
            hashes.append(document.hash if isinstance(document, Document) else "")
            if isinstance(document, Document):
                documents.setdefault(document.hash, (document, line.raw))
        if not documents:
            return [None] * len(hashes), totals
        known = (self.project, array_of(list(documents)))
        rows = self.database.read(self._sql["known_hashes"], known)
        numbers = {str(hash_): int(number or 0) for hash_, number in rows}
        new = {h: pair for h, pair in documents.items() if h not in numbers}
        totals = self._add(new, numbers, totals)
        return [numbers.get(hash_) for hash_ in hashes], totals

    def _add(
        self,
        new: dict[str, tuple[Document, bytes]],
        numbers: dict[str, int],
        totals: Totals,
    ) -> Totals:
        if not new:
            return totals
        number, count, words = totals
        rows = []
        for hash_, (document, raw) in new.items():
            number += 1
            numbers[hash_] = number
            length, values = searched_words(document)
            words += length
            rows.append((number, *row_of(document), raw, length, *values))
        self.database.write_rows(self._sql["put_documents"], rows, (self.project,))
        things = array_of(sorted({bounded(document.identity) for document, _ in new.values()}))
        self.database.write(self._sql["mark_superseded"], (self.project, things))
        return number, count + len(rows), words

    def rebuild(self) -> int:
        """Rebuild the project's documents from its lines; return their number."""

        def work(_: bool) -> int:  # noqa: FBT001
            rows = self.database.read(self._sql["hold_project"], (self.project,))
            if not rows:
                return 0
            for query in ("forget_documents", "forget_words", "forget_numbers"):
                self.database.write(self._sql[query], (self.project,))
            # Numbers are never used twice: vectors held in memory may outlive a document.
            totals = (int(rows[0][0] or 0), 0, 0)
            ledger, place = "", 0
            while page := self.database.read(
                self._sql["all_lines"], (self.project, ledger, place, _PAGE)
            ):
                by_ledger: dict[str, list[tuple[int, Line]]] = {}
                for name, at, raw in page:
                    ledger, place = str(name), int(at or 0)
                    by_ledger.setdefault(ledger, []).append((place, Line(bytes_of(raw), None)))
                for held, lines in by_ledger.items():
                    numbers, totals = self.derive([line for _, line in lines], totals)
                    places = [at for at, _ in lines]
                    self.database.write_rows(
                        self._sql["note_documents"],
                        list(zip(places, numbers, strict=True)),
                        (self.project, held, places[0], places[-1]),
                    )
            self.database.write(self._sql["put_totals"], (self.project, *totals))
            return totals[1]

        return self.database.attempt(work)
