"""Catching up: detects changed sources and indexes the changes.

One stat per source, and no open if nothing changed.

A source that only grew is read from its former end; after any other change (hand edit, checkout,
rotation) it is read whole and compared. A *whole* source that has vanished stays as indexed: an
unmounted directory looks the same as one whose files were deleted. Callers that know better call
`forget_sources`.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from satchel.core.values import NamedTuple
from satchel.engine.search.documents import HELD, Damage, Document, Source
from satchel.engine.search.source_reader import (
    ABSENT,
    KnownSource,
    SourceReader,
    Unread,
    stamp_of,
    stat_of,
)
from satchel.storage.database.queries import load_queries, path_stored_as, without_comments
from satchel.storage.files import stamp_of_status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.engine.search.source_reader import Parse, ParseFile
    from satchel.storage.database.contract import Database, Value

_queries: dict[str, str] = {}


class CatchUpReport(NamedTuple):
    """The result: sources read, documents added, lines that do not parse.

    `unread` are sources that could not be opened.
    """

    read: int
    added: int
    damage: tuple[Damage, ...]
    unread: tuple[Unread, ...] = ()

    def after(self, before: CatchUpReport) -> CatchUpReport:
        """Add an earlier report."""
        read, added = before.read + self.read, before.added + self.added
        return CatchUpReport(read, added, before.damage + self.damage, self.unread)


def changed_sources(
    database: Database, sql: dict[str, str], sources: Sequence[Source]
) -> list[str]:
    """Return paths that differ from what was indexed, with one stat each."""
    known = _known(database, sql)
    changed = []
    for source in sources:
        status = stat_of(source.path)
        row = known.get(source.path)
        if status is None:
            if row is not None and row.fingerprint != ABSENT and not source.whole:
                changed.append(source.path)
        elif (
            row is None
            or not row.settled
            or row.fingerprint != stamp_of_status(status)
            or row.gate != stamp_of(source.gate)
        ):
            changed.append(source.path)
    return changed


def catch_up(
    database: Database,
    sql: dict[str, str],
    changed: Sequence[Source],
    parse: Parse,
    parse_file: ParseFile | None = None,
) -> CatchUpReport:
    """Index the changed sources. The caller holds a transaction."""
    _begin(database, sql)
    known = _known(database, sql)
    added, damage, unread = 0, [], list[Unread]()
    for source in changed:
        reader = SourceReader(database, sql, source, known.get(source.path), parse)
        reader.held = known.get(source.path + HELD)
        added += reader.read_whole(parse_file) if source.whole else reader.read()
        damage += reader.damage
        unread += [reader.unread] if reader.unread else []
    _sweep(database, sql)
    return CatchUpReport(len(changed), added, tuple(damage), tuple(unread))


def index_queries() -> dict[str, str]:
    """Return the index's queries, with their common condition filled in."""
    sql = load_queries(__file__, "queries.sql")
    condition = without_comments(sql["may_replace"])
    return {name: text.replace("{may_replace}", condition) for name, text in sql.items()}


def put_unsaved(database: Database, path: str, documents: Sequence[Document]) -> None:
    """Store documents that are in no file yet, under a virtual source's name."""
    sql = index_queries()
    with database.transaction():
        _begin(database, sql)
        known = _known(database, sql).get(path)
        SourceReader(database, sql, Source(path, ""), known, lambda _: "").put_all(documents)


def forget_sources(database: Database, paths: Sequence[str]) -> None:
    """Remove sources from the index, with documents that no other source has."""
    with database.transaction():
        forget_within(database, paths)


def forget_within(database: Database, paths: Sequence[str]) -> None:
    """Remove sources; see `forget_sources`. The caller holds a transaction."""
    sql = index_queries()
    _begin(database, sql)
    known = _known(database, sql)
    for path in paths:
        row = known.get(path)
        if row is not None:
            SourceReader(database, sql, Source(path, ""), row, lambda _: "").forget()
    _sweep(database, sql)


def held_paths(database: Database) -> dict[str, str]:
    """Return every indexed source with its content's SHA-256, in hexadecimal."""
    rows = database.read(_source_queries()["held"])
    return {path_stored_as(str(path)): str(content) for path, content in rows}


def held_elsewhere(database: Database, path: str, gone: AbstractSet[str]) -> bool:
    """Return whether other sources have all of this one's documents, as after a rename."""
    holders: dict[Value, bool] = {}
    for document, holder in database.read(_source_queries()["holders"], (path,)):
        holders[document] = holders.get(document, False) or path_stored_as(str(holder)) not in gone
    return bool(holders) and all(holders.values())


def _source_queries() -> dict[str, str]:
    if not _queries:
        _queries.update(load_queries(__file__, "sources.sql"))
    return _queries


def _begin(database: Database, sql: dict[str, str]) -> None:
    database.script(sql["make_scratch"])
    database.write(sql["clear_gone"])


def _sweep(database: Database, sql: dict[str, str]) -> None:
    """Remove documents that no source has any more."""
    database.write(sql["orphan_words"])
    database.write(sql["drop_orphans"])
    database.write(sql["revive_older"])


def _known(database: Database, sql: dict[str, str]) -> dict[str, KnownSource]:
    return {
        path_stored_as(str(row[0])): KnownSource(
            int(row[1] or 0),
            tuple(row[2:6]),
            bool(row[6]),
            prefix_size=int(row[7] or 0),
            prefix_lines=int(row[8] or 0),
            prefix_hash=str(row[9]),
            gate=str(row[10]),
        )
        for row in database.read(sql["source_rows"])
    }
