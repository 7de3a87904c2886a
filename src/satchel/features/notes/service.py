"""Notes and collections of a project and the user.

Two indexes. The project's follows docs/solutions and the project's collections; the person's
follows the knowledge base and the global collections, and is the only one outside a project. The
files are authoritative; the indexes are derived.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.core.errors import BadInputError
from satchel.core.values import Closing
from satchel.engine.search.documents import View
from satchel.engine.search.hybrid import HYBRID, SEMANTIC
from satchel.features.notes.collections import Collection
from satchel.features.notes.finding import NoteMatch, NoteQuery, note_of
from satchel.features.notes.note_index import NoteIndex, RootStatus, UpdateReport
from satchel.features.notes.note_indexes import NOTES, NoteIndexes, no_collection
from satchel.features.notes.searching import Findings, search_notes
from satchel.storage.files import read_file
from satchel.storage.locks import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.features.notes.critical import CriticalPattern
    from satchel.features.notes.fetching import FetchedLines
    from satchel.features.notes.knowledge_base import AddedNote
    from satchel.features.notes.note_index import Progress
    from satchel.features.notes.relevance import Connected
    from satchel.features.notes.values import LearningNote

#: Reflect's names: by vectors alone; through the graph, near the question or over all of it.
NAIVE, LOCAL, GLOBAL = "naive", "local", "global"


class NoteService(Closing):
    """Notes and collections.

    Args:
        indexes: to search.
        connect: returns the knowledge graph's part, which searches by words alone do not need;
            None outside a project.
    """

    def __init__(
        self, indexes: NoteIndexes, connect: Callable[[], Connected] | None = None
    ) -> None:
        self.indexes, self._connect = indexes, connect
        self._held: Connected | None = None
        #: What else to close with the notes, once.
        self.on_close: Callable[[], None] | None = None

    def close(self) -> None:
        """Close the databases; they reopen on next use."""
        self.indexes.close()
        if self._held is not None:
            self._held.close()
        also, self.on_close = self.on_close, None
        if also is not None:
            also()

    # Searching

    def _connected(self) -> Connected | None:
        if self._held is None and self._connect is not None:
            self._held = self._connect()
        return self._held

    def search(
        self,
        question: str,
        *,
        mode: str = HYBRID,
        tags: Sequence[str] = (),
        category: str = "",
        limit: int = 10,
        progress: Progress | None = None,
        rerank: bool = True,
        strict: bool = False,
        names: tuple[str, ...] = NOTES,
    ) -> Findings:
        """Search the project's and the user's notes, or those of `names`.

        With `strict`, texts that share only one of several words are left out in any mode.

        `naive` is another name for semantic; `local` and `global` go through the graph, and fall
        back to naive if there is none. Callers that query more sources rerank all results once.
        """
        wanted = SEMANTIC if mode in (NAIVE, LOCAL, GLOBAL) else mode
        asked = NoteQuery(
            question,
            wanted,
            names,
            limit=limit,
            tags=tuple(tags),
            category=category,
            rerank=rerank,
            strict=strict,
        )
        if mode in (LOCAL, GLOBAL) and question.strip():
            through = self._through_graph(asked, mode)
            if through is not None:
                return through
        return search_notes(self.indexes, self._connected, asked, progress)

    def _through_graph(self, asked: NoteQuery, mode: str) -> Findings | None:
        """Query the knowledge graph; None if there is none or no result."""
        connected = self._connected()
        if connected is None:
            return None

        def find(question: str, limit: int) -> Sequence[NoteMatch]:
            near = asked._replace(question=question, limit=limit)
            return search_notes(self.indexes, self._connected, near).items

        items = connected.through(asked._replace(mode=mode), self.indexes.note_directories(), find)
        if not items:
            return None
        return Findings(asked.question, mode, tuple(items[: asked.limit]))

    def query(
        self,
        question: str,
        *,
        mode: str = HYBRID,
        collections: Sequence[str] = (),
        limit: int = 10,
        min_score: float = 0.0,
        progress: Progress | None = None,
        rerank: bool = True,
        strict: bool = False,
    ) -> Findings:
        """Search the named collections, or all. See `search`."""
        there = [one.name for one, _ in self.indexes.collections()]
        for name in collections:
            if name not in there:
                raise no_collection(name, there)
        names = tuple(collections) or tuple(there)
        asked = NoteQuery(question, mode, names, limit, rerank=rerank, strict=strict)
        found = search_notes(self.indexes, self._connected, asked, progress)
        return found._replace(items=tuple(i for i in found.items if i.score >= min_score))

    # Notes

    def add(self, path: str, *, sidecar: str = "", force: bool = False) -> AddedNote:
        """Copy a note into the knowledge base and index it; see `notes.knowledge_base`."""
        from satchel.features.notes.knowledge_base import add_note

        # One at a time: two notes of one title must not both find no existing one.
        with FileLock(self.indexes.person.state.notes.lock("add")):
            added = add_note(
                path,
                knowledge_base=self.indexes.knowledge_base,
                sidecar=sidecar,
                force=force,
                now=self.indexes.clock.now(),
            )
        self.indexes.indexes()[-1].refresh_if_free(patience=self.indexes.patience)
        return added

    def reindex(
        self, *, force: bool = False, confirmed: bool = False, progress: Progress | None = None
    ) -> UpdateReport:
        """Read changed files, or all, again. Can be interrupted at any time.

        `confirmed`: a person says that missing notes were deleted; collections that are out of
        sight stay as they were.

        Raises `BusyError` if another process indexes for longer than `notes.lock_wait_s`.
        """
        done = self.indexes.update(
            self.indexes.indexes(), NOTES if confirmed else (), progress, force=force
        )
        connected = self._connected()
        if connected is not None:
            # A search draws a missing graph only if it is small.
            connected.rebuild()
        return done

    def notes(self, category: str = "") -> list[LearningNote]:
        """Return indexed notes, without bodies, by title.

        A note in both the project and the knowledge base is returned once.
        """
        from satchel.features.notes.weighted import in_category

        found: dict[str, LearningNote] = {}
        for index in self.indexes.indexes():
            index.refresh_if_free(patience=self.indexes.patience)
            for note in self._front_matters(index):
                found.setdefault(note.text("id") or note.path, note)
        chosen = [note for note in found.values() if in_category(note.category, category)]
        return sorted(chosen, key=lambda note: (note.title.lower(), note.path))

    def _front_matters(self, index: NoteIndex) -> list[LearningNote]:
        def ask() -> list[LearningNote]:
            sources = index.sources([root.name for root in index.roots if root.name in NOTES])
            hits = index.index.live(View(sources, self.indexes.clock.now()))
            found: dict[str, LearningNote] = {}
            for hit in hits:
                found.setdefault(hit.path, note_of(hit.document, hit.path))
            return list(found.values())

        return index.retry_after_rebuild(ask)

    def critical_patterns(self, *, language: str = "", domain: str = "") -> list[CriticalPattern]:
        """Return critical patterns; see `notes.critical`."""
        from satchel.features.notes.critical import critical_patterns, is_required_reading
        from satchel.features.notes.reading import read_note, without_secrets

        notes = []
        for note in self.notes():
            if is_required_reading(note.path):
                whole = read_note(note.path, read_file(note.path), strict=False)
                if not isinstance(whole, str):
                    notes.append(without_secrets(whole))
            else:
                notes.append(note)
        return critical_patterns(notes, language=language, domain=domain)

    # Directories and collections

    def status(self) -> list[RootStatus]:
        """Return the state of docs/solutions, the knowledge base and every collection."""
        found: list[RootStatus] = []
        for index in self.indexes.indexes():
            index.refresh_if_free(patience=self.indexes.patience)
            found += index.retry_after_rebuild(index.status)
        return found

    def add_collection(self, new: Collection, *, user: bool = False) -> None:
        """Register a Markdown tree by name for this project, or for `user` everywhere."""
        from satchel.features.notes.collections import add_collection, check_pattern

        check_pattern(new.pattern)
        if not os.path.isdir(new.path):
            hint = "One directory, with a name: `satchel docs add adr DIRECTORY`."
            raise BadInputError(f"{new.path} is not a directory.", hint=hint)
        own = None if user else self.indexes.project
        mine = own.state if own is not None else self.indexes.person.state
        with FileLock(mine.lock("collections"), timeout=10):
            if any(one.name == new.name for one, _ in self.indexes.collections()):
                raise BadInputError(
                    f"A collection `{new.name}` already exists.",
                    hint="`satchel docs list` shows them.",
                )
            below = own.place.root if own is not None else ""
            add_collection(mine.collections, new, below)
        self.indexes.close()

    def remove_collection(self, name: str) -> int:
        """Remove a collection, keeping its files; return how many were unindexed."""
        from satchel.features.notes.collections import remove_collection

        index, root = self.indexes.index_with(name)
        forgotten = index.retry_after_rebuild(lambda: index.forget(root))
        users = {one.name for one, whose in self.indexes.collections() if whose == "user"}
        own = None if name in users else self.indexes.project
        mine = own.state if own is not None else self.indexes.person.state
        with FileLock(mine.lock("collections"), timeout=10):
            remove_collection(mine.collections, name)
        self.indexes.close()
        return forgotten

    def update_collection(
        self, name: str = "", *, confirmed: bool = False, progress: Progress | None = None
    ) -> UpdateReport:
        """Read changes in one collection's index, or in all."""
        indexes = [self.indexes.index_with(name)[0]] if name else self.indexes.indexes()
        names = [name] if name else [one.name for one, _ in self.indexes.collections()]
        return self.indexes.update(indexes, names if confirmed else (), progress)

    def fetch(self, reference: str, *, first: int = 0, lines: int = 0) -> FetchedLines:
        """Return lines of a note or of a collection's file, by path, `#docid` or note id."""
        from satchel.features.notes.fetching import fetch_lines

        path, line, content = self.find(reference)
        return fetch_lines(path, content, first=first or line or 1, lines=lines)

    def find(self, reference: str, among: Sequence[str] | None = None) -> tuple[str, int, str]:
        """Return the path, line and hash of a file of these directories, or of all."""
        from satchel.features.notes.fetching import find_file

        for index in self.indexes.indexes():
            index.refresh_if_free(patience=self.indexes.patience)
        return find_file(self.indexes.indexes(), reference, self.paths_with_id, among)

    def paths_with_id(self, ident: str) -> list[str]:
        """Return a note's paths: in the project, the knowledge base, or both."""
        return [
            hit.path
            for index in self.indexes.indexes()
            for hit in index.index.with_id(ident, index.sources())
            if hit.document.id == ident
        ]
