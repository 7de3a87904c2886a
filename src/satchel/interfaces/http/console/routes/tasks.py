"""Pages to decide and to do: the review queue, the board of tasks."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Response

from satchel.application.learning.review import Review
from satchel.core.errors import BadInputError, SatchelError
from satchel.features.proposals.values import Proposal
from satchel.features.tasks.index import TaskFilter
from satchel.features.tasks.project_tasks import ProjectTasks
from satchel.interfaces.http.console.diffs import Row, side_by_side
from satchel.interfaces.http.console.pages import Asked

router = APIRouter(prefix="/console/{project}", include_in_schema=False)
_COLUMNS = ("blocked", "open", "in_progress", "closed")
_MOST_TASKS = 400


@router.get("/review")
def review(asked: Asked, at: Annotated[int, Query(ge=0, le=100_000)] = 0) -> Response:
    """What waits, one proposal in full: its diff side by side, a key for each decision."""
    with Review(asked.workspace) as queue:
        waiting = queue.pending()
        at = min(at, max(0, len(waiting) - 1))
        shown = waiting[at] if waiting else None
        files, problem = _files(queue, shown.proposal) if shown else ([], "")
    return asked.show("review", waiting=waiting, at=at, shown=shown, files=files, problem=problem)


def _files(queue: Review, proposal: Proposal) -> tuple[list[tuple[str, list[Row]]], str]:
    try:
        changes = queue.changes(proposal)
    except SatchelError as error:
        return [], str(error)
    return [
        (queue.places.shown(one.path), side_by_side(one.before, one.after)) for one in changes
    ], ""


@router.post("/review/{ident}")
def decide(
    asked: Asked,
    ident: str,
    decision: Annotated[str, Form(max_length=10)],
    text: Annotated[str, Form(max_length=100_000)] = "",
    at: Annotated[int, Form(ge=0, le=100_000)] = 0,
) -> Response:
    """Accept, reject, or say it in other words."""
    with Review(asked.workspace) as queue:
        standing = queue.find(ident)
        if decision == "accept":
            done = queue.accept([standing.proposal], by=asked.who.user)
            told = f"Not applied: {done.failed[0][1]}" if done.failed else "Applied."
        elif decision == "reject":
            queue.reject([standing.proposal], by=asked.who.user)
            told = "Rejected; it is not proposed again."
        elif decision == "modify":
            queue.modify(standing.proposal, text)
            told = "Changed; it waits in its new words."
        else:
            raise BadInputError("There is no such decision.", hint="accept, reject or modify")
    return asked.back("review", told, at=str(at))


@router.get("/tasks")
def tasks(asked: Asked, task: Annotated[str, Query(max_length=128)] = "") -> Response:
    """The board, and what one task waits for."""
    with asked.workspace.tasks as opened:
        every = opened.view.listed(TaskFilter(), limit=_MOST_TASKS)
        chosen = opened.view.show(task) if task else None
    columns = {name: [one for one in every if _column(one.stage) == name] for name in _COLUMNS}
    return asked.show("tasks", columns=columns, chosen=chosen)


def _column(stage: str) -> str:
    return {"ready": "open", "in_progress": "in_progress", "closed": "closed"}.get(stage, "blocked")


@router.post("/tasks")
def create(
    asked: Asked,
    title: Annotated[str, Form(min_length=1, max_length=500)],
    priority: Annotated[int, Form(ge=0, le=4)] = 2,
) -> Response:
    """Make a task."""
    with ProjectTasks(asked.workspace.project, asked.who.author) as opened:
        made = opened.create(title, priority=priority)
    return asked.back("tasks", f"{made.id} was made.", task=made.id)


@router.post("/tasks/{ident}/close")
def close(
    asked: Asked, ident: str, summary: Annotated[str, Form(max_length=2_000)] = ""
) -> Response:
    """Close a task, with what was done."""
    with ProjectTasks(asked.workspace.project, asked.who.author) as opened:
        opened.close([ident], summary)
    return asked.back("tasks", f"{ident} is closed.")
