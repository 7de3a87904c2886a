"""Imports beads' JSON lines: adds new ones, merges known ones without loss."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise

from satchel.core.errors import ConflictError
from satchel.core.values import NamedTuple
from satchel.features.tasks.board import Board
from satchel.features.tasks.files import TaskFiles
from satchel.features.tasks.issue_graph import IssueGraph
from satchel.features.tasks.lines import DAMAGED, FOREIGN, encode_issue, groups_in, lines_in
from satchel.features.tasks.merging import merged
from satchel.features.tasks.values import HARD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ImportedTasks(NamedTuple):
    """The result of an import: counts, and numbers of unreadable lines."""

    new: int
    changed: int
    unchanged: int
    tombstones: int
    foreign: int
    damaged: tuple[int, ...]


class _DryRunError(Exception):
    """Aborts a change before anything is written."""


def import_lines(files: TaskFiles, content: bytes, *, dry_run: bool = False) -> ImportedTasks:
    """Import lines by id: the newest version counts, and no field is dropped.

    A tombstone that is here stays one. Lines of other programs are kept as they are.

    Raises `ConflictError` where tasks would block each other in a circle; nothing is imported
    then. What waits for its own parts, as beads lets epics do, is no such circle.
    """
    lines = lines_in(content)
    coming = groups_in(lines)
    counts = {"new": 0, "changed": 0, "unchanged": 0, "tombstones": 0}
    extra: list[bytes] = []
    # A new issue keeps its bytes: a number may have more digits than we would write.
    raw: dict[str, bytes] = {}

    def work(board: Board) -> dict[str, dict[str, Any]]:
        changed: dict[str, dict[str, Any]] = {}
        for ident, group in coming.items():
            data, here = group.data, board.every.get(ident)
            counts["tombstones"] += data.get("status") == "tombstone"
            if here is None:
                counts["new"] += 1
                changed[ident] = data
                first = lines[group.numbers[0]]
                if len(group.numbers) == 1 and first.id == ident:
                    raw[ident] = first.raw.strip()
                continue
            after = merged([here.data, *group.versions])
            same = after == here.data
            counts["unchanged" if same else "changed"] += 1
            if not same:
                changed[ident] = after
        _refuse_new_circles(board, changed)
        held = {one.strip() for one in board.foreign()}
        there = [line.raw.strip() for line in lines if line.what == FOREIGN]
        extra.extend(one for one in dict.fromkeys(there) if one not in held)
        if dry_run:
            raise _DryRunError
        return changed

    with suppress(_DryRunError):
        files.change(work, foreign=lambda _: extra, raw=raw)
    wrong = tuple(line.number for line in lines if line.what == DAMAGED)
    return ImportedTasks(
        counts["new"],
        counts["changed"],
        counts["unchanged"],
        counts["tombstones"],
        len(extra),
        wrong,
    )


def export_lines(board: Board) -> bytes:
    """Return every issue, with tombstones and other programs' lines, as written.

    What nobody changed has its own bytes; what a merge left as several lines is one.
    """
    rows: list[tuple[str, bytes]] = []
    foreign: list[bytes] = []
    for file in board.files:
        foreign += [line.raw.strip() for line in file.lines if line.what == FOREIGN]
        for ident, group in file.groups.items():
            if board.place.get(ident) != file.path:
                continue
            first = file.lines[group.numbers[0]]
            alone = len(group.numbers) == 1 and first.id == ident
            rows.append((ident, first.raw.strip() if alone else encode_issue(group.data)))
    return b"".join(raw + b"\n" for _, raw in sorted(rows)) + b"".join(
        raw + b"\n" for raw in dict.fromkeys(foreign)
    )


def _refuse_new_circles(board: Board, changed: dict[str, dict[str, Any]]) -> None:
    """Reject cycles that do not exist yet."""
    after = board.after(changed, "")
    graph: IssueGraph = after.graph
    for circle in graph.circles(HARD):
        if any(one in changed for one in circle) and not _is_here(board, circle):
            raise ConflictError(
                f"The tasks would depend on each other in a circle: {' -> '.join(circle[:10])}.",
                hint="Nothing was imported. Remove one of these dependencies from the file.",
            )


def _is_here(board: Board, circle: tuple[str, ...]) -> bool:
    return all(
        any(link.target == there and link.kind in HARD for link in board.graph.links(one))
        for one, there in pairwise(circle)
    )
