"""Catching up: which sources have changed since they were indexed, and what changed in them.

One stat for each source, and no open where nothing changed. A source that only grew is read from
where it ended; any other change (hand edit, checkout, rotation) reads it whole and compares.

A *whole* source that is not there any more is left as it was indexed: a directory that is not
mounted looks the same as one whose files were deleted. Who knows better says `forget_sources`.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from satchel.core.errors import NotReadableError
from satchel.core.hashing import new_hasher
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import Damage, Document, Source
from satchel.engine.search.tokens import code_words
from satchel.storage.database.queries import load_queries, path_stored_as
from satchel.storage.locks import open_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from satchel.storage.database.contract import Database, Value

_queries: dict[str, str] = {}
#: A file changed again within the clock tick of its last change keeps its time.
_TICK_NS = 50_000_000
_BLOCK = 1 << 20

Parse = Callable[[bytes], Document | str]
#: Path and bytes of a whole source -> its documents, or why there are none.
ParseFile = Callable[[str, bytes], list[Document] | str]
#: Bytes of the largest whole source that is read.
LARGEST_FILE = 5_000_000


class CatchUpReport(NamedTuple):
    """What catching up did: sources read, documents added, lines that do not parse."""

    read: int
    added: int
    damage: tuple[Damage, ...]


class _Known(NamedTuple):
    source_id: int
    fingerprint: tuple[Value, ...]
    settled: bool
    prefix_size: int
    prefix_lines: int
    prefix_hash: str


def changed_sources(
    database: Database, sql: dict[str, str], sources: Sequence[Source]
) -> list[str]:
    """Paths whose file differs from what was indexed, by one stat each."""
    known = _known(database, sql)
    changed = []
    for source in sources:
        status = _stat(source.path)
        row = known.get(source.path)
        if status is None:
            if row is not None and row.fingerprint != _ABSENT and not source.whole:
                changed.append(source.path)
        elif row is None or not row.settled or row.fingerprint != _fingerprint(status):
            changed.append(source.path)
    return changed


def catch_up(
    database: Database,
    sql: dict[str, str],
    paths: Sequence[str],
    parse: Parse,
    whole: Mapping[str, ParseFile | None] | None = None,
) -> CatchUpReport:
    """Read the changed sources into the index. The caller holds a transaction.

    `whole` holds the paths among them that are read as one text, each with what parses it.
    """
    whole = whole or {}
    _begin(database, sql)
    known = _known(database, sql)
    added, damage = 0, []
    for path in paths:
        reader = _SourceReader(
            database, sql, path, known.get(path), parse, parse_file=whole.get(path)
        )
        added += reader.read_whole() if path in whole else reader.read()
        damage += reader.damage
    _sweep(database, sql)
    return CatchUpReport(len(paths), added, tuple(damage))


def put_unsaved(database: Database, path: str, documents: Sequence[Document]) -> None:
    """Hold documents that no file has yet, under the name of a source that does not exist."""
    sql = load_queries(__file__, "queries.sql")
    with database.transaction():
        _begin(database, sql)
        known = _known(database, sql).get(path)
        _SourceReader(database, sql, path, known, lambda _: "").put_all(documents)


def forget_sources(database: Database, paths: Sequence[str]) -> None:
    """Take sources out of the index, with the documents that no other source holds."""
    sql = load_queries(__file__, "queries.sql")
    with database.transaction():
        _begin(database, sql)
        known = _known(database, sql)
        for path in paths:
            source = known.get(path)
            if source is not None:
                _SourceReader(database, sql, path, source, lambda _: "").forget()
        _sweep(database, sql)


def held_paths(database: Database) -> dict[str, str]:
    """Every source that is in the index, with the SHA-256 of its content, in hexadecimal."""
    rows = database.read(_source_queries()["held"])
    return {path_stored_as(str(path)): str(content) for path, content in rows}


def held_elsewhere(database: Database, path: str, gone: AbstractSet[str]) -> bool:
    """Say whether sources that are not `gone` hold every document of this one: it was renamed."""
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
    """Remove documents that no source holds any more."""
    database.write(sql["orphan_words"])
    database.write(sql["drop_orphans"])
    database.write(sql["revive_older"])


class _SourceReader:
    """Reads one changed source and writes what is new in it."""

    def __init__(
        self,
        database: Database,
        sql: dict[str, str],
        path: str,
        known: _Known | None,
        parse: Parse,
        *,
        parse_file: ParseFile | None = None,
    ) -> None:
        self.database, self.sql, self.path = database, sql, path
        self.known, self.parse, self.parse_file = known, parse, parse_file
        self.damage: list[Damage] = []
        self.added = 0

    def read(self) -> int:
        """Index the source; return how many documents are new."""
        try:
            with open_file(self.path) as file:
                self._read_open(file)
        except FileNotFoundError:
            self._gone()
        except OSError as error:
            if error.errno in (errno.EINVAL, errno.EISDIR, errno.ENOTDIR):
                # What stands under a ledger's name and is no file holds no lines; `doctor` tells.
                self._gone()
                return self.added
            raise NotReadableError(f"{self.path} could not be read: {error.strerror}.") from error
        return self.added

    def read_whole(self) -> int:
        """Index a source that is one text; return how many documents are new.

        What cannot be read now stays as it was indexed, and is noted as damage.
        """
        status = _stat(self.path)
        if status is None:
            return 0
        content = ""
        try:
            found, content = self._parsed_file(status)
        except FileNotFoundError:
            return 0
        except OSError as error:
            found = f"it could not be read: {error.strerror}"
        source_id = self._source_id()
        self.database.write(self.sql["drop_damage"], (source_id, 0))
        self.database.write("DELETE FROM temp.seen")
        if isinstance(found, str):
            self.damage.append(Damage(self.path, 1, found, b""))
            self.database.write(self.sql["put_damage"], (source_id, 1, found, b""))
        for document in found if isinstance(found, list) else ():
            self._put(source_id, document, keep=True)
        if content:
            self.database.write(self.sql["note_absent"], (source_id,))
            self.database.write(self.sql["forget_absent"], (source_id,))
        settled = time.time_ns() - status.st_mtime_ns > _TICK_NS
        self.database.write(
            self.sql["put_source"], (self.path, *_fingerprint(status), int(settled), 0, 0, content)
        )
        return self.added

    def _parsed_file(self, status: os.stat_result) -> tuple[list[Document] | str, str]:
        """Return the documents of the file, or why it has none, and the hash of its content."""
        if status.st_size > LARGEST_FILE:
            size = f"{status.st_size / 1e6:.1f} MB"
            return f"it has {size}; the most that is read is {LARGEST_FILE / 1e6:.0f} MB", "-"
        with open_file(self.path) as file:
            raw = file.read(LARGEST_FILE + 1)
        hasher = new_hasher()
        hasher.update(raw)
        if self.parse_file is None:
            return "nothing here can read it", "-"
        return self.parse_file(self.path, raw), hasher.hexdigest()

    def _read_open(self, file: BinaryIO) -> None:
        status = os.fstat(file.fileno())
        hasher = new_hasher()
        grown = self._only_grew(file, hasher)
        if not grown:
            file.seek(0)
            hasher = new_hasher()
        number = self.known.prefix_lines if grown and self.known else 0
        size = self.known.prefix_size if grown and self.known else 0
        source_id = self._source_id()
        self.database.write(self.sql["drop_damage"], (source_id, number))
        self.database.write("DELETE FROM temp.seen")
        for raw, complete in _lines(file):
            if complete:
                hasher.update(raw)
                size += len(raw)
                number += 1
            self._line(source_id, raw, number if complete else number + 1, keep=not grown)
        if not grown:
            self.database.write(self.sql["note_absent"], (source_id,))
            self.database.write(self.sql["forget_absent"], (source_id,))
        # Filesystem times come from the kernel's clock, so they are compared with that one.
        settled = time.time_ns() - status.st_mtime_ns > _TICK_NS
        self.database.write(
            self.sql["put_source"],
            (self.path, *_fingerprint(status), int(settled), size, number, hasher.hexdigest()),
        )

    def _only_grew(self, file: BinaryIO, hasher: Any) -> bool:
        """Hash the part that was indexed; say whether it is still there, byte for byte."""
        if self.known is None or not self.known.prefix_size:
            return False
        if self.known.fingerprint[0] != self.known.prefix_size:
            return False  # an unfinished last line was indexed too, and may have changed
        left = self.known.prefix_size
        while left:
            block = file.read(min(left, _BLOCK))
            if not block:
                return False
            hasher.update(block)
            left -= len(block)
        return bool(hasher.hexdigest() == self.known.prefix_hash)

    def _line(self, source_id: int, raw: bytes, number: int, *, keep: bool) -> None:
        if not raw.strip():
            return
        document = self.parse(raw)
        if isinstance(document, str):
            self.damage.append(Damage(self.path, number, document, raw))
            values = (source_id, number, document, raw[:_BLOCK])
            self.database.write(self.sql["put_damage"], values)
            return
        self._put(source_id, document, keep=keep)

    def _put(self, source_id: int, document: Document, *, keep: bool) -> None:
        """Note that the source holds a document, which may be new."""
        rows = self.database.read(self.sql["document_id"], (document.hash,))
        if rows:
            doc_id = rows[0][0]
        else:
            doc_id = self.database.write(self.sql["put_document"], _row(document))
            self.database.write(self.sql["put_words"], (doc_id,))
            named = (document.identity, document.id)
            ((versions, ended),) = self.database.read(self.sql["versions"], named)
            if versions != 1 or ended:
                values = (document.identity, document.id if ended else None)
                self.database.write(self.sql["mark_superseded"], values)
            self.added += 1
        self.database.write(self.sql["put_presence"], (source_id, doc_id))
        if keep:
            self.database.write(self.sql["put_seen"], (doc_id,))

    def _source_id(self) -> int:
        if self.known is not None:
            return self.known.source_id
        return self.database.write(self.sql["put_source"], (self.path, *_ABSENT, 0, 0, 0, ""))

    def put_all(self, documents: Sequence[Document]) -> None:
        """Let the source hold these documents."""
        source_id = self._source_id()
        for document in documents:
            self._put(source_id, document, keep=False)

    def forget(self) -> None:
        """Let the source hold nothing, and forget that it was there."""
        self._gone()
        if self.known is not None:
            self.database.write(self.sql["drop_source"], (self.known.source_id,))

    def _gone(self) -> None:
        """A source that is not there holds nothing; its documents may live on elsewhere."""
        if self.known is None:
            return
        self.database.write("DELETE FROM temp.seen")
        self.database.write(self.sql["note_absent"], (self.known.source_id,))
        self.database.write(self.sql["forget_absent"], (self.known.source_id,))
        self.database.write(self.sql["drop_damage"], (self.known.source_id, 0))
        self.database.write(self.sql["put_source"], (self.path, *_ABSENT, 1, 0, 0, ""))


_ABSENT: tuple[Value, ...] = (-1, 0, 0, 0)


def _known(database: Database, sql: dict[str, str]) -> dict[str, _Known]:
    return {
        path_stored_as(str(row[0])): _Known(
            int(row[1] or 0),
            tuple(row[2:6]),
            bool(row[6]),
            int(row[7] or 0),
            int(row[8] or 0),
            str(row[9]),
        )
        for row in database.read(sql["source_rows"])
    }


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _fingerprint(status: os.stat_result) -> tuple[Value, ...]:
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _lines(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Lines with their newline, and whether they have one. Memory: one line."""
    for raw in file:
        yield raw, raw.endswith(b"\n")


def _row(document: Document) -> tuple[Value, ...]:
    code = " ".join(code_words(f"{document.title} {document.content}"))
    return (
        document.hash,
        document.identity,
        document.kind,
        document.ts,
        document.id,
        document.rev,
        document.task,
        document.epic,
        document.expires_at,
        int(document.deleted),
        int(document.private),
        document.title,
        document.content,
        document.tags,
        code,
        document.fields,
        document.seal(),
        document.thread,
        document.place,
    )
