"""The derived index of tasks: what is ready, without reading every line.

It is stored with the files' status. If an inode, size or time differs, it is rebuilt, so it needs
no upkeep and may be deleted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from satchel.core.errors import BadInputError
from satchel.core.quick_json import dumps, loads
from satchel.core.values import Any, NamedTuple
from satchel.features.tasks.board import Board
from satchel.features.tasks.files import TaskFiles
from satchel.features.tasks.issue_graph import SORTS
from satchel.features.tasks.issue_ids import resolved
from satchel.features.tasks.lifecycle import PREFLIGHT, lifecycle_of
from satchel.features.tasks.lines import encode_issue
from satchel.features.tasks.values import BLOCKS
from satchel.storage.database.contract import Database, Row
from satchel.storage.database.versions import DerivedTables

#: Increased whenever schema.sql or its contents change.
SCHEMA = "2"
#: A file written this shortly before it was read may be written again within one tick of the file
#: system's clock, and look the same.
_TICK_NS = 100_000_000
_EVERYTHING = 1_000_000_000
_TRIES = 5


class TaskView(NamedTuple):
    """A task for display. `held` are the ids that block it or its parents."""

    id: str
    stage: str
    held: tuple[str, ...]
    parent: str
    data: dict[str, Any]
    dependency_count: int
    dependent_count: int


class Neighbour(NamedTuple):
    """The task at the other end of a dependency."""

    id: str
    kind: str
    data: dict[str, Any]


class TaskFilter(NamedTuple):
    """The filter of a query; empty fields match all. `parent`: below this task."""

    statuses: tuple[str, ...] = ()
    priority: int = -1
    assignee: str = ""
    unassigned: bool = False
    labels: tuple[str, ...] = ()
    issue_type: str = ""
    parent: str = ""
    words: str = ""
    since: float = 0.0


class TaskIndex(DerivedTables):
    """The tasks of one project in a database.

    Args:
        database: open; its schema is created if missing.
    """

    def __init__(self, database: Database, files: TaskFiles) -> None:
        super().__init__(database, __file__, SCHEMA, "The index of tasks")
        self.files = files

    # Keeping it fresh

    def refresh(self) -> bool:
        """Update the index from the files; return whether it was rebuilt."""
        stats = dumps(["", self.files.file_stats()])
        if self.meta("stamps") == stats:
            return False
        for _ in range(_TRIES):
            board = self.files.read()
            # Compared under the lock: an index that another process wrote meanwhile is never older
            # than its files, so a board that was read before must not replace it.
            with self.database.transaction():
                after = dumps(["", self.files.file_stats()])
                if after == stats:
                    self._put(board, stats if self._is_settled() else "")
                    return True
            stats = after
        self.replace(self.files.read)
        return True

    def replace(self, read: Callable[[], Board]) -> None:
        """Rebuild the index from `read`, while nobody else writes."""
        with self.database.transaction():
            self._put(read(), "")

    def _is_settled(self) -> bool:
        newest = max((int(stamp[2]) for stamp in self.files.file_stats()), default=0)
        return newest < time.time_ns() - _TICK_NS

    def _put(self, board: Board, stats: str) -> None:
        graph = board.graph
        rows, links = [], []
        for ident, issue in graph.issues.items():
            since = graph.ready_from(ident)
            held = () if issue.is_done else graph.held_up(ident)
            stage = lifecycle_of(graph, ident, float("inf"))
            needs = sum(link.kind == BLOCKS for link in graph.links(ident))
            needed = sum(kind == BLOCKS for _, kind in graph.dependents.get(ident, ()))
            rows.append(
                (
                    ident,
                    issue.status,
                    int(since is not None),
                    since or 0.0,
                    issue.priority,
                    issue.created,
                    issue.updated,
                    issue.issue_type,
                    issue.assignee,
                    graph.parent(ident),
                    stage,
                    dumps(list(held)),
                    needs,
                    needed,
                    encode_issue(issue.data).decode(),
                )
            )
            links += [(ident, link.target, link.kind) for link in graph.links(ident)]
        self.database.write("DELETE FROM issues")
        self.database.write("DELETE FROM links")
        self.database.write_many(self.sql["put_issue"], rows)
        self.database.write_many(self.sql["put_link"], links)
        self.put_meta("stamps", stats)

    # Asking

    def ready(
        self, now: float, only: TaskFilter, *, sort: str = SORTS[0], limit: int = 0
    ) -> list[TaskView]:
        """Return ready tasks, most urgent first."""
        if sort not in SORTS:
            raise BadInputError(
                f"{sort[:20]!r} is not an order.", hint=f"Orders are {', '.join(SORTS)}."
            )
        most = limit or _EVERYTHING
        if sort == SORTS[0] and only == TaskFilter():
            rows = self.database.read(self.sql["ready_by_priority"], (now, most))
        else:
            rows = self.database.read(self.sql["ready"], (now, sort, most, *_asked(only)))
        return [_shown(row, now) for row in rows]

    def listed(self, only: TaskFilter, now: float, *, limit: int = 0) -> list[TaskView]:
        """Return tasks, highest priority first."""
        states, most = dumps(list(only.statuses)), limit or _EVERYTHING
        values = (states, most, *_asked(only), only.words.lower(), only.since)
        return [_shown(row, now) for row in self.database.read(self.sql["listed"], values)]

    def find(self, given: str, now: float) -> TaskView:
        """Return a task by its id, with or without prefix."""
        rows = self.database.read(self.sql["one"], (given,))
        if not rows:
            rows = self.database.read(self.sql["one"], (resolved(given, self.ids()),))
        return _shown(rows[0], now)

    def ids(self) -> list[str]:
        """Return the id of every task."""
        return [str(row[0]) for row in self.database.read(self.sql["ids"])]

    def neighbours(self, ident: str) -> tuple[list[Neighbour], list[Neighbour]]:
        """Return a task's dependencies and dependents."""
        found = []
        for query in ("needs", "needed_by"):
            rows = self.database.read(self.sql[query], (ident,))
            found.append([Neighbour(str(i), str(k), loads(str(d))) for i, k, d in rows])
        return found[0], found[1]

    def stages(self, now: float) -> dict[str, int]:
        """Count tasks by stage."""
        rows = self.database.read(self.sql["stages"], (now,))
        return {str(stage): int(count or 0) for stage, count in rows}

    def children(self, ident: str) -> tuple[int, int]:
        """Return a task's number of children, and of closed ones."""
        (row,) = self.database.read(self.sql["children"], (ident,))
        return int(row[0] or 0), int(row[1] or 0)


