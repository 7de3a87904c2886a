"""A project's place, settings, private state and inbox.

Everything here belongs to the project. What belongs to the person is in `PersonStore`.
"""

from __future__ import annotations

import os

from satchel.clients.registry import running_agent
from satchel.core.clock import Clock
from satchel.core.errors import BadInputError, NoProjectError, SatchelError, StoreError
from satchel.core.trust import AGENT, USER
from satchel.core.values import cached_property
from satchel.project.place import UNSEEN, entry_of, find_place, known_key
from satchel.storage.inbox.faults import note_fault, work_around
from satchel.storage.paths import UserHome
from satchel.storage.settings.loading import from_environment, last_settings, load_settings
from satchel.storage.tracked_files import TrackedFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

    from satchel.project.approvals.gate import Gate
    from satchel.project.approvals.rules import Approvals
    from satchel.project.place import Place
    from satchel.project.server_database import ServerDatabase
    from satchel.project.shared_state import SharedState
    from satchel.storage.inbox.spool import Inbox
    from satchel.storage.ledger.contract import RecordLog
    from satchel.storage.ledger.file import Ledger
    from satchel.storage.settings.table import Settings

#: Seconds that a person waits for another process's lock on a ledger.
_LEDGER_SECONDS = 30.0
#: Seconds that a person, and a hook, waits for each of git's answers about authors.
_GIT_SECONDS, _HOOKS_GIT_SECONDS = 5.0, 0.6


