"""The open indexes of notes: the project's, if any, and the user's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence

from satchel.core.clock import Clock
from satchel.core.errors import BadInputError, BusyError, NotFoundError
from satchel.features.notes.collections import Collection, read_collections
from satchel.features.notes.note_index import IndexedDirectory, NoteIndex, UpdateReport
from satchel.storage.home_paths import solutions_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.engine.models import EmbeddingReport, Models
    from satchel.engine.search.contracts import DocumentVectors
    from satchel.features.notes.note_index import Progress
    from satchel.project.person import PersonStore
    from satchel.project.store import ProjectStore
    from satchel.storage.paths import PrivateState
    from satchel.storage.settings.table import Settings

SOLUTIONS, EPISODES, KNOWLEDGE_BASE = "docs/solutions", "episodes", "knowledge base"
#: The directories of notes. No collection has such a name.
NOTES = (SOLUTIONS, EPISODES, KNOWLEDGE_BASE)
#: Seconds that a search outside a project waits for another process that indexes.
_PATIENCE = 2.0
#: Most texts to embed while somebody waits for an answer.
_FEW = 24
#: Seconds before reporting the wait for another process.
_SHORTLY = 1.0


def indexes_of_project(
    project: ProjectStore, person: PersonStore | None, models: Models
) -> NoteIndexes:
    """Return a project's indexes, and the user's if they may be read."""
    return NoteIndexes(project.settings, project.clock, models, project=project, person=person)


def indexes_of_person(person: PersonStore) -> NoteIndexes:
    """Return only the user's indexes, outside any project."""
    from satchel.engine.models import Models
    from satchel.storage.settings.loading import load_settings

    settings = load_settings(person.home.configuration, "")
    return NoteIndexes(settings, person.clock, Models(settings), project=None, person=person)


