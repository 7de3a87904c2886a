"""Tasks, proposals, routing: what is to be done, what is to be decided, who does it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from satchel.application.learning.listening import task_comments
from satchel.application.learning.review import Review
from satchel.core.errors import ConflictError
from satchel.features.proposals.values import PENDING
from satchel.features.tasks.index import TaskFilter
from satchel.features.tasks.project_tasks import ProjectTasks
from satchel.features.tasks.values import Change
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.bodies import (
    CommentBody,
    DecisionBody,
    OutcomeBody,
    RouteBody,
    TaskBody,
    TaskChange,
)
from satchel.interfaces.http.rest.responses import (
    Asker,
    Cursor,
    IdempotencyKey,
    Limit,
    Project,
    paginate,
    run_idempotent,
    with_etag,
)

router = APIRouter(prefix="/api/projects/{projectId}", tags=["work"])


@router.get("/tasks", summary="List tasks")
def list_tasks(
    request: Request,
    project: Project,
    status: Annotated[list[str] | None, Query(max_length=10)] = None,
    ready: Annotated[bool, Query(description="Tasks that can be started now.")] = False,
    query: Annotated[str, Query(alias="q", max_length=300)] = "",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response:
    """In the order in which they should be done."""
    only = TaskFilter(statuses=tuple(status or ()), words=query)
    with project.tasks as tasks:
        found = tasks.view.ready(only) if ready else tasks.view.listed(only)
    page, following = paginate(found, limit, cursor)
    told = {
        "tasks": [views.task(one) for one in page],
        "total": len(found),
        "nextCursor": following,
    }
    return with_etag(request, told)


@router.post("/tasks", status_code=201, summary="Create task")
def create_task(
    request: Request, body: TaskBody, project: Project, asker: Asker, key: IdempotencyKey = ""
) -> Response:
    """Make a task; it waits for those in `blockedBy`."""

    def make() -> tuple[int, Any]:
        links = [("blocks", ident) for ident in body.blocked_by]
        if body.parent:
            links.append(("parent-child", body.parent))
        with ProjectTasks(project.project, asker.author) as tasks:
            made = tasks.create(
                body.title,
                links=links,
                description=body.description,
                priority=body.priority,
                issue_type=body.issue_type,
                labels=list(body.labels),
            )
        return 201, views.task(made)

    return run_idempotent(request, key, body.model_dump(), make)


@router.get("/tasks/{taskId}", summary="Get task")
def get_task(request: Request, taskId: str, project: Project) -> Response:
    """A task, what it waits for and what waits for it."""
    with project.tasks as tasks:
        shown, on, of = tasks.view.show(taskId)
    told = views.task(shown)
    told["dependsOn"] = [{"id": one.id, "type": one.kind} for one in on]
    told["neededBy"] = [{"id": one.id, "type": one.kind} for one in of]
    return with_etag(request, told)


@router.patch("/tasks/{taskId}", summary="Update task")
def change_task(taskId: str, body: TaskChange, project: Project, asker: Asker) -> JSONResponse:
    """Change fields or the state; closing takes a summary."""
    given = body.model_dump(exclude_none=True, exclude={"status", "summary"})
    with ProjectTasks(project.project, asker.author) as tasks:
        shown = tasks.view.show(taskId)[0]
        if given:
            shown = tasks.apply(shown.id, Change(fields=given))
        if body.status == "closed":
            (shown,) = tasks.close([shown.id], body.summary)
        elif body.status == "open" and shown.data.get("status") == "closed":
            shown = tasks.reopen(shown.id, body.summary)
        elif body.status is not None:
            shown = tasks.apply(shown.id, Change(fields={"status": body.status}))
    return JSONResponse(views.task(shown))


@router.post("/tasks/{taskId}/comments", status_code=201, summary="Comment on a task")
def comment(taskId: str, body: CommentBody, project: Project, asker: Asker) -> JSONResponse:
    """Add a comment; what its markers teach is remembered under the task."""
    with ProjectTasks(project.project, asker.author) as tasks:
        shown, taught = task_comments.comment(project, tasks, taskId, body.text)
    told = {"taskId": shown.id, "remembered": [one.id for one in taught]}
    return JSONResponse(told, status_code=201)


@router.get("/proposals", summary="List proposals")
def proposals(
    request: Request,
    project: Project,
    state: Annotated[str, Query(max_length=20)] = PENDING,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Response:
    """Those that wait, with their diffs; or those in another state."""
    with Review(project) as review:
        every = review.pending() if state == PENDING else review.all()
        found = [one for one in every if state in ("all", one.state)]
        page, following = paginate(found, limit, cursor)
        told = [
            views.proposal(one, review.diff(one.proposal) if one.state == PENDING else "")
            for one in page
        ]
    return with_etag(request, {"proposals": told, "total": len(found), "nextCursor": following})


@router.post("/proposals/{proposalId}", summary="Decide about a proposal")
def decide(proposalId: str, body: DecisionBody, project: Project, asker: Asker) -> JSONResponse:
    """Accept it, reject it, or say it in other words (which waits again)."""
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
        told = views.proposal(review.find(standing.proposal.id))
    return JSONResponse(told)


@router.post("/route", summary="Route a message to an agent")
def route(body: RouteBody, project: Project) -> JSONResponse:
    """Choose an agent, and say why; recorded unless `dryRun`."""
    with project.routing as routing:
        choice = routing.choose(body.text, division=body.division)
        told: dict[str, Any] = {
            "agent": choice.agent,
            "fallback": choice.fallback,
            "threshold": choice.threshold,
            "ranked": [one._asdict() for one in choice.ranked],
        }
        if not body.dry_run:
            told["id"] = routing.route(body.text, division=body.division, task=body.task).id
    return JSONResponse(views.cleaned(views.plain(told)))


@router.post("/route/{decisionId}/outcome", summary="Record the outcome of a decision")
def outcome(decisionId: str, body: OutcomeBody, project: Project) -> JSONResponse:
    """Success or failure; sent again, it is corrected."""
    with project.routing as routing:
        decision = routing.outcome(decisionId, body.outcome, note=body.note)
    told = {"id": decision.id, "agent": decision.agent, "outcome": decision.outcome}
    return JSONResponse(views.cleaned(told))
