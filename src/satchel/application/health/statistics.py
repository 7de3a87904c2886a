"""How much there is: memories, lines, bytes, and tokens shown to agents."""

from __future__ import annotations

import os
from typing import NamedTuple

from satchel.application.health.derived import GraphState, Notes, directories
from satchel.application.health.derived_stores import graphs_of, notes_of
from satchel.application.learning.usefulness.service import answered
from satchel.application.services import Services
from satchel.core.times import WEEK
from satchel.engine.search.contracts import SearchIndex
from satchel.features.injections.nudges import NudgeFigures
from satchel.features.memories.service import Memories
from satchel.storage.files import read_file, size_of
from satchel.storage.tracked_files import TrackedFiles


class FileSize(NamedTuple):
    """A file or directory: its bytes, and its lines if that is meaningful."""

    name: str
    size: int
    lines: int | None


class Statistics(NamedTuple):
    """The figures of one project. Memories are live ones, tokens those injected."""

    by_kind: dict[str, int]
    by_ledger: dict[str, int]
    files: tuple[FileSize, ...]
    injected_week: int
    injected_total: int
    sessions: int
    waiting: int
    engine: str
    vectors: str = ""
    notes: tuple[Notes, ...] = ()
    graphs: tuple[GraphState, ...] = ()
    nudges: NudgeFigures = NudgeFigures(0, 0)
    #: Why the team's memories are not counted, or "".
    missing: str = ""

    def as_json(self) -> dict[str, object]:
        """Return everything as JSON values."""
        fields: dict[str, object] = self._asdict()
        if not self.missing:
            del fields["missing"]
        fields["files"] = [file._asdict() for file in self.files]
        fields["nudges"] = self.nudges._asdict()
        fields["notes"] = {
            "directories": [one._asdict() for one in directories(self.notes)],
            "indexes": [
                {"path": one.path, "size": one.size, "vectors": one.vectors} for one in self.notes
            ],
        }
        fields["graphs"] = [
            {"whose": g.whose, "path": g.path, "size": g.size, **g.counts} for g in self.graphs
        ]
        return fields


def statistics(work: Services) -> Statistics:
    """Count memories, tokens and bytes."""
    work.refresh()
    return collect(work)._replace(notes=tuple(notes_of(work)), graphs=tuple(graphs_of(work)))


def collect(work: Services) -> Statistics:
    """Count everything but notes and graphs. The index is up to date."""
    memories, project, now = work.memories.own, work.project, work.project.clock.now()
    shown = work.injections.of_session("", whole=True)
    by_kind, missing = work.memories.counts()
    return Statistics(
        by_kind=by_kind,
        by_ledger=_by_ledger(memories, project.tracked),
        files=_files(work),
        injected_week=sum(one.tokens for one in shown if one.ts > now - WEEK),
        injected_total=sum(one.tokens for one in shown),
        sessions=len({one.session for one in shown}),
        waiting=len(project.inbox.peek()),
        engine=memories.index.database.engine(),
        vectors=_vectors(memories.index),
        nudges=answered(shown, memories),
        missing=missing,
    )


def _vectors(index: SearchIndex) -> str:
    """Return the models whose vectors the index holds, and how many are missing."""
    waiting, held = index.vector_counts()
    told = [f"{count} of {model}" for model, count in held.items()]
    return ", ".join(told or ["none yet"]) + (f"; {waiting} documents wait" if waiting else "")


def _by_ledger(memories: Memories, tracked: TrackedFiles) -> dict[str, int]:
    """Count live memories by file; one in two files counts in both."""
    counted = {
        _name(source.path, tracked.root): sum(memories.index.counts(view).values())
        for source in memories.sources
        for view in [memories.view()._replace(sources=[source])]
    }
    return {name: count for name, count in counted.items() if count}


def _files(work: Services) -> tuple[FileSize, ...]:
    memories, project = work.memories.own, work.project
    state, root, injections = project.state, project.tracked.root, project.ledger("injections")
    paths = [source.path for source in memories.sources]
    paths += [injections.path, injections.archive]
    found = []
    for path in paths:
        data = read_file(path)
        if data:
            lines = sum(1 for line in data.split(b"\n") if line.strip())
            found.append(FileSize(_name(path, root), len(data), lines))
    found.append(FileSize(os.path.basename(state.index), memories.index.database.size(), None))
    archives = work.sessions.archive.directories()
    inbox = project.inbox.directory
    for directory in (inbox, *archives, state.quarantine, state.sessions.own):
        size = _tree_size(directory)
        if size:
            found.append(FileSize(os.path.basename(directory) + os.sep, size, None))
    return tuple(found)


def _name(path: str, root: str) -> str:
    """Return a file's name: its path in the work tree, or its name in private state."""
    return os.path.relpath(path, root) if path.startswith(root + os.sep) else os.path.basename(path)


def _tree_size(directory: str) -> int:
    walked = os.walk(directory)
    return sum(size_of(os.path.join(above, name)) for above, _, names in walked for name in names)
