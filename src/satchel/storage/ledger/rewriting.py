"""Rewrites whole ledgers, for rotation and purging. The caller holds the ledger's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.storage.files import (
    PRIVATE_FILE,
    RAW,
    WHOLE_SIZE,
    flush_directory,
    flush_to_disk,
    not_usable,
    own,
    read_at,
    too_large,
    write_all,
)
from satchel.storage.ledger.file import append_durably
from satchel.storage.ledger.lines import split_lines

Choose = Callable[[list[bytes]], Sequence[bytes]]
_UNFINISHED = ".rewriting"


def rewrite(path: str, choose: Choose) -> None:
    """Replace a file with the lines that `choose` returns; unchanged lines write nothing.

    A crash leaves the old file or the new one. Lines appended meanwhile without our lock are
    carried over: beads memory's own scripts append with `>>` and take no lock.
    """
    try:
        fd = os.open(path, os.O_RDONLY | RAW)
    except FileNotFoundError:
        return
    except OSError as error:
        raise not_usable(path, error, writing=False) from error
    try:
        if os.fstat(fd).st_size > WHOLE_SIZE:
            raise too_large(path, writing=False)
        data = _read_all(fd)
        lines = split_lines(data)
        chosen = choose(lines)
        if list(chosen) == lines:
            return
        _replace(path, fd, chosen)
        late = read_at(fd, max(0, os.fstat(fd).st_size - len(data)), len(data))
        if late:
            append_durably(path, late if late.endswith(b"\n") else late + b"\n")
    finally:
        os.close(fd)


def drop_unfinished(path: str) -> None:
    """Remove leftovers of a rewrite that crashed; the file still has their lines."""
    try:
        os.unlink(path + _UNFINISHED)
    except FileNotFoundError:
        return


def _replace(path: str, fd: int, lines: Sequence[bytes]) -> None:
    temporary = path + _UNFINISHED
    try:
        out = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | RAW, PRIVATE_FILE)
        try:
            own(out, os.fstat(fd).st_mode & 0o777)
            write_all(out, b"".join(raw + b"\n" for raw in lines))
            flush_to_disk(out)
        finally:
            os.close(out)
        os.replace(temporary, path)
        flush_directory(os.path.dirname(path))
    except OSError as error:
        raise not_usable(path, error, writing=True) from error


def _read_all(fd: int) -> bytes:
    blocks = []
    while block := os.read(fd, 1 << 20):
        blocks.append(block)
    return b"".join(blocks)
