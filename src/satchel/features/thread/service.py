"""A project's thread: its store, kept in sync with the session archive and git."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

from satchel.core.errors import BusyError, NotWritableError
from satchel.core.values import Closing
from satchel.features.thread.store import ThreadStore, heard_in, stamp_of
from satchel.features.thread.values import SessionFacts
from satchel.project.derived_store import DerivedStore
from satchel.project.store import ProjectStore
from satchel.storage.commits import History
from satchel.storage.files import file_stamp, stamp_text
from satchel.storage.git import GitError
from satchel.storage.inbox.faults import work_around
from satchel.storage.locks import FileLock
from satchel.storage.paths import THREAD

#: Seconds that a query spends on updating the store; the rest is left to upkeep.
SECONDS = 1.0
#: Archive files to read in one transaction.
_BATCH = 20
_EVERY = 60.0


class Thread(Closing):
    """Which sessions wrote what. `close` closes the store.

    Args:
        files: lists the files of the archive.
        read: reads one of them; None if it has no session.
    """

    def __init__(
        self,
        project: ProjectStore,
        files: Callable[[], Sequence[str]],
        read: Callable[[str], SessionFacts | None],
    ) -> None:
        self.project, self._files, self._read = project, files, read
        self.history = History(project.place.root)
        self._store = DerivedStore(
            project.state.derived(THREAD),
            project.state,
            ThreadStore,
            what="thread from code to sessions",
            patience=project.patience,
        )

    def close(self) -> None:
        """Close the store; it reopens on next use."""
        self._store.close()

    @property
    def exists(self) -> bool:
        """Return whether anything was read from the archive yet."""
        return os.path.exists(self._store.path)

    @property
    def store(self) -> ThreadStore:
        """The store, without refreshing."""
        return self._store.open()

    def catch_up(self, seconds: float = SECONDS) -> int:
        """Read archive changes for a limited time; return the number of files left.

        Does nothing if another process is reading. The rest is left to upkeep. Where nothing can
        be written, a copy in memory is updated, for this answer alone.
        """
        try:
            left = self._store.asked(lambda: self._catch_up(seconds))
        except NotWritableError as error:
            now = self.project.clock.now()
            work_around(self.project.state.faults, "thread", f"{error} {error.hint}".strip(), now)
            self._store.open_in_memory(copied=True)
            return self._store.asked(lambda: self._catch_up(seconds, alone=True))
        if left:
            self.project.start_in_background(
                "thread", self.project.state.lock("thread-upkeep"), _EVERY
            )
        return left

    def rebuild(self) -> dict[str, int]:
        """Read the whole archive again; return the counts."""
        store = self.store
        with store.database.transaction():
            store.drop(store.file_stats())
            store.put_hook_commits("", ())
        self._store.asked(lambda: self._catch_up(float("inf")))
        self.follow_commits()
        return self.store.counts()

    def _catch_up(self, seconds: float, *, alone: bool = False) -> int:
        end = time.monotonic() + seconds
        store = self.store
        known, there = store.file_stats(), self._there()
        gone = [path for path in known if path not in there]
        changed = [path for path, stamp in there.items() if known.get(path) != stamp]
        ledger = self.project.state.ledger("activity")
        stamp = stamp_of(ledger)
        heard = stamp != store.heard_stamp()
        if not gone and not changed and not heard:
            return 0
        lock = FileLock(self.project.state.lock("thread"), timeout=0)
        if not (alone or lock.acquire()):
            return 0
        try:
            with store.database.transaction():
                store.drop(gone)
                if heard:
                    store.put_hook_commits(stamp, heard_in(ledger))
            for at in range(0, len(changed), _BATCH):
                if time.monotonic() > end:
                    return len(changed) - at
                self._put(store, {path: there[path] for path in changed[at : at + _BATCH]})
            if changed or heard:
                self._look_up(store, again=False)
        except BusyError:
            return len(changed)
        finally:
            lock.release()
        return 0

    def _put(self, store: ThreadStore, files: dict[str, str]) -> None:
        read = [(path, stamp, self._read(path)) for path, stamp in files.items()]
        with store.database.transaction():
            for path, stamp, facts in read:
                if facts is None:
                    store.drop([path])
                else:
                    store.put(path, stamp, facts)

    def _there(self) -> dict[str, str]:
        stamps = ((path, stamp_text(file_stamp(path))) for path in self._files())
        return {path: stamp for path, stamp in stamps if stamp}

    def follow_commits(self) -> int:
        """Look up the changes of sessions' commits; return how many git still has."""
        return self._store.asked(lambda: self._look_up(self.store, again=True))

    def _look_up(self, store: ThreadStore, *, again: bool) -> int:
        """Look up new commits, or with `again` all of them, as git may have lost or gained some."""
        idents = store.idents()
        wanted = [one for one, change in idents.items() if again or change is None]
        try:
            known = self.history.known(wanted)
            read = self.history.commits([*known.values()])
            changes = {one.sha: (one.change, float(one.commit_time)) for one in read}
        except GitError:
            return 0
        found = {one: changes.get(known.get(one, ""), ("", 0.0)) for one in wanted}
        with store.database.transaction():
            store.put_changes(found)
        return len(known)
