"""Compressed lines: gzip members in sequence, readable past damage.

Each append is a separate member, so nothing written is ever touched again. A truncated or damaged
member is skipped: reading continues at the next valid one.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator

_MAGIC = b"\x1f\x8b\x08"
_BLOCK, _SMALL = 1 << 16, 64
_GZIP = 31


def packed(lines: bytes) -> bytes:
    """Compress lines into one member, deterministically."""
    return gzip.compress(lines, 6, mtime=0)


def lines_in(raw: bytes, *, whole: bool = False) -> Iterator[bytes]:
    """Yield every member's lines, without newlines; of damaged members, what is readable.

    A truncated member may seem to continue into the next one, so the search for the next one begins
    right after its start. Anything misread that way has no valid hash, which callers check. With
    `whole`, incomplete members yield nothing: the readable part of a truncated last member would
    become unreadable once something follows it.
    """
    for _, text, end in _members(raw):
        if end >= 0 or not whole:
            yield from text.removesuffix(b"\n").split(b"\n")


def is_damaged(raw: bytes) -> bool:
    """Return whether any member is damaged or truncated, or has garbage around it."""
    expected = 0
    for start, _, end in _members(raw):
        if start != expected or end < 0:
            return True
        expected = end
    return expected != len(raw)


def _members(raw: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Yield each member's start, content and end; -1 if it is incomplete."""
    start = raw.find(_MAGIC)
    while start >= 0:
        text, end = _unpacked(raw, start)
        yield start, text, end
        start = raw.find(_MAGIC, end if end >= 0 else start + 1)


def _unpacked(raw: bytes, start: int) -> tuple[bytes, int]:
    """Return a member's content and end; -1 if it is damaged or truncated."""
    text: list[bytes] = []
    for step in (_BLOCK, _SMALL):
        reader, at = zlib.decompressobj(_GZIP), start
        text.clear()
        try:
            while at < len(raw) and not reader.eof:
                block = raw[at : at + step]
                text.append(reader.decompress(block))
                at += len(block) - len(reader.unused_data)
        except zlib.error:
            continue  # again, in small steps: content before the damage counts
        return b"".join(text), at if reader.eof else -1
    return b"".join(text), -1
