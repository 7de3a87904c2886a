"""`/api/projects/{id}/intent`: the document, its anchors, the links of tasks to them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from satchel.features.intent.values import Link
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.bodies import IntentBody, LinkBody
from satchel.interfaces.http.rest.responses import (
    Asker,
    IfMatch,
    Project,
    etag_of,
    require_if_match,
    with_etag,
)
from satchel.storage.owned_files import OwnedFile
from satchel.workspace import Workspace

router = APIRouter(prefix="/api/projects/{projectId}/intent", tags=["intent"])


def _file(project: Workspace) -> OwnedFile:
    state, tracked = project.project.state, project.project.tracked
    return OwnedFile(tracked.intent, state.lock("intent"), root=project.project.place.root)


@router.get("", summary="Get parsed intent and anchors")
def get_intent(request: Request, project: Project) -> Response:
    """Return the document; `exists: false` where there is none."""
    if not project.intent.exists:
        answer = with_etag(
            request, {"exists": False, "sections": [], "anchors": [], "warnings": []}
        )
        answer.headers["ETag"] = etag_of("")
        return answer
    raw = _file(project).text()
    answer = with_etag(request, views.intent(project.intent.read(), raw))
    answer.headers["ETag"] = etag_of(raw)
    return answer


@router.put("", summary="Update intent document")
def put_intent(body: IntentBody, project: Project, if_match: IfMatch = "") -> Response:
    """Replace the document. With `If-Match`, only if it stands as it was read."""
    file = _file(project)
    before = file.text()
    require_if_match(if_match, etag_of(before))
    file.change(lambda _: body.content, shown=before)
    answer = JSONResponse(views.intent(project.intent.read(), body.content))
    answer.headers["ETag"] = etag_of(body.content)
    return answer


@router.get("/links", summary="List bead-anchor links")
def get_links(
    request: Request,
    project: Project,
    bead: Annotated[str, Query(alias="beadId", max_length=128)] = "",
) -> Response:
    """Return the links, of one task or of all."""
    found = [one for one in project.intent.links.all() if bead in ("", one.task)]
    return with_etag(request, {"links": [views.link(one) for one in found]})


@router.post("/links", status_code=201, summary="Create or update a link")
def post_link(body: LinkBody, project: Project, asker: Asker) -> JSONResponse:
    """Link a task to a section; a link of the same two is renewed (200)."""
    by = (asker.author or body.added_by) if body.added_by == "user" else body.added_by
    wanted = Link(body.bead_id, body.anchor, body.relevance, "", by, body.note)
    kept, new = project.intent.link(wanted)
    return JSONResponse(views.link(kept), status_code=201 if new else 200)


@router.delete("/links", summary="Remove a link")
def delete_link(
    project: Project,
    bead: Annotated[str, Query(alias="beadId", min_length=1, max_length=128)],
    anchor: Annotated[str, Query(max_length=200)] = "",
) -> dict[str, Any]:
    """Remove the links of a task, or the one to an anchor."""
    return {"removed": project.intent.links.remove(bead, anchor)}


@router.post("/reindex", summary="Force cache rebuild")
def reindex(project: Project) -> dict[str, Any]:
    """Parse the document again."""
    import contextlib
    import os

    with contextlib.suppress(FileNotFoundError):
        os.unlink(project.project.state.intent)
    sections = project.intent.read().sections if project.intent.exists else ()
    return {"sections": len(sections), "anchors": sum(bool(one.anchor) for one in sections)}
