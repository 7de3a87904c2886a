"""The server itself: projects, figures, health."""

from __future__ import annotations

from typing import Annotated, Literal

from satchel.interfaces.http.rest.models.fields import Extensible, Plain, says

_SIZE = says("Bytes.", 4096)
_PATH = says("Where it lies.", ".satchel/knowledge.jsonl")


class Alive(Plain):
    """The server is running."""

    status: Annotated[Literal["ok"], says("Always this.", "ok")]
    version: Annotated[str, says("Of Satchel.", "0.1.0")]


class Readiness(Plain):
    """Whether the server is ready."""

    status: Annotated[Literal["ready", "not ready"], says("Whether it can.", "ready")]
    problems: Annotated[list[str], says("What is wrong.", [])]


class ServedProject(Plain):
    """A project that is served."""

    id: Annotated[str, says("Its id.", "shop")]
    key: Annotated[str, says("Its key in Satchel's home.", "shop-5c1e0f")]
    name: Annotated[str, says("Name of its directory.", "shop")]
    role: Annotated[Literal["reader", "writer", "admin"], says("Your role there.", "admin")]


class Projects(Plain):
    """The projects that you may read."""

    projects: Annotated[list[ServedProject], says("The projects.")]


class FileSize(Plain):
    """A file, or a directory of files."""

    name: Annotated[str, says("Its name.", "knowledge.jsonl")]
    size: Annotated[int, _SIZE]
    lines: Annotated[int | None, says("Number of lines, if meaningful.", 12)]


class NoteDirectory(Plain):
    """A directory of notes."""

    name: Annotated[str, says("Its name.", "learnings")]
    path: Annotated[str, _PATH]
    files: Annotated[int, says("Files there.", 4)]
    missing: Annotated[int, says("Files that are currently missing.", 0)]
    damaged: Annotated[int, says("Files that cannot be read.", 0)]


class NoteIndex(Plain):
    """An index of notes."""

    path: Annotated[str, _PATH]
    size: Annotated[int, _SIZE]
    vectors: Annotated[str, says("Vectors it holds, in words.", "12 of model2vec")]


class NoteFigures(Plain):
    """How many notes there are."""

    directories: Annotated[list[NoteDirectory], says("Directories.")]
    indexes: Annotated[list[NoteIndex], says("Indexes.")]


class GraphSize(Extensible):
    """How large a graph is; with its counts."""

    whose: Annotated[str, says("project or user.", "project")]
    path: Annotated[str, _PATH]
    size: Annotated[int, _SIZE]


class NudgeFigures(Plain):
    """How often agents were asked to remember something, and how often they did."""

    asked: Annotated[int, says("Asked.", 3)]
    followed: Annotated[int, says("Followed.", 2)]


class Statistics(Plain):
    """The figures of a project's memory."""

    by_kind: Annotated[dict[str, int], says("Memories by kind.", {"decision": 3})]
    by_ledger: Annotated[dict[str, int], says("Memories by file.", {"knowledge.jsonl": 3})]
    files: Annotated[list[FileSize], says("Files and their sizes.")]
    injected_week: Annotated[int, says("Tokens shown to agents in seven days.", 900)]
    injected_total: Annotated[int, says("Tokens ever shown to agents.", 4000)]
    sessions: Annotated[int, says("Sessions that were shown something.", 7)]
    waiting: Annotated[int, says("Captured events not read yet.", 0)]
    engine: Annotated[str, says("The index's engine.", "SQLite 3.53")]
    vectors: Annotated[str, says("Vectors, in words.", "none yet")]
    notes: Annotated[NoteFigures, says("Notes.")]
    graphs: Annotated[list[GraphSize], says("Graphs.")]
    nudges: Annotated[NudgeFigures, says("What agents were asked to keep.")]


class Finding(Plain):
    """Something that `satchel doctor` found."""

    severity: Annotated[Literal["error", "warning", "note"], says("Its severity.", "note")]
    subject: Annotated[str, says("What it is about.", "index")]
    what: Annotated[str, says("What is wrong.", "No vectors yet.")]
    next_step: Annotated[str, says('What to do; "" for nothing.', "satchel upkeep")]


class Findings(Plain):
    """What is wrong with a project."""

    findings: Annotated[list[Finding], says("What was found; empty where all is well.")]
