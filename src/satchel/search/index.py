"""The index: documents in a database, caught up from their sources, searched by words."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.errors import NotReadableError, StoreError
from satchel.search.catching_up import CaughtUp, Parse, catch_up, changed_sources
from satchel.search.documents import Damage, Document, Hit, Source
from satchel.search.tokens import match_expression
from satchel.storage.queries import load_queries
from satchel.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database import Database, Row, Value

#: Raised whenever schema.sql or what is put into it changes: an older index is built anew.
SCHEMA = "4"
#: Matches of one query that are looked at before superseded and expired ones are left out.
_CANDIDATES = 4
_ROUNDS = 4


class Filter(NamedTuple):
    """Which documents to consider. Empty means all."""

    kinds: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    task: str = ""
    epic: str = ""
    tag: str = ""
    since: int = 0
    until: int = 0


class Index:
    """A word index over documents.

    Args:
        database: an open database; its schema is made if it has none.
        parse: turns one line of a source into a Document, or into the reason why it is none.
    """

    def __init__(self, database: Database, parse: Parse) -> None:
        self.database = database
        self._parse = parse
        self._sql = load_queries(__file__, "queries.sql")
        self._prepare()

    def _prepare(self) -> None:
        tables = self.database.read("SELECT 1 FROM sqlite_master WHERE name = 'meta'")
        if tables:
            rows = self.database.read("SELECT value FROM meta WHERE name = 'schema'")
            if rows != [(SCHEMA,)]:
                raise NotReadableError("The index has another schema; it is built anew.")
            return
        import os

        schema = os.path.join(os.path.dirname(__file__), "schema.sql")
        with open(schema, encoding="utf-8") as file, self.database.transaction():
            if not self.database.read("SELECT 1 FROM sqlite_master WHERE name = 'meta'"):
                self.database.script(file.read())
                self.database.write("INSERT INTO meta VALUES ('schema', ?)", (SCHEMA,))

    def changed(self, sources: Sequence[Source]) -> list[str]:
        """Sources that are not indexed as they stand. One stat each, no open."""
        return changed_sources(self.database, self._sql, sources)

    def catch_up(self, sources: Sequence[Source]) -> CaughtUp:
        """Index whatever changed in the sources since last time."""
        if not self.changed(sources):
            return CaughtUp(0, 0, ())
        with self.database.transaction():
            # Asked again under the lock: another process may have done the work meanwhile. And
            # again after reading: a rotation in between moves lines into a file not yet read.
            done = CaughtUp(0, 0, ())
            for _ in range(_ROUNDS):
                paths = self.changed(sources)
                if not paths:
                    break
                more = catch_up(self.database, self._sql, paths, self._parse)
                done = CaughtUp(
                    done.read + more.read, done.added + more.added, done.damage + more.damage
                )
                if done.read > more.read and not more.added:
                    break
            return done

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

        Only documents of the given sources are seen, each in its newest version among them.
        """
        expression = match_expression(question)
        if not expression or limit <= 0:
            return []
        only = only or Filter()
        candidates = limit * _CANDIDATES
        while True:
            values = (expression, candidates, int(now))
            hits = self._hits("match", sources, values, only)
            if len(hits) >= limit or not self._more_than(expression, candidates):
                return hits[:limit]
            # Superseded, expired and unwanted matches stood in the way: look further down.
            candidates *= 8

    def live(
        self,
        sources: Sequence[Source],
        *,
        now: float,
        limit: int = 1000,
        only: Filter | None = None,
    ) -> list[Hit]:
        """Live documents, newest first."""
        only = only or Filter()
        if len(only.kinds) <= 1:
            return self._hits("list", sources, (int(now), limit), only)
        # Kind by kind: each is read in the order of its index and stops at the limit.
        hits = []
        for kind in only.kinds:
            hits += self._hits("list", sources, (int(now), limit), only._replace(kinds=(kind,)))
        hits.sort(key=lambda h: (h.document.ts, h.document.id, h.document.rev), reverse=True)
        return hits[:limit]

    def latest(
        self, sources: Sequence[Source], *, limit: int = 1000, only: Filter | None = None
    ) -> list[Hit]:
        """Return the newest version of everything, deleted and expired things too."""
        return self._hits("latest", sources, (limit,), only or Filter())

    def history(self, identity: str, sources: Sequence[Source]) -> list[Hit]:
        """Every version of one thing, newest first."""
        return self._hits("history", sources, (identity,), Filter())

    def with_id(self, prefix: str, sources: Sequence[Source], *, limit: int = 20) -> list[Hit]:
        """Newest versions whose id begins with `prefix`, live or not."""
        visible = self._visible(sources)
        sql = self._filled("latest", visible, "AND d.id >= ?2 AND d.id < ?3")
        return self._as_hits(sql, (limit, prefix, prefix + "~"), sources)

    def counts(
        self, sources: Sequence[Source], *, now: float, only: Filter | None = None
    ) -> dict[str, int]:
        """Live documents by kind."""
        clause, values = _clause(only or Filter(), 1)
        sql = self._filled("counts", self._visible(sources), clause)
        return {str(k): int(n or 0) for k, n in self.database.read(sql, (int(now), *values))}

    def count_unshared(
        self, shared: Sequence[Source], sources: Sequence[Source], *, now: float, only: Filter
    ) -> int:
        """Count live documents, not marked private, that `shared` does not hold as they are."""
        elsewhere = self._visible(shared)[0]
        clause, values = _clause(only, 1)
        counts = []
        for name in ("count_shareable", "count_shared"):
            sql = self._filled(name, self._visible(sources), clause)
            sql = sql.replace("{elsewhere}", elsewhere)
            counts.append(int(self.database.read(sql, (int(now), *values))[0][0] or 0))
        return counts[0] - counts[1]

    def damage(self) -> list[Damage]:
        """Every line that does not parse."""
        rows = self.database.read(self._sql["damage"])
        return [Damage(str(p), int(n or 0), str(why), _bytes(raw)) for p, n, why, raw in rows]

    def hashes(self) -> dict[str, set[str]]:
        """Hashes of indexed documents by path of their source, for comparing with ledgers."""
        held: dict[str, set[str]] = {}
        for hash_, path in self.database.read(self._sql["all_documents"]):
            held.setdefault(str(path), set()).add(str(hash_))
        return held

    def problems(self) -> list[str]:
        """What the engine, and the word index against its documents, find wrong."""
        found = self.database.problems()
        try:
            with self.database.transaction():
                self.database.write(self._sql["check_words"])
        except StoreError as error:
            found.append(f"the word index differs from its documents ({error})")
        return found

    def compact(self) -> None:
        """Take what is gone out of the file as well: merge the word index, pack the pages.

        A word index forgets a word only when its parts are merged.
        """
        self.database.write("INSERT INTO words (words) VALUES ('optimize')")
        self.database.script("VACUUM")
        self.database.read("PRAGMA wal_checkpoint(TRUNCATE)")

    def _more_than(self, expression: str, count: int) -> bool:
        rows = self.database.read(self._sql["match_count"], (expression, count + 1))
        return int(rows[0][0] or 0) > count

    def _hits(
        self, name: str, sources: Sequence[Source], values: tuple[Value, ...], only: Filter
    ) -> list[Hit]:
        clause, more = _clause(only, len(values))
        sql = self._filled(name, self._visible(sources), clause)
        return self._as_hits(sql, (*values, *more), sources)

    def _as_hits(self, sql: str, values: tuple[Value, ...], sources: Sequence[Source]) -> list[Hit]:
        labels = {self._ids.get(source.path): source.label for source in sources}
        return [_hit(row, labels) for row in self.database.read(sql, values)]

    def _visible(self, sources: Sequence[Source]) -> tuple[str, bool]:
        """Return ids of the sources for SQL, and whether they are all that hold anything."""
        rows = self.database.read("SELECT path, source_id, size FROM sources")
        self._ids: dict[str, int] = {str(path): int(number or 0) for path, number, _ in rows}
        paths = {source.path for source in sources}
        every = all(path in paths for path, _, size in rows if int(size or 0) > 0)
        ids = ",".join(str(self._ids[path]) for path in sorted(paths) if path in self._ids)
        return ids or "-1", every

    def _filled(self, name: str, visible: tuple[str, bool], clause: str) -> str:
        ids, every = visible
        newest = self._sql["newest" if every else "newest_visible"]
        # The names of queries carry comments; what is put into another query may not.
        newest = "\n".join(line for line in newest.splitlines() if not line.startswith("--"))
        sql = self._sql[name].replace("{columns}", self._sql["columns"])
        sql = sql.replace("{newest_visible}", newest)
        return sql.replace("{visible}", ids).replace("{filter}", clause)


