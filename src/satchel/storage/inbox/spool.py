"""A project's spool: hooks append, a reader takes everything at once.

`events.jsonl` is what hooks append to. Draining renames it to `taken-*.jsonl` under the lock,
processes that without the lock, and deletes it when every event is in the ledger. The next drainer
finishes what a killed one leaves; events carry their ids, so nothing is duplicated.
"""

from __future__ import annotations

import os
import time

from satchel.core import quick_json
from satchel.core.errors import StoreError
from satchel.core.hashing import is_whole, sealed
from satchel.core.ids import is_ulid, last_of_block, new_ulid
from satchel.storage.files import (
    flush_directory,
    flush_to_disk,
    not_usable,
    open_private,
    read_at,
    read_file,
    write_all,
    write_at,
)
from satchel.storage.locks import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LOCK_SECONDS = 0.25
_TAKE_SECONDS = 0.1
_ORPHAN_SECONDS = 60


class Inbox:
    """A project's inbox directory."""

    __slots__ = ("directory",)

    def __init__(self, directory: str) -> None:
        self.directory = directory

    def append(self, event: dict[str, Any], now: float) -> str:
        """Append a redacted event; return its id once it is on disk.

        Raises a `StoreError` before anything is acknowledged if the disk refuses. If the lock is
        not free within a quarter of a second, the event gets its own file: a hook does not wait.
        """
        lock = FileLock(self._path("lock"), timeout=_LOCK_SECONDS)
        try:
            taken = lock.acquire()
        except StoreError:
            taken = False  # the lock does not work, or its path is taken by something else
        if not taken:
            return self._append_alone(event, now)
        try:
            last = read_at(lock.fd, 64, 0).decode("ascii", "replace").split()
            known = len(last) == 2 and last[0].isdigit() and is_ulid(last[1])  # noqa: PLR2004
            ident = new_ulid(int(now * 1000), after=last[1] if known else "")
            ts = max(int(now), int(last[0]) if known else 0)
            self._write(self._path("events.jsonl"), event, ident, ts, now)
            # The memories of one event get the ids after its own: the next event starts beyond
            # them.
            _remember_order(lock.fd, ts, last_of_block(ident))
            return ident
        finally:
            lock.release()

    def _append_alone(self, event: dict[str, Any], now: float) -> str:
        ident = new_ulid(int(now * 1000))
        part = self._path(f"alone-{ident}.part")
        self._write(part, event, ident, int(now), now)
        # A drainer may see it only now: an empty file would be drained before it is written.
        try:
            os.rename(part, self._path(f"taken-{ident}.jsonl"))
            flush_directory(self.directory)
        except OSError as error:
            raise not_usable(part, error, writing=True) from error
        return ident

    def _write(self, path: str, event: dict[str, Any], ident: str, ts: int, now: float) -> None:
        line = {"id": ident, "ts": ts, **event}
        if ts - int(now) > 1:
            line["wall"] = int(now)
        data = sealed(quick_json.dumps(line))[0] + b"\n"
        fd = open_private(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        try:
            before = os.fstat(fd).st_size
            torn = before > 0 and read_at(fd, 1, before - 1) != b"\n"
            try:
                write_all(fd, b"\n" + data if torn else data)
                flush_to_disk(fd)
                if before == 0:
                    flush_directory(self.directory)
            except OSError as error:
                _cut_back(fd, before)
                raise not_usable(path, error, writing=True) from error
        finally:
            os.close(fd)

    def waiting(self) -> bool:
        """Return whether the inbox is non-empty. One directory read."""
        return any(name.endswith(".jsonl") for name in self._names())

    def take(self) -> list[str]:
        """Move appended events aside and return every file to drain, oldest first.

        The caller holds the drain lock, so that no two processes drain the same file.
        """
        events = self._path("events.jsonl")
        lock = FileLock(self._path("lock"), timeout=_TAKE_SECONDS)
        try:
            # Events of a writer that keeps the lock wait for the next drain.
            if lock.acquire() and os.path.exists(events):
                order = os.stat(events).st_mtime_ns
                os.rename(events, self._path(f"taken-{order:020d}-{os.getpid()}.jsonl"))
            self._adopt_orphans()
        except OSError as error:
            raise not_usable(events, error, writing=True) from error
        finally:
            lock.release()
        return sorted(self._path(n) for n in self._names() if _is_taken(n))

    def _adopt_orphans(self) -> None:
        """Adopt events whose writer was killed before handing them on."""
        for name in self._names():
            path = self._path(name)
            if name.endswith(".part") and time.time() - os.stat(path).st_mtime > _ORPHAN_SECONDS:
                os.rename(path, self._path(f"taken-{name.removesuffix('.part')}.jsonl"))

    def drain_lock(self) -> FileLock:
        """Return the draining lock, not yet acquired and never waited for."""
        return FileLock(self._path("drain.lock"), timeout=0)

    def peek(self) -> list[dict[str, Any]]:
        """Return all readable undrained events, without moving anything."""
        events: list[dict[str, Any]] = []
        for name in sorted(self._names()):
            if name.endswith(".jsonl"):
                try:
                    events += read_events(self._path(name))[0]
                except StoreError:
                    continue  # drained meanwhile, or for the drainer to report
        return events

    def _names(self) -> list[str]:
        try:
            return os.listdir(self.directory)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise not_usable(self.directory, error, writing=False) from error

    def _path(self, name: str) -> str:
        return os.path.join(self.directory, name)


def read_events(path: str) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Return a spool file's events, and its invalid lines.

    Raises a `StoreError` if the file cannot be read: it must not be deleted then.
    """
    events: list[dict[str, Any]] = []
    damaged: list[bytes] = []
    for line in read_file(path).split(b"\n"):
        raw = line.removeprefix(b"\xef\xbb\xbf").strip()
        if not raw:
            continue
        value = _parsed(raw) if is_whole(raw) else None
        if value is None:
            damaged.append(line)
        else:
            events.append(value)
    return events, damaged


def _parsed(raw: bytes) -> dict[str, Any] | None:
    try:
        value = quick_json.loads(raw.decode("utf-8"))
    except ValueError:
        return None
    sound = isinstance(value, dict) and is_ulid(str(value.get("id", "")))
    return value if sound and isinstance(value.get("ts"), int) else None


def _is_taken(name: str) -> bool:
    return name.startswith("taken-") and name.endswith(".jsonl")


def _remember_order(lock_fd: int, ts: int, ident: str) -> None:
    """Save the order for the next hook. Derived: a full disk is ignored."""
    try:
        write_at(lock_fd, f"{ts} {ident}\n".encode(), 0)
    except OSError:
        return


def _cut_back(fd: int, size: int) -> None:
    try:
        os.ftruncate(fd, size)
    except OSError:
        return  # the torn tail stays; the next event starts on a new line
