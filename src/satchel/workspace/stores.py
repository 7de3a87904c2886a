"""One open project: its settings, ledgers and indexes, and how they are kept fresh.

The base of `Workspace`, which adds what people ask for. Databases are opened when something is
first read.
"""

from __future__ import annotations

import os
from types import TracebackType

from satchel.clock import Clock
from satchel.errors import BusyError, NoProjectError, NotReadableError, NotWritableError
from satchel.inbox.faults import note_fault
from satchel.layout import TrackedFiles, UserHome
from satchel.memories.ledgers import USER, Ledgers
from satchel.memories.service import Limits, Memories
from satchel.projects.finding import find_place, known_key
from satchel.settings.environment import home_path
from satchel.settings.loading import load_settings
from satchel.workspace.indexes import open_index, set_aside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self, TypeVar

    from satchel.capture.draining import Drained
    from satchel.inbox.spool import Inbox
    from satchel.injections.injection_ledger import InjectionLedger
    from satchel.ledger.record import Record
    from satchel.projects.finding import Place
    from satchel.settings.table import Settings

    T = TypeVar("T")


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
        project_file = TrackedFiles(place.root).project_file
        self.settings: Settings = load_settings(
            home.configuration, project_file, self.state.settings_snapshot
        )
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
        )
        self._memories: Memories | None = None
        self._user: Memories | None = None

    def _registered(self) -> str:
        """Register a place that is new here. Starts git, once."""
        from satchel.projects.registering import project_key

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
        return cls(place, UserHome(home or home_path()), clock or Clock())

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
        self._memories = self._user = None

    # Parts

    @property
    def memories(self) -> Memories:
        """The project's memories. The index is opened as it is: see `fresh`."""
        if self._memories is None:
            index = open_index(self.state, self.patience)
            self._memories = Memories(self.ledgers, index, self.clock, self._limits())
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
            self._user = Memories(ledgers, index, self.clock, self._limits())
        return self._user

    def _limits(self) -> Limits:
        hours = self.settings.number("memory.insight_ttl_hours")
        return Limits(self.settings.integer("memory.max_bytes"), hours * 3600)

    @property
    def inbox(self) -> Inbox:
        """What hooks have appended."""
        from satchel.inbox.spool import Inbox

        return Inbox(self.state.inbox)

    @property
    def injections(self) -> InjectionLedger:
        """What was put before agents in this project."""
        from satchel.injections.injection_ledger import InjectionLedger
        from satchel.ledger.file import Ledger

        path, lock = self.state.ledger("injections"), self.state.lock("injections")
        return InjectionLedger(Ledger(path, lock, clock=self.clock, timeout=self._ledger_patience))

    def stores(self) -> list[Memories]:
        """Project first; the user's own only once there is something in it."""
        stores = [self.memories]
        if os.path.isdir(self.home.user_state.ledgers):
            self.catch_up(self.user_memories)
            stores.append(self.user_memories)
        return stores

    # Writing

    # Freshness

    def fresh(self) -> None:
        """Bring the index up to date: changed ledgers first, then the inbox."""
        self.catch_up(self.memories)
        if not self.inbox.waiting():
            return
        drained = self.drain(self.settings.number("inbox.drain_ms") / 1000)
        if drained.left and not drained.busy:
            self._drain_in_background()

    def drain(self, seconds: float) -> Drained:
        """Drain the inbox for at most `seconds` and index what came of it."""
        from satchel.capture.draining import Drainer
        from satchel.ledger.quarantine import Quarantine

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
        return drained

    def pending(self) -> list[Record]:
        """Records of events that are still in the inbox."""
        if not self.inbox.waiting():
            return []
        from satchel.capture.draining import pending_records

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
        done = memories.index.catch_up(memories.sources)
        if done.damage:
            from satchel.ledger.quarantine import Quarantine

            quarantine = Quarantine(memories.ledgers.state.quarantine)
            for damage in done.damage:
                raw, now = damage.raw.rstrip(b"\n"), int(self.clock.now())
                quarantine.keep(damage.path, raw, damage.reason, now)
        return done.added

    def rotate(self, memories: Memories) -> None:
        """Rotate private ledgers that have grown too long. A busy one waits for the next time."""
        from satchel.ledger.rotation import rotate

        above = self.settings.integer("rotation.above")
        for ledger in memories.ledgers.every_private():
            # A line has a hundred bytes at least: shorter files need no counting.
            if os.path.exists(ledger.path) and os.path.getsize(ledger.path) > above * 100:
                try:
                    rotate(ledger, above=above, move=self.settings.integer("rotation.move"))
                except BusyError:
                    continue

    def _drain_in_background(self) -> None:
        """Leave the rest of the inbox to one detached process that ends by itself."""
        import subprocess
        import sys

        child = subprocess.Popen(
            [sys.executable, "-m", "satchel", "upkeep", "drain"],
            cwd=self.place.root,
            env={**os.environ, "SATCHEL_HOME": self.home.path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            close_fds=True,
        )
        # It outlives this process on purpose, and nobody waits for it.
        child.returncode = 0