def _clause(only: Filter, used: int) -> tuple[str, list[Value]]:
    """Turn a filter into SQL with numbered places, and its values."""
    parts: list[str] = []
    values: list[Value] = []

    def place(value: Value) -> str:
        values.append(value)
        return f"?{used + len(values)}"

    if only.kinds:
        parts.append(f"AND d.kind IN ({','.join(place(k) for k in only.kinds)})")
    if only.without:
        parts.append(f"AND d.kind NOT IN ({','.join(place(k) for k in only.without)})")
    if only.task:
        parts.append(f"AND d.task = {place(only.task)}")
    if only.epic:
        parts.append(f"AND d.epic = {place(only.epic)}")
    if only.tag:
        parts.append(f"AND instr(' ' || d.tags || ' ', {place(f' {only.tag} ')}) > 0")
    if only.since:
        parts.append(f"AND d.ts >= {place(only.since)}")
    if only.until:
        parts.append(f"AND d.ts < {place(only.until)}")
    return " ".join(parts), values


def _hit(row: Row, labels: dict[int | None, str]) -> Hit:
    texts = [str(value) if value is not None else "" for value in row]
    document = Document(
        identity=texts[0],
        hash=texts[1],
        kind=texts[2],
        ts=int(row[3] or 0),
        id=texts[4],
        rev=int(row[5] or 0),
        title=texts[6],
        content=texts[7],
        tags=texts[8],
        task=texts[9],
        epic=texts[10],
        expires_at=None if row[11] is None else int(row[11]),
        deleted=bool(row[12]),
        fields=texts[13],
    )
    if document.seal() != texts[14]:
        raise NotReadableError("A row of the index is damaged.")
    source = labels.get(None if row[15] is None else int(row[15]), "")
    return Hit(document, -float(row[16] or 0.0), source)


def _bytes(value: Value) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
