"""Where a memory belongs: a task, its epic, or the project. Pure."""

from __future__ import annotations

from satchel.core.values import NamedTuple


class Scope(NamedTuple):
    """Where a question is asked. An empty string means "not given"."""

    task: str = ""
    epic: str = ""


#: Labels of the four retrieval priorities of scoped reading, most specific first.
TASK, EPIC, PROJECT, ELSEWHERE = "task", "epic", "project", "elsewhere"


def proximity(task: str, epic: str, scope: Scope) -> str:
    """Return how close a memory with this task and epic is to `scope`."""
    if task:
        return TASK if task == scope.task else ELSEWHERE
    if epic:
        return EPIC if epic == scope.epic else ELSEWHERE
    return PROJECT
