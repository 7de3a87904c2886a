"""Parses tasks from JSON lines of any version of beads."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from satchel.core import times
from satchel.features.tasks.dialects import dotted_parent, links_of, status_of, text
from satchel.features.tasks.values import PARENT, TOMBSTONE, USUAL_PRIORITY
from satchel.storage.files import open_file

#: States of unfinished tasks; in beads' other states a task is finished.
OPEN_STATUSES = frozenset(
    ("open", "in_progress", "blocked", "deferred", "pinned", "hooked", "inreview", "in_review")
)


class Task(NamedTuple):
    """A task. Times are kept as written; `parent` is "" if there is none."""

    id: str
    title: str
    status: str
    parent: str
    issue_type: str
    priority: int
    updated_at: str
    description: str
    acceptance: str


def read_tasks(paths: Sequence[str]) -> dict[str, Task]:
    """Read all tasks by id, ignoring damaged lines and missing and unreadable files.

    For a repeated id, the one changed last counts; a tombstone counts like a task, and is then left
    out.
    """
    found: dict[str, Task] = {}
    for path in paths:
        if not os.path.isfile(path):  # a pipe or a device would make the reader wait
            continue
        with suppress(OSError), open_file(path) as lines:
            for task in _tasks_in(lines):
                known = found.get(task.id)
                if known is None or not _is_older(task.updated_at, known.updated_at):
                    found[task.id] = task
    alive = {task.id: task for task in found.values() if task.status != TOMBSTONE}
    return {
        task.id: task if task.parent else task._replace(parent=dotted_parent(task.id, alive))
        for task in alive.values()
    }


def epic_of(task_id: str, tasks: Mapping[str, Task]) -> str:
    """Return the nearest task that `task_id` is part of, of any type, or ""."""
    task = tasks.get(task_id)
    parent = task.parent if task else ""
    parent = parent or dotted_parent(task_id, tasks)
    return "" if parent == task_id else parent


def ancestors_of(task_id: str, tasks: Mapping[str, Task]) -> tuple[str, ...]:
    """Return a task's ancestors, nearest first, stopping at a cycle."""
    seen = [task_id]
    while (parent := epic_of(seen[-1], tasks)) and parent not in seen:
        seen.append(parent)
    return tuple(seen[1:])


def _tasks_in(lines: Any) -> Iterator[Task]:
    for number, raw in enumerate(lines):
        line = raw.removeprefix(b"\xef\xbb\xbf") if number == 0 else raw
        try:
            data = json.loads(line.strip() or b"null")
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict) and data.get("_type", "issue") == "issue":
            task = _task(data)
            if task is not None:
                yield task


def _task(data: dict[str, Any]) -> Task | None:
    task_id = text(data, "id").strip()
    if not task_id:
        return None
    priority = data.get("priority")
    return Task(
        id=task_id,
        title=text(data, "title"),
        status=status_of(data),
        parent=next((link.target for link in links_of(data) if link.kind == PARENT), ""),
        issue_type=text(data, "issue_type") or "task",
        priority=priority if type(priority) is int else USUAL_PRIORITY,
        # A time is not parsed here: that would load modules that a hook does not need.
        updated_at=text(data, "updated_at", "created_at"),
        description=text(data, "description"),
        acceptance=text(data, "acceptance_criteria", "acceptance"),
    )


def _is_older(one: str, other: str) -> bool:
    return one != other and (times.seconds_of(one) or 0.0) < (times.seconds_of(other) or 0.0)
