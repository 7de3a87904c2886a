"""The derived graph in a database. The only file here that uses the storage layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from satchel.core.quick_json import canonical, loads
from satchel.features.graph import aggregation
from satchel.features.graph.curation import Curation
from satchel.features.graph.operations import ADDING, Operation
from satchel.features.graph.rows import (
    Text,
    entity_of,
    entity_row,
    memory_of,
    mention_rows,
    relation_of,
    relation_row,
    sealed,
    statement_rows,
)
from satchel.features.graph.values import Cluster, Entity, Memory, Relation, normal
from satchel.storage.database.versions import DerivedTables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.storage.database.contract import Database, Row, Value

#: Increased whenever schema.sql or its contents change: an older graph is redrawn.
SCHEMA = "4"
#: Above this many changed entities, everything is rebuilt, which is faster.
_FEW = 400
_EVERYTHING = 2**62


class GraphStore(DerivedTables):
    """Texts, their statements, and the resulting entities and relations.

    Args:
        database: an open database; its schema is created if missing.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database, __file__, SCHEMA, "The graph")

    def compact(self) -> None:
        """Remove deleted content from the file too, words and pages."""
        self.database.write("INSERT INTO words (words) VALUES ('optimize')")
        self.database.script("VACUUM")
        self.database.read("PRAGMA wal_checkpoint(TRUNCATE)")

    # Texts

    def hashes(self, prefix: str) -> dict[str, str]:
        """Return the hashes of texts whose ids begin with `prefix`."""
        rows = self.database.read(self.sql["hashes"], (prefix, prefix + "\U0010ffff"))
        return dict(rows)  # type: ignore[arg-type]

    def put_texts(self, texts: Iterable[Text]) -> set[str]:
        """Replace texts' earlier versions; return the affected entities."""
        touched: set[str] = set()
        mentions: list[tuple[Value, ...]] = []
        statements: list[tuple[Value, ...]] = []
        for text in texts:
            touched |= self.drop_texts([text.memory.id])
            number = self._put_passage(text)
            mentions += mention_rows(number, text.drawn)
            statements += statement_rows(number, text)
        self.database.write_many(self.sql["put_mention"], mentions)
        self.database.write_many(self.sql["put_statement"], statements)
        touched.update(str(row[1]) for row in mentions)
        return touched

    def _put_passage(self, text: Text) -> int:
        m = text.memory
        said = (m.id, text.hash, m.origin, m.title, m.content, m.source, m.agent)
        times = (m.ts, m.valid_from, m.valid_to)
        seal = sealed((m.id, m.content, m.origin, m.title, m.ts))
        number = self.database.write(self.sql["put_passage"], (*said, *times, seal))
        self.database.write(self.sql["put_words"], (number,))
        return number

    def drop_texts(self, ids: Iterable[str]) -> set[str]:
        """Remove texts; return the entities they named."""
        touched: set[str] = set()
        for ident in ids:
            rows = self.database.read(self.sql["passage_number"], (ident,))
            if not rows:
                continue
            number = rows[0]
            touched.update(
                str(row[0]) for row in self.database.read(self.sql["keys_in"], (number[0],))
            )
            self.database.write(self.sql["drop_words"], number)
            for where in ("mentions WHERE passage", "statements WHERE passage"):
                self.database.write(f"DELETE FROM {where} = ?", number)
            self.database.write("DELETE FROM passages WHERE number = ?", number)
        return touched

    # Operations

    def put_operations(self, operations: Iterable[Operation]) -> None:
        """Store operations that affect the graph."""
        rows = [
            (one.id, one.ts, one.rev, one.name, canonical(one.data))
            for one in operations
            if one.name not in ADDING
        ]
        self.database.write_many(self.sql["put_operation"], rows)

    def forget_operations(self) -> None:
        """Drop all operations before they are read again."""
        self.database.write("DELETE FROM operations")

    def operations(self) -> list[Operation]:
        """Return every operation that affects the graph."""
        return [
            Operation(str(ident), int(ts or 0), str(name), loads(str(data)), rev=int(rev or 0))
            for ident, ts, rev, name, data in self.database.read(self.sql["operations"])
        ]

    # Putting together

    def settle(self, touched: set[str] | None, curation: Curation) -> None:
        """Rebuild the affected entities and relations, or all for None."""
        if touched is not None:
            stands = {curation.key(key) for key in touched}
            touched = stands | touched | {k for k in curation.merged if curation.key(k) in stands}
        if touched is None or len(touched) > _FEW:
            for table in ("entities", "relations"):
                self.database.write(f"DELETE FROM {table}")
            self._settle("", "", (), curation)
        else:
            for key in touched:
                self.database.write("DELETE FROM entities WHERE key = ?", (key,))
                self.database.write(
                    "DELETE FROM relations WHERE source = ?1 OR target = ?1", (key,)
                )
            keys = tuple(sorted(touched))
            places = ",".join("?" * len(keys))
            self._settle(
                f"WHERE m.key IN ({places})",
                f"WHERE s.source IN ({places}) OR s.target IN ({places})",
                keys,
                curation,
            )
        for table in ("standing", "clusters"):
            self.database.write(f"DELETE FROM {table}")
        self.put_meta("standing", "")

    def _settle(
        self, mentions: str, statements: str, keys: tuple[str, ...], curation: Curation
    ) -> None:
        sql = self.sql["mentions_of"].replace("{keys}", mentions)
        # The names of queries carry comments, which come before the statement: harmless here.
        named = aggregation.entities(self.database.read(sql, keys), curation)
        sql = self.sql["statements_of"].replace("{keys}", statements)
        twice = (*keys, *keys) if statements else ()
        stated = aggregation.relations(self.database.read(sql, twice), curation)
        self.database.write_many(self.sql["put_entity"], map(entity_row, named))
        self.database.write_many(self.sql["put_relation"], map(relation_row, stated))

    # Reading

    def entity(self, name: str) -> Entity | None:
        """Return the entity of this name or alias, if it is visible."""
        key = normal(name)
        if not key:
            return None
        sql = self._filled("entity", "entity")
        for candidate in dict.fromkeys((key, Curation(self.operations()).key(key))):
            rows = self.database.read(sql, (candidate,))
            if rows:
                return entity_of(rows[0])
        rows = self.database.read(self._filled("aliased", "entity"), (name.strip(),))
        found = map(entity_of, rows)
        return next((e for e in found if key in map(normal, e.aliases)), None)

    def names_among(self, keys: Sequence[str]) -> list[str]:
        """Return the names of visible entities with these keys, in order."""
        found: dict[str, str] = {}
        for at in range(0, len(keys), 900):
            some = keys[at : at + 900]
            sql = self.sql["names_among"].replace("{keys}", ",".join("?" * len(some)))
            found.update((str(key), str(name)) for key, name in self.database.read(sql, some))
        return [found[key] for key in keys if key in found]

    def entities(
        self, part: str = "", *, kind: str = "", limit: int = _EVERYTHING, described: str = ""
    ) -> list[Entity]:
        """Return visible entities, most important first.

        Args:
            part: contained in their normalized names.
            kind: their type.
            described: or contained in their descriptions, in lower case.
        """
        sql = self._filled("entities", "entity")
        rows = self.database.read(sql, (kind, part, limit, described))
        return [entity_of(row) for row in rows]

    def relations_like(self, part: str, *, limit: int) -> list[Relation]:
        """Return visible relations of entities with `part` in the name, strongest first."""
        sql = self._filled("relations_like", "relation")
        return [relation_of(row) for row in self.database.read(sql, (part, limit))]

    def texts_like(self, part: str, *, limit: int, now: float) -> list[Memory]:
        """Return texts containing `part` in any case, newest first."""
        sql = self._filled("passages_like", "passage")
        rows = self.database.read(sql, (limit, part.lower(), int(now)))
        return [self._memory(row) for row in rows]

    def relations_of(self, name: str, *, limit: int = _EVERYTHING) -> list[Relation]:
        """Return an entity's visible relations, strongest first."""
        sql = self._filled("relations_of", "relation")
        return [relation_of(row) for row in self.database.read(sql, (normal(name), limit))]

    def relations(self) -> list[Relation]:
        """Return every visible relation."""
        sql = self._filled("relations", "relation")
        return [relation_of(row) for row in self.database.read(sql, (_EVERYTHING,))]

    def texts_of(self, keys: Sequence[str], *, limit: int = _EVERYTHING) -> list[Memory]:
        """Return texts naming any of the entities, or merged ones, newest first."""
        curation = Curation(self.operations())
        wanted = {*keys, *(old for old in curation.merged if curation.key(old) in keys)}
        keys = sorted(wanted)
        places = ",".join(f"?{n + 2}" for n in range(len(keys)))
        sql = self._filled("passages_with", "passage").replace("{keys}", f"AND m.key IN ({places})")
        return [self._memory(row) for row in self.database.read(sql, (limit, *keys))]

    def titled(self, prefix: str) -> Iterator[tuple[str, str, str]]:
        """Yield (id, title, text) for texts whose ids begin with `prefix`."""
        rows = self.database.read(self.sql["titled"], (prefix, prefix + "\U0010ffff"))
        yield from ((str(ident), str(title), str(text)) for ident, title, text in rows)

    def text(self, ident: str) -> Memory | None:
        """Return a text by id."""
        rows = self.database.read(self._filled("passage", "passage"), (ident,))
        return self._memory(rows[0]) if rows else None

    def match(self, expression: str, *, limit: int, now: float) -> list[tuple[Memory, float]]:
        """Return texts matching an FTS5 expression, best first, with scores."""
        if not expression:
            return []
        sql = self._filled("match", "passage")
        rows = self.database.read(sql, (expression, limit, int(now)))
        return [(self._memory(row), -float(row[-1] or 0.0)) for row in rows]

    def named(self, ids: Sequence[str] | None = None) -> Iterator[tuple[str, str]]:
        """Yield pairs of text and entity key, for all texts or the given ones."""
        for row in self._near("all_named", "named_near", ids):
            yield str(row[0]), str(row[1])

    def stated(self, ids: Sequence[str] | None = None) -> Iterator[tuple[str, str, str, str]]:
        """Yield (text, source, type, target), for all texts or the given ones."""
        for row in self._near("all_stated", "stated_near", ids):
            yield str(row[0]), str(row[1]), str(row[2]), str(row[3])

    def texts_near(self, keys: Sequence[str], *, limit: int) -> list[str]:
        """Return ids of texts naming any of these keys, newest first."""
        places = ",".join(f"?{n + 2}" for n in range(len(keys)))
        sql = self.sql["texts_near"].replace("{ids}", places)
        return [str(row[0]) for row in self.database.read(sql, (limit, *keys))]

    def together(self, times: int, most: int) -> list[tuple[str, str, int]]:
        """Return key pairs that at least `times` texts name together."""
        rows = self.database.read(self.sql["together"], (times, most))
        return [(str(one), str(other), int(count or 0)) for one, other, count in rows]

    def mention_count(self) -> int:
        """Return how often texts name entities."""
        return int(self.database.read(self.sql["mention_count"])[0][0] or 0)

    def counts(self) -> dict[str, Any]:
        """Count everything, and by type."""
        names = ("texts", "entities", "relations", "communities")
        found: dict[str, Any] = dict(
            zip(names, self.database.read(self.sql["counts"])[0], strict=True)
        )
        hidden = self.database.read(self.sql["pruned"])[0]
        found |= {"pruned_relations": hidden[0], "pruned_entities": hidden[1]}
        found |= {"entity_types": {}, "relation_types": {}}
        for what, kind, count in self.database.read(self.sql["counts_by"]):
            found[str(what) + "_types"][str(kind)] = count
        return found

    # Standing

    def put_metrics(
        self, importance: dict[str, float], community: dict[str, int], clusters: Sequence[Cluster]
    ) -> None:
        """Store importance and communities until the graph changes."""
        for table in ("standing", "clusters"):
            self.database.write(f"DELETE FROM {table}")
        self.database.write_many(
            self.sql["put_standing"],
            [(key, rank, community.get(key, -1)) for key, rank in importance.items()],
        )
        self.database.write_many(
            self.sql["put_cluster"],
            [
                (c.number, c.level, c.parent, c.title, c.report, canonical(list(c.members)))
                for c in clusters
            ],
        )
        self.put_meta("standing", "1")

    def clusters(self) -> list[Cluster]:
        """Return every community by number."""
        return [
            Cluster(
                int(number or 0),
                tuple(loads(str(members))),
                str(title),
                report=str(report),
                level=int(level or 0),
                parent=-1 if parent is None else int(parent),
            )
            for number, level, parent, title, report, members in self.database.read(
                self.sql["clusters"]
            )
        ]

    def _near(self, whole: str, part: str, ids: Sequence[str] | None) -> Iterator[Row]:
        if ids is None:
            yield from self.database.read(self.sql[whole])
            return
        for at in range(0, len(ids), 900):
            some = ids[at : at + 900]
            sql = self.sql[part].replace("{ids}", ",".join("?" * len(some)))
            yield from self.database.read(sql, some)

    def _filled(self, name: str, columns: str) -> str:
        text = self.sql[columns + "_columns"]
        bare = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
        return self.sql[name].replace("{columns}", bare)

    def _memory(self, row: Row) -> Memory:
        names = self.database.read(self.sql["named_by"], (row[10],))
        return memory_of(row, tuple(str(name[0]) for name in names))
