"""The index: documents in a database, caught up from their sources, searched by words."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core import quick_json
from satchel.core.errors import StoreError
from satchel.engine.search.catching_up import (
    CatchUpReport,
    catch_up,
    changed_sources,
    forget_within,
    index_queries,
    put_unsaved,
)
from satchel.engine.search.documents import (
    EVERYTHING,
    HELD,
    CodedHits,
    Damage,
    Document,
    Filter,
    Hit,
    Source,
    View,
)
from satchel.engine.search.records import HOLDER, bytes_of, clause_of, hit_of
from satchel.engine.search.tokens import match_expression
from satchel.storage.database.queries import path_stored_as, without_comments
from satchel.storage.database.versions import make_again, prepare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from satchel.engine.inference.contracts import Embedder
    from satchel.engine.search.contracts import Static
    from satchel.engine.search.source_reader import Parse, ParseFile
    from satchel.engine.search.vectors import Vectors
    from satchel.storage.database.contract import Database, Row, Value

#: Increased whenever schema.sql or its content changes: an older index is rebuilt.
SCHEMA = "12"
#: Matches of one query to read before superseded and expired ones are dropped.
_CANDIDATES = 4
#: The same for long lists, from which few are dropped.
_MORE = 60
_ROUNDS = 4
_NONE = "-1"  # in SQL, of no source
#: More sources than this are not listed in SQL.
_SPELLED = 100


class Index:
    """A word index over documents.

    Args:
        database: an open database; its schema is created if missing.
        parse: converts a source's line to a Document, or to the reason why it is none.
        parse_file: converts a whole source's path and bytes to its documents, or to the reason.
    """

    def __init__(
        self, database: Database, parse: Parse, parse_file: ParseFile | None = None
    ) -> None:
        self.database = database
        self._parse = parse
        self._parse_file = parse_file
        self._sql = index_queries()
        self._listed: list[int] = []
        self._hiding = ""
        prepare(database, __file__, SCHEMA, "The index")

    def without_private(self) -> Self:
        """Hide all private documents from this handle, whatever is asked; return it.

        Versions replaced by a private one are hidden too, as is the deletion of a private document.
        """
        self._hiding = without_comments(self._sql["shared"])
        return self

    def changed(self, sources: Sequence[Source]) -> list[str]:
        """Sources that changed since they were indexed. One stat each, no open."""
        return changed_sources(self.database, self._sql, sources)

    def catch_up(self, sources: Sequence[Source], *, again: bool = False) -> CatchUpReport:
        """Index whatever changed in the sources since last time, or all of them `again`."""
        if not again and not self.changed(sources):
            return CatchUpReport(0, 0, ())
        with self.database.transaction():
            if again:  # in this transaction: readers never find less
                forget_within(self.database, [source.path for source in sources])
            # Checked again: others may have done it, or a rotation moved lines to an unread file.
            done = CatchUpReport(0, 0, ())
            for _ in range(_ROUNDS):
                changed = self._changed(sources)
                if not changed:
                    break
                more = self._read(changed)
                done = more.after(done)
                if done.read > more.read and not more.added:
                    break
            return done

    def reindex(self, sources: Sequence[Source]) -> CatchUpReport:
        """Clear the index and read the sources, in one transaction: readers never see less."""
        with self.database.transaction():
            last = last_number(self.database)
            make_again(self.database, __file__, SCHEMA)
            if last:
                # A document keeps its number: others may have read it before.
                self.database.write("INSERT INTO sqlite_sequence VALUES ('documents', ?)", (last,))
            return self._read(self._changed(sources))

    def _changed(self, sources: Sequence[Source]) -> list[Source]:
        paths = set(self.changed(sources))
        return [source for source in sources if source.path in paths]

    def _read(self, changed: Sequence[Source]) -> CatchUpReport:
        return catch_up(self.database, self._sql, changed, self._parse, self._parse_file)

    def put_unsaved(self, path: str, documents: Sequence[Document]) -> None:
        """Store documents that are in no file yet, under a source of this name."""
        put_unsaved(self.database, path, documents)

    def search(self, question: str, view: View, *, limit: int = 10) -> list[Hit]:
        """Find live documents with words of the question, best first (BM25).

        Each in its newest version among the view's sources.
        """
        expression = match_expression(question)
        if not expression or limit <= 0:
            return []
        candidates = min(limit * _CANDIDATES, limit + _MORE)
        while True:
            hits = self._hits("match", view, (expression, candidates, int(view.now)))
            if len(hits) >= limit or not self._more_than(expression, candidates):
                return hits[:limit]
            # Superseded, expired and filtered matches took up places: read further down.
            candidates *= 8

    def documents_in_rows(self, numbers: Sequence[int], view: View) -> list[Hit]:
        """The live and visible ones of the documents in these rows, unordered."""
        rows = f"[{','.join(map(str, numbers))}]"
        return self._hits("numbered", view, (int(view.now), rows))

    def sees_all(self, sources: Sequence[Source]) -> bool:
        """Return whether no other source has documents."""
        return self._visible(sources)[1] and not self._hiding

    def live_numbers(self, view: View) -> list[int]:
        """Rows of all live and visible documents."""
        clause, more = clause_of(view.only, 1)
        sql = self._filled("live_numbers", self._visible(view.sources), clause)
        return [int(row[0] or 0) for row in self.database.read(sql, (int(view.now), *more))]

    def neighbours(
        self, numbers: Sequence[int], view: View, *, reach: int = 1
    ) -> list[tuple[int, int, Hit]]:
        """Documents within `reach` places of others in their thread.

        Returns (row of the document, distance, its neighbor).
        """
        clause, more = clause_of(view.only, 3)
        values = (int(view.now), f"[{','.join(map(str, numbers))}]", reach, *more)
        rows, holders = self._rows_and_holders("beside", view.sources, values, clause)
        return [(int(r[-2] or 0), int(r[-1] or 0), hit_of(r, holders)) for r in rows]

    def live(self, view: View, *, limit: int = EVERYTHING, start: int = 0) -> list[Hit]:
        """Live documents, newest first, skipping the first `start`."""
        now, kinds = int(view.now), view.only.kinds
        if len(kinds) <= 1:
            return self._hits("list", view, (now, limit, start))
        # One kind at a time: each is read in index order and stops at the limit.
        hits = []
        for kind in kinds:
            one = view._replace(only=view.only._replace(kinds=(kind,)))
            hits += self._hits("list", one, (now, start + limit, 0))
        hits.sort(key=lambda h: (h.document.ts, h.document.id, h.document.rev), reverse=True)
        return hits[start : start + limit]

    def latest(
        self, sources: Sequence[Source], *, limit: int = EVERYTHING, only: Filter | None = None
    ) -> list[Hit]:
        """Return the newest version of everything, including deleted and expired."""
        return self._hits("latest", View(sources, 0, only or Filter()), (limit,))

    def marks(self, prefix: str, sources: Sequence[Source], only: Filter) -> dict[str, str]:
        """Hash of everything not deleted, by identity after a prefix."""
        clause, more = clause_of(only, 1)
        sql = self._filled("marks", self._visible(sources), clause)
        return dict(self.database.read(sql, (prefix, *more)))  # type: ignore[arg-type]

    def history(self, identity: str, sources: Sequence[Source]) -> list[Hit]:
        """Every version of one thing, newest first."""
        return self._hits("history", View(sources, 0), (identity,))

    def with_id(self, prefix: str, sources: Sequence[Source], *, limit: int = 20) -> list[Hit]:
        """Newest versions whose ids begin with `prefix`, live or not."""
        values, between = (limit, prefix, prefix + "~"), "AND d.id >= ?2 AND d.id < ?3"
        rows, holders = self._rows_and_holders("latest", sources, values, between)
        return [hit_of(row, holders) for row in rows]

    def versions_with_id(self, prefix: str, sources: Sequence[Source]) -> list[Hit]:
        """All versions whose ids begin with `prefix`, including replaced ones, newest first."""
        values, between = (20, prefix, prefix + "~"), "AND d.id >= ?2 AND d.id < ?3"
        rows, holders = self._rows_and_holders("versions_with_id", sources, values, between)
        return [hit_of(row, holders) for row in rows]

    def replacing(self, ids: Sequence[str], view: View) -> list[Hit]:
        """Live documents whose `supersedes` field names one of these ids, oldest first."""
        values = (int(view.now), quick_json.dumps(list(ids)))
        return self._hits("replacing", view, values)

    def counts(self, view: View) -> dict[str, int]:
        """Live documents by kind."""
        clause, values = clause_of(view.only, 1)
        visible = self._visible(view.sources)
        if visible[0] == _NONE:
            return {}  # none was ever set: nothing to search
        sql = self._filled("counts", visible, clause)
        return {str(k): int(n or 0) for k, n in self.database.read(sql, (int(view.now), *values))}

    def size(self) -> int:
        """The number of documents, counting every version, of any ledger."""
        return int(self.database.read("SELECT COUNT(*) FROM documents")[0][0] or 0)

    def count_unshared(self, shared: Sequence[Source], view: View) -> int:
        """Count live documents, not marked private, that `shared` lacks in this version."""
        self._visible(shared)
        elsewhere = ",".join(str(self._ids[s.path]) for s in shared if s.path in self._ids) or "-1"
        clause, values = clause_of(view.only, 1)
        counts = []
        for name in ("count_shareable", "count_shared"):
            sql = self._filled(name, self._visible(view.sources), clause)
            sql = sql.replace("{elsewhere}", elsewhere)
            counts.append(int(self.database.read(sql, (int(view.now), *values))[0][0] or 0))
        return counts[0] - counts[1]

    def vectors(self, embedder: Embedder, static: Static | None = None) -> Vectors:
        """Open this index's vectors of a model."""
        from satchel.engine.search.vectors import Vectors

        return Vectors(self.database, embedder, static)

    def search_near(
        self, question: str, code: bytes, view: View, *, limit: int, nearest: int
    ) -> CodedHits:
        """Search by words, and for the documents nearest to a code."""
        if self._visible(view.sources)[0] == _NONE:
            return CodedHits([], {}, {})
        hits = self.search(question, view, limit=limit)
        near = self.nearest_codes(code, nearest)
        rows = [hit.number for hit in hits if hit.number not in near]
        return CodedHits(hits, near, self.code_likeness(code, rows))

    def nearest_codes(self, code: bytes, count: int) -> dict[int, float]:
        """Share of equal bits of the nearest documents, by row: see `binary_codes`."""
        from satchel.engine.search.binary_codes import nearest_codes

        return nearest_codes(self.database, code, count)

    def code_likeness(self, code: bytes, rows: list[int]) -> dict[int, float]:
        """Share of equal bits of some documents, by row."""
        from satchel.engine.search.binary_codes import code_likeness

        return code_likeness(self.database, code, rows)

    def waits_for_vectors(self) -> bool:
        """Return whether any document has no vector yet."""
        return bool(self.database.read("SELECT 1 FROM unembedded LIMIT 1"))

    def vector_counts(self) -> tuple[int, dict[str, int]]:
        """The number of documents waiting for vectors, and of vectors by model."""
        waiting = self.database.read("SELECT COUNT(*) FROM unembedded")
        held = self.database.read(self._sql["vectors_by_model"])
        return int(waiting[0][0] or 0), {str(model): int(n or 0) for model, n in held}

    def damage(self) -> list[Damage]:
        """Every line that does not parse."""
        rows = self.database.read(self._sql["damage"])
        return [Damage(str(p), int(n or 0), str(why), bytes_of(raw)) for p, n, why, raw in rows]

    def hashes(self) -> dict[str, set[str]]:
        """Hashes of indexed documents by source path, for comparing with ledgers."""
        held: dict[str, set[str]] = {}
        for hash_, path in self.database.read(self._sql["all_documents"]):
            name = path_stored_as(str(path)).removesuffix(HELD)
            held.setdefault(name, set()).add(str(hash_))
        return held

    def problems(self) -> list[str]:
        """Errors found by the engine, and by comparing the word index with its documents."""
        found = self.database.problems()
        wrong = self.database.read(self._sql["wrongly_superseded"])
        if wrong != [(0,)]:
            found.append(f"{int(wrong[0][0] or 0)} versions are wrongly taken for older or newer")
        try:
            for row in self.database.read(self._filled("every_row", ("-1", True), "")):
                hit_of(row, {})
        except StoreError as error:
            found.append(str(error))
        try:
            with self.database.transaction():
                self.database.write(self._sql["check_words"])
        except StoreError as error:
            found.append(f"the word index differs from its documents ({error})")
        return found

    def compact(self) -> None:
        """Remove deleted content from the file too; words go when the index's parts merge."""
        self.database.write("INSERT INTO words (words) VALUES ('optimize')")
        self.database.script("VACUUM")
        self.database.read("PRAGMA wal_checkpoint(TRUNCATE)")

    def _more_than(self, expression: str, count: int) -> bool:
        rows = self.database.read(self._sql["match_count"], (expression, count + 1))
        return int(rows[0][0] or 0) > count

    def _hits(self, name: str, view: View, values: tuple[Value, ...]) -> list[Hit]:
        clause, more = clause_of(view.only, len(values))
        rows, holders = self._rows_and_holders(name, view.sources, (*values, *more), clause)
        return [hit_of(row, holders) for row in rows]

    def _rows_and_holders(
        self, name: str, sources: Sequence[Source], values: tuple[Value, ...], clause: str
    ) -> tuple[list[Row], dict[int | None, Source]]:
        """Query documents of these sources; return rows, and the sources by number."""
        with self.database.snapshot():
            visible = self._visible(sources)
            if visible[0] == _NONE:
                return [], {}  # none was ever set: nothing to search
            if not visible[1] and not self.database.read(self._filled("any_present", visible, "")):
                return [], {}
            rows = self.database.read(self._filled(name, visible, clause), values)
        holders = {self._ids.get(source.path): source for source in sources}
        return [row for row in rows if row[HOLDER] is not None], holders

    def _visible(self, sources: Sequence[Source]) -> tuple[str, bool]:
        """Return the sources' ids for SQL, and whether no other source has documents."""
        found = self.database.read("SELECT path, source_id, size FROM sources")
        rows = [(path_stored_as(str(path)), number, size) for path, number, size in found]
        self._ids: dict[str, int] = {path: int(number or 0) for path, number, _ in rows}
        paths = {source.path for source in sources}
        every = all(path in paths for path, _, size in rows if int(size or 0) > 0)
        numbers = sorted(self._ids[path] for path in paths if path in self._ids)
        if len(numbers) > _SPELLED and not every:
            return self._named(numbers), every
        return ",".join(map(str, numbers)) or _NONE, every

    def _named(self, numbers: list[int]) -> str:
        """Put many sources into a scratch table: a list would be read for every row."""
        if numbers != self._listed:
            self.database.script(self._sql["make_visible"])
            self.database.write_many(self._sql["put_visible"], [(number,) for number in numbers])
            self._listed = numbers
        return "SELECT source_id FROM temp.visible"

    def _filled(self, name: str, visible: tuple[str, bool], clause: str) -> str:
        ids, every = visible
        newest = without_comments(self._sql["newest" if every else "newest_visible"])
        sql = self._sql[name].replace("{columns}", self._sql["columns"])
        sql = sql.replace("{newest_visible}", newest)
        return sql.replace("{visible}", ids).replace("{filter}", f"{clause} {self._hiding}")


def last_number(database: Database) -> int:
    """Return the greatest number ever given to a document."""
    rows = database.read("SELECT seq FROM sqlite_sequence WHERE name = 'documents'")
    return int(rows[0][0] or 0) if rows else 0
