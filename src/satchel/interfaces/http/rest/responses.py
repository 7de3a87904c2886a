"""What routes share: the project of a request, cursors, ETags, idempotency keys."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from satchel.core.errors import BadInputError
from satchel.core.hashing import digest
from satchel.features.access.idempotency import StoredResponse
from satchel.features.access.values import Identity
from satchel.interfaces.http.rest.problems import PreconditionError
from satchel.interfaces.http.server.project_pool import PooledProject, ProjectPool
from satchel.workspace import Workspace

T = TypeVar("T")
MOST = 200
#: A list ends long before; a database counts no further than 64 bits.
_FURTHEST = 1 << 40


def served_by(request: Request) -> ProjectPool:
    """Return what is served."""
    served: ProjectPool = request.app.state.served
    return served


def who_asks(request: Request) -> Identity:
    """Return who asks; the gate has let them pass."""
    identity: Identity = request.scope["satchel.identity"]
    return identity


def project_of(
    request: Request,
    project_id: Annotated[
        str, Path(alias="projectId", description="Id, key or name; `current`.", max_length=200)
    ],
) -> PooledProject:
    """Return the project in the path."""
    return served_by(request).project(project_id)


def workspace_of(project: Annotated[PooledProject, Depends(project_of)]) -> Iterator[Workspace]:
    """Lend the request its own workspace."""
    with project.opened() as workspace:
        yield workspace


Project = Annotated[Workspace, Depends(workspace_of)]
Asker = Annotated[Identity, Depends(who_asks)]
Limit = Annotated[int, Query(ge=1, le=MOST, description="How many at most.")]
Cursor = Annotated[str, Query(max_length=400, description="`nextCursor` of the page before.")]
IdempotencyKey = Annotated[
    str, Header(alias="Idempotency-Key", max_length=200, description="The same key is done once.")
]
IfMatch = Annotated[str, Header(alias="If-Match", max_length=200)]


def paginate(items: Sequence[T], limit: int, cursor: str) -> tuple[Sequence[T], str]:
    """Cut one page; return it, and where the next one begins, "" at the end."""
    start = cursor_offset(cursor)
    page = items[start : start + limit]
    return page, next_cursor(start + limit, len(items))


def cursor_offset(cursor: str) -> int:
    """Return how many items came before a cursor. Raises `BadInputError` for an invalid one."""
    start = 0
    if cursor:
        try:
            start = int(base64.urlsafe_b64decode(cursor.encode() + b"==").decode())
        except (ValueError, binascii.Error, UnicodeError):
            raise BadInputError(
                "This cursor is not from this server.", hint="Leave it out."
            ) from None
        if not 0 <= start <= _FURTHEST:
            raise BadInputError("This cursor is not from this server.", hint="Leave it out.")
    return start


def next_cursor(start: int, total: int) -> str:
    """Return the cursor of what begins at `start`; "" where nothing does."""
    if start >= total:
        return ""
    return base64.urlsafe_b64encode(str(start).encode()).decode().rstrip("=")


def with_etag(request: Request, value: Any) -> Response:
    """Answer with an ETag; 304 where the client has this already."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    tag = f'"{digest(body).hex()[:32]}"'
    if tag in [one.strip() for one in request.headers.get("if-none-match", "").split(",")]:
        return Response(status_code=304, headers={"ETag": tag})
    return Response(body, media_type="application/json", headers={"ETag": tag})


def etag_of(text: str) -> str:
    """Return the ETag of a document."""
    return f'"{digest(text.encode("utf-8", "replace")).hex()[:32]}"'


def require_if_match(given: str, now: str) -> None:
    """Refuse a change of what was changed since the client read it."""
    if given not in ("", "*") and now not in [one.strip() for one in given.split(",")]:
        raise PreconditionError("It was changed since you read it.", hint="Read it again first.")


def run_idempotent(
    request: Request, key: str, asked: Any, do: Callable[[], tuple[int, Any]]
) -> Response:
    """Do a request once for its key; see `IdempotencyStore.run_idempotent`."""
    if not key:
        status, value = do()
        return JSONResponse(value, status_code=status)
    # The project by its own name: `current` is another one on another server of this home.
    project = project_of(request, request.path_params["projectId"]).key
    name = (who_asks(request).user, request.method, request.url.path, project, key)
    text = json.dumps(asked, sort_keys=True, default=str)
    done = served_by(request).answers.once(name, text, lambda: StoredResponse(*do()))
    return JSONResponse(done.value, status_code=done.status)
