"""Drains the inbox, so that memories are up to date."""

from __future__ import annotations

import os

from satchel.core.errors import BusyError, SatchelError, StoreError
from satchel.engine.search.records import is_private
from satchel.storage.inbox.faults import note_fault, work_around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from satchel.application.services import DrainReport
    from satchel.features.injections.injection_ledger import InjectionLedger
    from satchel.features.memories.store import MemoryStores
    from satchel.project.store import ProjectStore
    from satchel.storage.ledger.record import Record

#: Seconds between two processes that drain the rest, and between two that reflect.
_DRAIN_EVERY, _REFLECT_EVERY = 1.0, 600.0


class Listening:
    """Drains the inbox of one project.

    Args:
        stores: receives what was captured.
        injections: opens the record of what agents were shown, which is not captured again.
    """

    def __init__(
        self, project: ProjectStore, stores: MemoryStores, injections: Callable[[], InjectionLedger]
    ) -> None:
        self.project, self.stores, self._injections = project, stores, injections
        #: Whether waiting events are shown as if drained.
        self._shown = False

    def refresh(self) -> None:
        """Refresh the index: changed ledgers first, then the inbox, for a short time."""
        own, project = self.stores.own, self.project
        self._shown = False
        self.stores.catch_up(own)
        try:
            if not project.inbox.waiting():
                return
            drained = self.drain(project.settings.number("inbox.drain_ms") / 1000)
        except (BusyError, StoreError) as error:
            # The disk is full, or a file's path is taken by something else.
            now = project.clock.now()
            work_around(project.state.faults, "inbox", f"{error} {error.hint}".strip(), now)
            self._shown = self.stores.read_in_memory(own, self._heard())
            return
        if drained.left and not drained.busy:
            # The rest is left to one self-terminating process.
            project.start_in_background("drain", project.state.lock("drain-rest"), _DRAIN_EVERY)

    def drain(self, seconds: float) -> DrainReport:
        """Drain the inbox for at most `seconds` and index the results."""
        from satchel.application.learning.listening.draining import Drainer
        from satchel.storage.ledger.quarantine import Quarantine

        project, stores = self.project, self.stores
        stores.forget_unsaved(stores.own)
        drainer = Drainer(
            project.inbox,
            stores.own,
            self._injections(),
            Quarantine(project.state.quarantine),
            project.state.faults,
        )
        drained = drainer.drain(seconds)
        if drained.written:
            stores.rotate(stores.own)
            stores.catch_up(stores.own)
            self._note_ends(drained.written)
            if any(record.kind == "checkpoint" for record in drained.written):
                self._reflect_in_background()
        return drained

    def _note_ends(self, written: Sequence[Record]) -> None:
        """Record the ends of sessions, if configured."""
        state, tracked = self.project.state.sessions, self.project.tracked
        if not any(map(os.path.isfile, (state.hooks, tracked.session_hooks))):
            return
        from satchel.application.learning.listening.session_ends import note_session_ends

        try:
            if note_session_ends(self.project, self.stores.own, written):
                self.stores.catch_up(self.stores.own)
        except SatchelError as error:
            note_fault(
                self.project.state.faults, "session end", str(error), self.project.clock.now()
            )

    def pending(self) -> list[Record]:
        """Return records of events that are still in the inbox."""
        return [] if self._shown else self._heard()

    def _heard(self) -> list[Record]:
        try:
            if not self.project.inbox.waiting():
                return []
        except StoreError:
            return []  # `refresh` has told of it
        from satchel.application.learning.listening.draining import pending_records

        found = pending_records(self.project.inbox)
        return [one for one in found if not (self.stores.for_others and is_private(one))]

    def _reflect_in_background(self) -> None:
        """Reflect on a compacted or ended session, if enabled."""
        project = self.project
        if project.settings.flag("reflect.auto") and project.settings.flag("embed.background"):
            project.start_in_background("reflect", project.state.lock("reflect"), _REFLECT_EVERY)
