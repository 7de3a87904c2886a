"""Sessions in the database of a team's servers: every machine has the same.

A session's description and each of its messages are rows. The index reads files, so the rows of
changed sessions are copied into a directory first; nothing else reads it.
"""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack, contextmanager

from satchel.core import quick_json
from satchel.core.errors import SatchelError
from satchel.features.sessions.files import MESSAGES, META
from satchel.storage.database.queries import load_queries
from satchel.storage.files import (
    make_private_directory,
    names_in,
    read_file,
    read_object,
    replace_file,
)
from satchel.storage.locks import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from satchel.project.shared_state import SharedState
    from satchel.storage.database.contract import Row, TeamDatabase, Value
    from satchel.storage.paths import SessionsState

#: In the directory of copies: the stamp of each session when it was copied.
_STAMPS = "stamps.json"
#: Beside it since a copy lost words, until the index's file has lost them as well.
_LOST = "lost"
#: How many sessions are copied with one question.
_BLOCK = 100


class SharedSessions:
    """A project's sessions in a database: see `SessionPlace`.

    Args:
        state: where they are.
        here: this machine's locks, and the directory of the index's copies.
    """

    def __init__(self, state: SharedState, here: SessionsState) -> None:
        self._state, self._copies = state, here.copies
        #: This machine's writers wait here, without a connection each: the one whose turn it is may
        #: need a second one.
        self._turn = FileLock(here.lock("own"))
        self._copying = FileLock(here.lock("copies"))
        self._sql = load_queries(__file__, "shared.sql")
        #: The transaction that this thread writes in.
        self._held: TeamDatabase | None = None

    @property
    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold off every other writer; what is written is saved when the lock is released."""
        if self._held is not None:
            yield
            return
        with ExitStack() as stack:
            stack.enter_context(self._turn)
            database = stack.enter_context(self._state.opened())
            stack.enter_context(database.transaction())
            database.read(self._sql["hold"], (self._state.project,))
            self._held = database
            stack.callback(setattr, self, "_held", None)
            yield

    def ids(self) -> list[str]:
        """Return the ids of all sessions."""
        return [str(row[0]) for row in self._ask("ids")]

    def metas(self) -> Iterator[tuple[str, bytes]]:
        """Yield each session's id and description, by id."""
        return ((str(ident), _bytes(body)) for ident, body in self._ask("metas"))

    def meta(self, ident: str) -> bytes:
        """Return a session's description; b"" without one."""
        return b"".join(_bytes(row[0]) for row in self._ask("meta", ident))

    def put_meta(self, ident: str, data: bytes) -> None:
        """Replace a session's description."""
        self._write("put_meta", ident, data)

    def messages(self, ident: str) -> bytes:
        """Return the lines of a session's messages, oldest first."""
        return b"".join(_bytes(row[0]) + b"\n" for row in self._ask("messages", ident))

    def messages_size(self, ident: str) -> int:
        """Return the bytes of a session's messages."""
        return int(self._ask("messages_size", ident)[0][0] or 0)

    def append(self, ident: str, line: bytes) -> int:
        """Append a message's line; return what `messages_size` is then."""
        self._write("append", ident, line.rstrip(b"\n"))
        return self.messages_size(ident)

    def pack(self, ident: str) -> int:  # noqa: ARG002
        """Do nothing: the database compresses what it stores."""
        return 0

    def sources(self) -> list[str]:
        """Copy what has changed, for the index; return the files."""
        with self._copying:
            return self._copied()

    def _copied(self) -> list[str]:
        there = {str(one): [int(n or 0), float(at or 0)] for one, n, at in self._ask("stamps")}
        path = os.path.join(self._copies, _STAMPS)
        before = read_object(path)
        gone = set(names_in(self._copies)) - set(there) - {_STAMPS, _LOST}
        for ident in gone:
            shutil.rmtree(os.path.join(self._copies, ident), ignore_errors=True)
        changed = sorted(one for one, stamp in there.items() if before.get(one) != stamp)
        lost = bool(gone)
        for start in range(0, len(changed), _BLOCK):
            lost |= self._copy_sessions(changed[start : start + _BLOCK])
        if lost:
            replace_file(os.path.join(self._copies, _LOST), b"")
        if there != before:
            make_private_directory(self._copies)
            replace_file(path, quick_json.dumps(there).encode())
        return [self._copy(ident, MESSAGES) for ident in sorted(there)]

    def _copy_sessions(self, idents: list[str]) -> bool:
        """Copy some sessions; return whether one lost words that its copy had."""
        lost = False
        metas, messages = dict.fromkeys(idents, b""), dict.fromkeys(idents, b"")
        for ident, is_meta, body in self._ask("copied", quick_json.dumps(idents)):
            if is_meta:
                metas[str(ident)] = _bytes(body)
            else:
                messages[str(ident)] += _bytes(body) + b"\n"
        for ident in idents:
            make_private_directory(os.path.join(self._copies, ident))
            title = read_object(self._copy(ident, META)).get("title")
            lost |= not messages[ident].startswith(read_file(self._copy(ident, MESSAGES)))
            replace_file(self._copy(ident, META), metas[ident])
            lost |= bool(title) and title != read_object(self._copy(ident, META)).get("title")
            replace_file(self._copy(ident, MESSAGES), messages[ident])
        return lost

    def forget_lost(self, compact: Callable[[], None]) -> None:
        """Compact the index of the copies if they lost words since the last time."""
        mark = os.path.join(self._copies, _LOST)
        if not os.path.exists(mark):
            return
        os.unlink(mark)
        try:
            compact()
        except SatchelError:
            replace_file(mark, b"")
            raise

    def shown(self, ident: str) -> str:
        """Return what to call a session's description."""
        return f"the servers' session {ident}"

    def size(self) -> int:
        """Return the size of all sessions in bytes."""
        return int(self._ask("size")[0][0] or 0)

    def _copy(self, ident: str, name: str) -> str:
        return os.path.join(self._copies, ident, name)

    def _ask(self, query: str, *values: Value) -> list[Row]:
        asked = (self._sql[query], (self._state.project, *values))
        if self._held is not None:
            return self._held.read(*asked)
        with self._state.opened() as database:
            return database.read(*asked)

    def _write(self, query: str, *values: Value) -> None:
        with self.lock:
            assert self._held is not None  # noqa: S101 -- the lock is its
            self._held.write(self._sql[query], (self._state.project, *values))


def _bytes(value: Value) -> bytes:
    return value if isinstance(value, bytes) else b""