class ProjectStore:
    """A project, opened from one of its work trees.

    Args:
        place: where it was opened.
        home: the Satchel home that holds the project's private state.
        clock: the time; tests pass a `FixedClock`.
        patience: seconds to wait for another process; hooks wait only briefly.
        strict: raise `BadInputError` for a broken settings file; otherwise earlier settings stay in
            effect.
        servers: the database of a team's server, which has the project's state if its memories are
            there; None elsewhere.
    """

    def __init__(
        self,
        place: Place,
        home: UserHome,
        clock: Clock,
        *,
        patience: float | None = None,
        strict: bool = True,
        servers: ServerDatabase | None = None,
    ) -> None:
        self.place = place
        self.clock = clock
        self._home, self._servers = home, servers
        self.key = known_key(home.registry, place) or self._registered()
        self.state = home.project_state(self.key)
        #: Whether a person is waiting: hooks cannot wait, so they ask no server.
        self.patient = patience is None
        self._strict = strict and self.patient
        self.settings: Settings = self._load_settings()
        self.tracked = TrackedFiles(place.root, self.settings.text("layout.preset"))
        wait = self.settings.number("index.wait_ms") / 1000
        running = running_agent()
        #: The trust of what is written here, and the session it is written in.
        self.trust, self.session = (USER, "") if running is None else (AGENT, running[1])
        self._held: frozenset[str] = frozenset()
        self.patience = wait if patience is None else patience
        self.ledger_patience = _LEDGER_SECONDS if patience is None else patience
        if entry_of(home.registry, place).get(UNSEEN):
            self._look_first()

    @classmethod
    def open(
        cls,
        start: str,
        home: UserHome,
        clock: Clock | None = None,
        *,
        patience: float | None = None,
        strict: bool = True,
        servers: ServerDatabase | None = None,
    ) -> Self:
        """Open the project around `start`.

        Raises `NoProjectError` if there is none; `satchel init` creates one.
        """
        place = find_place(start)
        if place is None:
            raise NoProjectError(
                f"{os.path.abspath(start)} is not in a Satchel project.",
                hint="Run `satchel init` at the top of your repository.",
            )
        time = clock or Clock()
        return cls(place, home, time, patience=patience, strict=strict, servers=servers)

    def _load_settings(self) -> Settings:
        """Resolve settings. While a file is broken, readers get the last good ones, or defaults."""
        project_file = TrackedFiles(self.place.root).project_file
        snapshot = self.state.settings_snapshot
        if self.patient:
            from_environment()  # whoever just typed it can fix it
        try:
            return load_settings(self._home.configuration, project_file, snapshot)
        except (BadInputError, StoreError) as error:
            if self._strict:
                raise
            what = f"{error} The settings before it was changed hold."
            work_around(self.state.faults, "settings", what, self.clock.now())
            return last_settings(snapshot, self._home.configuration)

    def _registered(self) -> str:
        """Register a new place. Runs git, once."""
        from satchel.project.registry import project_key

        return project_key(self._home, self.place)

    def _look_first(self) -> None:
        """Hold back what lay uncommitted in a new place, once."""
        from satchel.project.approvals.first_look import uncommitted
        from satchel.project.registry import note_looked

        found = uncommitted(self.place, self.tracked, self.gate())
        try:
            self.approvals.hold(found)
            note_looked(self._home, self.place)
        except SatchelError as error:
            # Not written down, it is held back all the same; the next look tries again.
            self._held = frozenset(found)
            self.note_fault("approvals", str(error))

    @property
    def configuration(self) -> str:
        """The user's settings file."""
        return self._home.configuration

    @property
    def home_path(self) -> str:
        """The home of the private state, to be left out of others' reads."""
        return self._home.path

    def reopened(self) -> Self:
        """Open the same project again, for another thread."""
        return type(self)(
            self.place, self._home, self.clock, strict=self._strict, servers=self._servers
        )

    @property
    def approvals(self) -> Approvals:
        """The user's approvals in this project."""
        from satchel.project.approvals.rules import Approvals
        from satchel.storage.ledger.file import Ledger

        ledger = Ledger(
            self.state.ledger("approvals"), self.state.lock("approvals"), clock=self.clock
        )
        return Approvals(ledger, held=self._held)

    def gate(self) -> Gate:
        """Open the gate to the repository's content, with the current rules."""
        from satchel.project.approvals.gate import Gate

        return Gate(
            self.place,
            self.state,
            lambda: self.approvals,
            everything=not self.settings.flag("trust.quarantine"),
            note=lambda why: self.note_fault("approvals", why),
            seconds=_GIT_SECONDS if self.patient else _HOOKS_GIT_SECONDS,
        )

    def note_own(self, paths: Iterable[str]) -> None:
        """Check files just written here: once committed, they would look like anybody's."""
        from satchel.storage.files import read_file

        try:
            present = [path for path in paths if os.path.isfile(path)]
            self.gate().admitted({path: read_file(path) for path in present})
        except SatchelError as error:
            self.note_fault("approvals", str(error))

    @property
    def shared_kinds(self) -> tuple[str, ...]:
        """The kinds that are shared with the team."""
        named = self.settings.words("share.kinds")
        if named != ("auto",):
            return named
        from satchel.core.kinds import KINDS

        return tuple(kind.name for kind in KINDS.values() if kind.shared_by_default)

    @property
    def inbox(self) -> Inbox:
        """The inbox that hooks append to."""
        from satchel.storage.inbox.spool import Inbox

        return Inbox(self.state.inbox)

    def ledger(self, name: str, *, timeout: float = _LEDGER_SECONDS) -> Ledger:
        """Open a private ledger of the project by name."""
        from satchel.storage.home_paths import lock_name
        from satchel.storage.ledger.file import Ledger

        path, lock = self.state.ledger(name), self.state.lock(lock_name(name))
        return Ledger(path, lock, clock=self.clock, timeout=timeout)

    @cached_property
    def shared_state(self) -> SharedState | None:
        """The state that a team's servers share; None where this machine has its own."""
        if self._servers is None:
            return None
        from satchel.project.shared_state import shared_state

        return shared_state(self._servers, self.settings, self.place, self.clock)

    def log(self, name: str, *, timeout: float = _LEDGER_SECONDS) -> RecordLog:
        """Open the ledger `injections`, `proposals` or `usefulness`: this machine's, or shared."""
        if self.shared_state is not None:
            return self.shared_state.ledger(name)
        return self.ledger(name, timeout=timeout)

    def has_log(self, name: str) -> bool:
        """Return whether `log` may have lines. Cheap: session starts ask it."""
        return self.shared_state is not None or os.path.exists(self.state.ledger(name))

    def owns(self, place: Place) -> bool:
        """Return whether another place is a work tree of this project."""
        return known_key(self._home.registry, place) == self.key

    def note_fault(self, subject: str, what: str) -> None:
        """Record an error that cannot be reported now; `doctor` shows it."""
        note_fault(self.state.faults, subject, what, self.clock.now())

    def work_around(self, subject: str, error: SatchelError) -> None:
        """Record an error that leaves the answer as it is, and tell it with the answer."""
        what = f"{error} {error.hint}".strip()
        work_around(self.state.faults, subject, what, self.clock.now())

    def start_in_background(self, step: str, lock: str, every: float) -> None:
        """Start an upkeep step in the background, unless it ran within `every` seconds."""
        from satchel.core.errors import SatchelError
        from satchel.project.background import is_due, start

        try:
            if is_due(lock, every):
                start(step, self.place.root, self._home.path, lock)
        except (OSError, SatchelError) as error:
            self.note_fault("background", str(error))
