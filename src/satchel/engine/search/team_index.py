"""The index of a team's store: documents in rows beside their lines, searched by words.

Implements `contracts.SearchIndex`. Documents are written in the transaction that keeps their
lines, so nothing ever has to catch up.
"""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.errors import StoreError
from satchel.engine.search.catching_up import CatchUpReport
from satchel.engine.search.documents import CodedHits, Damage, Document, Filter, Hit, Source
from satchel.engine.search.team_deriving import Derivation
from satchel.engine.search.team_matching import likeness_in, match_values, nearer_than_chance
from satchel.engine.search.team_rows import (
    array_of_numbers,
    bits_of,
    bounded,
    bytes_of,
    clause_of,
    plain,
    rarity,
)
from satchel.engine.search.tokens import words_of
from satchel.storage.database.queries import load_queries, without_comments
from satchel.storage.ledger.lines import Line
from satchel.storage.ledger.team import LONGEST, Derived, array_of, clean_text, ledger_at, path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.engine.inference.contracts import Embedder
    from satchel.engine.search.contracts import Static
    from satchel.engine.search.source_reader import Parse
    from satchel.engine.search.team_vectors import TeamVectors
    from satchel.storage.database.contract import Row, Statement, TeamDatabase, Value

_EVERYTHING = 1_000_000_000


