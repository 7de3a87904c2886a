"""Notes and collections of a project and the user.

Two indexes. The project's follows docs/solutions and the project's collections; the person's
follows the knowledge base and the global collections, and is the only one outside a project. The
files are authoritative; the indexes are derived.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.core.errors import BadInputError
from satchel.core.values import Closing, NamedTuple
from satchel.engine.ranking.fusion import reciprocal_rank_fusion
from satchel.engine.search.catching_up import held_paths
from satchel.engine.search.documents import View
from satchel.engine.search.hybrid import HYBRID, KEYWORD, SEMANTIC, Query, Scored, search_documents
from satchel.engine.search.wordings import search_wordings
from satchel.features.notes.collections import Collection
from satchel.features.notes.finding import (
    NoteMatch,
    NoteQuery,
    best_matches,
    each_once,
    later_first,
    note_of,
    reranked,
)
from satchel.features.notes.note_index import NoteIndex, RootStatus, UpdateReport
from satchel.features.notes.note_indexes import NOTES, NoteIndexes, no_collection
from satchel.features.notes.relevance import filter_relevant
from satchel.storage.files import read_file
from satchel.storage.locks import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.engine.search.contracts import DocumentVectors
    from satchel.features.notes.critical import CriticalPattern
    from satchel.features.notes.fetching import FetchedLines
    from satchel.features.notes.knowledge_base import AddedNote
    from satchel.features.notes.note_index import Progress
    from satchel.features.notes.relevance import Arm, Connected
    from satchel.features.notes.values import LearningNote

#: Reflect's names: by vectors alone; through the graph, near the question or over all of it.
NAIVE, LOCAL, GLOBAL = "naive", "local", "global"
#: Chunks to look at per requested file, and if files are filtered.
_CHUNKS, _FILTERED = 6, 60


class Findings(NamedTuple):
    """The result of a search.

    `mode` is the one that was used. `damaged` counts files that could not be read, `missing` those
    still found although out of sight; `waiting` texts have no vectors yet. `busy`: another process
    is indexing.
    """

    question: str
    mode: str
    items: tuple[NoteMatch, ...]
    damaged: int = 0
    missing: int = 0
    waiting: int = 0
    busy: bool = False


class NoteService(Closing):
    """Notes and collections.

    Args:
        indexes: to search.
        connected: the knowledge graph's part; None outside a project.
    """

    def __init__(self, indexes: NoteIndexes, connected: Connected | None = None) -> None:
        self.indexes, self._connected = indexes, connected
        #: What else to close with the notes, once.
        self.on_close: Callable[[], None] | None = None

    def close(self) -> None:
        """Close the databases; they reopen on next use."""
        self.indexes.close()
        if self._connected is not None:
            self._connected.close()
        also, self.on_close = self.on_close, None
        if also is not None:
            also()

    # Searching

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
        return self._search(asked, progress)

    def _through_graph(self, asked: NoteQuery, mode: str) -> Findings | None:
        """Query the knowledge graph; None if there is none or no result."""
        if self._connected is None:
            return None

        def find(question: str, limit: int) -> Sequence[NoteMatch]:
            return self._search(asked._replace(question=question, limit=limit), None).items

        items = self._connected.through(
            asked._replace(mode=mode), self.indexes.note_directories(), find
        )
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
        found = self._search(asked, progress)
        return found._replace(items=tuple(i for i in found.items if i.score >= min_score))

    def _search(self, asked: NoteQuery, progress: Progress | None) -> Findings:
        if not asked.question.strip():
            raise BadInputError("There is nothing to search for.", hint="Put the words in quotes.")
        by_path: dict[str, NoteMatch] = {}
        rankings: list[list[str]] = []
        findings = Findings(asked.question, asked.mode, ())
        for index in self.indexes.indexes():
            mine = [root.name for root in index.roots if root.name in asked.names]
            if not mine:
                continue
            updated = index.refresh_if_free(patience=self.indexes.patience, progress=progress)
            found, mode, waiting = self._found(index, asked, mine)
            by_path |= {one.path: one for one in found if one.path not in by_path}
            rankings.append([one.path for one in found])
            states = [state for state in index.status() if state.root.name in mine]
            # A file below two directories counts once.
            damaged = {one.path for state in states for one in state.damage}
            missing = {path for state in states for path in state.held}
            findings = findings._replace(
                mode=mode,
                damaged=findings.damaged + len(damaged),
                missing=findings.missing + len(missing),
                waiting=findings.waiting + waiting,
                busy=findings.busy or updated.busy,
            )
        # Ranks, not scores: those of two indexes cannot be compared.
        items = each_once(by_path, [path for path, _ in reciprocal_rank_fusion(rankings)])
        # Without vectors words answer alone.
        by_model = asked.rerank and findings.mode != KEYWORD
        rerank = self.indexes.models.reranking() if by_model else None
        if rerank is not None:
            items = reranked(asked.question, items, rerank)
        return findings._replace(items=tuple(later_first(items[: asked.limit])))

    def _found(
        self, index: NoteIndex, asked: NoteQuery, names: Sequence[str]
    ) -> tuple[list[NoteMatch], str, int]:
        chunks = asked.limit * (_FILTERED if asked.tags or asked.category else _CHUNKS)
        query = Query(asked.question, chunks, mode=asked.mode)

        def ask() -> tuple[list[Scored], DocumentVectors | None, Arm | None]:
            vectors = None if asked.mode == KEYWORD else self.indexes.vectors_of(index)
            view = View(index.sources(names), self.indexes.clock.now())
            arm = self._arm(index, asked, view)
            expand = None if arm is None else arm.expand
            others = None if vectors is None else self.indexes.models.expansion()

            def search(wording: str) -> list[Scored]:
                graph = expand if wording == asked.question else None
                said = query._replace(question=wording)
                return search_documents(index.index, view, said, vectors=vectors, expand=graph)

            return search_wordings(asked.question, others, search)[:chunks], vectors, arm

        scored, vectors, arm = index.retry_after_rebuild(ask)
        scored, ways = filter_relevant(
            asked.question, asked.mode, scored, vectors, arm, strict=asked.strict
        )
        found = best_matches(
            [(one.hit, one.score) for one in scored],
            held_paths(index.index.database),
            asked,
            self.indexes.project_name,
        )
        parts = {one.hit.path: one.parts for one in reversed(scored)}
        found = [
            one._replace(parts=parts[one.path], through=ways.get(one.path, ())) for one in found
        ]
        if vectors is None:
            return found, KEYWORD, 0
        return found, asked.mode, vectors.waiting()

    def _arm(self, index: NoteIndex, asked: NoteQuery, view: View) -> Arm | None:
        """Return the graph's signal for a question; None without a graph."""
        if self._connected is None or asked.mode != HYBRID or asked.names != NOTES:
            return None
        directory = next((root.path for root in index.roots if root.name in NOTES), "")
        user = index is not self.indexes.indexes()[0]
        return self._connected.arm(
            index.index, asked.question, user=user, directory=directory, view=view
        )

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
        if self._connected is not None:
            # A search draws a missing graph only if it is small.
            self._connected.rebuild()
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
