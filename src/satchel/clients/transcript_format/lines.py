"""Reads a possibly growing file one line at a time, of any length."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from satchel.core.errors import NotReadableError
from satchel.storage.files import NO_WAIT, not_usable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

#: Pictures make lines of megabytes; anything longer is not a record of a conversation.
LONGEST_LINE = 64 * 1024 * 1024


def open_regular(path: str) -> BinaryIO:
    """Open a regular file for reading; anything else is refused without blocking."""
    try:
        fd = os.open(path, os.O_RDONLY | NO_WAIT)
    except (OSError, ValueError) as error:
        cause = error if isinstance(error, OSError) else OSError(22, "no path")
        raise not_usable(path, cause, writing=False) from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise NotReadableError(f"{path} is not a regular file.", hint="Name a transcript.")
    return open(fd, "rb", buffering=1 << 18)


def lines_from(file: BinaryIO, start: int = 0) -> Iterator[tuple[int, bytes, bool]]:
    """Yield each line's offset, bytes and completeness; an overlong one has no bytes."""
    file.seek(start)
    offset = start
    while True:
        raw = file.readline(LONGEST_LINE)
        if not raw:
            return
        length = len(raw)
        whole = raw.endswith(b"\n")
        if not whole and length == LONGEST_LINE:
            raw = b""
            while not whole:
                more = file.readline(LONGEST_LINE)
                if not more:
                    break
                length += len(more)
                whole = more.endswith(b"\n")
        yield offset, raw, whole
        offset += length