class TeamIndex:
    """A word index over the documents of one project of a team.

    Args:
        database: the server, on its newest version.
        project: whose documents. Every query names it, so no other project's are ever seen.
        parse: turns a line into a Document, or into the reason why it is none.
        primary: the server that takes writes, where `database` is a replica of it.
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
        self._sql = load_queries(__file__, "team_index.sql")
        self._derivation = Derivation(self.primary, project)

    # Keeping in step with the lines

    def changed(self, sources: Sequence[Source]) -> list[str]:
        """Sources that are not indexed as they stand: there are none."""
        del sources
        return []

    def catch_up(self, sources: Sequence[Source]) -> CatchUpReport:
        """Do nothing: documents come with their lines."""
        del sources
        return CatchUpReport(0, 0, ())

    def reindex(self, sources: Sequence[Source]) -> CatchUpReport:
        """Derive everything again from the lines, in one transaction: nobody sees less."""
        return CatchUpReport(len(sources), self.rebuild(), ())

    def derive(self, lines: Sequence[Line]) -> Derived:
        """Work out the documents of new lines: see `Derivation.derive`."""
        return self._derivation.derive(lines)

    def rebuild(self) -> int:
        """Derive every document of the project again from its lines; return how many there are."""
        return self._derivation.rebuild()

    # Searching

    def search(
        self,
        question: str,
        sources: Sequence[Source],
        *,
        now: float,
        limit: int = 10,
        only: Filter | None = None,
    ) -> list[Hit]:
        """Find live documents that hold words of the question, best first (BM25).

        Okapi BM25 as FTS5 computes it, with the same weights of title, tags, text and code. A
        question whose rarest words leave more than `LOOKED_AT` matches is answered from the
        newest of them: see `team_matching`.
        """
        values = match_values(question, now, limit)
        hits = self._hits("match", sources, values, only or Filter()) if values else []
        return self._with_phrases(question, hits)[:limit]

    def search_near(
        self,
        question: str,
        code: bytes,
        sources: Sequence[Source],
        *,
        now: float,
        limit: int,
        nearest: int,
        only: Filter,
    ) -> CodedHits:
        """Search by words, and for so many documents nearest to a code, in one message."""
        values = match_values(question, now, limit, code)
        match = [self._statement("match", sources, values, only)] if values else []
        codes = self._sql["codes"], (self.project, bits_of(code), nearest)
        *found, near = self.database.together(*match, codes)
        rows = found[0] if found else []
        hits = self._with_phrases(question, self._as_hits_of(rows, sources))[:limit]
        return CodedHits(hits, nearer_than_chance(near, code), likeness_in(rows, code))

    def _with_phrases(self, question: str, hits: list[Hit]) -> list[Hit]:
        """Raise what holds the quoted spans of a question, two words and more, side by side."""
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

    def documents_in_rows(
        self,
        numbers: Sequence[int],
        sources: Sequence[Source],
        *,
        now: float,
        only: Filter | None = None,
    ) -> list[Hit]:
        """Those of the documents in these rows that are live and visible, in no order."""
        return self._hits(
            "numbered", sources, (int(now), array_of_numbers(numbers)), only or Filter()
        )

    def sees_all(self, sources: Sequence[Source]) -> bool:
        """Say no: a project is asked with a condition anyway."""
        del sources
        return False

    def live_numbers(
        self, sources: Sequence[Source], *, now: float, only: Filter | None = None
    ) -> list[int]:
        """Rows of all live and visible documents."""
        rows = self._rows("live_numbers", sources, (int(now),), only or Filter())
        return [int(row[0] or 0) for row in rows]

    def neighbours(
        self,
        numbers: Sequence[int],
        sources: Sequence[Source],
        *,
        now: float,
        reach: int = 1,
        only: Filter | None = None,
    ) -> list[tuple[int, int, Hit]]:
        """Documents within `reach` places of others in their thread.

        Returns (row of the one asked about, distance, its neighbour).
        """
        values = (int(now), array_of_numbers(numbers), reach)
        rows = self._rows("beside", sources, values, only or Filter())
        hits = self._as_hits_of(rows, sources)
        return [
            (int(row[-2] or 0), int(row[-1] or 0), hit) for row, hit in zip(rows, hits, strict=True)
        ]

    def live(
        self,
        sources: Sequence[Source],
        *,
        now: float,
        limit: int = 1000,
        only: Filter | None = None,
        start: int = 0,
    ) -> list[Hit]:
        """Live documents, newest first; `start` of them are passed over."""
        values = (int(now), start + limit)
        return self._hits("list", sources, values, only or Filter())[start:]

    def latest(
        self, sources: Sequence[Source], *, limit: int = 1000, only: Filter | None = None
    ) -> list[Hit]:
        """Return the newest version of everything, deleted and expired things too."""
        return self._hits("latest", sources, (limit,), only or Filter())

    def marks(self, prefix: str, sources: Sequence[Source], only: Filter) -> dict[str, str]:
        """Hash of everything that was not deleted, by its identity behind a prefix."""
        every = (hit.document for hit in self.latest(sources, limit=_EVERYTHING, only=only))
        return {prefix + one.identity: one.hash for one in every if not one.deleted}

    def history(self, identity: str, sources: Sequence[Source]) -> list[Hit]:
        """Every version of one thing, newest first."""
        return self._hits("history", sources, (bounded(identity),), Filter())

    def held(self, identities: Sequence[str]) -> set[str]:
        """Those of some things that there is any version of."""
        spelled = {bounded(one): one for one in identities}
        rows = self.database.read(self._sql["held"], (self.project, array_of(list(spelled))))
        return {spelled[str(row[0])] for row in rows}

    def lines_of(self, identities: Sequence[str]) -> list[bytes]:
        """Lines of every version of some things, in the order in which they came."""
        names = array_of([bounded(one) for one in identities])
        rows = self.database.read(self._sql["lines_of"], (self.project, names))
        return [bytes_of(row[0]) for row in rows]

    def with_id(self, prefix: str, sources: Sequence[Source], *, limit: int = 20) -> list[Hit]:
        """Newest versions whose id begins with `prefix`, live or not."""
        start = clean_text(prefix)[:LONGEST]
        return self._hits("with_id", sources, (limit, start, start + "~"), Filter())

    def versions_with_id(self, prefix: str, sources: Sequence[Source]) -> list[Hit]:
        """Every version whose id begins with `prefix`, replaced ones too, newest first."""
        start = clean_text(prefix)[:LONGEST]
        values = (20, start, start + "~")
        return self._hits("versions_with_id", sources, values, Filter())

    def replacing(self, ids: Sequence[str], sources: Sequence[Source], *, now: float) -> list[Hit]:
        """Live documents whose field `supersedes` names one of these ids, oldest first."""
        values = (int(now), array_of([bounded(one) for one in ids]))
        return self._hits("replacing", sources, values, Filter())

    # Counting and checking

    def counts(
        self, sources: Sequence[Source], *, now: float, only: Filter | None = None
    ) -> dict[str, int]:
        """Live documents by kind."""
        rows = self._rows("counts", sources, (int(now),), only or Filter())
        return {str(row[0]): int(row[1] or 0) for row in rows}

    def size(self) -> int:
        """How many documents the project has, in every version; it is counted as they come."""
        rows = self.database.read(self._sql["totals"], (self.project,))
        return int(rows[0][0] or 0) if rows else 0

    def count_unshared(
        self, shared: Sequence[Source], sources: Sequence[Source], *, now: float, only: Filter
    ) -> int:
        """Count live documents, not marked private, that `shared` does not hold as they are."""
        names = array_of(self._ledgers_of(shared))
        held: dict[Value, tuple[Value, ...]] = {}
        for thing, *version in self.database.read(
            self._sql["held_versions"], (self.project, names)
        ):
            held[thing] = max(held.get(thing, ()), tuple(version))
        rows = self._rows("shareable", sources, (int(now),), only)
        return sum(held.get(row[0], ()) < row[1:4] for row in rows)

    def waits_for_vectors(self) -> bool:
        """Return whether any document has no vector yet."""
        return bool(self.database.read(self._sql["any_without_vectors"], (self.project,)))

    def vector_counts(self) -> tuple[int, dict[str, int]]:
        """How many documents wait for vectors, and how many vectors there are of each model."""
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
        """Hashes of documents by path of their ledger, for comparing with ledgers."""
        held: dict[str, set[str]] = {}
        for hash_, name in self.database.read(self._sql["all_documents"], (self.project,)):
            held.setdefault(path_of(self.project, str(name)), set()).add(str(hash_))
        return held

    def problems(self) -> list[str]:
        """What the server, lines without documents, and the counted words have wrong."""
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
        """Do nothing: PostgreSQL gives room back by itself."""

    # Vectors and codes

    def vectors(self, embedder: Embedder, static: Static | None = None) -> TeamVectors:
        """Open the vectors that this project has of a model."""
        from satchel.engine.search.team_vectors import TeamVectors

        return TeamVectors(
            self.database, self.project, self._parse, embedder, static, primary=self.primary
        )

    def nearest_codes(self, code: bytes, count: int) -> dict[int, float]:
        """Share of equal bits of the nearest documents by row: see `search.binary_codes`.

        The server compares them; none travels.
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
        """Ledgers of this project among the sources; those of others are none."""
        named = (ledger_at(source.path, self.project) for source in sources)
        return sorted({name for name in named if name})

    def _rows(
        self, name: str, sources: Sequence[Source], values: tuple[Value, ...], only: Filter
    ) -> list[Row]:
        return self.database.read(*self._statement(name, sources, values, only))

    def _statement(
        self, name: str, sources: Sequence[Source], values: tuple[Value, ...], only: Filter
    ) -> Statement:
        names = self._ledgers_of(sources)
        clause, more = clause_of(only, len(values) + 2)
        sql = self._sql[name]
        for part in ("columns", "newest_visible", "live"):
            sql = sql.replace(f"{{{part}}}", self._part(part))
        sql = sql.replace("{filter}", clause)
        return sql, (self.project, array_of(names), *values, *more)

    def _part(self, name: str) -> str:
        return without_comments(self._sql[name])

    def _hits(
        self, name: str, sources: Sequence[Source], values: tuple[Value, ...], only: Filter
    ) -> list[Hit]:
        return self._as_hits_of(self._rows(name, sources, values, only), sources)

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
