"""Notes, collections and the graph: problems and figures.

The caller has opened and refreshed them; these are only values.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from satchel.application.findings import ERROR, NOTE, WARNING, Finding, listed
from satchel.core.plurals import counted
from satchel.features.notes.note_index import RootStatus
from satchel.storage.files import names_in
from satchel.storage.paths import TASK_INDEXES, PrivateState


class NotesFigures(NamedTuple):
    """A directory of notes or a collection: its files, and the hidden or unreadable ones."""

    name: str
    path: str
    files: int
    missing: int
    damaged: int


class Notes(NamedTuple):
    """A refreshed index of notes: its path, size, vectors and directories.

    `problems` concern the index itself, `complaint` the collections file.
    """

    path: str
    size: int
    vectors: str
    directories: tuple[RootStatus, ...]
    problems: tuple[str, ...] = ()
    complaint: str = ""
    busy: bool = False


class GraphState(NamedTuple):
    """A graph: its owner, its size, counts by name, and problems.

    `sidecars` are problems by note, `operations` how many lines of its ledger do not parse.
    """

    whose: str
    path: str
    size: int
    counts: Mapping[str, int]
    sidecars: Mapping[str, str]
    operations: int
    problems: tuple[str, ...] = ()


def note_findings(notes: Notes) -> list[Finding]:
    """Report what keeps notes from being found."""
    found = []
    if notes.problems:
        step = "`satchel rebuild --only notes` reads every note again."
        found.append(Finding(ERROR, notes.path, f"is damaged: {listed([*notes.problems])}", step))
    if notes.complaint:
        found.append(Finding(WARNING, "collections", notes.complaint))
    if notes.busy:
        found.append(
            Finding(NOTE, notes.path, "another process is indexing; wait until it is done")
        )
    for one in notes.directories:
        found += _of_directory(one)
    return found


def _of_directory(status: RootStatus) -> list[Finding]:
    name, path = status.root.name, status.root.path
    subject = path if os.path.basename(path) == name else f"{name}, {path}"
    found = []
    if status.held:
        missing = counted(len(status.held), "file")
        what = f"missing: {missing} ({status.state}); the last state is searched"
        learnings = status.root.strict
        step = "learnings reindex" if learnings else f"collection update {name}"
        step = f"If they are deleted: `satchel {step} --confirm-removal`; otherwise restore them."
        found.append(Finding(WARNING, subject, what, step))
    elif status.state == "missing" and not status.root.strict:
        step = f"Restore it, or run `satchel docs remove {name}`."
        found.append(Finding(WARNING, subject, "this collection's directory is missing", step))
    if status.damage:
        told = [f"{os.path.relpath(d.path, path)}: {d.reason}" for d in status.damage]
        step = "Fix them; they are not found until then."
        found.append(
            Finding(WARNING, subject, f"{len(told)} not readable: {listed(told, 3)}", step)
        )
    if status.unreadable:
        step = "Grant yourself permission to read them."
        what = f"may not be read: {listed([*status.unreadable], 3)}"
        found.append(Finding(WARNING, subject, what, step))
    if status.cut:
        step = "Give it a pattern, or a smaller tree."
        found.append(Finding(WARNING, subject, "there are more files than can be indexed", step))
    return found


def graph_findings(graph: GraphState) -> list[Finding]:
    """Report what is wrong with a graph."""
    user = " --user" if graph.whose == "user" else ""
    found = []
    if graph.problems:
        step = "`satchel rebuild --only graph` rebuilds it."
        found.append(Finding(ERROR, graph.path, f"is damaged: {listed([*graph.problems])}", step))
    if graph.sidecars:
        what = f"{len(graph.sidecars)} sidecars: {listed([*graph.sidecars.values()], 2)}"
        step = f"`satchel graph stats{user}` names all of them."
        found.append(Finding(WARNING, "graph", what, step))
    if graph.operations:
        what = f"{graph.operations} operations of the {graph.whose}'s graph cannot be read"
        step = "They stay where they are; look at the end of private ledger `graph`."
        found.append(Finding(WARNING, "graph", what, step))
    return found


def aside_findings(states: Sequence[PrivateState]) -> list[Finding]:
    """Report databases that were moved aside. The report on the memories' index has more detail."""
    folders = [
        folder
        for state in states
        for folder in (state.path, state.code_maps, state.derived(TASK_INDEXES))
    ]
    paths = [os.path.join(folder, name) for folder in folders for name in names_in(folder)]
    ours = {f"{state.index}.damaged" for state in states}
    step = "A new one has been made. Delete this one when you no longer need it."
    return [
        Finding(NOTE, path, "could not be used and was set aside", step)
        for path in paths
        if path.endswith(".db.damaged") and path not in ours
    ]


def directories(notes: Sequence[Notes]) -> tuple[NotesFigures, ...]:
    """Count files by directory."""
    return tuple(
        NotesFigures(s.root.name, s.root.path, s.files, len(s.held), len(s.damage))
        for one in notes
        for s in one.directories
    )
