"""Derives a team store's documents from its lines, in the same transaction."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.values import NamedTuple
from satchel.engine.search.records import document_of
from satchel.engine.search.team.rows import bytes_of, row_of, searched_words
from satchel.storage.database.contract import Row, Statement, TeamDatabase, Value
from satchel.storage.database.queries import load_queries
from satchel.storage.ledger.lines import Line, decode
from satchel.storage.ledger.team import Derived, Placed, Totals, array_of

#: A row of `documents` after its number: the columns of `row_of`, line, length, words.
_Row = tuple[Value, ...]

_PAGE = 500
#: The positions of the identity and the length in it.
_IDENTITY, _LENGTH = 1, -5


class Derivation:
    """Keeps a project's documents in sync with its lines.

    Args:
        database: the server.
        project: whose documents.
    """

    def __init__(self, database: TeamDatabase, project: str) -> None:
        self.database = database
        self.project = project
        self.sql = load_queries(__file__, "deriving.sql")

    def derive(self, lines: Sequence[Line]) -> Derived:
        """Derive the documents of new lines, before taking the lock."""
        rows: dict[str, _Row] = {}
        hashes: list[str] = []
        for line in lines:
            document = None if line.record is None else document_of(line.record)
            hashes.append("" if document is None else document.hash)
            if document is not None and document.hash not in rows:
                length, words = searched_words(document)
                rows[document.hash] = (*row_of(document), line.raw, length, *words)
        return _Derived(self, hashes, rows)

    def known(self, hashes: Sequence[str]) -> Statement:
        """Ask which documents are there already."""
        return self.sql["known_hashes"], (self.project, array_of(hashes))

    def rebuild(self) -> int:
        """Rebuild the project's documents from its lines; return their number."""

        def work(_: bool) -> int:  # noqa: FBT001
            rows = self.database.read(self.sql["hold_project"], (self.project,))
            if not rows:
                return 0
            for query in ("forget_documents", "forget_words", "forget_numbers"):
                self.database.write(self.sql[query], (self.project,))
            # Numbers are never reused: vectors in memory may outlive a document.
            totals = (int(rows[0][0] or 0), 0, 0)
            ledger, place = "", 0
            while page := self.database.read(
                self.sql["all_lines"], (self.project, ledger, place, _PAGE)
            ):
                by_ledger: dict[str, list[tuple[int, Line]]] = {}
                for name, at, raw in page:
                    ledger, place = str(name), int(at or 0)
                    by_ledger.setdefault(ledger, []).append((place, decode(bytes_of(raw))))
                for held, lines in by_ledger.items():
                    derived = self.derive([line for _, line in lines])
                    known = self.database.together(*derived.asks())[0] if derived.asks() else []
                    placed = derived.placed(known, totals)
                    totals, places = placed.totals, [at for at, _ in lines]
                    noted = self.database.of_rows(
                        self.sql["note_documents"],
                        list(zip(places, placed.numbers, strict=True)),
                        (self.project, held, places[0], places[-1]),
                    )
                    self.database.together(*placed.writes, noted)
            self.database.write(self.sql["put_totals"], (self.project, *totals))
            return totals[1]

        return self.database.attempt(work)


class _Derived(NamedTuple):
    """Documents of lines: implements `storage.ledger.team.Derived`."""

    derivation: Derivation
    hashes: list[str]
    rows: dict[str, _Row]

    def asks(self) -> list[Statement]:
        return [self.derivation.known(list(self.rows))] if self.rows else []

    def placed(self, known: Sequence[Row], totals: Totals) -> Placed:
        of = self.derivation
        database, project, sql = of.database, of.project, of.sql
        numbers = {str(hash_): int(number or 0) for hash_, number in known}
        new = [(hash_, row) for hash_, row in self.rows.items() if hash_ not in numbers]
        last, count, words = totals
        numbers |= {hash_: number for number, (hash_, _) in enumerate(new, last + 1)}
        writes: list[Statement] = []
        if new:
            rows = [(numbers[hash_], *row) for hash_, row in new]
            things = array_of(sorted({str(row[_IDENTITY]) for _, row in new}))
            writes = [
                database.of_rows(sql["put_documents"], rows, (project,)),
                (sql["mark_superseded"], (project, things)),
            ]
            words += sum(int(row[_LENGTH] or 0) for _, row in new)
        totals = (last + len(new), count + len(new), words)
        return Placed([numbers.get(hash_) for hash_ in self.hashes], totals, writes)
