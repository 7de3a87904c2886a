"""The scope of a task: itself, its epic, and the project."""

from __future__ import annotations

import os

from satchel.core.scope import Scope
from satchel.project.place import TRUNKS, branch_of
from satchel.project.store import ProjectStore


def ancestors_of_task(project: ProjectStore, task: str) -> list[str]:
    """Return a task's ancestors, nearest first."""
    paths = [path for path in project.tracked.tasks if os.path.isfile(path)]
    if not paths:
        return []
    from satchel.features.tasks.reading import ancestors_of, read_tasks

    return list(ancestors_of(task, read_tasks(paths)))


def scope_of(project: ProjectStore, task: str = "") -> Scope:
    """Return a task's scope; by default, of the task the branch is named after."""
    paths = [path for path in project.tracked.tasks if os.path.isfile(path)]
    branch = "" if task else branch_of(project.place.root)
    if not task and (branch in TRUNKS or not paths):
        return Scope()
    if not paths:
        return Scope(task)
    from satchel.features.tasks.reading import epic_of, read_tasks

    tasks = read_tasks(paths)
    named = task or next((part for part in (branch, branch.split("/")[-1]) if part in tasks), "")
    return Scope(named, epic_of(named, tasks) if named else "")
