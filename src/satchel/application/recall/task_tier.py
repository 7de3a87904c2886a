"""Tasks within the structured tier: those with the words, or the open ones."""

from __future__ import annotations

import os

from satchel.application.recall.results import STRUCTURED, Result
from satchel.application.recall.routing import TASKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

_EXCERPT = 600


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
