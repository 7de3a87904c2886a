"""A ledger on disk: appends under a lock, durably, in one write."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Sequence

from satchel.core.clock import Clock
from satchel.core.errors import NotWritableError
from satchel.core.ids import is_ulid, memory_key, new_ulid, text_id
from satchel.core.trust import clean_text
from satchel.core.values import Any
from satchel.storage.files import (
    NO_WAIT,
    WHOLE_SIZE,
    file_stamp,
    flush_directory,
    flush_to_disk,
    not_usable,
    open_private,
    read_at,
    read_file,
    replace_file,
    too_large,
    write_all,
)
from satchel.storage.ledger.ledger_end import (
    LedgerEnd,
    LostEnd,
    keep_end,
    kept_words,
    read_end,
    tail_of,
)
from satchel.storage.ledger.lines import (
    Line,
    decode,
    records_in,
    replace_surrogates,
    sealed,
    split_lines,
)
from satchel.storage.ledger.record import Record
from satchel.storage.locks import FileLock
from satchel.storage.paths import archive_of

_SWAPS = 5
#: Every field with text from outside, into which a secret may have been pasted.
_FREE_TEXT = tuple(
    name
    for name, default in Record._field_defaults.items()
    if default == "" and name not in ("id", "hash", "kind", "trust", "visibility", "text_id")
)
_LISTS = ("tags", "supersedes", "derived_from", "intent_anchors")


class Ledger:
    """An append-only JSON-lines file with its lock.

    Args:
        path: the ledger. Its archive is beside it.
        lock: the lock file, in private state even for a tracked ledger, so that the work tree has
            only the ledger. It stores the greatest (ts, id) assigned, which is derived: without
            it the tail of the ledger is read instead.
        clock: for the time.
        timeout: seconds to wait for the lock.

    The file stays open between appends; every append checks that it is still the one at the path.
    """

    def __init__(self, path: str, lock: str, *, clock: Clock, timeout: float = 30.0) -> None:
        self.path = path
        self.archive = archive_of(path)
        self.clock = clock
        self._lock_path = lock
        self._timeout = timeout
        self._file = _OpenFile(path)
        self._lock = FileLock(lock, timeout=timeout, keep_open=True)

    def lock(self) -> FileLock:
        """Return this ledger's lock, not yet acquired."""
        return FileLock(self._lock_path, timeout=self._timeout)

    def close(self) -> None:
        """Close open files; they reopen on next append."""
        self._file.close()
        self._lock.close()

    def append(self, records: Sequence[Record]) -> list[Record]:
        """Append records and return them as written: redacted, stamped, hashed.

        Returns only when the lines are on disk. Raises `NotWritableError` with nothing saved if the
        disk refuses, `BusyError` if the lock is not released in time.
        """
        if not records:
            return []
        clean = [redacted(record) for record in records]
        return self._append(lambda: clean)

    def append_made(self, make: Callable[[], Sequence[Record]]) -> list[Record]:
        """Append what `make` returns, called under the write lock.

        For callers that must check the content before writing: an exception from `make` is passed
        on, and nothing is written.
        """
        return self._append(lambda: [redacted(record) for record in make()])

    def _append(self, make: Callable[[], Sequence[Record]]) -> list[Record]:
        with self._lock as lock:
            records = make()
            if not records:
                return []
            order, before = self._ending(lock.fd)
            stamps, order = stamped(records, order, self.clock.now())
            lines = [sealed(record) for record in stamps]
            self._file.append(b"".join(line for _, line in lines))
            self._remember(lock.fd, order, [record.id for record, _ in lines], before)
        return [record for record, _ in lines]

    def append_new(self, records: Sequence[Record]) -> list[Record]:
        """Append records with new ids, checked under the lock.

        Records keep their own id and time, so a drained inbox can be replayed after a crash, and an
        import repeated.
        """
        clean = [redacted(record) for record in records]
        with self._lock as lock:
            present = self._held({record.id for record in clean})
            lines = [sealed(record) for record in clean if record.id not in present]
            if lines:
                order, before = self._ending(lock.fd)
                self._file.append(b"".join(line for _, line in lines))
                newest_ts = max(record.ts for record, _ in lines)
                newest_id = max(record.id if is_ulid(record.id) else "" for record, _ in lines)
                order = (max(order[0], newest_ts), max(order[1], newest_id))
                self._remember(lock.fd, order, [record.id for record, _ in lines], before)
        return [record for record, _ in lines]

    def take_back(self, ids: Collection[str]) -> int:
        """Remove lines just appended; return how many."""
        with self._lock as lock:
            order, before = self._ending(lock.fd)
            lines = split_lines(read_file(self.path))
            found = [decode(raw).record for raw in lines]
            kept = [
                raw
                for raw, one in zip(lines, found, strict=True)
                if one is None or one.id not in ids
            ]
            if len(kept) < len(lines):
                mode = stat.S_IMODE(os.stat(self.path).st_mode)
                self._file.close()
                replace_file(self.path, b"".join(raw + b"\n" for raw in kept), mode=mode)
                left = [one.id for one in found if one is not None and one.id not in ids]
                end = LedgerEnd(-1, before.lost)  # counted again
                self._remember(lock.fd, order, left[-1:] or ["-"], end)
        return len(lines) - len(kept)

    def _held(self, ids: set[str]) -> set[str]:
        """Return which of these ids are on intact lines of the ledger or its archive.

        A torn line may still show its id; only a line with the right hash counts.
        """
        data = read_file(self.path) + b"\n" + read_file(self.archive)
        if not any(ident.encode() in data for ident in ids):
            return set()
        return {r.id for r in records_in(data) if not r.edited and r.id in ids}

    def read(self) -> list[Line]:
        """Return every line of the ledger, then of its archive.

        The ledger first: rotation fills the archive before it shortens the ledger, so in this order
        a line may be seen twice but never missed.
        """
        active = read_file(self.path)
        return [decode(raw) for raw in split_lines(active) + split_lines(read_file(self.archive))]

    def data(self, saying: bytes = b"", *, archived: bool = True) -> bytes:  # noqa: ARG002
        """Return the lines of the archive and the ledger, also those without `saying`."""
        active = read_file(self.path)
        return read_file(self.archive) + b"\n" + active if archived else active

    def stamp(self) -> object:
        """Return a stamp that changes with every line."""
        return file_stamp(self.path), file_stamp(self.archive)

    def last(self) -> Record | None:
        """Return the record on the last line, or None."""
        lines = split_lines(tail_of(self.path))
        return decode(lines[-1]).record if lines else None

    def lost_end(self) -> LostEnd | None:
        """Return saved lines that are missing, or None.

        A file truncated by a disk, an editor or a copy still reads fine up to its new end.
        """
        try:
            fd = os.open(self._lock_path, os.O_RDONLY | NO_WAIT)
        except OSError:
            return None
        try:
            return read_end(kept_words(fd), self.path, self._held).lost
        except OSError:
            return None
        finally:
            os.close(fd)

    def _ending(self, lock_fd: int) -> tuple[tuple[int, str], LedgerEnd]:
        """Return the greatest time and id assigned, and the ledger's end."""
        words = kept_words(lock_fd)
        return self._last_order(words), read_end(words, self.path, self._held)

    def _remember(
        self, lock_fd: int, order: tuple[int, str], added: Sequence[str], before: LedgerEnd
    ) -> None:
        keep_end(lock_fd, self.path, order, added, before)

    def _last_order(self, parts: Sequence[str]) -> tuple[int, str]:
        if len(parts) >= 2 and parts[0].isdigit() and is_ulid(parts[1]):  # noqa: PLR2004
            return int(parts[0]), parts[1]
        last_ts, last_id = 0, ""
        for record in records_in(tail_of(self.path)):
            last_ts = max(last_ts, record.ts)
            last_id = max(last_id, record.id if is_ulid(record.id) else "")
        return last_ts, last_id


