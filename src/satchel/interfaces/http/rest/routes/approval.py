"""`/api/projects/{id}/unapproved`: what reaches no agent before its person has looked."""

from __future__ import annotations

import os
from typing import Any

from satchel.application import approval
from satchel.interfaces.http.rest import rule_views
from satchel.interfaces.http.rest.models import memory as models
from satchel.interfaces.http.rest.models.requests import ApprovalBody
from satchel.interfaces.http.rest.problems import may
from satchel.interfaces.http.rest.responses import Cursor, Limit, Project, owned, paginate, routes

router = routes("/api/projects/{projectId}/unapproved", "approval")


@router.get(
    "",
    summary="List what waits for approval",
    response_model=models.Unapproved,
    responses=may(400),
)
def list_unapproved(project: Project, limit: Limit = 50, cursor: Cursor = "") -> dict[str, Any]:
    """Memories, lines of the repository and files that no agent is told of until you let them in.

    Only for the person whose machine it is.
    """
    found = approval.waiting(owned(project))
    root = project.project.place.root
    items = [
        *(rule_views.unapproved_memory(one, "memory") for one in found.memories),
        *(rule_views.unapproved_memory(one, "line") for one in found.lines),
        *(rule_views.unapproved_file(one, os.path.relpath(one.path, root)) for one in found.files),
    ]
    page, following = paginate(items, limit, cursor)
    return {"items": list(page), "total": len(items), "nextCursor": following}


@router.post(
    "/approve", summary="Let in what waits", response_model=models.Approved, responses=may(400)
)
def approve(body: ApprovalBody, project: Project) -> dict[str, Any]:
    """Let agents be told of what these keys name, as it was listed; 404 where nothing is left."""
    work = owned(project)
    root = work.project.place.root
    found = approval.with_keys(approval.waiting(work), root, body.keys)
    approval.approve_all(work, found)
    return {"keys": list(approval.keys_of(found, root))}


@router.post(
    "/hold", summary="Take approvals back", response_model=models.Approved, responses=may(400)
)
def hold(body: ApprovalBody, project: Project) -> dict[str, Any]:
    """Hold back again what was let in, by the keys that it was let in with."""
    approval.revoke_keys(owned(project), body.keys)
    return {"keys": body.keys}
