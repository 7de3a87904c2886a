"""The index of a team's store: documents in rows beside their lines, searched by words.

Implements `contracts.SearchIndex`. Documents are written in the same transaction as their lines, so
nothing ever has to catch up.
"""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.errors import StoreError
from satchel.engine.inference.contracts import Embedder
from satchel.engine.search.catching_up import CatchUpReport
from satchel.engine.search.contracts import Static
from satchel.engine.search.documents import (
    EVERYTHING,
    CodedHits,
    Damage,
    Document,
    Filter,
    Hit,
    Source,
    View,
)
from satchel.engine.search.source_reader import Parse
from satchel.engine.search.team.deriving import Derivation
from satchel.engine.search.team.rows import (
    array_of_numbers,
    bits_of,
    bounded,
    bytes_of,
    clause_of,
    likeness_in,
    match_values,
    nearer_than_chance,
    plain,
    rarity,
)
from satchel.engine.search.team.vectors import TeamVectors
from satchel.engine.search.tokens import words_of
from satchel.storage.database.contract import Row, Statement, TeamDatabase, Value
from satchel.storage.database.queries import load_queries, without_comments
from satchel.storage.ledger.lines import Line
from satchel.storage.ledger.team import LONGEST, Derived, array_of, clean_text, ledger_at, path_of

#: Queries that are parts of others: of all that name them, or one of the two in each.
_PARTS, _NEWEST = ("seen", "columns", "live"), ("newest_visible", "newest_of_all")


