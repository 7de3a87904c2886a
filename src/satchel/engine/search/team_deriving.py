"""Derives a team store's documents from its lines, in the same transaction."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.engine.search.records import document_of
from satchel.engine.search.team_rows import bytes_of, row_of, searched_words
from satchel.storage.database.queries import load_queries
from satchel.storage.ledger.lines import Line, decode
from satchel.storage.ledger.team import Place, Totals, array_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import TeamDatabase, Value

    #: A row of `documents` after its number: the columns of `row_of`, line, length, words.
    _Row = tuple[Value, ...]

_PAGE = 500
#: Where in it the identity stands, and the length.
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
        self._sql = load_queries(__file__, "team_deriving.sql")

    def derive(self, lines: Sequence[Line]) -> Place:
        """Work out the documents of new lines; what is returned adds them.

        The caller locks the project in a transaction for that, and nobody waits before.
        """
        rows: dict[str, _Row] = {}
        hashes: list[str] = []
        for line in lines:
            document = None if line.record is None else document_of(line.record)
            hashes.append("" if document is None else document.hash)
            if document is not None and document.hash not in rows:
                length, words = searched_words(document)
                rows[document.hash] = (*row_of(document), line.raw, length, *words)
        return lambda totals: self._placed(hashes, rows, totals)

    def _placed(
        self, hashes: Sequence[str], rows: dict[str, _Row], totals: Totals
    ) -> tuple[list[int | None], Totals]:
        if not rows:
            return [None] * len(hashes), totals
        held = self.database.read(self._sql["known_hashes"], (self.project, array_of(list(rows))))
        numbers = {str(hash_): int(number or 0) for hash_, number in held}
        new = [(hash_, row) for hash_, row in rows.items() if hash_ not in numbers]
        totals = self._add(new, numbers, totals)
        return [numbers.get(hash_) for hash_ in hashes], totals

    def _add(
        self, new: Sequence[tuple[str, _Row]], numbers: dict[str, int], totals: Totals
    ) -> Totals:
        if not new:
            return totals
        last, count, words = totals
        numbers |= {hash_: number for number, (hash_, _) in enumerate(new, last + 1)}
        rows = [(numbers[hash_], *row) for hash_, row in new]
        self.database.write_rows(self._sql["put_documents"], rows, (self.project,))
        things = array_of(sorted({str(row[_IDENTITY]) for _, row in new}))
        self.database.write(self._sql["mark_superseded"], (self.project, things))
        length = sum(int(row[_LENGTH] or 0) for _, row in new)
        return last + len(new), count + len(new), words + length

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
                    by_ledger.setdefault(ledger, []).append((place, decode(bytes_of(raw))))
                for held, lines in by_ledger.items():
                    numbers, totals = self.derive([line for _, line in lines])(totals)
                    places = [at for at, _ in lines]
                    self.database.write_rows(
                        self._sql["note_documents"],
                        list(zip(places, numbers, strict=True)),
                        (self.project, held, places[0], places[-1]),
                    )
            self.database.write(self._sql["put_totals"], (self.project, *totals))
            return totals[1]

        return self.database.attempt(work)