def stamped(
    records: Sequence[Record], order: tuple[int, str], now: float
) -> tuple[list[Record], tuple[int, str]]:
    """Give records ids and times after all those that a ledger has assigned."""
    last_ts, last_id = order
    stamps = []
    for record in records:
        ident, ts, wall = record.id, record.ts, record.wall
        if not ident:
            ident = last_id = new_ulid(int(now * 1000), after=last_id)
        if not ts:
            # Order first: a clock that jumped back must not make the newer line look older.
            ts = last_ts = max(int(now), last_ts)
            wall = int(now) if ts - int(now) > 1 else None
        # A deletion keeps its time: what is added again afterwards must not sort before it.
        last_ts = max(last_ts, ts)
        stamps.append(record._replace(id=ident, ts=ts, wall=wall))
    return stamps, (last_ts, last_id)


def redacted(record: Record) -> Record:
    """Return the record without secrets and private spans, in every text field.

    A terminal's escape sequences are removed too, and lone surrogates: these cannot be written as
    UTF-8, and a single one in a prompt makes an agent's whole session unusable.
    """
    # Imported here, since reading redacts nothing and this takes a dozen modules.
    from satchel.core.redaction.redactor import redact, redact_value

    together = _together(record)
    changes: dict[str, Any] = {}
    if redact(together)[0] != together or _storable(together) != together:
        # Rare: something was found. Now check field by field.
        for name in _FREE_TEXT:
            changes[name] = _storable(redact(getattr(record, name))[0])
        for name in _LISTS:
            changes[name] = tuple(_storable(redact(t)[0]) for t in getattr(record, name))
        if record.key == memory_key(record.kind, record.content):
            # A slug hides a secret from the patterns, so the key is rebuilt from what is left.
            changes["key"] = memory_key(record.kind, changes["content"])
            if record.text_id:
                changes["text_id"] = text_id(changes["content"])
    for name in ("data", "extra"):
        value = getattr(record, name)
        if value:
            changes[name] = replace_surrogates(redact_value(value)[0])
    return record._replace(**changes) if changes else record


