"""An index of notes and the directories it follows."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.core.errors import BusyError, NotWritableError
from satchel.core.values import NamedTuple
from satchel.engine.search.catching_up import forget_sources, held_elsewhere, held_paths
from satchel.engine.search.documents import Damage, Document, Source
from satchel.engine.search.index import Index
from satchel.features.notes.file_discovery import (
    MARKDOWN,
    OK,
    Tree,
    Verdict,
    find_deletions,
    find_files,
)
from satchel.project.derived_store import DerivedStore
from satchel.storage.locks import FileLock
from satchel.storage.safe_open import is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from satchel.storage.database.contract import Database
    from satchel.storage.paths import NotesState

    T = TypeVar("T")
    #: How many files have been read, and how many there are.
    Progress = Callable[[int, int], None]

#: Files per transaction: an interruption loses at most the work on these.
_BATCH = 200


class IndexedDirectory(NamedTuple):
    """A directory that the index follows.

    `name` is the label of its sources; `strict`: its files are notes, and unreadable front matter
    counts as damage.
    """

    name: str
    path: str
    pattern: str = MARKDOWN
    strict: bool = True


class RootStatus(NamedTuple):
    """A directory's state: its files, the missing and the damaged ones."""

    root: IndexedDirectory
    state: str
    files: int
    held: tuple[str, ...]
    damage: tuple[Damage, ...]
    unreadable: tuple[str, ...]
    cut: bool


class UpdateReport(NamedTuple):
    """The result of an update: files read, new chunks, files removed."""

    read: int = 0
    added: int = 0
    removed: int = 0
    busy: bool = False


