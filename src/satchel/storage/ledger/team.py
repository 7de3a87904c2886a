"""A team's ledger: lines are rows on a server, byte for byte as in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from satchel.core.clock import Clock
from satchel.core.errors import ConflictError
from satchel.core.hashing import digest
from satchel.core.ids import is_ulid
from satchel.core.values import NamedTuple
from satchel.storage.database.queries import load_queries
from satchel.storage.ledger.file import redacted, stamped
from satchel.storage.ledger.lines import Line, decode, sealed
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from satchel.storage.database.contract import Row, Statement, TeamDatabase

    #: The rows of each query.
    _Known = Sequence[Sequence[Row]]
else:
    Protocol = object

#: A project's counters: the last document number, documents, their words.
Totals = tuple[int, int, int]


class Placed(NamedTuple):
    """Each line's document number, the project's new counters, and how to write them."""

    numbers: list[int | None]
    totals: Totals
    writes: Sequence[Statement]


class Derived(Protocol):
    """Data derived from new lines, prepared before the lock is taken."""

    def asks(self) -> Sequence[Statement]:
        """Return the query to run once the project is locked, or None."""

    def placed(self, known: Sequence[Row], totals: Totals) -> Placed:
        """Number the documents, given the query's answer and the project's counters."""


#: Called with new lines; derives the searchable documents.
Derive = Callable[[Sequence[Line]], Derived]
_PAGE = 2000
_PREFIX = "team:"
#: Longer ids come from other programs and do not fit into an index.
LONGEST = 200


def path_of(project: str, ledger: str) -> str:
    """Return a team ledger's name in the form of a path."""
    return f"{_PREFIX}{project}/{ledger}"


def ledger_at(path: str, project: str) -> str:
    """Return the ledger named by `path_of`; "" for another project's."""
    own = path_of(project, "")
    return path[len(own) :] if path.startswith(own) else ""


class Look(NamedTuple):
    """The store's version, its newest line's position, and the project's line count."""

    version: int
    last: int
    given: int


class _Head(NamedTuple):
    """What was assigned: the greatest time and id, the last position, the project's counters.

    `known` has the answers to queries sent with it.
    """

    order: tuple[int, str]
    place: int
    totals: Totals
    known: _Known


class _Ready(NamedTuple):
    """Lines, and the columns written for them: hash, id, revision, time, and any error."""

    lines: Sequence[Line]
    rows: list[tuple[bytes, str, int, int, str]]
    derived: Derived


