"""Bugs to plant in a worker: each is one that people have shipped."""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import satchel.storage.inbox.spool
import satchel.storage.ledger.file
import satchel.storage.ledger.rotation
import satchel.storage.locks
import satchel.workspace
from satchel.storage.files import read_file
from satchel.storage.ledger.file import Ledger, _OpenFile
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.ledger.rotation import RotationReport
from satchel.storage.locks import FileLock

#: Seconds by which a race is held open, so that other processes fall into it on any machine.
_OPEN = 0.01


def plant(name: str) -> None:
    """Put one bug into this process; "" plants none."""
    if name:
        DEFECTS[name]()


def _everywhere(name: str, value: Any) -> None:
    for module_name, module in list(sys.modules.items()):
        ours = module_name.startswith(("satchel", "reliability")) or module_name == "__main__"
        if ours and hasattr(module, name):
            setattr(module, name, value)


def ack_first() -> None:
    """Promise before the write: the worker does that itself."""


def _appends(function: Callable[[str, bytes], None]) -> None:
    _OpenFile.append = lambda self, data: function(self.path, data)  # type: ignore[method-assign]


def _nothing(where: object) -> None:
    """Do not flush."""


def _granted(fd: int) -> bool:
    return True


def no_fsync() -> None:
    """Trust the cache."""
    _everywhere("flush_to_disk", _nothing)
    _everywhere("flush_directory", _nothing)


def no_directory_fsync() -> None:
    """Rename, and let the name be lost."""
    _everywhere("flush_directory", _nothing)


def no_lock() -> None:
    """Say that every lock was had."""
    satchel.storage.locks._try_lock = _granted


def timeout_zero() -> None:
    """Ask once for a lock."""
    first = FileLock.__init__

    def impatient(self: FileLock, path: str, **options: Any) -> None:
        first(self, path, **(options | {"timeout": 0}))

    FileLock.__init__ = impatient  # type: ignore[method-assign]


def two_writes() -> None:
    """Write a line in two pieces, without a lock."""
    no_lock()

    def pieces(fd: int, data: bytes) -> None:
        os.write(fd, data[: len(data) // 2])
        time.sleep(_OPEN)
        os.write(fd, data[len(data) // 2 :])

    _everywhere("write_all", pieces)


def short_ignored() -> None:
    """Do not look at what a write took."""
    _everywhere("write_all", os.write)


def read_modify_replace() -> None:
    """Append by replacing the whole file, without a lock."""
    no_lock()

    def replaced(path: str, data: bytes) -> None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        whole = read_file(path) + data
        time.sleep(_OPEN)
        temporary = f"{path}.{os.getpid()}"
        with open(temporary, "wb") as file:
            file.write(whole)
        os.replace(temporary, path)

    _appends(replaced)


def lines_buffered() -> None:
    """Write lines a dozen at a time."""
    waiting: dict[str, list[bytes]] = {}

    def later(path: str, data: bytes) -> None:
        waiting.setdefault(path, []).append(data)
        if len(waiting[path]) >= 12:
            _append_plainly(path, b"".join(waiting.pop(path)))

    _appends(later)


def rotate_ledger_first() -> None:
    """Shorten the ledger, then fill the archive."""

    def rotate(ledger: Ledger, *, above: int, move: int) -> RotationReport:
        with ledger.lock():
            lines = split_lines(read_file(ledger.path))
            if len(lines) <= above:
                return RotationReport(0, len(lines))
            with open(ledger.path, "wb") as file:
                file.write(b"".join(raw + b"\n" for raw in lines[move:]))
            time.sleep(_OPEN)
            with open(ledger.archive, "ab") as file:
                file.write(b"".join(raw + b"\n" for raw in lines[:move]))
            return RotationReport(move, len(lines) - move)

    _everywhere("rotate", rotate)


def unlocked_rotation() -> None:
    """Rotate by replacing the ledger without its lock, late lines not carried over."""

    def rotate(ledger: Ledger, *, above: int, move: int) -> RotationReport:
        lines = split_lines(read_file(ledger.path))
        if len(lines) <= above:
            return RotationReport(0, len(lines))
        with open(ledger.archive, "ab") as file:
            file.write(b"".join(raw + b"\n" for raw in lines[:move]))
        with open(ledger.path + ".r", "wb") as file:
            file.write(b"".join(raw + b"\n" for raw in lines[move:]))
        time.sleep(_OPEN)
        os.replace(ledger.path + ".r", ledger.path)
        return RotationReport(move, len(lines) - move)

    _everywhere("rotate", rotate)
    # The writers' own check of the file they wrote to would hide it.
    _appends(_append_plainly)


def _append_plainly(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "ab", buffering=0) as file:
        file.write(data)


def archive_read_first() -> None:
    """Read the archive, then the ledger: what rotates in between is missed."""

    def read(self: Ledger) -> list[Any]:
        archived = split_lines(read_file(self.archive))
        time.sleep(_OPEN)
        return [decode(raw) for raw in archived + split_lines(read_file(self.path))]

    Ledger.read = read  # type: ignore[method-assign]


def drain_unlinks_first() -> None:
    """Delete what was taken from the inbox, then write it to the ledger."""
    from satchel.application.learning.listening import draining
    from satchel.storage.inbox.spool import read_events

    def drain(self: Any, path: str, deadline: float, written: Any, skipped: Any) -> int:
        events, _ = read_events(path)
        os.unlink(path)
        time.sleep(_OPEN)
        self._write(events, written, skipped)
        return 0

    draining.Drainer._drain_file = drain  # type: ignore[method-assign]


def rename_without_flush() -> None:
    """Replace a file and flush neither it nor its folder."""

    def replace(path: str, data: bytes, *, mode: int = 0o600) -> None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".tmp", "wb") as file:
            file.write(data)
        os.replace(path + ".tmp", path)

    _everywhere("replace_file", replace)


def overwrite_in_place() -> None:
    """Save a file by truncating it first."""

    def replace(path: str, data: bytes, *, mode: int = 0o600) -> None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)

    _everywhere("replace_file", replace)


def errors_swallowed() -> None:
    """Take a failed write for a good one."""
    first = _OpenFile.append

    def quiet(self: _OpenFile, data: bytes) -> None:
        try:
            first(self, data)
        except Exception:  # noqa: BLE001
            return

    _OpenFile.append = quiet  # type: ignore[method-assign]


def naive_order() -> None:
    """Take time and id from the clock alone."""

    def stamped(records: Any, order: Any, now: float) -> Any:
        from satchel.core.ids import new_ulid

        return [
            r._replace(id=r.id or new_ulid(int(now * 1000)), ts=r.ts or int(now)) for r in records
        ], order

    satchel.storage.ledger.file.stamped = stamped


DEFECTS: dict[str, Callable[[], None]] = {
    name: value
    for name, value in list(globals().items())
    if callable(value) and getattr(value, "__module__", "") == __name__ and name != "plant"
}
