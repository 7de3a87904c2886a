"""Shared by routes: a request's project, cursors, ETags, idempotency keys, the route class."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.routing import APIRoute

from satchel.core.hashing import digest
from satchel.features.access.idempotency import RequestName, StoredResponse
from satchel.features.access.users import Identity
from satchel.interfaces.http.rest.listing import read_cursor, written_cursor
from satchel.interfaces.http.rest.problems import PreconditionError, may
from satchel.interfaces.http.server.project_pool import PooledProject, served_by, who_asks
from satchel.workspace import Workspace

T = TypeVar("T")
MOST = 200
_OK = 200
#: No list is this long; a database counts up to 64 bits.
_FURTHEST = 1 << 40
_PROJECT = "Id, key or name of the project; `current` is the first."


def project_of(request: Request, project_id: str) -> PooledProject:
    """Return the project named in the path."""
    return served_by(request).project(project_id)


# Dependencies that wait for nothing are coroutines: a plain function would be given a thread.
async def _project(
    request: Request,
    project_id: Annotated[str, Path(alias="projectId", description=_PROJECT, max_length=200)],
) -> PooledProject:
    return project_of(request, project_id)


async def _asker(request: Request) -> Identity:
    return who_asks(request)


def workspace_of(
    request: Request, project: Annotated[PooledProject, Depends(_project)]
) -> Iterator[Workspace]:
    """Provide the request with its own workspace."""
    with project.opened(who_asks(request)) as workspace:
        yield workspace


Project = Annotated[Workspace, Depends(workspace_of)]
Asker = Annotated[Identity, Depends(_asker)]
MemoryRef = Annotated[str, Path(description="Id or key of the memory, or the end of its id.")]
SessionRef = Annotated[str, Path(description="Id of the session, or the beginning of it.")]
TaskRef = Annotated[str, Path(description="Id of the task, or part of it.")]
ProposalRef = Annotated[str, Path(description="Id of the suggestion.")]
TableName = Annotated[str, Path(description="Name of the table.")]
ProjectRef = Annotated[str, Path(description=_PROJECT, max_length=200)]
Limit = Annotated[int, Query(ge=1, le=MOST, description="Maximum number of items.")]
Cursor = Annotated[
    str,
    Query(max_length=400, description="`nextCursor` of the previous page; omit it for the first."),
]
#: A stream of server-sent events, in OpenAPI.
EVENT_STREAM: dict[str, Any] = {
    "description": "Server-sent events",
    "content": {
        "text/event-stream": {
            "schema": {"type": "string"},
            "example": 'event: changed\ndata: {"changed": ["knowledge"]}\n\n',
        }
    },
}
IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="Any text you choose. A request that repeats the key and body within a day is "
        "not run again and gets the first answer. 409 if the body differs.",
    ),
]
IfMatch = Annotated[
    str,
    Header(
        alias="If-Match",
        max_length=200,
        description="The `ETag` from reading it: 412 if it has changed since. With `*` or without "
        "the header, the change is unconditional.",
    ),
]


def asked(about: str, most: int, alias: str | None = None, least: int | None = None) -> Any:
    """Describe a text parameter: its meaning, its limits and its name in the URL."""
    return Query(alias=alias, min_length=least, max_length=most, description=about)


def event_stream(events: Iterator[bytes] | AsyncIterator[bytes]) -> StreamingResponse:
    """Return server-sent events, which nothing on their way may hold back."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


def paginate(items: Sequence[T], limit: int, cursor: str) -> tuple[Sequence[T], str]:
    """Return a page and the cursor of the next one, "" at the end."""
    start = cursor_offset(cursor)
    page = items[start : start + limit]
    return page, next_cursor(start + limit, len(items))


def cursor_offset(cursor: str) -> int:
    """Return the number of items before a cursor. Raises `BadInputError` if it is invalid."""
    return read_cursor(cursor, _offset) if cursor else 0


def _offset(text: str) -> int:
    if not 0 <= int(text) <= _FURTHEST:
        raise ValueError(text)
    return int(text)


def next_cursor(start: int, total: int) -> str:
    """Return the cursor of the page that begins at `start`, or "" if there is none."""
    return written_cursor(str(start)) if start < total else ""


def etag_of(text: str) -> str:
    """Return the ETag of a document."""
    return f'"{digest(text.encode("utf-8", "replace")).hex()[:32]}"'


def etag_of_value(value: Any) -> str:
    """Return the ETag of a value, to compare with `If-Match` while holding its lock."""
    return etag_of(json.dumps(value, sort_keys=True, default=str))


def require_if_match(given: str, now: str) -> None:
    """Raise unless If-Match equals the ETag.

    The caller holds the resource's lock until the change is done.
    """
    if given not in ("", "*") and now not in [one.strip() for one in given.split(",")]:
        raise PreconditionError("It has changed since you read it.", hint="Read it again first.")


class IdempotentRun:
    """Runs a request once per key, or at every call without one; see `Idempotency`."""

    def __init__(self, request: Request, key: str) -> None:
        self._request, self._key = request, key
        #: The id for what the request writes, the same if repeated; "" without a key.
        self.ident = ""

    def __call__(self, asked: Any, do: Callable[[], T]) -> T:
        """Run `do`, or return its earlier result for this key and `asked`."""
        request = self._request
        if not self._key:
            return do()
        # The project by its own name: `current` differs between servers of this home.
        project = project_of(request, request.path_params["projectId"]).shared_name
        user = who_asks(request).user
        name = RequestName(project, user, request.method, request.url.path, self._key)
        text = json.dumps(asked, sort_keys=True, default=str)
        status = int(request.scope["route"].status_code or _OK)

        def run(ident: str) -> StoredResponse:
            self.ident = ident
            return StoredResponse(status, do())

        done: T = served_by(request).answers.once(name, text, run).value
        return done


async def _once(request: Request, key: IdempotencyKey = "") -> IdempotentRun:
    return IdempotentRun(request, key)


Once = Annotated[IdempotentRun, Depends(_once)]


class DescribedRoute(APIRoute):
    """A route that validates its answer against its model and sets an ETag on reads.

    Missing values are omitted from the answer. Returns 304 if the client already has it.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **{**options, "response_model_exclude_unset": True})

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of requests."""
        answer = super().get_route_handler()

        async def tagged(request: Request) -> Response:
            response = await answer(request)
            if request.method != "GET" or response.media_type != "application/json":
                return response
            if response.status_code != _OK:
                return response
            tag = response.headers.setdefault("ETag", etag_of(bytes(response.body).decode()))
            if tag in [one.strip() for one in request.headers.get("if-none-match", "").split(",")]:
                return Response(status_code=304, headers={"ETag": tag})
            return response

        return tagged


def described(summary: str, answer: Any, *errors: int) -> dict[str, Any]:
    """Return a route's declaration: its purpose, its answer's model, the errors of its work."""
    return {"summary": summary, "response_model": answer, "responses": may(*errors)}


def routes(prefix: str, tag: str) -> APIRouter:
    """Return a router of described routes; generated clients name methods after the functions."""
    return APIRouter(
        prefix=prefix,
        tags=[tag],
        route_class=DescribedRoute,
        generate_unique_id_function=lambda route: route.name,
    )