class TeamLedger:
    """A project's append-only ledger: `contract.RecordLedger` in rows.

    Args:
        database: the server.
        project: whose lines.
        name: the ledger's: knowledge, or a kind with its own ledger.
        clock: where the time comes from.
        derive: keeps the documents in sync with the lines.

    Every writer of a project first locks the project's row, so writers take turns, and ids and
    times are ordered as in a file. An append repeated because its acknowledgement was lost finds
    its own lines, by the ids they got before.
    """

    def __init__(
        self, database: TeamDatabase, project: str, name: str, *, clock: Clock, derive: Derive
    ) -> None:
        self.database = database
        self.project = project
        self.name = name
        self.path = path_of(project, name)
        self.clock = clock
        self._derive = derive
        self.sql = load_queries(__file__, "team.sql")

    def close(self) -> None:
        """Do nothing: the database closes the connection."""

    def append(self, records: Sequence[Record]) -> list[Record]:
        """Append records and return them as written: redacted, stamped, hashed.

        Returns only when they are committed. Raises `ConflictError` for a new version of a memory
        that somebody else changed since it was read; `NotWritableError` if the server stays
        unreachable; then all of the lines were saved, or none.
        """
        clean = [redacted(record) for record in records]
        return self._append(lambda _: clean) if clean else []

    def append_made(self, make: Callable[[], Sequence[Record]]) -> list[Record]:
        """Append what `make` returns, called under the project's write lock."""
        return self._append(lambda _: [redacted(record) for record in make()])

    def append_after(self, make: Callable[[Record | None], Sequence[Record]]) -> list[Record]:
        """Append what `make` returns, told the last record, under the project's write lock."""
        last = (self.sql["last_line"], (self.project, self.name))

        def after(known: _Known) -> list[Record]:
            lines = [decode(bytes(row[0])).record for row in known[0]]  # type: ignore[arg-type]
            return [redacted(record) for record in make(lines[0] if lines else None)]

        return self._append(after, last)

    def _append(self, make: Callable[[_Known], Sequence[Record]], *asks: Statement) -> list[Record]:
        before: list[tuple[Record, bytes]] = []

        def work(again: bool) -> list[Record]:  # noqa: FBT001
            head = self._hold(asks)
            marks = [digest(line) for _, line in before]
            if again and before and self.held_marks(marks) == set(marks):
                return [record for record, _ in before]
            records = make(head.known)
            self._refuse_overtaken(records)
            stamps, order = stamped(records, head.order, self.clock.now())
            before[:] = [(record, line[:-1]) for record, line in map(sealed, stamps)]
            # What gets its id here is in no document yet.
            known = () if any(record.id for record in records) else ((),)
            ready = self._ready([decode(line) for _, line in before])
            self._put(ready, order, head._replace(known=known))
            return [record for record, _ in before]

        return self.database.attempt(work)

    def _refuse_overtaken(self, records: Sequence[Record]) -> None:
        """Raise `ConflictError` if a newer version was written meanwhile."""
        made = [(clean_text(one.id)[:LONGEST], one.rev) for one in records if one.rev and one.id]
        if made and self.database.write_rows(self.sql["overtaken"], made, (self.project,)):
            raise ConflictError(
                "Somebody else changed this memory in the meantime; nothing was written.",
                hint="Read it again, and repeat what is still right.",
            )

    def append_new(self, records: Sequence[Record]) -> list[Record]:
        """Append records with new ids, checked under the lock."""
        clean = [redacted(record) for record in records]
        mine: set[str] = set()

        def work(again: bool) -> list[Record]:  # noqa: FBT001
            head = self._hold()
            ids = [record.id[:LONGEST] for record in clean]
            rows = self.database.read(
                self.sql["held_ids"], (self.project, self.name, array_of(ids))
            )
            held = {str(row[0]) for row in rows}
            if again and mine and mine <= held:
                return [sealed(r)[0] for r in clean if r.id[:LONGEST] in mine]
            written = [sealed(r) for r in clean if r.id[:LONGEST] not in held]
            mine.update(record.id[:LONGEST] for record, _ in written)
            lines = [decode(line[:-1]) for _, line in written]
            self._put(self._ready(lines), _greatest(head.order, lines), head)
            return [record for record, _ in written]

        return self.database.attempt(work) if clean else []

    def append_lines(self, raws: Sequence[bytes]) -> int:
        """Store lines verbatim, damaged ones too; return how many were new.

        For migration: nothing is redacted, stamped or checked, so that hashes stay the same.
        """
        return self._send(self._ready([decode(raw) for raw in dict.fromkeys(raws)]))

    def append_batches(self, batches: Iterable[Sequence[Line]]) -> int:
        """Store lines as `append_lines` does, one transaction per batch.

        While the server writes one batch, the next is prepared here.
        """
        from concurrent.futures import Future, ThreadPoolExecutor

        sent: Future[int] | None = None
        new = 0
        with ThreadPoolExecutor(1) as sender:
            for lines in batches:
                ready = self._ready(lines)
                if sent is not None:
                    new += sent.result()
                sent = sender.submit(self._send, ready)
            return new + (0 if sent is None else sent.result())

    def _send(self, ready: _Ready) -> int:
        def work(_: bool) -> int:  # noqa: FBT001
            head = self._hold(ready.derived.asks())
            return self._put(ready, _greatest(head.order, ready.lines), head)

        return self.database.attempt(work) if ready.lines else 0

    def replace(self, gone: Sequence[bytes], new: Sequence[bytes]) -> None:
        """Delete lines and store others, only for forgetting. Documents are not changed."""
        self.replace_made(lambda: (gone, new))

    def replace_made(self, make: Callable[[], tuple[Sequence[bytes], Sequence[bytes]]]) -> None:
        """Replace lines as `replace` does; `make` is called under the project's write lock."""

        def work(_: bool) -> None:  # noqa: FBT001
            head = self._hold()
            gone, new = make()
            for raw in gone:
                values = (self.project, self.name, digest(raw))
                self.database.write(self.sql["drop_line"], values)
            ready = self._ready([decode(raw) for raw in new])
            self._put(ready, _greatest(head.order, ready.lines), head)

        self.database.attempt(work)

    def read(self) -> list[Line]:
        """Return the ledger's lines, in order of arrival."""
        return [decode(raw) for raw in self.raws()]

    def raws(self, saying: bytes = b"") -> Iterator[bytes]:
        """Return the lines that contain `saying` verbatim, without their newlines."""
        return (line for _, line in self.after(0, saying))

    def after(self, place: int, saying: bytes = b"") -> Iterator[tuple[int, bytes]]:
        """Return lines after a position that contain `saying`, each with its own position."""
        while True:
            asked = (self.project, self.name, place, _PAGE, saying)
            rows = self.database.read(self.sql["lines"], asked)
            for at, line in rows:
                place = int(at or 0)
                yield place, bytes(line)  # type: ignore[arg-type]
            if len(rows) < _PAGE:
                return

    def held_marks(self, marks: Sequence[bytes]) -> set[bytes]:
        """Return which lines the ledger holds, by the SHA-256 of each."""
        held: set[bytes] = set()
        for start in range(0, len(marks), _PAGE):
            some = ",".join(f'"\\\\x{mark.hex()}"' for mark in marks[start : start + _PAGE])
            values = (self.project, self.name, f"{{{some}}}")
            rows = self.database.read(self.sql["held_marks"], values)
            held |= {bytes(row[0]) for row in rows}  # type: ignore[arg-type]
        return held

    def look(self) -> Look:
        """Return the ledger's state, in one query."""
        ((version, last, given),) = self.database.read(self.sql["look"], (self.project, self.name))
        return Look(int(version or 0), int(last or 0), int(given or 0))

    def _hold(self, asks: Sequence[Statement] = ()) -> _Head:
        """Lock out the project's other writers; return what was assigned.

        The queries in `asks` run after the lock, so they see what others wrote meanwhile.
        """
        lock = (self.sql["hold_project"], (self.project,))
        last = (self.sql["ledger_head"], (self.project, self.name))
        held, rows, *known = self.database.together(lock, last, *asks)
        while not held:
            self.database.write(self.sql["make_project"], (self.project,))
            held, rows, *known = self.database.together(lock, last, *asks)
        number, documents, words = (int(value or 0) for value in held[0])
        ts, ident, place = rows[0] if rows else (0, "", 0)
        totals = (number, documents, words)
        return _Head((int(ts or 0), str(ident)), int(place or 0), totals, known)

    def _ready(self, lines: Sequence[Line]) -> _Ready:
        """Prepare what will be written of lines, as far as possible without the server."""
        rows = []
        for line in lines:
            record = line.record or Record()
            ident = clean_text(record.id)[:LONGEST]
            rows.append((digest(line.raw), ident, record.rev, record.ts, clean_text(line.reason)))
        return _Ready(lines, rows, self._derive(lines))

    def _put(self, ready: _Ready, order: tuple[int, str], head: _Head) -> int:
        """Store lines and their documents, and commit; return how many lines were new."""
        if not ready.lines:
            return 0
        known = head.known or self.database.together(*ready.derived.asks())
        numbers, totals, writes = ready.derived.placed(known[0] if known else (), head.totals)
        rows = [
            (mark, place, ident, rev, ts, number, reason, line.raw)
            for place, ((mark, ident, rev, ts, reason), number, line) in enumerate(
                zip(ready.rows, numbers, ready.lines, strict=True), head.place + 1
            )
        ]
        given = (self.project, self.name, *order, head.place + len(rows), *totals)
        put = self.database.of_rows(self.sql["put_lines"], rows, given)
        return int(self.database.commit(*writes, put)[-1][0][0] or 0)


class _Nothing:
    """No documents."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._count = len(lines)

    def asks(self) -> Sequence[Statement]:
        return ()

    def placed(self, known: Sequence[Row], totals: Totals) -> Placed:
        del known
        return Placed([None] * self._count, totals, ())


def derive_nothing(lines: Sequence[Line]) -> Derived:
    """Store lines without documents."""
    return _Nothing(lines)


def _greatest(order: tuple[int, str], lines: Sequence[Line]) -> tuple[int, str]:
    records = [line.record for line in lines if line.record is not None]
    ts = max([order[0], *(record.ts for record in records)])
    return ts, max([order[1], *(record.id for record in records if is_ulid(record.id))])


def array_of(texts: Sequence[str]) -> str:
    """Encode a list of strings as a PostgreSQL array."""
    quoted = (clean_text(t).replace("\\", "\\\\").replace('"', '\\"') for t in texts)
    return "{" + ",".join(f'"{text}"' for text in quoted) + "}"


def clean_text(text: str) -> str:
    """Return a text without NUL, which PostgreSQL cannot store. Lines keep their bytes."""
    return text.replace("\0", "\ufffd") if "\0" in text else text
