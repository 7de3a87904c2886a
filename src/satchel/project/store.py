"""One open project: its settings, ledgers and indexes, and how they are kept fresh.

The base of `Workspace`, which adds what people ask for. Databases are opened when something is
first read.
"""

from __future__ import annotations

import os
from types import TracebackType

from satchel.core.clock import Clock
from satchel.core.errors import (
    BadInputError,
    BusyError,
    NoProjectError,
    NotReadableError,
    NotWritableError,
    SatchelError,
)
from satchel.features.memories.ledgers import USER, Ledgers
from satchel.features.memories.service import Limits, Memories
from satchel.project.home import whole_home
from satchel.project.indexes import open_index, set_aside
from satchel.project.place import find_place, known_key
from satchel.storage.inbox.faults import note_fault
from satchel.storage.paths import TrackedFiles, UserHome
from satchel.storage.settings.environment import home_path
from satchel.storage.settings.loading import last_settings, load_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self, TypeVar

    from satchel.application.exchange.team import Team
    from satchel.application.learning.listening.draining import Drained
    from satchel.engine.models import Embedded, Models
    from satchel.engine.search.catching_up import CaughtUp
    from satchel.features.injections.injection_ledger import InjectionLedger
    from satchel.project.place import Place
    from satchel.storage.inbox.spool import Inbox
    from satchel.storage.ledger.record import Record
    from satchel.storage.settings.table import Settings

    T = TypeVar("T")


#: Seconds between two processes that make vectors, or map code.
_BESIDE_EVERY = 30.0
#: Seconds between two that read what clients wrote.
_ARCHIVE_EVERY = 3600.0


