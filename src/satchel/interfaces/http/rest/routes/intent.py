"""`/api/projects/{id}/intent`: the document, its anchors, the links of tasks to them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Response

from satchel.application.outlet import held_back
from satchel.features.intent.values import Link
from satchel.interfaces.http.rest import responses as api
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.models import intent as models
from satchel.interfaces.http.rest.models.requests import IntentBody, LinkBody
from satchel.interfaces.http.rest.problems import may
from satchel.storage.owned_files import OwnedFile
from satchel.workspace import Workspace

router = api.routes("/api/projects/{projectId}/intent", "intent")


def _file(project: Workspace) -> OwnedFile:
    state, tracked = project.project.state, project.project.tracked
    return OwnedFile(tracked.intent, state.lock("intent"), root=project.project.place.root)


def _told(project: Workspace, raw: str) -> dict[str, Any]:
    held = bool(held_back(project, [project.project.tracked.intent]))
    return views.intent(project.intent.read(), raw, held=held)


@router.get("", **api.described("Get parsed intent and anchors", models.IntentDocument))
def get_intent(response: Response, project: api.Project) -> dict[str, Any]:
    """Return the document; `exists: false` if there is none."""
    if not project.intent.exists:
        response.headers["ETag"] = api.etag_of("")
        return {"exists": False, "sections": [], "anchors": [], "warnings": []}
    raw = _file(project).text()
    response.headers["ETag"] = api.etag_of(raw)
    return _told(project, raw)


@router.put("", **api.described("Update intent document", models.IntentDocument, 400, 409))
def put_intent(
    response: Response, body: IntentBody, project: api.Project, if_match: api.IfMatch = ""
) -> dict[str, Any]:
    """Replace the document. With `If-Match`, only if it is unchanged since it was read."""
    file = _file(project)
    with file.lock:
        before = file.text()
        api.require_if_match(if_match, api.etag_of(before))
        file.change(lambda _: body.content, shown=before)
    response.headers["ETag"] = api.etag_of(body.content)
    return _told(project, body.content)


@router.get("/links", **api.described("List bead-anchor links", models.IntentLinks))
def list_intent_links(
    project: api.Project, bead: Annotated[str, api.asked("Only of this task.", 128, "beadId")] = ""
) -> dict[str, Any]:
    """Return the links, of one task or of all."""
    found = [one for one in project.intent.links.all() if bead in ("", one.task)]
    return {"links": [views.link(one) for one in found]}


@router.post(
    "/links",
    status_code=201,
    summary="Create or update a link",
    response_model=models.IntentLink,
    responses={
        200: {"model": models.IntentLink, "description": "The two were linked: it is renewed."},
        **may(400, 409),
    },
)
def link_intent(
    response: Response, body: LinkBody, project: api.Project, asker: api.Asker
) -> dict[str, Any]:
    """Link a task to a section; linking them again renews the link (200)."""
    by = (asker.author or body.added_by) if body.added_by == "user" else body.added_by
    wanted = Link(
        body.bead_id, body.anchor, body.relevance, added_at="", added_by=by, note=body.note
    )
    kept, new = project.intent.link(wanted)
    response.status_code = 201 if new else 200
    return views.link(kept)


@router.delete("/links", **api.described("Remove a link", models.RemovedLinks))
def unlink_intent(
    project: api.Project,
    bead: Annotated[str, api.asked("Id of the task.", 128, "beadId", least=1)],
    anchor: Annotated[str, api.asked("Only the link to this section.", 200)] = "",
) -> dict[str, Any]:
    """Remove the links of a task, or the one to an anchor."""
    return {"removed": project.intent.links.remove(bead, anchor)}


@router.post("/reindex", **api.described("Force cache rebuild", models.ReindexedIntent))
def reindex_intent(project: api.Project) -> dict[str, Any]:
    """Parse the document again."""
    import contextlib
    import os

    with contextlib.suppress(FileNotFoundError):
        os.unlink(project.project.state.intent)
    sections = project.intent.read().sections if project.intent.exists else ()
    return {"sections": len(sections), "anchors": sum(bool(one.anchor) for one in sections)}
