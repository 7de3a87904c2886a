"""`/api/projects/{id}/chat`: a message, and the answer as a stream of events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fastapi import Request
from fastapi.responses import StreamingResponse

from satchel.application.chat.service import AnswerStep, Chat
from satchel.core.errors import SatchelError
from satchel.core.trust import clean_text
from satchel.interfaces.http.rest import responses as api
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.models.requests import ChatBody
from satchel.interfaces.http.rest.models.sessions import Message
from satchel.interfaces.http.rest.problems import may
from satchel.interfaces.http.server.project_pool import who_asks

router = api.routes("/api/projects/{projectId}/chat", "chat")


@router.post("/{sessionId}", **api.described("Send message", Message, 400, 409), status_code=202)
def send_message(
    sessionId: api.SessionRef, body: ChatBody, project: api.Project, once: api.Once
) -> Any:
    """Save a user's message; the answer comes from `stream`."""

    def do() -> dict[str, Any]:
        return views.message(Chat(project).say(sessionId, body.message, once.ident))

    return once([sessionId, body.message], do)


@router.get(
    "/{sessionId}/stream",
    summary="SSE response stream",
    response_class=StreamingResponse,
    responses={200: api.EVENT_STREAM, **may(400, 409)},
)
def stream_answer(
    request: Request, projectId: api.ProjectRef, sessionId: api.SessionRef
) -> StreamingResponse:
    """Events `delta` {text}, then `done` {message}; `error` {detail} if the model failed."""
    project, who = api.project_of(request, projectId), who_asks(request)

    def events() -> Iterator[bytes]:
        with project.opened(who) as workspace:
            try:
                for step in Chat(workspace).answer(sessionId):
                    yield _event(step)
            except SatchelError as error:
                yield _encode_event("error", {"detail": str(error), "hint": error.hint})

    with project.opened(who) as workspace, workspace.sessions as sessions:
        sessions.store.find(sessionId)  # 404 before the stream begins
    return api.event_stream(events())


def _event(step: AnswerStep) -> bytes:
    if step.error:
        return _encode_event("error", {"detail": step.error})
    if step.kept is not None:
        return _encode_event("done", {"message": views.message(step.kept)})
    return _encode_event("delta", {"text": step.text})


def _encode_event(name: str, data: dict[str, object]) -> bytes:
    body = json.dumps(
        {n: clean_text(v) if isinstance(v, str) else v for n, v in data.items()}, ensure_ascii=False
    )
    return f"event: {name}\ndata: {body}\n\n".encode("utf-8", "replace")
