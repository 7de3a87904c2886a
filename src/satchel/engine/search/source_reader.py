"""Indexes a changed source: its lines or its text, and its gate's verdicts."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Sequence

from satchel.core.errors import NotReadableError
from satchel.core.hashing import new_hasher
from satchel.core.shapes import list_of
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import HELD, Damage, Document, Source
from satchel.engine.search.records import record_of
from satchel.engine.search.tokens import code_words
from satchel.storage.files import WHOLE_SIZE, open_file, stamp_of_status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from satchel.engine.search.documents import SourceGate
    from satchel.storage.database.contract import Database, Value

#: A file changed twice within one clock tick keeps its time.
_TICK_NS = 50_000_000
_BLOCK = 1 << 20
#: Nobody writes a longer line, and no signal interrupts who reads one of gigabytes.
_LONGEST_LINE, _TOO_LONG = 32 << 20, "a line of more than 32 MB"

Parse = Callable[[bytes], Document | str]
#: Path and bytes of a whole source -> its documents, or why there are none.
ParseFile = Callable[[str, bytes], list[Document] | str]
#: Largest whole source to read, in bytes.
LARGEST_FILE = 5_000_000


class KnownSource(NamedTuple):
    """A source as last read: see schema.sql."""

    source_id: int
    fingerprint: tuple[Value, ...]
    settled: bool
    prefix_size: int
    prefix_lines: int
    prefix_hash: str
    gate: str


class Unread(NamedTuple):
    """A source that could not be opened, why, and whether what it said before stays indexed."""

    path: str
    why: str
    kept: bool


class SourceReader:
    """Reads a changed source and indexes what is new."""

    def __init__(
        self,
        database: Database,
        sql: dict[str, str],
        source: Source,
        known: KnownSource | None,
        parse: Parse,
    ) -> None:
        self.database, self.sql, self.path = database, sql, source.path
        self.known, self.parse, self.gate = known, parse, source.gate
        #: What the gate held back from this source before.
        self.held: KnownSource | None = None
        self._judge = None if source.gate is None else source.gate.of_lines(source.path)
        self.damage: list[Damage] = []
        self.added = 0
        self.unread: Unread | None = None

    def read(self) -> int:
        """Index the source; return the number of new documents."""
        try:
            file = open_file(self.path, most=WHOLE_SIZE)
        except FileNotFoundError:
            self._gone()
            return 0
        except OSError as error:
            # A pipe or a directory instead of the ledger, or one that may not be read or is too
            # large: keep showing what was read before, except a repository's lines, which are
            # judged again whenever rules change.
            kept = self.known is not None and self.gate is None
            if not kept:
                self._gone()
            self.unread = Unread(self.path, why_unread(error), kept=kept)
            return 0
        with file:
            try:
                self._read_open(file)
            except OSError as error:
                what = f"{self.path} could not be read: {error.strerror}."
                raise NotReadableError(what) from error
        return self.added

    def read_whole(self, parse_file: ParseFile | None) -> int:
        """Index a source that is one text; return the number of new documents.

        What cannot be read now stays as indexed, and is recorded as damage.
        """
        status = stat_of(self.path)
        if status is None:
            return 0
        content = ""
        try:
            found, content = self._parsed_file(status, parse_file)
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
        for document in list_of(found):
            self._put(source_id, document, keep=True)
        if content:
            self._empty(source_id)
        settled = time.time_ns() - status.st_mtime_ns > _TICK_NS
        self.database.write(
            self.sql["put_source"],
            (self.path, *stamp_of_status(status), int(settled), 0, 0, content, ""),
        )
        return self.added

    def _parsed_file(
        self, status: os.stat_result, parse_file: ParseFile | None
    ) -> tuple[list[Document] | str, str]:
        """Return the file's documents, or why it has none, and its content's hash."""
        if status.st_size > LARGEST_FILE:
            size = f"{status.st_size / 1e6:.1f} MB"
            return f"it has {size}; the most that is read is {LARGEST_FILE / 1e6:.0f} MB", "-"
        with open_file(self.path) as file:
            raw = file.read(LARGEST_FILE + 1)
        hasher = new_hasher()
        hasher.update(raw)
        if parse_file is None:
            return "nothing here can read it", "-"
        return parse_file(self.path, raw), hasher.hexdigest()

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
        if self.gate is not None and not grown:
            # A line that passed before may not pass now, or the other way round.
            self._empty(source_id)
            self._empty_held()
        hasher, size, number = self._read_lines(
            file, source_id, (hasher, size, number), keep=not grown
        )
        if not grown:
            self._empty(source_id)
        # Filesystem times come from the kernel's clock, so compare with that one.
        settled = time.time_ns() - status.st_mtime_ns > _TICK_NS
        settled = settled and (self.gate is None or self.gate.settled)
        prefix = (size, number, hasher.hexdigest(), stamp_of(self.gate))
        self.database.write(
            self.sql["put_source"], (self.path, *stamp_of_status(status), int(settled), *prefix)
        )

    def _read_lines(
        self, file: BinaryIO, source_id: int, so_far: tuple[Any, int, int], *, keep: bool
    ) -> tuple[Any, int, int]:
        """Index lines; return the hash, size and number of all that have an end. Memory: one."""
        hasher, size, number = so_far
        while raw := file.readline(_LONGEST_LINE):
            complete, length = raw.endswith(b"\n"), len(raw)
            if complete or length < _LONGEST_LINE:
                self._line(source_id, raw, number + 1, keep=keep)
            else:
                self._damaged(source_id, raw[:_BLOCK], number + 1, _TOO_LONG)
            ended = hasher if complete else hasher.copy()
            ended.update(raw)
            while not complete and (piece := file.readline(_BLOCK)):
                complete, length = piece.endswith(b"\n"), length + len(piece)
                ended.update(piece)
            if complete:
                hasher, size, number = ended, size + length, number + 1
        return hasher, size, number

    def _only_grew(self, file: BinaryIO, hasher: Any) -> bool:
        """Hash the indexed part; return whether it is unchanged."""
        if self.known is None or not self.known.prefix_size:
            return False
        if self.known.gate != stamp_of(self.gate):
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
            self._damaged(source_id, raw, number, document)
            return
        if self._judge is not None:
            verdict = self._judge(record_of(document), number)
            if verdict.refused:
                return
            document = document.labelled(verdict.trust, verdict.author)
            if not verdict.passes:
                source_id = self._held_id()
        self._put(source_id, document, keep=keep)

    def _damaged(self, source_id: int, raw: bytes, number: int, reason: str) -> None:
        self.damage.append(Damage(self.path, number, reason, raw))
        values = (source_id, number, reason, raw[:_BLOCK])
        self.database.write(self.sql["put_damage"], values)

    def _put(self, source_id: int, document: Document, *, keep: bool) -> None:
        """Add a document, possibly new, to the source."""
        rows = self.database.read(self.sql["document_id"], (document.hash,))
        if rows:
            doc_id = rows[0][0]
            if self.gate is not None:
                label = (doc_id, document.fields, document.seal())
                self.database.write(self.sql["relabel"], label)
        else:
            doc_id = self.database.write(self.sql["put_document"], _row(document))
            self.database.write(self.sql["put_words"], (doc_id,))
            self.added += 1
        self.database.write(self.sql["put_presence"], (source_id, doc_id))
        if not rows or self.gate is not None:
            self._mark_superseded(document)
        if keep:
            self.database.write(self.sql["put_seen"], (doc_id,))

    def _mark_superseded(self, document: Document) -> None:
        named = (document.identity, document.id)
        ((versions, ended),) = self.database.read(self.sql["versions"], named)
        if versions != 1 or ended:
            values = (document.identity, document.id if ended else None)
            self.database.write(self.sql["mark_superseded"], values)

    def _source_id(self) -> int:
        if self.known is not None:
            return self.known.source_id
        # The stamp tells from the start that a gate judges it: see `may_replace`.
        values = (self.path, *ABSENT, 0, 0, 0, "", stamp_of(self.gate))
        return self.database.write(self.sql["put_source"], values)

    def _held_id(self) -> int:
        """Return the source of what the gate holds back."""
        if self.held is None or self.held.fingerprint == ABSENT:
            # A size marks it as non-empty, so that queries tell the sources apart.
            number = self._put_held(_FILLED)
            self.held = KnownSource(
                number, _FILLED, True, prefix_size=0, prefix_lines=0, prefix_hash="", gate=""
            )
        return self.held.source_id

    def _empty_held(self) -> None:
        if self.held is not None:
            self._empty(self.held.source_id)
            self._put_held(ABSENT)
            self.held = self.held._replace(fingerprint=ABSENT)

    def _put_held(self, fingerprint: tuple[Value, ...]) -> int:
        values = (self.path + HELD, *fingerprint, 1, 0, 0, "", "")
        number = self.database.write(self.sql["put_source"], values)
        return number if self.held is None else self.held.source_id

    def _empty(self, source_id: int) -> None:
        self.database.write(self.sql["note_absent"], (source_id,))
        self.database.write(self.sql["forget_absent"], (source_id,))

    def put_all(self, documents: Sequence[Document]) -> None:
        """Add these documents to the source."""
        source_id = self._source_id()
        for document in documents:
            self._put(source_id, document, keep=False)

    def forget(self) -> None:
        """Remove the source and all its documents."""
        self._gone()
        if self.known is not None:
            self.database.write(self.sql["drop_source"], (self.known.source_id,))

    def _gone(self) -> None:
        """Remove a missing source's documents, which may exist elsewhere."""
        if self.known is None:
            return
        self.database.write("DELETE FROM temp.seen")
        self._empty(self.known.source_id)
        self._empty_held()
        self.database.write(self.sql["drop_damage"], (self.known.source_id, 0))
        self.database.write(self.sql["put_source"], (self.path, *ABSENT, 1, 0, 0, "", ""))


ABSENT: tuple[Value, ...] = (-1, 0, 0, 0)
_FILLED: tuple[Value, ...] = (1, 0, 0, 0)


def why_unread(error: OSError) -> str:
    """Return why a source could not be opened, as the end of a sentence about it."""
    if error.errno in (errno.EINVAL, errno.EISDIR, errno.ENOTDIR):
        return "is not a file"
    if error.errno == errno.EFBIG:
        return f"has more than {WHOLE_SIZE >> 30} GiB"
    return f"could not be read ({error.strerror})"


def why_refused(path: str) -> str:
    """Return why a file that exists cannot be opened; "" if it can, or if there is none."""
    try:
        open_file(path, most=WHOLE_SIZE).close()
    except FileNotFoundError:
        return ""
    except OSError as error:
        return why_unread(error)
    return ""


def stamp_of(gate: SourceGate | None) -> str:
    """Return the stamp of the rules that judged a source; "" without a gate."""
    return "" if gate is None else gate.stamp


def stat_of(path: str) -> os.stat_result | None:
    """Return a file's status, or None."""
    try:
        return os.stat(path)
    except OSError:
        return None


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