class NoteIndexes:
    """The indexes of notes and collections: the project's, if any, and the user's.

    Args:
        settings: resolved.
        models: create vectors.
        project: None outside a project.
        person: None to read nothing of a person's.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        models: Models,
        *,
        project: ProjectStore | None,
        person: PersonStore | None,
    ) -> None:
        self.settings, self.clock, self.models = settings, clock, models
        self.project, self._person = project, person
        self.patience = _PATIENCE if project is None else project.patience
        self._opened: list[NoteIndex] = []
        #: The problem with the file of collections, once the indexes are open.
        self.complaint = ""
        #: Called with the longest wait, in seconds, when waiting for another process.
        self.on_wait: Callable[[float], None] | None = None

    def close(self) -> None:
        """Close the databases; they reopen on next use."""
        for index in self._opened:
            index.close()
        self._opened = []

    @property
    def person(self) -> PersonStore:
        """The owner of the knowledge base and collections.

        Raises `BadInputError` if nothing of a person's is read.
        """
        if self._person is None:
            raise BadInputError("A team's server has no personal knowledge base.")
        return self._person

    @property
    def project_name(self) -> str:
        """The project's name in episodes; "" outside a project."""
        return "" if self.project is None else os.path.basename(self.project.place.root)

    @property
    def knowledge_base(self) -> str:
        """The user's notes, with `learnings/` and `episodes/`."""
        return self.person.knowledge_base(self.settings)

    def indexes(self) -> list[NoteIndex]:
        """Return the project's index, if any, and the user's if visible."""
        if not self._opened:
            self._opened = self._found()
        return self._opened

    def reread(self) -> None:
        """Follow collections that came or went since the indexes were opened, maybe long ago."""
        found = self._found()
        if [one.roots for one in found] != [one.roots for one in self._opened]:
            self.close()
            self._opened = found

    def _found(self) -> list[NoteIndex]:
        self.complaint = ""
        found, project = [], self.project
        if project is not None:
            notes = [IndexedDirectory(SOLUTIONS, solutions_of(project.tracked))]
            if self._person is not None:
                # They quote the person: others who use a team's server get none of them.
                notes.append(IndexedDirectory(EPISODES, project.state.episodes))
            found.append(self._opened_index(project.state, notes, project.place.root))
        if self._person is not None:
            notes = [IndexedDirectory(KNOWLEDGE_BASE, self.knowledge_base)]
            found.append(self._opened_index(self._person.state, notes, ""))
        return found

    def note_directories(self) -> list[str]:
        """Return the note directories: docs/solutions, then the knowledge base."""
        return [r.path for index in self.indexes() for r in index.roots if r.name in NOTES]

    def _opened_index(
        self, state: PrivateState, notes: Sequence[IndexedDirectory], below: str
    ) -> NoteIndex:
        try:
            trees = read_collections(state.collections, below)
        except BadInputError as error:
            # Notes are still found; queries for collections report the problem.
            self.complaint = f"{error} {error.hint}".strip()
            trees = []
        roots = [
            *notes,
            *(IndexedDirectory(t.name, t.path, t.pattern, strict=False) for t in trees),
        ]
        return NoteIndex(roots, state.notes, patience=self.patience)

    def vectors_of(self, index: NoteIndex) -> DocumentVectors | None:
        """Return an index's vectors; None without a model, for keyword search only.

        A few texts without vectors get them now; many wait for an update.
        """
        vectors = self.models.vectors(index.index)
        if vectors is not None and 0 < vectors.waiting() <= _FEW:
            self.models.embed(index.index, self._lock_of(index))
        return vectors

    def embed(
        self, progress: Progress | None = None, *, name: str = "", most: int = 0
    ) -> EmbeddingReport:
        """Create missing vectors of one collection's index, or of all.

        With `most`, an index with more texts than that without vectors is left as it is. Can be
        interrupted.
        """
        from satchel.engine.models import EmbeddingReport

        total = EmbeddingReport(0, 0)
        for index in [self.index_with(name)[0]] if name else self.indexes():
            one = index.retry_after_rebuild(lambda s=index: self._embed_one(s, progress, most))  # type: ignore[misc]
            total = EmbeddingReport(
                total.done + one.done,
                total.left + one.left,
                total.busy or one.busy,
                total.why or one.why,
            )
        return total

    def _embed_one(self, index: NoteIndex, progress: Progress | None, most: int) -> EmbeddingReport:
        from satchel.engine.models import EmbeddingReport

        vectors = self.models.vectors(index.index)
        if vectors is not None and most and vectors.waiting() > most:
            return EmbeddingReport(0, vectors.waiting())
        wait = self.settings.number("notes.lock_wait_s")
        lock = self._lock_of(index)
        return self.models.embed(index.index, lock, patience=wait, progress=progress)

    def _lock_of(self, index: NoteIndex) -> str:
        project = self.project
        mine = project is not None and index is self.indexes()[0]
        state = project.state if mine and project is not None else self.person.state
        return state.notes.lock("vectors")

    def collections(self) -> list[tuple[Collection, str]]:
        """Return the collections with their owner: `project` or `user`."""
        found = []
        if self.project is not None:
            mine = read_collections(self.project.state.collections, self.project.place.root)
            found += [(one, "project") for one in mine]
        if self._person is not None:
            users = read_collections(self._person.state.collections)
            found += [(one, "user") for one in users]
        return found

    def update(
        self,
        indexes: Iterable[NoteIndex],
        confirmed: Sequence[str],
        progress: Progress | None,
        *,
        force: bool = False,
    ) -> UpdateReport:
        """Update indexes in turn, each under its lock."""
        total = UpdateReport()
        for index in indexes:
            done = self._update_one(index, confirmed, progress, force=force)
            total = UpdateReport(
                total.read + done.read, total.added + done.added, total.removed + done.removed
            )
        return total

    def _update_one(
        self, index: NoteIndex, confirmed: Sequence[str], progress: Progress | None, *, force: bool
    ) -> UpdateReport:
        """Update an index, waiting at most as long as configured."""
        wait = self.settings.number("notes.lock_wait_s")
        shortly = min(wait, _SHORTLY)
        for patience in (shortly, wait - shortly):
            try:
                return index.update(
                    patience=patience, confirmed=confirmed, force=force, progress=progress
                )
            except BusyError:
                if self.on_wait is not None and patience == shortly and wait > shortly:
                    self.on_wait(wait)
        raise BusyError(
            f"Another process has been indexing notes for more than {wait:.0f} s.",
            hint="Let it finish, or stop it; then run the command again. Nothing is lost.",
        )

    def index_with(self, name: str) -> tuple[NoteIndex, IndexedDirectory]:
        """Return the index that follows a collection, and its directory."""
        for index in self.indexes():
            for root in index.roots:
                if root.name == name and name not in NOTES:
                    return index, root
        raise no_collection(name, [one.name for one, _ in self.collections()])


def no_collection(name: str, there: Sequence[str]) -> NotFoundError:
    """Return the error for an unknown collection; `there` has the known ones."""
    return NotFoundError(
        f"There is no collection `{name[:60]}`.",
        hint=f"There are: {', '.join(there)}." if there else "`satchel docs add` makes one.",
    )
