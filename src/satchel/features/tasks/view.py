"""Reads a project's tasks, from its files or from bd."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

from satchel.core.errors import BadInputError, BusyError, NotWritableError
from satchel.core.hashing import digest
from satchel.core.values import Closing
from satchel.features.tasks.bd_program import BeadsProgram, backend_of
from satchel.features.tasks.board import Board, Problem, file_text
from satchel.features.tasks.files import TaskFiles
from satchel.features.tasks.index import Neighbour, TaskFilter, TaskIndex
from satchel.features.tasks.index import TaskView as Shown
from satchel.features.tasks.issue_graph import SORTS
from satchel.features.tasks.service import Tasks
from satchel.features.tasks.values import TOMBSTONE
from satchel.project.derived_store import DerivedStore
from satchel.project.store import ProjectStore
from satchel.storage.paths import TASK_INDEXES

T = TypeVar("T")

_GIT_SECONDS = 10


class TaskView(Closing):
    """The current tasks of an open project; see `ProjectTasks` for changing them.

    Args:
        project: the open project. Whoever opened it closes it; `close` closes the index.
        actor: who acts; "" for BEADS_ACTOR, else git's name for the person.

    If `.beads/metadata.json` names a backend, the tasks of `.beads` are read from `bd export`, or
    from bd's export file if bd is not installed, and every change goes through `bd`.
    """

    def __init__(self, project: ProjectStore, actor: str = "") -> None:
        self.project = project
        self._given_actor = actor
        root, tracked = project.place.root, project.tracked
        self.files = TaskFiles(
            root, tracked.place("tasks"), tracked.tasks, project.state.lock("tasks")
        )
        self._index = DerivedStore(
            self.index_path,
            project.state,
            lambda database: TaskIndex(database, self.files),
            what="index of tasks",
            patience=project.patience,
        )
        self._mirrored = False

    def close(self) -> None:
        """Close the index, if it was opened."""
        self._index.close()

    @property
    def backend(self) -> str:
        """The store bd keeps tasks in; "" if they are in files. Not cached: bd may come later."""
        return backend_of(self.project.place.root)

    # Who

    @property
    def actor(self) -> tuple[str, bool]:
        """The acting person or agent, and whether the name is explicit, not this machine's."""
        from satchel.storage.settings.environment import login_name

        named = self._named
        return (named, True) if named else (self._git_name() or login_name(), False)

    @property
    def _named(self) -> str:
        from satchel.storage.settings.environment import actor_name

        return " ".join((self._given_actor or actor_name()).split())

    def _git_name(self) -> str:
        from satchel.storage import git

        try:
            done = git.ask(self.project.place.root, "config", "user.name", seconds=_GIT_SECONDS)
        except git.GitError:
            return ""
        return done.data.decode("utf-8", "replace").strip()

    @property
    def own(self) -> Tasks:
        """The tasks in Satchel's own files, for writing."""
        actor, known = self.actor
        name = os.path.basename(self.project.place.root)
        return Tasks(self.files, self.project.clock.now, name=name, actor=actor, known=known)

    @property
    def bd(self) -> BeadsProgram:
        """The bd that keeps the tasks, if any."""
        return BeadsProgram(self.project.place.root, self._named)

    # Reading

    def board(self) -> Board:
        """Read all tasks, from the files and from bd."""
        board = self.files.read()
        told = self.bd.export() if self.backend and self.project.patient else None
        self._mirrored = bool(self.backend) and told is None
        if told is None:
            return board
        mine = [file for file in board.files if not self.is_bds(file.path)]
        return Board([*mine, file_text(os.path.join(self._beads, "issues.jsonl"), told)])

    @property
    def _beads(self) -> str:
        return os.path.join(self.project.place.root, ".beads")

    def is_bds(self, path: str) -> bool:
        """Return whether a file is bd's own, which nobody else writes."""
        return bool(self.backend) and os.path.dirname(path) == self._beads

    @property
    def is_stale(self) -> bool:
        """Whether the last read used bd's export file, which may be old."""
        return self._mirrored

    def retry_after_rebuild(self, ask: Callable[[TaskIndex], T]) -> T:
        """Query the refreshed index; a damaged one is rebuilt."""
        return self._index.asked(lambda: ask(self._refreshed()))

    @property
    def index_path(self) -> str:
        """The index of this work tree."""
        root = os.path.realpath(self.project.place.root)
        name = digest(root.encode("utf-8", "surrogateescape")).hex()[:16] + ".db"
        return os.path.join(self.project.state.derived(TASK_INDEXES), name)

    def _refreshed(self) -> TaskIndex:
        """Return the refreshed index, in memory if nothing can be written."""
        try:
            index = self._index.open()
            self._refresh(index)
        except (NotWritableError, BusyError, OSError):
            index = self._index.open_in_memory()
            self._refresh(index)
        return index

    def _refresh(self, index: TaskIndex) -> None:
        if self.backend and self.project.patient and self.bd.program:
            # Only bd knows when its store changed. Hooks use its last export instead.
            index.replace(self.board)
            return
        self._mirrored = bool(self.backend)
        index.refresh()

    def rebuild(self) -> int:
        """Rebuild the index; return the number of tasks."""

        def remake(index: TaskIndex) -> int:
            index.replace(self.board)
            return len(index.ids())

        return self.retry_after_rebuild(remake)

    def ready(
        self, only: TaskFilter | None = None, *, sort: str = SORTS[0], limit: int = 0
    ) -> list[Shown]:
        """Return ready tasks, most urgent first."""
        now = self.project.clock.now()
        return self.retry_after_rebuild(
            lambda index: index.ready(now, self._resolved(index, only), sort=sort, limit=limit)
        )

    def listed(self, only: TaskFilter | None = None, *, limit: int = 0) -> list[Shown]:
        """Return tasks, highest priority first."""
        now = self.project.clock.now()
        return self.retry_after_rebuild(
            lambda index: index.listed(self._resolved(index, only), now, limit=limit)
        )

    def _resolved(self, index: TaskIndex, only: TaskFilter | None) -> TaskFilter:
        only = only or TaskFilter()
        if not only.parent:
            return only
        return only._replace(parent=index.find(only.parent, self.project.clock.now()).id)

    def show(self, reference: str) -> tuple[Shown, list[Neighbour], list[Neighbour]]:
        """Return a task, its dependencies and its dependents."""
        now = self.project.clock.now()

        def look(index: TaskIndex) -> tuple[Shown, list[Neighbour], list[Neighbour]]:
            shown = index.find(reference, now)
            return shown, *index.neighbours(shown.id)

        return self.retry_after_rebuild(look)

    def children(self, ident: str) -> tuple[int, int]:
        """Return a task's number of children, and of closed ones."""
        return self.retry_after_rebuild(lambda index: index.children(ident))

    def stages(self) -> dict[str, int]:
        """Count tasks by stage of The Foundation's lifecycle."""
        now = self.project.clock.now()
        return self.retry_after_rebuild(lambda index: index.stages(now))

    def problems(self) -> list[Problem]:
        """Return problems with the tasks and their files."""
        root = os.path.join(self.project.place.root, "")
        return self.board().problems(lambda path: path.removeprefix(root))

    def find(self, reference: str) -> str:
        """Return a task's full id, given part of it."""
        return self.show(reference)[0].id


def statuses_from(words: Sequence[str], *, everything: bool) -> tuple[str, ...]:
    """Parse the requested states; by default, all but closed."""
    from satchel.features.tasks.dialects import FOUNDATION_STATUSES
    from satchel.features.tasks.values import BLOCKED, DEFERRED, HOOKED, IN_PROGRESS, OPEN, PINNED

    given = [one.strip() for word in words for one in word.split(",") if one.strip()]
    if TOMBSTONE in given:
        raise BadInputError(
            "Deleted tasks are not listed.", hint="`satchel tasks export` has them."
        )
    if given:
        return tuple(FOUNDATION_STATUSES.get(one, one) for one in given)
    reviewed = ("inreview", "in_review", "review")
    alive = (OPEN, IN_PROGRESS, BLOCKED, DEFERRED, HOOKED, PINNED, *reviewed)
    return () if everything else alive
