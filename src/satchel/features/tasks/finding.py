"""Finds tasks by words or by state."""

from __future__ import annotations

from collections.abc import Mapping

from satchel.engine.search.tokens import coverage, distinctive_words, shares_two
from satchel.features.tasks.reading import OPEN_STATUSES, Task
from satchel.features.tasks.values import IN_WORK

#: Words of questions about the overall state rather than one task.
_STANDING = frozenset(
    "task tasks status sprint progress open overdue ready blocked todo issues work".split()  # noqa: SIM905
)
#: A task must contain this share of the question's telling words.
_LEAST = 0.34


def matching_tasks(
    question: str, tasks: Mapping[str, Task], *, limit: int
) -> list[tuple[Task, float]]:
    """Return matching tasks with scores from 0 to 1, best first.

    An id in the question finds that task. A question only about the overall state finds the open
    tasks, those in progress first, then by priority.
    """
    words = distinctive_words(question)
    named = [task for task in tasks.values() if task.id.lower() in question.lower().split()]
    if named:
        return [(task, 1.0) for task in named[:limit]]
    alive = [task for task in tasks.values() if task.status in OPEN_STATUSES]
    if all(word in _STANDING for word in words):
        alive.sort(key=lambda t: (t.status not in IN_WORK, t.priority, t.id))
        return [(task, 1.0) for task in alive[:limit]]
    scored = [
        (task, coverage(question, f"{task.title} {task.description} {task.acceptance}"))
        for task in tasks.values()
    ]
    found = [(task, score) for task, score in scored if score >= _LEAST]
    found = [(task, score) for task, score in found if shares_two(question, score)]
    found.sort(key=lambda one: (-one[1], one[0].status not in OPEN_STATUSES, one[0].priority))
    return found[:limit]
