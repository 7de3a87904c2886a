"""Where sessions lie: as files of this machine, a directory each.

A message is durable when `append` returns: one write, flushed. `meta.json` is replaced as a whole.
"""

from __future__ import annotations

import os

from satchel.features.sessions.compression import lines_in, packed
from satchel.storage.files import (
    flush_directory,
    flush_to_disk,
    make_private_directory,
    names_in,
    not_usable,
    open_private,
    read_at,
    read_file,
    replace_file,
    size_of,
    write_all,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import Protocol

    from satchel.storage.locks import NestingLock

    class SessionPlace(Protocol):
        """Sessions in files, or in the database of a team's servers."""

        @property
        def lock(self) -> AbstractContextManager[object]:
            """A lock that its holder may take again; held while anything is written."""

        def ids(self) -> list[str]:
            """Return the ids of all sessions."""

        def metas(self) -> Iterator[tuple[str, bytes]]:
            """Yield each session's id and description, by id."""

        def meta(self, ident: str) -> bytes:
            """Return a session's description; b"" without one."""

        def put_meta(self, ident: str, data: bytes) -> None:
            """Replace a session's description, durably."""

        def messages(self, ident: str) -> bytes:
            """Return the lines of a session's messages, oldest first."""

        def messages_size(self, ident: str) -> int:
            """Return the bytes of a session's messages; 0 if they are compressed."""

        def append(self, ident: str, line: bytes) -> int:
            """Append a message's line durably; return what `messages_size` is then."""

        def pack(self, ident: str) -> int:
            """Compress a session's messages; return the bytes saved."""

        def sources(self) -> list[str]:
            """Return the files that the index reads, as they are now."""

        def shown(self, ident: str) -> str:
            """Return where a session's description is, for people."""

        def size(self) -> int:
            """Return the size of all sessions in bytes."""


META, MESSAGES, PACKED = "meta.json", "messages.jsonl", "messages.jsonl.gz"


class SessionFiles:
    """Sessions below one or more directories.

    Args:
        places: directories of sessions; new ones go to the first, all are read.
        lock: on a file in private state; its holder may read and write.
    """

    def __init__(self, places: Sequence[str], lock: NestingLock) -> None:
        self.places, self.lock = tuple(places), lock

    def ids(self) -> list[str]:
        """Return the ids of all sessions."""
        found = {
            name
            for place in self.places
            for name in names_in(place)
            if os.path.isfile(os.path.join(place, name, META))
        }
        return sorted(found)

    def metas(self) -> Iterator[tuple[str, bytes]]:
        """Yield each session's id and description, by id."""
        return ((ident, self.meta(ident)) for ident in self.ids())

    def meta(self, ident: str) -> bytes:
        """Return a session's description; b"" without one."""
        return read_file(self.shown(ident))

    def put_meta(self, ident: str, data: bytes) -> None:
        """Replace a session's description, durably."""
        make_private_directory(self._directory(ident))
        replace_file(self.shown(ident), data)

    def messages(self, ident: str) -> bytes:
        """Return the lines of a session's messages, oldest first."""
        plain = read_file(self._file(ident, MESSAGES))
        return plain or b"\n".join(lines_in(read_file(self._file(ident, PACKED))))

    def messages_size(self, ident: str) -> int:
        """Return the bytes of a session's messages; 0 if they are compressed."""
        return size_of(self._file(ident, MESSAGES))

    def append(self, ident: str, line: bytes) -> int:
        """Append a line in one write; return the file's size."""
        path = self._file(ident, MESSAGES)
        new = not os.path.exists(path)
        fd = open_private(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        try:
            size = os.fstat(fd).st_size
            if size and read_at(fd, 1, size - 1) != b"\n":
                line = b"\n" + line  # a writer was killed in the middle of a line
            write_all(fd, line)
            flush_to_disk(fd)
            size = os.fstat(fd).st_size
        except OSError as error:
            raise not_usable(path, error, writing=True) from error
        finally:
            os.close(fd)
        if new:
            flush_directory(os.path.dirname(path))
        return size

    def pack(self, ident: str) -> int:
        """Compress a session's messages; return the bytes saved."""
        plain = self._file(ident, MESSAGES)
        if not os.path.isfile(plain):
            return 0
        raw = read_file(plain)
        smaller = packed(raw)
        replace_file(self._file(ident, PACKED), smaller)
        os.unlink(plain)
        flush_directory(self._directory(ident))
        return len(raw) - len(smaller)

    def sources(self) -> list[str]:
        """Return the files that the index reads, as they are now."""
        paths = [self._file(ident, name) for ident in self.ids() for name in (MESSAGES, PACKED)]
        return [path for path in paths if os.path.exists(path)]

    def shown(self, ident: str) -> str:
        """Return where a session's description is, for people."""
        return self._file(ident, META)

    def size(self) -> int:
        """Return the size of all sessions in bytes."""
        return sum(
            size_of(os.path.join(place, name, file))
            for place in self.places
            for name in names_in(place)
            for file in (META, MESSAGES, PACKED)
        )

    def _file(self, ident: str, name: str) -> str:
        return os.path.join(self._directory(ident), name)

    def _directory(self, ident: str) -> str:
        for place in self.places:
            path = os.path.join(place, ident)
            if os.path.isdir(path):
                return path
        return os.path.join(self.places[0], ident)
