"""Watches instruction files by polling; reports changes once they have settled."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

from satchel.core import quick_json
from satchel.core.errors import StoreError
from satchel.core.hashing import object_in, sealed
from satchel.core.values import NamedTuple
from satchel.storage.files import read_file, replace_file

_FORMAT = 1
#: A file changed this shortly before being read may change again unnoticed, nanoseconds.
_TOO_FRESH = 2_000_000_000


class FileStat(NamedTuple):
    """A file's state: device, inode, size, modification and change times, and hash."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int
    hash: str

    def same_state(self, other: FileStat) -> bool:
        """Return whether everything but the hash is equal."""
        return self[:5] == other[:5]


class Changes(NamedTuple):
    """Differences between two checks, by path; `touched` files have only new times."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    touched: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


class FileStats:
    """The states of one project's instruction files.

    Args:
        path: of the file that stores them; "" stores nothing.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self.known: dict[str, FileStat] = self._read()
        self.hits = 0
        self.misses = 0

    def look(
        self, paths: Iterable[str], hash_of: Callable[[str], str], now_ns: int
    ) -> dict[str, FileStat]:
        """Return the files' current states, reading only those that changed.

        Args:
            paths: of the files; missing ones are left out.
            hash_of: reads one and returns its hash, "" if it may not be read.
            now_ns: the time, nanoseconds.
        """
        found: dict[str, FileStat] = {}
        for path in paths:
            state = _state_of(path)
            if state is None:
                continue
            known = self.known.get(path)
            if known and known.hash and known.same_state(state):
                self.hits += 1
                found[path] = known
                continue
            self.misses += 1
            fresh = abs(now_ns - max(state.modified, state.changed)) < _TOO_FRESH
            # A file changed too recently is read again next time: its times could stay the same.
            inode = -1 if fresh else state.inode
            found[path] = state._replace(hash=hash_of(path), inode=inode)
        return found

    def keep(self, states: dict[str, FileStat]) -> None:
        """Save the files' states. If the disk refuses, only time is lost."""
        self.known = states
        if not self._path:
            return
        rows = {path: list(state) for path, state in sorted(states.items())}
        try:
            line = sealed(quick_json.dumps({"format": _FORMAT, "files": rows}))[0]
            replace_file(self._path, line)
        except (StoreError, ValueError):
            return

    def clear(self) -> None:
        """Clear all states, on disk too."""
        self.keep({})

    def _read(self) -> dict[str, FileStat]:
        if not self._path:
            return {}
        try:
            kept = object_in(read_file(self._path))
            if kept.get("format") != _FORMAT:
                return {}
            return {path: FileStat(*row) for path, row in kept["files"].items()}
        except (ValueError, TypeError, KeyError, AttributeError, StoreError):
            return {}


def compare(before: dict[str, FileStat], after: dict[str, FileStat]) -> Changes:
    """Return what was added, changed and removed."""
    both = sorted(before.keys() & after.keys())
    changed = tuple(path for path in both if after[path].hash != before[path].hash)
    times = tuple(path for path in both if after[path].modified != before[path].modified)
    return Changes(
        tuple(sorted(after.keys() - before.keys())),
        changed,
        tuple(sorted(before.keys() - after.keys())),
        tuple(path for path in times if path not in changed),
    )


def _state_of(path: str) -> FileStat | None:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return FileStat(
        status.st_dev,
        status.st_ino,
        status.st_size,
        modified=status.st_mtime_ns,
        changed=status.st_ctime_ns,
        hash="",
    )


#: The files' states: path -> stamp.
Look = Callable[[], dict[str, FileStat]]


def watch(
    look: Look,
    wait: Callable[[float], object],
    *,
    every: float,
    settle: float,
    ends: Callable[[], bool],
) -> Iterator[Changes]:
    """Yield changes once nothing more has happened for `settle` seconds.

    Args:
        look: returns the files' states.
        wait: sleeps, seconds.
        every: seconds between looks.
        settle: seconds without a change after which changes are reported, since a file that is
            being written changes several times.
        ends: called before every look; true to stop.
    """
    before = look()
    while not ends():
        wait(every)
        now = look()
        if not compare(before, now):
            continue
        quiet = 0.0
        while quiet < settle and not ends():
            pause = min(every, settle - quiet)
            wait(pause)
            later = look()
            quiet = 0.0 if compare(now, later) else quiet + pause
            now = later
        changes = compare(before, now)
        before = now
        if changes:
            yield changes