class NoteIndex:
    """An index of notes and the directories it follows.

    Args:
        roots: the directories; a file belongs to the deepest that contains it.
        state: where the index and its locks are.
        patience: seconds that a writer of the index waits for another.
    """

    def __init__(
        self, roots: Sequence[IndexedDirectory], state: NotesState, *, patience: float
    ) -> None:
        self.roots = tuple(roots)
        self._lock = state.lock("update")
        self._index = DerivedStore(
            state.index, state, self._built, what="index of notes", patience=patience
        )
        self._trees: dict[str, Tree] = {}
        self._verdicts: dict[str, Verdict] = {}

    @property
    def index(self) -> Index:
        """The index, opened on first use."""
        return self._index.open()

    def _built(self, database: Database) -> Index:
        return Index(database, lambda _: "a note is not a ledger", self.parse_file)

    def close(self) -> None:
        """Close the database, if it was opened."""
        self._index.close()

    def parse_file(self, path: str, raw: bytes) -> list[Document] | str:
        """Parse a file into documents, or return why it is damaged."""
        root = self._root_of(path)
        # Most searches find no note changed, and need neither this nor its patterns of secrets.
        from satchel.features.notes.reading import documents_of, read_note

        note = read_note(path, raw, strict=root is None or root.strict)
        return note if isinstance(note, str) else documents_of(note)

    def update(
        self,
        *,
        patience: float,
        confirmed: Sequence[str] = (),
        force: bool = False,
        progress: Progress | None = None,
    ) -> UpdateReport:
        """Update the index from the files.

        Args:
            patience: seconds to wait for another process that updates.
            confirmed: names of the directories whose missing files are deleted, as a person says.
            force: read every file again.
            progress: called after each batch.

        Raises `BusyError` if another process updates for longer than that.
        """
        with FileLock(self._lock, timeout=patience):
            return self.retry_after_rebuild(lambda: self._update(confirmed, progress, force=force))

    def refresh_if_free(self, *, patience: float, progress: Progress | None = None) -> UpdateReport:
        """Update the index if that is possible now; otherwise use it as is.

        If nothing has changed, no lock is taken: searches do not wait for each other.
        """
        try:
            if self.retry_after_rebuild(self._is_current):
                return UpdateReport()
            return self.update(patience=patience, progress=progress)
        except BusyError:
            self._trees.clear()
            self._look()
            return UpdateReport(busy=True)
        except NotWritableError:
            return self._without_lock(progress)

    def _is_current(self) -> bool:
        """Return whether the index matches the files exactly."""
        self._trees.clear()
        if self.index.changed([Source(path, "", whole=True) for path in self._present()]):
            return False
        self._look()
        return not any(verdict.gone for verdict in self._verdicts.values())

    def _without_lock(self, progress: Progress | None) -> UpdateReport:
        """Use an index in memory, or a stale one, if nothing can be written."""
        try:
            return self.retry_after_rebuild(lambda: self._update((), progress, force=False))
        except NotWritableError:
            self._look()
            return UpdateReport(busy=True)

    def retry_after_rebuild(self, ask: Callable[[], T]) -> T:
        """Query the index; if it is damaged, rebuild it and retry."""
        return self._index.asked(ask, lambda: self._update((), None, force=False))

    def sources(self, names: Sequence[str] = ()) -> list[Source]:
        """Return all searchable files: existing ones, and kept missing ones.

        With `names`, only those below these directories.
        """
        wanted = [root for root in self.roots if not names or root.name in names]
        # A file below two directories belongs to the requested one.
        by_path = {path: root.name for root in wanted for path in self._tree(root).paths}
        for root in wanted:
            for verdict in self._verdicts.values():
                for path in verdict.held:
                    if is_within(path, root.path):
                        by_path.setdefault(path, root.name)
        return [Source(path, name, whole=True) for path, name in sorted(by_path.items())]

    def status(self) -> list[RootStatus]:
        """Return every directory's state at the last update or check."""
        damage = self.index.damage()
        found = []
        for root in self.roots:
            tree = self._tree(root)
            verdict = self._verdicts.get(root.name, Verdict(OK))
            mine = tuple(one for one in damage if is_within(one.path, root.path))
            found.append(
                RootStatus(
                    root,
                    verdict.state,
                    len(tree.paths),
                    held=verdict.held,
                    damage=mine,
                    unreadable=tree.unreadable,
                    cut=tree.cut,
                )
            )
        return found

    def forget(self, root: IndexedDirectory) -> int:
        """Remove files that only this directory has; return their number."""
        others = [one for one in self.roots if one.name != root.name]
        known = held_paths(self.index.database)
        kept = {path for one in others for path in self._tree(one).paths}
        gone = [path for path in known if is_within(path, root.path) and path not in kept]
        forget_sources(self.index.database, gone)
        return len(gone)

    def _update(
        self, confirmed: Sequence[str], progress: Progress | None, *, force: bool
    ) -> UpdateReport:
        self._trees.clear()
        sources = [Source(path, "", whole=True) for path in self._present()]
        # Changed files are determined once; every batch is a transaction of its own.
        changed = set() if force else set(self.index.changed(sources))
        waiting = [source for source in sources if force or source.path in changed]
        added = 0
        for start in range(0, len(waiting), _BATCH):
            added += self.index.catch_up(waiting[start : start + _BATCH], again=force).added
            if progress is not None:
                progress(min(start + _BATCH, len(waiting)), len(waiting))
        self._look(confirmed)
        gone = [path for verdict in self._verdicts.values() for path in verdict.gone]
        if gone:
            forget_sources(self.index.database, gone)
        return UpdateReport(len(waiting), added, len(gone))

    def _look(self, confirmed: Sequence[str] = ()) -> None:
        """Judge missing indexed files, by directory."""
        known = held_paths(self.index.database)
        present = set(self._present())
        absent = {path for path in known if path not in present}
        by_root: dict[str, list[str]] = {root.name: [] for root in self.roots}
        if absent or any(not self._tree(root).exists for root in self.roots):
            trees = {root.name: set(self._tree(root).paths) for root in self.roots}
            for path in known:
                owner = self._root_of(path)
                if owner is None or (path in present and path not in trees[owner.name]):
                    continue  # no longer anybody's, or another directory's
                by_root[owner.name].append(path)
        for root in self.roots:
            self._verdicts[root.name] = find_deletions(
                by_root[root.name],
                self._tree(root),
                deselected=os.path.lexists,
                renamed=lambda path: held_elsewhere(self.index.database, path, absent),
                confirmed=root.name in confirmed,
            )

    def _present(self) -> dict[str, None]:
        return {path: None for root in self.roots for path in self._tree(root).paths}

    def _tree(self, root: IndexedDirectory) -> Tree:
        if root.name not in self._trees:
            self._trees[root.name] = find_files(root.path, root.pattern)
        return self._trees[root.name]

    def _root_of(self, path: str) -> IndexedDirectory | None:
        """Return the deepest directory that contains a path."""
        holders = [root for root in self.roots if is_within(path, root.path)]
        return max(holders, key=lambda root: len(root.path), default=None)