class OpenProject:
    """One project, opened from one of its work trees.

    Args:
        place: where it was opened.
        home: the user's Satchel directory.
        clock: the time; tests pass a `FixedClock`.
        patience: seconds to wait for another process; hooks have little of it.
    """

    def __init__(
        self, place: Place, home: UserHome, clock: Clock, *, patience: float | None = None
    ) -> None:
        self.place = place
        self.home = home
        self.clock = clock
        self.key = known_key(home.registry, place) or self._registered()
        self.state = home.project_state(self.key)
        self.settings: Settings = self._settings(patient=patience is None)
        self.tracked = TrackedFiles(place.root, self.settings.text("layout.preset"))
        wait = self.settings.number("index.wait_ms") / 1000
        self.patience = wait if patience is None else patience
        self._ledger_patience = 30.0 if patience is None else patience
        self.ledgers = Ledgers(
            self.state,
            self.tracked.knowledge,
            clock=clock,
            timeout=self._ledger_patience,
            root=place.root,
            beside=os.path.dirname(place.common),
        )
        self._memories: Memories | None = None
        self._user: Memories | None = None
        self._models: Models | None = None
        #: Hooks have little patience, and ask no server.
        self.patient = patience is None
        self._team: Team | None = None
        #: A team's server tells nobody what the person who runs it keeps for themselves.
        self.shows_person = True

    def _settings(self, *, patient: bool) -> Settings:
        """Resolve settings. A hook takes those before, or the defaults, while a file is broken."""
        project_file = TrackedFiles(self.place.root).project_file
        snapshot = self.state.settings_snapshot
        try:
            return load_settings(self.home.configuration, project_file, snapshot)
        except BadInputError as error:
            if patient:
                raise
            note_fault(self.state.faults, "settings", str(error), self.clock.now())
            return last_settings(snapshot)

    def _registered(self) -> str:
        """Register a place that is new here. Starts git, once."""
        from satchel.project.registry import project_key

        return project_key(self.home, self.place)

    @classmethod
    def open(cls, start: str = ".", *, home: str = "", clock: Clock | None = None) -> Self:
        """Open the project that `start` lies in.

        Raises `NoProjectError` where there is none: `satchel init` makes one.
        """
        place = find_place(start)
        if place is None:
            raise NoProjectError(
                f"{os.path.abspath(start)} is in no Satchel project.",
                hint="Run `satchel init` at the top of your repository.",
            )
        return cls(place, whole_home(home or home_path()), clock or Clock())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close databases that were opened."""
        for memories in (self._memories, self._user):
            if memories is not None:
                memories.index.database.close()
                memories.ledgers.close()
        self._memories = self._user = self._models = None
        if self._team is not None:
            self._team.close()
            self._team = None

    # Parts

    @property
    def memories(self) -> Memories:
        """The project's memories. The index is opened as it is: see `fresh`."""
        if self._memories is None:
            index = open_index(self.state, self.patience)
            self._memories = Memories(self.ledgers, index, self.clock, self.limits())
        return self._memories

    @property
    def user_memories(self) -> Memories:
        """Memories that belong to the person, in every project."""
        if self._user is None:
            state = self.home.user_state
            ledgers = Ledgers(
                state, "", clock=self.clock, owner=USER, timeout=self._ledger_patience
            )
            index = open_index(state, self.patience)
            self._user = Memories(ledgers, index, self.clock, self.limits())
        return self._user

    @property
    def team(self) -> Team | None:
        """The team's store, where this project's memories live on a server."""
        if self._team is None and self.patient and self.settings.text("store.url"):
            from satchel.application.exchange.team import open_team

            self._team = open_team(self)
        return self._team

    def home_of(self, kind: str, fields: dict[str, Any]) -> Memories:
        """Where a new memory of this project goes: to the team's store or to this machine."""
        if self.team is not None:
            from satchel.application.exchange.team import stays_here

            if not stays_here(kind, fields):
                return self.team.checked()
        return self.memories

    def limits(self) -> Limits:
        """How large a memory may be, and how long an insight lives."""
        hours = self.settings.number("memory.insight_ttl_hours")
        return Limits(self.settings.integer("memory.max_bytes"), hours * 3600)

    @property
    def inbox(self) -> Inbox:
        """What hooks have appended."""
        from satchel.storage.inbox.spool import Inbox

        return Inbox(self.state.inbox)

    @property
    def injections(self) -> InjectionLedger:
        """What was put before agents in this project."""
        from satchel.features.injections.injection_ledger import InjectionLedger
        from satchel.storage.ledger.file import Ledger

        path, lock = self.state.ledger("injections"), self.state.lock("injections")
        return InjectionLedger(Ledger(path, lock, clock=self.clock, timeout=self._ledger_patience))

    @property
    def models(self) -> Models:
        """The models that settings choose. They are opened when first asked for."""
        if self._models is None:
            from satchel.engine.models import Models

            self._models = Models(self.settings)
        return self._models

    def stores(self) -> list[Memories]:
        """Project first; the user's own only once there is something in it."""
        stores = [self.memories]
        team = self.team.readable() if self.team is not None else None
        if team is not None and self.team is not None:
            try:
                if self.team.follow(self.memories):
                    self.catch_up(self.memories)
            except (BusyError, NotWritableError) as error:
                # Another process follows, or this disk is full: the next one brings it.
                note_fault(self.state.faults, "team", str(error), self.clock.now())
            stores.append(team)
        elif self.team is not None:
            note_fault(self.state.faults, "team", "the team's store is away", self.clock.now())
        return stores + self._users()

    def stores_here(self) -> list[Memories]:
        """Those of this machine alone, where the team's store is too slow to be waited for."""
        note_fault(self.state.faults, "team", "the team's store is slow", self.clock.now())
        return [self.memories, *self._users()]

    def _users(self) -> list[Memories]:
        if not (self.shows_person and os.path.isdir(self.home.user_state.ledgers)):
            return []
        self.catch_up(self.user_memories)
        return [self.user_memories]

    # Freshness

    def fresh(self) -> None:
        """Bring the index up to date: changed ledgers first, then the inbox."""
        self.catch_up(self.memories)
        if not self.inbox.waiting():
            return
        drained = self.drain(self.settings.number("inbox.drain_ms") / 1000)
        if drained.left and not drained.busy:
            # The rest, by one process that ends by itself.
            self._in_background("drain", self.state.lock("drain-rest"), 1.0)

    def drain(self, seconds: float) -> Drained:
        """Drain the inbox for at most `seconds` and index what came of it."""
        from satchel.application.learning.listening.draining import Drainer
        from satchel.storage.ledger.quarantine import Quarantine

        drainer = Drainer(
            self.inbox,
            self.memories,
            self.injections,
            Quarantine(self.state.quarantine),
            self.state.faults,
        )
        drained = drainer.drain(seconds)
        if drained.written:
            self.rotate(self.memories)
            self.catch_up(self.memories)
            if any(record.kind == "checkpoint" for record in drained.written):
                self._reflect_in_background()
        return drained

    def pending(self) -> list[Record]:
        """Records of events that are still in the inbox."""
        if not self.inbox.waiting():
            return []
        from satchel.application.learning.listening.draining import pending_records

        return pending_records(self.inbox)

    def catch_up(self, memories: Memories) -> int:
        """Index what changed. A busy index is read as it stands; a broken one is built anew."""
        try:
            return self._index_and_quarantine(memories)
        except BusyError:
            return 0
        except NotWritableError as error:
            # A full disk: what was indexed before can still be read.
            note_fault(memories.ledgers.state.faults, "index", str(error), self.clock.now())
            return 0
        except NotReadableError:
            if not os.path.exists(memories.ledgers.state.index):
                raise
            state = memories.ledgers.state
            set_aside(state, memories.index, certain=True)
            memories.index = open_index(state, self.patience)
            return self._index_and_quarantine(memories)

    def mended(self, ask: Callable[[], T]) -> T:
        """Ask the index; where a damaged page comes up only now, build it anew and ask again."""
        try:
            return ask()
        except NotReadableError:
            for memories in (self._memories, self._user):
                state = memories.ledgers.state if memories else None
                if memories is not None and state is not None and os.path.exists(state.index):
                    set_aside(state, memories.index, certain=True)
                    memories.index = open_index(state, self.patience)
                    self._index_and_quarantine(memories)
            return ask()

    def _index_and_quarantine(self, memories: Memories) -> int:
        if os.path.exists(memories.ledgers.state.ledger("forgotten")):
            from satchel.application.forgetting.resurrected_lines import scrub_returned

            scrub_returned(memories, self.clock.now())
        done = memories.index.catch_up(memories.sources)
        self.quarantine(memories, done)
        return done.added

    def quarantine(self, memories: Memories, done: CaughtUp) -> None:
        """Keep the lines that did not parse."""
        if done.damage:
            from satchel.storage.ledger.quarantine import Quarantine

            quarantine = Quarantine(memories.ledgers.state.quarantine)
            for damage in done.damage:
                raw, now = damage.raw.rstrip(b"\n"), int(self.clock.now())
                quarantine.keep(damage.path, raw, damage.reason, now)

    def rotate(self, memories: Memories) -> None:
        """Rotate private ledgers that have grown too long. A busy one waits for the next time."""
        above = self.settings.integer("rotation.above")
        for ledger in memories.ledgers.every_private():
            # A line has a hundred bytes at least: shorter files need no counting.
            if os.path.exists(ledger.path) and os.path.getsize(ledger.path) > above * 100:
                from satchel.storage.ledger.rotation import rotate

                try:
                    rotate(ledger, above=above, move=self.settings.integer("rotation.move"))
                except BusyError:
                    continue

    def embed(
        self, *, patience: float = 0.0, progress: Callable[[int, int], None] | None = None
    ) -> Embedded:
        """Give memories that have none their vectors; see `Models.embed`."""
        from satchel.engine.models import Embedded

        total = Embedded(0, 0)
        for store in self.stores():
            state = store.ledgers.state
            done = self.models.embed(
                store.index, state.lock("embed"), patience=patience, progress=progress
            )
            counts = (total.done + done.done, total.left + done.left)
            total = Embedded(*counts, total.busy or done.busy, total.why or done.why)
        return total

    def embed_in_background(self) -> None:
        """Leave vectors that are missing to a process of its own. It asks for little: one look."""
        none = self.settings.text("model.embed") == "none"
        if none or not self.settings.flag("embed.background"):
            return
        if not any(store.index.waits_for_vectors() for store in self.stores()):
            return
        self._in_background("embed", self.state.lock("embed"), _BESIDE_EVERY)

    def archive_in_background(self) -> None:
        """Leave what clients wrote of their sessions to a process of its own, once an hour."""
        lock = self.state.sessions.lock("archive")
        if not (self.settings.flag("sessions.import") and self.settings.flag("embed.background")):
            return
        self._in_background("archive", lock, _ARCHIVE_EVERY)

    def map_code_in_background(self) -> None:
        """Leave the first map of a large repository to a process of its own."""
        if self.settings.flag("embed.background"):
            self._in_background("code", self.state.lock("code-map"), _BESIDE_EVERY)

    def _reflect_in_background(self) -> None:
        """Look at what a session taught that was compacted or ended, if a person wants that."""
        if self.settings.flag("reflect.auto") and self.settings.flag("embed.background"):
            self._in_background("reflect", self.state.lock("reflect"), 60.0)

    def _in_background(self, step: str, lock: str, every: float) -> None:
        from satchel.project.background import is_due, start

        try:
            if is_due(lock, every):
                start(step, self.place.root, self.home.path)
        except (OSError, SatchelError) as error:
            note_fault(self.state.faults, "background", str(error), self.clock.now())
