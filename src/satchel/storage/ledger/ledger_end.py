"""A ledger's end after its last append, stored in its lock file, to detect lost lines.

The lock file contains the greatest time and id assigned, the ledger's size, the id of its last
line, its number of lines; and, if lines were lost, the last of them and how many. All of it is
derived: without it the tail of the ledger is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.core.ids import is_ulid
from satchel.core.values import NamedTuple
from satchel.storage.files import (
    NO_WAIT,
    WHOLE_SIZE,
    open_file,
    read_at,
    read_file,
    size_of,
    write_at,
)

_SIZE, _LAST, _LINES, _LOST, _LOST_LINES = 2, 3, 4, 5, 6
_TAIL = 64 * 1024


class LostEnd(NamedTuple):
    """Saved lines that are missing: the last one's id, and how many (0: unknown)."""

    last: str
    lines: int


class LedgerEnd(NamedTuple):
    """A ledger's end: its number of lines (-1: not counted), and what it lost."""

    lines: int
    lost: LostEnd | None


def read_end(parts: Sequence[str], path: str, held: Callable[[set[str]], set[str]]) -> LedgerEnd:
    """Compare a ledger's end with its record; `held` tells which ids are present."""
    try:
        size = os.path.getsize(path)
    except OSError:
        size = 0
    kept_size, kept_lines = _number(parts, _SIZE), _number(parts, _LINES)
    lines = kept_lines if size == kept_size else -1
    last, earlier = _word(parts, _LAST), _word(parts, _LOST)
    if earlier:
        there = held({earlier})
        return LedgerEnd(lines, None if there else LostEnd(earlier, _number(parts, _LOST_LINES)))
    # A shorter file was rewritten or truncated; if truncated, its last line is missing.
    if not is_ulid(last) or size >= kept_size or held({last}):
        return LedgerEnd(lines, None)
    left = count_lines(path)
    return LedgerEnd(left, LostEnd(last, max(0, kept_lines - left)))


def keep_end(
    lock_fd: int, path: str, order: tuple[int, str], added: Sequence[str], before: LedgerEnd
) -> None:
    """Save the greatest time and id for the next writer, and the ledger's end."""
    if not order[1]:
        return
    # Other programs' ids have any form, and cannot be told from other words.
    last = added[-1] if is_ulid(added[-1]) else "-"
    # After other programs or a rewrite, lines are counted again; our own appends only add up.
    lines = count_lines(path) if before.lines < 0 else before.lines + len(added)
    lost = f" {before.lost.last} {before.lost.lines}" if before.lost else ""
    try:
        size = os.path.getsize(path)
        text = f"{order[0]} {order[1]} {size} {last} {lines}{lost}\n"
        write_at(lock_fd, text.encode(), 0)
    except OSError:
        _forget(lock_fd)  # a full disk may refuse it


def may_have_lost(lock: str, path: str) -> bool:
    """Look, without reading it all, whether a ledger lacks its end, or is known to lack lines.

    `Ledger.lost_end` says what is gone. A shorter ledger may have been rotated or purged: then its
    last line is still there.
    """
    try:
        fd = os.open(lock, os.O_RDONLY | NO_WAIT)
    except OSError:
        return False
    try:
        parts = kept_words(fd)
    except OSError:
        return False
    finally:
        os.close(fd)
    if len(parts) > _LOST:
        return True
    size, last = size_of(path), _word(parts, _LAST)
    if size >= _number(parts, _SIZE):
        return False
    return size <= 0 or (is_ulid(last) and last.encode() not in tail_of(path))


def tail_of(path: str) -> bytes:
    """Return the last bytes of a ledger, with its last lines; b"" if it cannot be read."""
    try:
        with open_file(path) as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _TAIL))
            return file.read()
    except OSError:
        return b""


def count_lines(path: str) -> int:
    """Count the lines of a file; -1 if it is too large to be read."""
    return -1 if size_of(path) > WHOLE_SIZE else read_file(path).count(b"\n")


def kept_words(lock_fd: int) -> list[str]:
    """Return the contents of a lock file."""
    head, _, _ = read_at(lock_fd, 256, 0).partition(b"\n")
    return head.decode("ascii", "replace").split()


def _word(parts: Sequence[str], at: int) -> str:
    return parts[at] if len(parts) > at else ""


def _number(parts: Sequence[str], at: int) -> int:
    word = _word(parts, at)
    return int(word) if word.isdigit() else -1


def _forget(lock_fd: int) -> None:
    try:
        os.ftruncate(lock_fd, 0)
    except OSError:
        return  # the order is unchanged; ids are also compared with the clock
