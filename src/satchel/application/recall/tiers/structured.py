"""The structured tier: tables that have the words, and tasks, or the open ones."""

from __future__ import annotations

import os

from satchel.application.recall.results import STRUCTURED, Result
from satchel.application.recall.routing import TABLES, TASKS
from satchel.application.services import Services

_EXCERPT = 600


def table_results(work: Services, question: str, limit: int) -> list[Result]:
    """Query a project's tables; returns nothing if it has none."""
    if not os.path.isdir(work.project.tracked.place("tables")):
        return []
    from satchel.features.tables.query import answers

    if work.memories.stores.team is not None:
        work.memories.stores.team.look()  # wait for it only briefly
    with work.tables as own:
        hits = answers(own.tables(strict=False), question, limit)
    return [
        Result(
            STRUCTURED,
            TABLES,
            f"{hit.schema.name}: {hit.title}",
            text=hit.text[:_EXCERPT],
            place=f"{hit.schema.name}/{hit.row.id}",
            at=hit.row.at,
            score=hit.score,
            identity=f"row {hit.row.id}",
        )
        for hit in hits
    ]


def task_results(work: Services, question: str, limit: int) -> list[Result]:
    """Find tasks by their words; for questions on progress, return open tasks."""
    paths = [path for path in work.project.tracked.tasks if os.path.isfile(path)]
    if not paths:
        return []
    from satchel.features.tasks.finding import matching_tasks
    from satchel.features.tasks.reading import read_tasks

    return [
        Result(
            STRUCTURED,
            TASKS,
            f"{task.id} {task.title}",
            f"{task.status}, priority {task.priority}"
            + (f"\n{task.description[:_EXCERPT]}" if task.description else ""),
            task.id,
            score=score,
            identity=f"task {task.id}",
        )
        for task, score in matching_tasks(question, read_tasks(paths), limit=limit)
    ]
