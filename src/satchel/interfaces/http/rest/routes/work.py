"""Tasks and suggestions: what to do, what to decide."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Response

from satchel.application.learning.listening import task_comments
from satchel.application.learning.reviewing.review import Review
from satchel.application.recall.unapproved import are_tasks_held_back
from satchel.core.errors import ConflictError
from satchel.core.trust import UNAPPROVED
from satchel.features.proposals.values import PENDING
from satchel.features.tasks.index import TaskFilter
from satchel.features.tasks.project_tasks import ProjectTasks
from satchel.features.tasks.values import Change
from satchel.interfaces.http.rest import responses as api
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.models import work as models
from satchel.interfaces.http.rest.models.requests import (
    CommentBody,
    DecisionBody,
    TaskBody,
    TaskChange,
)
from satchel.interfaces.rendering import cleaned

router = api.routes("/api/projects/{projectId}", "work")


@router.get("/tasks", **api.described("List tasks", models.TaskPage, 400))
def list_tasks(
    project: api.Project,
    status: Annotated[
        list[str] | None, Query(max_length=10, description="Only in these states.")
    ] = None,
    ready: Annotated[bool, Query(description="Tasks that can be started now.")] = False,
    query: Annotated[str, api.asked("Words in them.", 300, "q")] = "",
    limit: api.Limit = 50,
    cursor: api.Cursor = "",
) -> dict[str, Any]:
    """Tasks in working order."""
    only = TaskFilter(statuses=tuple(status or ()), words=query)
    with project.tasks as tasks:
        found = tasks.view.ready(only) if ready else tasks.view.listed(only)
    page, following = api.paginate(found, limit, cursor)
    held = are_tasks_held_back(project)
    tasks_told = [views.task(one, held=held) for one in page]
    return {"tasks": tasks_told, "total": len(found), "nextCursor": following}


@router.post("/tasks", **api.described("Create task", models.Task, 400), status_code=201)
def create_task(body: TaskBody, project: api.Project, asker: api.Asker, once: api.Once) -> Any:
    """Create a task, blocked by those in `blockedBy`."""

    def make() -> dict[str, Any]:
        links = [("blocks", ident) for ident in body.blocked_by]
        if body.parent:
            links.append(("parent-child", body.parent))
        with ProjectTasks(project.project, asker.author) as tasks:
            made = tasks.create(
                body.title,
                links=links,
                request=once.ident,
                description=body.description,
                **({"acceptance_criteria": body.acceptance} if body.acceptance else {}),
                priority=body.priority,
                issue_type=body.issue_type,
                labels=list(body.labels),
            )
        return views.task(made)

    return once(body.model_dump(), make)


def _details(tasks: ProjectTasks, ident: str) -> dict[str, Any]:
    shown, on, of = tasks.view.show(ident)
    told = views.task(shown)
    told["dependsOn"] = [{"id": one.id, "type": one.kind} for one in on]
    told["neededBy"] = [{"id": one.id, "type": one.kind} for one in of]
    return dict(cleaned(told))


@router.get("/tasks/{taskId}", **api.described("Get task", models.TaskDetails, 400, 409))
def get_task(response: Response, taskId: api.TaskRef, project: api.Project) -> dict[str, Any]:
    """A task, its dependencies and its dependents."""
    with project.tasks as tasks:
        told = _details(tasks, taskId)
    response.headers["ETag"] = api.etag_of_value(told)
    return told | {"trust": UNAPPROVED if are_tasks_held_back(project) else ""}


@router.patch("/tasks/{taskId}", **api.described("Update task", models.Task, 400, 409))
def change_task(
    taskId: api.TaskRef,
    body: TaskChange,
    project: api.Project,
    asker: api.Asker,
    if_match: api.IfMatch = "",
) -> dict[str, Any]:
    """Change fields or the state; closing takes a summary."""
    given = body.model_dump(exclude_none=True, exclude={"status", "summary"})
    with ProjectTasks(project.project, asker.author) as tasks, tasks.view.files.lock:
        if if_match:
            api.require_if_match(if_match, api.etag_of_value(_details(tasks, taskId)))
        shown = tasks.view.show(taskId)[0]
        if given:
            shown = tasks.apply(shown.id, Change(fields=given))
        if body.status == "closed":
            (shown,), _ = task_comments.close(project, tasks, [shown.id], body.summary)
        elif body.status == "open" and shown.data.get("status") == "closed":
            shown = tasks.reopen(shown.id, body.summary)
        elif body.status is not None:
            shown = tasks.apply(shown.id, Change(fields={"status": body.status}))
    return views.task(shown)


@router.post(
    "/tasks/{taskId}/comments",
    **api.described("Comment on a task", models.AddedComment, 400, 409),
    status_code=201,
)
def comment_on_task(
    taskId: api.TaskRef, body: CommentBody, project: api.Project, asker: api.Asker, once: api.Once
) -> Any:
    """Add a comment; marked lessons in it are remembered under the task."""

    def make() -> dict[str, Any]:
        with ProjectTasks(project.project, asker.author) as tasks:
            shown, taught = task_comments.comment(
                project, tasks, taskId, body.text, request=once.ident
            )
        replaced = [gone for one in taught for gone in project.memories.replaced_by(one)]
        return {
            "taskId": shown.id,
            "remembered": [one.id for one in taught],
            "replaced": [views.replaced(one) for one in replaced],
        }

    return once(body.model_dump(), make)


@router.get("/proposals", **api.described("List proposals", models.ProposalPage, 400))
def list_proposals(
    project: api.Project,
    state: Annotated[str, api.asked("pending, accepted, rejected, undone or all.", 20)] = PENDING,
    limit: api.Limit = 20,
    cursor: api.Cursor = "",
) -> dict[str, Any]:
    """Pending suggestions with their diffs, or those in another state."""
    with Review(project) as review:
        every = review.pending() if state == PENDING else review.all()
        found = [one for one in every if state in ("all", one.state)]
        page, following = api.paginate(found, limit, cursor)
        told = [
            views.proposal(one, review.diff(one.proposal) if one.state == PENDING else "")
            for one in page
        ]
    return {"proposals": told, "total": len(found), "nextCursor": following}


@router.post(
    "/proposals/{proposalId}", **api.described("Decide about a proposal", models.Proposal, 400, 409)
)
def decide_proposal(
    proposalId: api.ProposalRef, body: DecisionBody, project: api.Project, asker: api.Asker
) -> dict[str, Any]:
    """Accept it, reject it, or reword it (then it waits again)."""
    with Review(project) as review:
        standing = review.find(proposalId)
        if standing.state != PENDING:
            raise ConflictError(f"This proposal is {standing.state} already.")
        if body.decision == "modify":
            standing = review.find(review.modify(standing.proposal, body.text).id)
        elif body.decision == "reject":
            review.reject([standing.proposal], by=asker.user, note=body.text[:300])
        else:
            done = review.accept([standing.proposal], by=asker.user)
            if done.failed:
                raise ConflictError(done.failed[0][1], hint="Look at its diff again.")
        return views.proposal(review.find(standing.proposal.id))
