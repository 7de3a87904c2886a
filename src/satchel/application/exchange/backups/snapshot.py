"""A consistent snapshot of a home while others write to it.

A private state's ledgers are measured while all their locks are held, for an instant; later appends
are beyond those lengths. A rotation meanwhile replaces the files, but the open ones stay unchanged.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from typing import BinaryIO

from satchel.core.values import NamedTuple
from satchel.project.interrupted_restore import ledger_locks
from satchel.project.inventory import (
    INBOX,
    LEDGER,
    HomeFile,
    home_file_of,
    home_files,
    refuse_misplaced,
    state_at,
)
from satchel.storage.files import NO_LINK, NO_WAIT, not_usable
from satchel.storage.paths import UserHome

#: Bytes that are read, hashed and stored as one block.
BLOCK = 1 << 20


class SnapshotFile(NamedTuple):
    """A file in a snapshot: its type, its bytes to read once, its permissions."""

    file: HomeFile
    stream: BinaryIO
    size: int
    mode: int

    def blocks(self) -> Iterator[bytes]:
        """Yield its bytes in blocks of equal size, except the last."""
        left = self.size
        while left > 0:
            block = self.stream.read(min(BLOCK, left))
            if not block:
                return
            left -= len(block)
            yield block


def take_snapshot(home: UserHome, *, locked: bool = False) -> Iterator[SnapshotFile]:
    """Yield the durable files of a home; read each before requesting the next.

    Args:
        locked: the caller holds the ledgers' locks (see `ledger_locks`).

    The inbox is read before the ledgers: an event drained in between is in both, and counts once.
    """
    refuse_misplaced(home)
    for state, group in groupby(home_files(home), key=lambda one: one.state):
        found = list(group)
        yield from _one_by_one(home, [one for one in found if one.kind == INBOX])
        with ExitStack() as opened:
            ledgers = [one for one in found if one.sort == LEDGER]
            with ExitStack() as locks:
                for lock in [] if locked else ledger_locks(home, ledgers):
                    locks.enter_context(lock)
                # Listed again under the locks: a rotation may have created an archive meanwhile.
                now = _ledgers_of(home, state) if state else []
                pieces = [_opened(home, one, opened) for one in now]
            yield from filter(None, pieces)
        rest = [one for one in found if one.kind != INBOX and one.sort != LEDGER]
        yield from _one_by_one(home, rest)


def _one_by_one(home: UserHome, found: Sequence[HomeFile]) -> Iterator[SnapshotFile]:
    for one in found:
        with ExitStack() as opened:
            piece = _opened(home, one, opened)
            if piece is not None:
                yield piece


def _ledgers_of(home: UserHome, state: str) -> list[HomeFile]:
    directory = state_at(home, state).ledgers
    below = os.path.relpath(directory, home.path).replace(os.sep, "/")
    try:
        names = sorted(os.listdir(directory))
    except FileNotFoundError:
        return []
    known = [home_file_of(f"{below}/{name}") for name in names]
    return [one for one in known if one is not None and one.sort == LEDGER]


def _opened(home: UserHome, one: HomeFile, opened: ExitStack) -> SnapshotFile | None:
    path = os.path.join(home.path, *one.path.split("/"))
    try:
        fd = os.open(path, os.O_RDONLY | NO_WAIT | NO_LINK)
    except FileNotFoundError:
        return None  # drained, or removed by its owner, since the directory was read
    except OSError as error:
        raise not_usable(path, error, writing=False) from error
    stream = opened.enter_context(os.fdopen(fd, "rb"))
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode):
        return None
    return SnapshotFile(one, stream, status.st_size, stat.S_IMODE(status.st_mode))
