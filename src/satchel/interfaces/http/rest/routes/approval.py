"""`/api/projects/{id}/unapproved`: what agents are not shown until the user approves it."""

from __future__ import annotations

import os
from typing import Any

from satchel.application import approval
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.models import memory as models
from satchel.interfaces.http.rest.models.requests import ApprovalBody
from satchel.interfaces.http.rest.responses import (
    Cursor,
    Limit,
    Project,
    described,
    owned,
    paginate,
    routes,
)

router = routes("/api/projects/{projectId}/unapproved", "approval")


@router.get("", **described("List what waits for approval", models.Unapproved, 400))
def list_unapproved(project: Project, limit: Limit = 50, cursor: Cursor = "") -> dict[str, Any]:
    """Memories, repository lines and files that agents are not shown until you approve them.

    Only for the person whose machine it is.
    """
    found = approval.waiting(owned(project))
    root = project.project.place.root
    items = [
        *(views.unapproved_memory(one, "memory") for one in found.memories),
        *(views.unapproved_memory(one, "line") for one in found.lines),
        *(views.unapproved_file(one, os.path.relpath(one.path, root)) for one in found.files),
    ]
    page, following = paginate(items, limit, cursor)
    return {"items": list(page), "total": len(items), "nextCursor": following}


@router.post("/approve", **described("Let in what waits", models.Approved, 400))
def approve(body: ApprovalBody, project: Project) -> dict[str, Any]:
    """Approve what these keys name, in the listed form; 404 if nothing is left."""
    work = owned(project)
    root = work.project.place.root
    found = approval.with_keys(approval.waiting(work), root, body.keys)
    approval.approve_all(work, found)
    return {"keys": list(approval.keys_of(found, root))}


@router.post("/hold", **described("Take approvals back", models.Approved, 400))
def hold(body: ApprovalBody, project: Project) -> dict[str, Any]:
    """Hold back what was approved, by the same keys."""
    approval.revoke_keys(owned(project), body.keys)
    return {"keys": body.keys}