def _asked(only: TaskFilter) -> tuple[str | int, ...]:
    """Return what both lists of tasks can be asked for."""
    who = (only.priority, only.assignee, int(only.unassigned))
    return (*who, dumps(list(only.labels)), only.issue_type, only.parent)


def _shown(row: Row, now: float) -> TaskView:
    ident, stage, held, parent, data, since, needs, needed = row
    later = str(stage) == "pending" and float(since or 0.0) > now
    holding = () if held == "[]" else tuple(loads(str(held)))
    return TaskView(
        str(ident),
        PREFLIGHT if later else str(stage),
        holding,
        parent=str(parent),
        data=loads(str(data)),
        dependency_count=int(needs or 0),
        dependent_count=int(needed or 0),
    )


def as_beads(shown: TaskView) -> dict[str, Any]:
    """Return a task as in beads' lists: its line, counts, and parent."""
    rows = shown.data.get("comments")
    counted = {
        "dependency_count": shown.dependency_count,
        "dependent_count": shown.dependent_count,
        "comment_count": len(rows) if isinstance(rows, list) else 0,
    }
    above = {"parent": shown.parent} if shown.parent else {}
    defaults = {"status": "open", "priority": 2, "issue_type": "task"}
    plain = {name: value for name, value in shown.data.items() if name != "_type"}
    return {**defaults, **plain, **above, **counted}


def with_neighbours(
    shown: TaskView, needs: Sequence[Neighbour], needed_by: Sequence[Neighbour]
) -> dict[str, Any]:
    """Return a task as beads shows it, with the issues it is linked to."""
    told = as_beads(shown)
    for name, found in (("dependencies", needs), ("dependents", needed_by)):
        told.pop(name, None)
        if found:
            told[name] = [
                {
                    **_head(one),
                    "dependency_type": one.kind,
                    **(
                        {"issue_id": shown.id, "depends_on_id": one.id, "type": one.kind}
                        if name == "dependencies"
                        else {}
                    ),
                }
                for one in found
            ]
    return told


def _head(one: Neighbour) -> dict[str, Any]:
    names = ("title", "status", "priority", "issue_type", "assignee", "created_at", "updated_at")
    return {"id": one.id} | {name: one.data[name] for name in names if name in one.data}
