"""The memories of one project on a team's server."""

from __future__ import annotations

import os

from satchel.core.hashing import digest
from satchel.core.kinds import kind_named
from satchel.core.redaction.personal import is_personal
from satchel.engine.search.records import parse_line
from satchel.engine.search.team_index import TeamIndex
from satchel.features.memories.ledgers import KNOWLEDGE
from satchel.features.memories.service import Memories
from satchel.features.memories.team_ledgers import TeamLedgers
from satchel.project.team_store import GLANCE, TeamStore
from satchel.storage.ledger.replication import follow
from satchel.storage.ledger.team import TeamLedger
from satchel.storage.locks import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.features.memories.service import Limits
    from satchel.project.store import ProjectStore
    from satchel.storage.ledger.file import Ledger
    from satchel.storage.ledger.record import Record


class TeamMemories:
    """The memories of one project on a server.

    Args:
        project: the open project.
        store: the connections; closed with this.
        limits: how large a memory may be, and how long an insight lives.

    `memories` reads and writes at the server itself. `reader` reads from the replica, if one is
    set, and writes where `memories` does; what was written a moment ago may be missing from it.
    """

    def __init__(self, project: ProjectStore, store: TeamStore, limits: Limits) -> None:
        self._state, self._clock = project.state, project.clock
        self.store = store
        self.project = store.project
        self._index = index = TeamIndex(store.database, self.project, parse_line)
        self.ledgers = TeamLedgers(index, clock=project.clock, state=project.state)
        self.memories = Memories(self.ledgers, index, project.clock, limits)
        self.reader = self.memories
        if store.replica is not None:
            read_from = TeamIndex(store.replica, self.project, parse_line, primary=store.database)
            self.reader = Memories(self.ledgers, read_from, project.clock, limits)

    def close(self) -> None:
        """Close the connections."""
        self.store.close()

    def writable(self) -> Memories:
        """Return the memories for writing; the version of the store is checked once."""
        self.store.prepare_to_write()
        return self.memories

    def readable(self) -> Memories | None:
        """Return the memories for reading; None where no server answers, after a moment.

        Raises `NewerFormatError` or `ConflictError`: a server of another version does answer.
        """
        return self.reader if self.store.answers() else None

    def lines_given(self) -> int | None:
        """How many lines the project was ever given, by anybody; None where no server answers."""
        return None if self.readable() is None else self.ledgers.lines_given()

    def rebuild(self) -> int:
        """Derive every document of the project anew from its lines."""
        self.store.prepare_to_write()
        return self._index.rebuild()

    def follow(self, local: Memories, ledger: Ledger) -> int:
        """Append new versions of memories that `local` has copies of to its ledger; count them.

        Without it, what somebody deleted on the server would still be shown from here.
        """

        def is_newer_copy(record: Record) -> bool:
            copies = local.index.history(record.identity, local.sources)
            hashes = {hit.document.hash for hit in copies}
            return bool(copies) and record.version[3] not in hashes

        database = self.store.replica or self.store.database
        team = TeamLedger(
            database, self.project, KNOWLEDGE, clock=self._clock, derive=lambda *_: None
        )
        mark = digest(f"{self.store.database.url}\0{self.project}".encode()).hex()[:16]
        with FileLock(self._state.lock("team"), timeout=GLANCE) as lock:
            held = os.pread(lock.fd, 64, 0).decode("ascii", "replace").split()
            seen = int(held[1]) if held[:1] == [mark] and held[1:] and held[1].isdigit() else 0
            last, brought = follow(team, ledger, seen, is_newer_copy)
            if last != seen:
                # After what was brought is on disk: a crash in between brings it again.
                os.ftruncate(lock.fd, 0)
                os.pwrite(lock.fd, f"{mark} {last}\n".encode(), 0)
        return brought


def is_local_only(kind: str, fields: dict[str, Any]) -> bool:
    """Return whether a memory stays here: short-lived, private, or with somebody's address."""
    text = f"{fields.get('title', '')} {fields.get('content', '')} {fields.get('data') or ''}"
    return (
        not kind_named(kind).long_lived
        or fields.get("visibility") == "private"
        or is_personal(text)
    )