def are_clean(records: Sequence[Record]) -> bool:
    """Return whether `redacted` would leave all of these unchanged, in one search."""
    from satchel.core.redaction.redactor import redact_each

    texts = [_together(record) for record in records]
    return (
        redact_each(texts) == texts
        and all(_storable(text) == text for text in texts)
        and all(redacted(one) == one for one in records if one.data or one.extra)
    )


def _together(record: Record) -> str:
    """Return every text of a record that anybody may have written."""
    texts = [text for name in _FREE_TEXT if (text := getattr(record, name))]
    lists = [text for name in _LISTS for text in getattr(record, name)]
    return "\n".join([*texts, *lists])


def _storable(text: str) -> str:
    if "\x1b" in text:
        # Colours are no part of what was said; of nothing but colours, something is left.
        text = clean_text(text) or "\ufffd"
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


class _OpenFile:
    """A file kept open for appending, as long as it is the one at its path."""

    __slots__ = ("fd", "inode", "path", "pid")

    def __init__(self, path: str) -> None:
        self.path = path
        self.fd = -1
        self.pid = 0
        self.inode = (0, 0)

    def append(self, data: bytes) -> None:
        """Append whole lines and flush them, in one write.

        The caller holds the lock. After a line torn by another program, writing starts on a new
        line. If the disk refuses midway, the file is truncated to its former size.
        """
        for _ in range(_SWAPS):
            before = self._open()
            if before > WHOLE_SIZE:
                # Nobody would read it: what cannot be told again is not said to be saved.
                raise too_large(self.path, writing=True)
            try:
                torn = before > 0 and read_at(self.fd, 1, before - 1) != b"\n"
                write_all(self.fd, b"\n" + data if torn else data)
                flush_to_disk(self.fd)
                if before == 0:
                    flush_directory(os.path.dirname(self.path))
            except OSError as error:
                _cut_back(self.fd, before)
                self.close()
                raise not_usable(self.path, error, writing=True) from error
            # git checkout and rebase replace a tracked file: what went to the old one is written
            # again, and a duplicate line counts once.
            if self._stands():
                return
            self.close()
        raise NotWritableError(f"{self.path} was replaced repeatedly during the write.")

    def close(self) -> None:
        """Close the file; it reopens on next append."""
        fd, self.fd = self.fd, -1
        if fd >= 0 and self.pid == os.getpid():
            os.close(fd)

    def __del__(self) -> None:
        self.close()

    def _open(self) -> int:
        """Open the file unless it is open; return its size."""
        if self.fd >= 0 and (self.pid != os.getpid() or not self._stands()):
            self.close()
        if self.fd < 0:
            self.fd = open_private(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
            self.pid = os.getpid()
        status = os.fstat(self.fd)
        self.inode = (status.st_ino, status.st_dev)
        return status.st_size

    def _stands(self) -> bool:
        try:
            status = os.stat(self.path)
        except OSError:
            return False
        return (status.st_ino, status.st_dev) == self.inode


def append_durably(path: str, data: bytes) -> None:
    """Append whole lines to a file once, as a ledger does. The caller holds the lock."""
    file = _OpenFile(path)
    try:
        file.append(data)
    finally:
        file.close()


def _cut_back(fd: int, size: int) -> None:
    try:
        os.ftruncate(fd, size)
    except OSError:
        # The torn tail stays; the next writer starts on a new line, and doctor reports the tail.
        return