class TeamIndex:
    """A word index over the documents of one project of a team.

    Args:
        database: the server, with the newest schema.
        project: whose documents. Every query names it, so other projects' documents are never
            visible.
        parse: converts a line to a Document, or to the reason why it is none.
        primary: the server for writes, if `database` is a replica.
    """

    database: TeamDatabase

    def __init__(
        self,
        database: TeamDatabase,
        project: str,
        parse: Parse,
        *,
        primary: TeamDatabase | None = None,
    ) -> None:
        self.database = database
        self.primary = primary or database
        self.project = project
        self._parse = parse
        self._sql = _complete(load_queries(__file__, "index.sql"))
        self._derivation = Derivation(self.primary, project)
        #: Whether every ledger was visible to every question so far: see `_matches`.
        self._is_whole = True

    # Keeping in step with the lines

    def changed(self, sources: Sequence[Source]) -> list[str]:
        """Sources that changed since they were indexed: always none."""
        del sources
        return []

    def catch_up(self, sources: Sequence[Source]) -> CatchUpReport:
        """Do nothing: documents come with their lines."""
        del sources
        return CatchUpReport(0, 0, ())

    def reindex(self, sources: Sequence[Source]) -> CatchUpReport:
        """Derive everything again from the lines, in one transaction: readers never see less."""
        return CatchUpReport(len(sources), self.rebuild(), ())

    def derive(self, lines: Sequence[Line]) -> Derived:
        """Derive the documents of new lines: see `Derivation.derive`."""
        return self._derivation.derive(lines)

    def rebuild(self) -> int:
        """Derive all of the project's documents again from its lines; return how many."""
        return self._derivation.rebuild()

    # Searching

    def search(self, question: str, view: View, *, limit: int = 10) -> list[Hit]:
        """Find live documents with words of the question, best first (BM25).

        Okapi BM25 as in FTS5, with the same weights for title, tags, text and code. If a question's
        rarest words have more than `LOOKED_AT` matches, the newest are used: see `team_matching`.
        """
        values = match_values(question, view.now, limit)
        rows = self._matches(view, values)[0] if values else []
        return self._with_phrases(question, self._as_hits_of(rows, view.sources))[:limit]

    def search_near(
        self, question: str, code: bytes, view: View, *, limit: int, nearest: int
    ) -> CodedHits:
        """Search by words, and for the documents nearest to a code, in one round trip."""
        values = match_values(question, view.now, limit, code)
        codes = self._sql["codes"], (self.project, bits_of(code), nearest)
        rows, near = self._matches(view, values, codes)
        hits = self._with_phrases(question, self._as_hits_of(rows, view.sources))[:limit]
        return CodedHits(hits, nearer_than_chance(near, code), likeness_in(rows, code))

    def _matches(
        self, view: View, values: tuple[Value, ...], *others: Statement
    ) -> list[list[Row]]:
        """Return the rows of `match`, none without values, and those of statements sent with it.

        While every ledger is visible, a shorter condition does; otherwise it yields nothing.
        """
        if not values:
            return [[], *self.database.together(*others)]
        if self._is_whole:
            match = self._statement("match", view, values, newest="newest_of_all")
            # Last: a ledger that was empty until then hides nothing that was found before.
            asks = self._statement("is_whole", view._replace(only=Filter()), ())
            *found, whole = self.database.together(match, *others, asks)
            if whole[0][0]:
                return found
            self._is_whole = False  # and stays so: no ledger is taken back
        return self.database.together(self._statement("match", view, values), *others)

    def _with_phrases(self, question: str, hits: list[Hit]) -> list[Hit]:
        """Raise documents with the question's quoted phrases of two or more words."""
        for span in question.split('"')[1::2]:
            inside = words_of(span)
            if len(inside) < 2 or not hits:  # noqa: PLR2004
                continue
            numbers = array_of_numbers([hit.number for hit in hits])
            values = (self.project, numbers, plain(" ".join(inside)))
            holders = {int(r[0] or 0) for r in self.database.read(self._sql["phrase"], values)}
            gain = rarity(len(hits), len(holders)) + 1.0
            hits = [h._replace(score=h.score + gain) if h.number in holders else h for h in hits]
            hits.sort(key=lambda h: -h.score)
        return hits

    def documents_in_rows(self, numbers: Sequence[int], view: View) -> list[Hit]:
        """The live and visible ones of the documents in these rows, unordered."""
        return self._hits("numbered", view, (int(view.now), array_of_numbers(numbers)))

    def sees_all(self, sources: Sequence[Source]) -> bool:
        """Return False: queries have a condition on the project anyway."""
        del sources
        return False

    def live_numbers(self, view: View) -> list[int]:
        """Rows of all live and visible documents."""
        rows = self._rows("live_numbers", view, (int(view.now),))
        return [int(row[0] or 0) for row in rows]

    def neighbours(
        self, numbers: Sequence[int], view: View, *, reach: int = 1
    ) -> list[tuple[int, int, Hit]]:
        """Documents within `reach` places of others in their thread.

        Returns (row of the document, distance, its neighbor).
        """
        rows = self._rows("beside", view, (int(view.now), array_of_numbers(numbers), reach))
        hits = self._as_hits_of(rows, view.sources)
        return [
            (int(row[-2] or 0), int(row[-1] or 0), hit) for row, hit in zip(rows, hits, strict=True)
        ]

    def live(self, view: View, *, limit: int = EVERYTHING, start: int = 0) -> list[Hit]:
        """Live documents, newest first, skipping the first `start`."""
        return self._hits("list", view, (int(view.now), start + limit))[start:]

    def latest(
        self, sources: Sequence[Source], *, limit: int = EVERYTHING, only: Filter | None = None
    ) -> list[Hit]:
        """Return the newest version of everything, including deleted and expired."""
        return self._hits("latest", View(sources, 0, only or Filter()), (limit,))

    def marks(self, prefix: str, sources: Sequence[Source], only: Filter) -> dict[str, str]:
        """Hash of everything not deleted, by identity after a prefix."""
        every = (hit.document for hit in self.latest(sources, only=only))
        return {prefix + one.identity: one.hash for one in every if not one.deleted}

    def history(self, identity: str, sources: Sequence[Source]) -> list[Hit]:
        """Every version of one thing, newest first."""
        return self._hits("history", View(sources, 0), (bounded(identity),))

    def held(self, identities: Sequence[str]) -> set[str]:
        """The identities among these that have any version."""
        spelled = {bounded(one): one for one in identities}
        rows = self.database.read(self._sql["held"], (self.project, array_of(list(spelled))))
        return {spelled[str(row[0])] for row in rows}

    def lines_of(self, identities: Sequence[str]) -> list[bytes]:
        """Lines of all versions of these identities, in order of arrival."""
        names = array_of([bounded(one) for one in identities])
        rows = self.database.read(self._sql["lines_of"], (self.project, names))
        return [bytes_of(row[0]) for row in rows]

    def with_id(self, prefix: str, sources: Sequence[Source], *, limit: int = 20) -> list[Hit]:
        """Newest versions whose ids begin with `prefix`, live or not."""
        start = clean_text(prefix)[:LONGEST]
        return self._hits("with_id", View(sources, 0), (limit, start, start + "~"))

    def versions_with_id(self, prefix: str, sources: Sequence[Source]) -> list[Hit]:
        """All versions whose ids begin with `prefix`, including replaced ones, newest first."""
        start = clean_text(prefix)[:LONGEST]
        return self._hits("versions_with_id", View(sources, 0), (20, start, start + "~"))

    def replacing(self, ids: Sequence[str], view: View) -> list[Hit]:
        """Live documents whose `supersedes` field names one of these ids, oldest first."""
        values = (int(view.now), array_of([bounded(one) for one in ids]))
        return self._hits("replacing", view, values)

    # Counting and checking

    def counts(self, view: View) -> dict[str, int]:
        """Live documents by kind."""
        rows = self._rows("counts", view, (int(view.now),))
        return {str(row[0]): int(row[1] or 0) for row in rows}

    def size(self) -> int:
        """The number of the project's documents, counting every version, from a running count."""
        rows = self.database.read(self._sql["totals"], (self.project,))
        return int(rows[0][0] or 0) if rows else 0

    def count_unshared(self, shared: Sequence[Source], view: View) -> int:
        """Count live documents, not marked private, that `shared` lacks in this version."""
        names = array_of(self._ledgers_of(shared))
        held: dict[Value, tuple[Value, ...]] = {}
        for thing, *version in self.database.read(
            self._sql["held_versions"], (self.project, names)
        ):
            held[thing] = max(held.get(thing, ()), tuple(version))
        rows = self._rows("shareable", view, (int(view.now),))
        return sum(held.get(row[0], ()) < row[1:4] for row in rows)

    def waits_for_vectors(self) -> bool:
        """Return whether any document has no vector yet."""
        return bool(self.database.read(self._sql["any_without_vectors"], (self.project,)))

    def vector_counts(self) -> tuple[int, dict[str, int]]:
        """The number of documents waiting for vectors, and of vectors by model."""
        waiting = self.database.read(self._sql["without_vectors"], (self.project,))
        held = self.database.read(self._sql["vectors_by_model"], (self.project,))
        return int(waiting[0][0] or 0), {str(model): int(n or 0) for model, n in held}

    def damage(self) -> list[Damage]:
        """Every line that does not parse."""
        rows = self.database.read(self._sql["damage"], (self.project,))
        return [
            Damage(path_of(self.project, str(name)), int(n or 0), str(why), bytes_of(raw))
            for name, n, why, raw in rows
        ]

    def hashes(self) -> dict[str, set[str]]:
        """Hashes of documents by ledger path, for comparing with ledgers."""
        held: dict[str, set[str]] = {}
        for hash_, name in self.database.read(self._sql["all_documents"], (self.project,)):
            held.setdefault(path_of(self.project, str(name)), set()).add(str(hash_))
        return held

    def problems(self) -> list[str]:
        """Errors on the server: lines without documents, and wrong word counts."""
        found = self.database.problems()
        missing = int(
            self.database.read(self._sql["lines_without_document"], (self.project,))[0][0] or 0
        )
        if missing:
            found.append(f"{missing} lines have no document: `satchel team rebuild`")
        if self.database.read(self._sql["wrong_words"], (self.project,)):
            found.append("the counted words differ from the documents: `satchel team rebuild`")
        return found

    def compact(self) -> None:
        """Do nothing: PostgreSQL reclaims space by itself."""

    # Vectors and codes

    def vectors(self, embedder: Embedder, static: Static | None = None) -> TeamVectors:
        """Open this project's vectors of a model."""
        from satchel.engine.search.team.vectors import TeamVectors

        return TeamVectors(
            self.database, self.project, self._parse, embedder, static, primary=self.primary
        )

    def nearest_codes(self, code: bytes, count: int) -> dict[int, float]:
        """Share of equal bits of the nearest documents, by row: see `binary_codes`.

        The server compares them; no code is transferred.
        """
        values = (self.project, bits_of(code), count)
        return nearer_than_chance(self.database.read(self._sql["codes"], values), code)

    def code_likeness(self, code: bytes, rows: list[int]) -> dict[int, float]:
        """Share of equal bits of some documents, by row."""
        values = (self.project, bits_of(code), array_of_numbers(rows))
        found = self.database.read(self._sql["codes_of"], values)
        return {int(row or 0): 1 - int(far or 0) / (len(code) * 8) for row, far in found}

    # Rows to hits

    def _ledgers_of(self, sources: Sequence[Source]) -> list[str]:
        """This project's ledgers among the sources; others are ignored."""
        named = (ledger_at(source.path, self.project) for source in sources)
        return sorted({name for name in named if name})

    def _rows(self, name: str, view: View, values: tuple[Value, ...]) -> list[Row]:
        return self.database.read(*self._statement(name, view, values))

    def _statement(
        self, name: str, view: View, values: tuple[Value, ...], *, newest: str = "newest_visible"
    ) -> Statement:
        names = self._ledgers_of(view.sources)
        clause, more = clause_of(view.only, len(values) + 2)
        sql = self._sql[name].replace("{newest_visible}", self._sql[newest])
        sql = sql.replace("{filter}", clause)
        return sql, (self.project, array_of(names), *values, *more)

    def _hits(self, name: str, view: View, values: tuple[Value, ...]) -> list[Hit]:
        return self._as_hits_of(self._rows(name, view, values), view.sources)

    def _as_hits_of(self, rows: Sequence[Row], sources: Sequence[Source]) -> list[Hit]:
        holders = {ledger_at(source.path, self.project): source for source in sources}
        hits = []
        for raw, hash_, number, ledger, score, *_ in rows:
            document = self._parse(bytes_of(raw))
            if not isinstance(document, Document) or document.hash != hash_:
                raise StoreError(
                    "A row of the team's store is damaged.", hint="`satchel team rebuild`."
                )
            holder = holders.get(str(ledger)) or Source("", "")
            hits.append(
                Hit(document, float(score or 0.0), holder.label, holder.path, int(number or 0))
            )
        return hits


def _complete(queries: dict[str, str]) -> dict[str, str]:
    """Return the queries with the parts that are the same in every one; parts without comments."""
    found = queries | {name: without_comments(queries[name]) for name in (*_PARTS, *_NEWEST)}
    for part in _PARTS:
        found = {name: sql.replace(f"{{{part}}}", found[part]) for name, sql in found.items()}
    return found
