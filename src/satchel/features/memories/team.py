"""A project's memories on a team's server."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence

from satchel.core.hashing import digest
from satchel.core.kinds import kind_named
from satchel.core.redaction.personal import is_personal
from satchel.core.values import Any
from satchel.engine.search.records import parse_line
from satchel.engine.search.team.index import TeamIndex
from satchel.features.memories.ledgers import KNOWLEDGE
from satchel.features.memories.service import Limits, Memories
from satchel.features.memories.team_ledgers import TeamLedgers
from satchel.project.store import ProjectStore
from satchel.project.team_store import GLANCE, TeamStore
from satchel.storage.database.migrating import check
from satchel.storage.files import read_at, write_at
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.purging import PurgeReport
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.replication import follow
from satchel.storage.ledger.team import Look, TeamLedger
from satchel.storage.locks import FileLock

#: Most memories of a home whose lines are fetched one by one instead of reading all of the
#: server's.
_FEW = 2000


class TeamMemories:
    """A project's memories on a server.

    Args:
        store: the connections, closed along with this.
        limits: the maximum size of a memory, and the lifetime of an insight.

    `memories` reads and writes on the primary. `reader` reads from the replica, if configured, and
    writes like `memories`; recent writes may be missing from it.
    """

    def __init__(self, project: ProjectStore, store: TeamStore, limits: Limits) -> None:
        self._state = project.state
        self.store = store
        self.project = store.project
        self._index = index = TeamIndex(store.database, self.project, parse_line)
        self.ledgers = TeamLedgers(index, clock=project.clock, state=project.state)
        self.memories = Memories(self.ledgers, index, project.clock, limits)
        self.reader = self.memories
        #: The ledger to read others' changes from.
        self._from = TeamLedger(
            store.replica or store.database,
            self.project,
            KNOWLEDGE,
            clock=project.clock,
            derive=index.derive,
        )
        self._seen, self._seen_at = Look(0, 0, 0), float("-inf")
        if store.replica is not None:
            read_from = TeamIndex(store.replica, self.project, parse_line, primary=store.database)
            self.reader = Memories(self.ledgers, read_from, project.clock, limits)

    def close(self) -> None:
        """Close the connections."""
        self.store.close()

    def writable(self) -> Memories:
        """Return the memories for writing, after checking the store's version once."""
        self.store.prepare_to_write()
        return self.memories

    def readable(self, within: float = 0.0) -> Memories:
        """Return the memories for reading, checked at most `within` seconds ago.

        Raises `StoreAwayError` if no server answers quickly, `NewerFormatError` or `ConflictError`
        if it is of another version.
        """
        if time.monotonic() - self._seen_at >= within:
            self.look()
        else:
            self.store.prepare_to_read()
        return self.reader

    def look(self) -> Look:
        """Return the store's state in one query; raises like `readable`."""
        self._seen = self.store.glance(self._from.look)
        check(self.store.database, self._seen.version)
        self._seen_at = time.monotonic()
        return self._seen

    def held(self, identities: Sequence[str]) -> set[str]:
        """Return which of these memories are on the server, in any version."""
        return self._index.held(identities)

    def rebuild(self) -> int:
        """Rebuild the project's documents from its lines."""
        self.store.prepare_to_write()
        return self._index.rebuild()

    def purge(self, *, now: float, after_days: float, dry_run: bool = False) -> PurgeReport:
        """Remove long-deleted memories from the server: see `purge_team`."""
        from satchel.engine.search.team.purging import drop_unheld, purge_team

        self.store.prepare_to_write()
        ledgers = self.ledgers.every_private()
        done = purge_team(ledgers, now=now, after_days=after_days, dry_run=dry_run)
        if not dry_run:
            drop_unheld(self.store.database, self.project)
        return done

    def follow(self, local: Memories, ledger: Ledger) -> int:
        """Append new versions of `local`'s copies to its ledger; return how many.

        As of the last check.

        Otherwise memories deleted on the server would still be shown from here.
        """

        def is_newer_copy(record: Record) -> bool:
            copies = local.index.history(record.identity, local.sources)
            hashes = {hit.document.hash for hit in copies}
            return bool(copies) and record.version[3] not in hashes

        last = self._seen.last
        with FileLock(self._state.lock("team"), timeout=GLANCE) as lock:
            held = read_at(lock.fd, 64, 0).decode("ascii", "replace").split()
            ours = held[:1] == [self._mark] and held[1:] and held[1].isdigit()
            seen = int(held[1]) if ours else 0
            if last == seen:
                return 0
            brought = follow(
                self._changed(local, seen if seen < last else 0), ledger, is_newer_copy
            )
            # After fetched lines are on disk: a crash in between fetches them again.
            self._note_seen(lock, last)
        return brought

    def note_pulled(self) -> None:
        """Record that all lines up to the last check are local."""
        with FileLock(self._state.lock("team"), timeout=GLANCE) as lock:
            self._note_seen(lock, self._seen.last)

    def _note_seen(self, lock: FileLock, last: int) -> None:
        os.ftruncate(lock.fd, 0)
        write_at(lock.fd, f"{self._mark} {last}\n".encode(), 0)

    @property
    def _mark(self) -> str:
        return digest(f"{self.store.database.url}\0{self.project}".encode()).hex()[:16]

    def _changed(self, local: Memories, seen: int) -> Iterator[bytes]:
        """Return lines after a position; for a new home, only of known memories."""
        if not seen:
            known = local.index.latest(local.sources, limit=_FEW + 1)
            if len(known) <= _FEW:
                index = self.reader.index
                assert isinstance(index, TeamIndex)  # noqa: S101 -- it was made so above
                return iter(index.lines_of([hit.document.identity for hit in known]))
        return (raw for _, raw in self._from.after(seen))


def is_local_only(kind: str, fields: dict[str, Any]) -> bool:
    """Return whether a memory stays local: short-lived, private, or with personal data."""
    text = f"{fields.get('title', '')} {fields.get('content', '')} {fields.get('data') or ''}"
    return (
        not kind_named(kind).long_lived
        or fields.get("visibility") == "private"
        or is_personal(text)
    )
