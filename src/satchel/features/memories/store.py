"""A project's stores of memories: its own, the team's, the user's."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

from satchel.core.errors import (
    BusyError,
    NotReadableError,
    NotWritableError,
    SatchelError,
    StoreAwayError,
)
from satchel.core.plurals import counted
from satchel.engine.search.documents import Source
from satchel.engine.search.index import Index
from satchel.engine.search.records import document_of, parse_line
from satchel.engine.search.source_reader import why_refused
from satchel.features.memories.ledgers import PRIVATE, USER, Ledgers, ledger_names
from satchel.features.memories.service import Limits, Memories
from satchel.project.derived_store import DerivedStore
from satchel.storage.inbox.faults import tell, work_around
from satchel.storage.ledger.ledger_end import may_have_lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from satchel.engine.search.catching_up import CatchUpReport
    from satchel.features.memories.contract import MemoryLedgers
    from satchel.features.memories.team import TeamMemories
    from satchel.project.person import PersonStore
    from satchel.project.store import ProjectStore
    from satchel.storage.database.contract import Database
    from satchel.storage.ledger.record import Record

    T = TypeVar("T")

#: The name of the inbox as a source of an in-memory index.
_UNSAVED = Source("(inbox)", PRIVATE)
#: Most ledger bytes that a hook has time to reread; seconds until a file is retried.
_READ_IN_A_HURRY, _TRIED_AGAIN = 2_000_000, 5.0
#: Seconds for which a team's server, asked all the time, believes its last look at the database.
_BELIEVED = 1.0
#: The hint if the team's store does not answer.
_MISSING = "Try again in a moment; `satchel team status` says more."
#: Called before the index of memories is updated, with the time available.
BeforeIndexing = Callable[[Memories, float], object]


class MemoryStores:
    """Where a project's memories are written and read. Stores open on first use.

    Args:
        person: None if no user data may be read, as on a team's server.
        before_indexing: removes from changed ledgers what must not be indexed.
    """

    def __init__(
        self, project: ProjectStore, person: PersonStore | None, before_indexing: BeforeIndexing
    ) -> None:
        self.project, self._person_store = project, person
        self._before_indexing = before_indexing
        self.ledgers = Ledgers(
            project.state,
            project.tracked.knowledge,
            clock=project.clock,
            timeout=project.ledger_patience,
            root=project.place.root,
            beside=os.path.dirname(project.place.common),
            gate=project.gate(),
        )
        self._indexes: dict[MemoryLedgers, DerivedStore[Index]] = {}
        #: Stores whose index could not be written, since when.
        self._in_memory: dict[MemoryLedgers, float] = {}
        self._own: Memories | None = None
        self._person: Memories | None = None
        self._team: TeamMemories | None = None
        #: Whether the current caller may change the team's store: see `let_write`.
        self._writes = True
        #: Why the last read lacked the team's memories, or "".
        self.missing = ""

    def close(self) -> None:
        """Close open stores; they reopen on next use."""
        for ledgers, index in self._indexes.items():
            index.close()
            ledgers.close()
        self._indexes, self._in_memory = {}, {}
        self._own = self._person = None
        if self._team is not None:
            self._team.close()
            self._team = None

    # The stores

    @property
    def own(self) -> Memories:
        """Return the project's memories on this machine, without refreshing the index."""
        if self._own is None:
            self._own = self._opened(self.ledgers)
        return self._own

    @property
    def for_others(self) -> bool:
        """Whether others use it, as on a team's server; then the user's data is hidden."""
        return self._person_store is None

    @property
    def person(self) -> Memories | None:
        """The user's memories, for every project; None if they may not be read."""
        if self._person is None and self._person_store is not None:
            project, state = self.project, self._person_store.state
            ledgers = Ledgers(
                state, "", clock=project.clock, owner=USER, timeout=project.ledger_patience
            )
            self._person = self._opened(ledgers)
        return self._person

    def _opened(self, ledgers: Ledgers) -> Memories:
        state, project = ledgers.state, self.project
        index = self._indexes[ledgers] = DerivedStore(
            state.index, state, self._index_on, what="index", patience=project.patience
        )
        return Memories(ledgers, index.open(), project.clock, self.limits())

    def _index_on(self, database: Database) -> Index:
        """Create an index; for others, one that never shows private documents."""
        index = Index(database, parse_line)
        return index.without_private() if self.for_others else index

    @property
    def team(self) -> TeamMemories | None:
        """The team's store, if this project's memories are on a server."""
        project = self.project
        if self._team is None and project.patient and project.settings.text("store.url"):
            from satchel.features.memories.team import TeamMemories
            from satchel.project.team_store import TeamStore, is_chosen

            if is_chosen(project.settings, project.place):
                self._team = TeamMemories(
                    project, TeamStore(project.settings, project.place), self.limits()
                )
                self._team.store.database.writes = self._writes
        return self._team

    def let_write(self, *, writes: bool) -> None:
        """Make the team's database refuse changes, or not, for the next caller."""
        self._writes = writes
        if self._team is not None:
            self._team.store.database.writes = writes

    def home_of(self, kind: str, fields: dict[str, Any]) -> Memories:
        """Return the store for a new project memory: the team's or this machine's."""
        if self.team is not None:
            from satchel.features.memories.team import is_local_only

            # A team's server keeps nothing for one person: short-lived memories are the team's,
            # too.
            if self.for_others or not is_local_only(kind, fields):
                return self.team.writable()
        return self.own

    def limits(self) -> Limits:
        """Limits on size, insight lifetime, and single-valued facts."""
        settings = self.project.settings
        hours = settings.number("memory.insight_ttl_hours")
        single = tuple(word.casefold() for word in settings.words("memory.single_valued"))
        return Limits(insight_seconds=hours * 3600, single_valued=single)

    def every(self) -> list[Memories]:
        """Return all stores, project first; the user's only if it is not empty.

        Raises `StoreAwayError` if the configured team store does not answer: without it, a result
        would seem complete. See `reachable`.
        """
        stores = self.reachable()
        if self.missing:
            raise self.away()
        return stores

    def away(self) -> StoreAwayError:
        """Return the error that says what is `missing`."""
        return StoreAwayError(self.missing, hint=_MISSING)

    def reachable(self) -> list[Memories]:
        """Return available stores. `missing` says why the team's is not, or ""."""
        self.missing = ""
        stores = [self.own]
        try:
            if self.team is not None:
                stores.append(self._followed(self.team))
        except StoreAwayError as error:
            self.team_is_away(error)
        return stores + self._persons()

    def _followed(self, team: TeamMemories) -> Memories:
        """Fetch changes to local copies, and return the team's memories."""
        reader = team.readable(_BELIEVED if self.for_others else 0.0)
        try:
            if team.follow(self.own, self.ledgers.private("")):
                self.catch_up(self.own)
        except (BusyError, NotWritableError) as error:
            # Another process is at it, or the disk is full: the next one fetches it.
            self.project.note_fault("team", str(error))
        return reader

    def team_is_away(self, error: SatchelError) -> list[Memories]:
        """Record why the team's store is missing; return the local stores."""
        self.missing = f"The team's memories are missing: {error}"
        self.project.note_fault("team", str(error))
        return [self.own, *self._persons()]

    def _persons(self) -> list[Memories]:
        person = self._person_store
        if person is None or not person.has_memories() or self.person is None:
            return []
        self.catch_up(self.person)
        return [self.person]

    # Freshness

    def catch_up(self, memories: Memories) -> int:
        """Index changes. A busy index is read as is; a broken one is rebuilt."""
        self._leave_memory(memories)
        self._tell_losses(memories)
        try:
            return self._index_changes(memories)
        except BusyError:
            return 0
        except NotWritableError as error:
            # A full disk: ledgers can still be read.
            self._work_around(memories, "index", error)
            self.read_in_memory(memories)
            return 0
        except NotReadableError:
            if not self._renew(memories):
                raise
            return self._index_changes(memories)

    def _tell_losses(self, memories: Memories) -> None:
        """Tell of saved lines that are gone: an emptied ledger looks like a new one."""
        state = memories.ledgers.state
        if not any(may_have_lost(state.lock(one), state.ledger(one)) for one in ledger_names()):
            return
        for ledger in memories.ledgers.files():
            lost = None if why_refused(ledger.path) else ledger.lost_end()
            if lost:
                some = "saved memories are"
                many = counted(lost.lines, "saved memory is", some) if lost.lines else some
                tell(f"{many} gone from {ledger.path} (`satchel doctor`).")

    def _work_around(self, memories: Memories, subject: str, error: SatchelError) -> None:
        faults, now = memories.ledgers.state.faults, self.project.clock.now()
        work_around(faults, subject, f"{error} {error.hint}".strip(), now)

    def read_in_memory(self, memories: Memories, unsaved: Sequence[Record] = ()) -> bool:
        """Index ledgers and unsaved records in memory, if nothing can be written.

        Returns whether that was done: a hook has no time for large ledgers, and reads the index as
        it is.
        """
        index = self._indexes.get(memories.ledgers)
        if index is None or not (self.project.patient or _size(memories) <= _READ_IN_A_HURRY):
            return False
        if memories.ledgers not in self._in_memory:
            self._in_memory[memories.ledgers] = time.monotonic()
            # A ledger that cannot be read now is known from the index alone.
            refused = any(why_refused(source.path) for source in memories.sources)
            memories.index = index.open_in_memory(copied=refused)
            memories.index.catch_up(memories.sources)
        if unsaved and isinstance(memories.index, Index):
            from satchel.storage.ledger.file import redacted
            from satchel.storage.ledger.lines import sealed

            documents = [document_of(sealed(redacted(one))[0]) for one in unsaved]
            memories.index.put_unsaved(_UNSAVED.path, documents)
            memories.sources = [*memories.ledgers.sources(), _UNSAVED]
        return True

    def forget_unsaved(self, memories: Memories) -> None:
        """Stop showing unsaved records; a drain would take them for remembered, and drop them."""
        if _UNSAVED in memories.sources and isinstance(memories.index, Index):
            from satchel.engine.search.catching_up import forget_sources

            forget_sources(memories.index.database, [_UNSAVED.path])
            memories.sources = memories.ledgers.sources()

    def _leave_memory(self, memories: Memories) -> None:
        """Retry the on-disk index from time to time, as space may be free again."""
        since = self._in_memory.get(memories.ledgers)
        if since is not None and time.monotonic() - since > _TRIED_AGAIN:
            del self._in_memory[memories.ledgers]
            index = self._indexes[memories.ledgers]
            index.close()
            memories.sources, memories.index = memories.ledgers.sources(), index.open()

    def retry_after_rebuild(self, ask: Callable[[], T]) -> T:
        """Query the index; if it turns out damaged, rebuild it and retry."""
        try:
            return ask()
        except NotReadableError:
            for memories in (self._own, self._person):
                if memories is not None and self._renew(memories):
                    self._index_changes(memories)
            return ask()

    def rebuild(self, memories: Memories, patience: float) -> int:
        """Read every ledger again in one transaction, so that readers see a whole index.

        Raises `NotReadableError` if a ledger cannot be opened: the index alone knows it then.
        """
        for source in memories.sources:
            why = why_refused(source.path)
            if why and source.gate is None:
                raise NotReadableError(f"{source.path} {why}: nothing was rebuilt.")
        index = self._indexes[memories.ledgers]
        index.close()
        index.patience = patience
        memories.index = index.open()
        try:
            done = memories.index.reindex(memories.sources)
        except NotReadableError:
            self._renew(memories)
            return self.catch_up(memories)
        return self._noted(memories, done)

    def _renew(self, memories: Memories) -> bool:
        """Replace a damaged index by a new one; return whether it was a file."""
        index = self._indexes.get(memories.ledgers)
        if index is None:
            return False  # the team's, on a server
        was_in_file = index.set_aside()
        memories.index = index.open()
        return was_in_file

    def _index_changes(self, memories: Memories) -> int:
        if os.path.exists(memories.ledgers.state.ledger("forgotten")):
            try:
                self._before_indexing(memories, self.project.clock.now())
            except NotReadableError as error:
                # A damaged ledger, not the index: read the index as it is, so that nothing
                # forgotten is indexed again.
                self._work_around(memories, "ledgers", error)
                return 0
        return self._noted(memories, memories.index.catch_up(memories.sources))

    def _noted(self, memories: Memories, done: CatchUpReport) -> int:
        self.quarantine(memories, done)
        for one in done.unread:
            shown = "what was read of it before is" if one.kept else "none of its memories are"
            what = f"{one.path} {one.why}: {shown} shown."
            work_around(memories.ledgers.state.faults, "ledgers", what, self.project.clock.now())
        return done.added

    def quarantine(self, memories: Memories, done: CatchUpReport) -> None:
        """Keep lines that did not parse."""
        if done.damage:
            from satchel.storage.ledger.quarantine import Quarantine

            quarantine = Quarantine(memories.ledgers.state.quarantine)
            for damage in done.damage:
                raw, now = damage.raw.rstrip(b"\n"), int(self.project.clock.now())
                quarantine.keep(damage.path, raw, damage.reason, now)

    def rotate(self, memories: Memories) -> None:
        """Rotate private ledgers that are too long, skipping busy ones."""
        settings = self.project.settings
        above = settings.integer("rotation.above")
        for ledger in memories.ledgers.files():
            # A line has at least a hundred bytes: shorter files need no counting.
            if os.path.exists(ledger.path) and os.path.getsize(ledger.path) > above * 100:
                from satchel.storage.ledger.rotation import rotate

                try:
                    rotate(ledger, above=above, move=settings.integer("rotation.move"))
                except BusyError:
                    continue


def _size(memories: Memories) -> int:
    paths = [source.path for source in memories.sources]
    return sum(os.path.getsize(path) for path in paths if os.path.isfile(path))
