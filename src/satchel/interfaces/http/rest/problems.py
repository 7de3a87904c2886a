"""Errors as `application/problem+json` (RFC 9457): what is wrong, where, and the next step."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from satchel.core.errors import (
    AmbiguousIdError,
    BadInputError,
    BusyError,
    ConflictError,
    NoProjectError,
    NotFoundError,
    SatchelError,
    StoreError,
)
from satchel.core.trust import clean_text
from satchel.engine.inference.failures import ModelUnavailableError
from satchel.interfaces.http.rest.models.fields import says
from satchel.interfaces.http.server.problem_types import BY_STATUS, problem_uri

#: Makes a page for a problem, or None for clients that want none.
Page = Callable[[Request, Mapping[str, Any]], Response | None]
_MOST_FIELDS, _LONGEST = 100, 1000


class PreconditionError(ConflictError):
    """The resource has changed since it was read."""


_STATUS: tuple[tuple[type[SatchelError], int, str], ...] = (
    (PreconditionError, 412, "Precondition Failed"),
    (AmbiguousIdError, 409, "Conflict"),
    (ModelUnavailableError, 502, "Bad Gateway"),
    (BadInputError, 400, "Bad Request"),
    (NotFoundError, 404, "Not Found"),
    (NoProjectError, 404, "Not Found"),
    (ConflictError, 409, "Conflict"),
    (BusyError, 503, "Service Unavailable"),
    (StoreError, 507, "Insufficient Storage"),
)


class WrongField(BaseModel):
    """An invalid field or parameter."""

    detail: Annotated[str, says("What is wrong with it.", "Field required")]
    pointer: Annotated[
        str, says("JSON Pointer (RFC 6901) to the field of the body.", "#/content")
    ] = ""
    parameter: Annotated[str, says("The parameter of path, query or header.")] = ""


class Problem(BaseModel):
    """What went wrong (RFC 9457)."""

    type: Annotated[
        str, says("The type of problem: the address of its page.", "/api/problems/invalid-fields")
    ]
    title: Annotated[str, says("The kind in a few words.", "Unprocessable Content")]
    status: Annotated[int, says("The HTTP status.", 422)]
    detail: Annotated[str, says("What is wrong with this request.", "content: Field required")] = ""
    instance: Annotated[str, says("The requested path.", "/api/projects/current/memory")]
    hint: Annotated[str, says("The next step.", "")] = ""
    errors: Annotated[list[WrongField], says("Every wrong field of the request.")] = []


def may(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Declare the errors that a route's work may raise, besides those its parameters imply."""
    return {status: {"description": BY_STATUS[status].meaning} for status in statuses}


def problem(
    request: Request,
    status: int,
    title: str,
    *,
    detail: str = "",
    hint: str = "",
    errors: Sequence[WrongField] = (),
) -> JSONResponse:
    """Return the problem response."""
    told = Problem(
        type=problem_uri(status),
        title=title,
        status=status,
        detail=clean_text(detail),
        instance=quote(request.scope["path"])[:_LONGEST],
        hint=clean_text(hint),
    )
    body = told.model_dump(exclude={"errors"})
    if errors:
        body["errors"] = [one.model_dump(exclude_defaults=True) for one in errors]
    headers = {"Retry-After": "1"} if status == 503 else None  # noqa: PLR2004
    return JSONResponse(
        body, status_code=status, media_type="application/problem+json", headers=headers
    )


def add_handlers(app: FastAPI, page: Page | None = None) -> None:
    """Turn every expected error into its response, or into a page if `page` returns one."""

    def told(request: Request, status: int, title: str, **more: Any) -> Response:
        answer = problem(request, status, title, **more)
        return (page and page(request, json.loads(bytes(answer.body)))) or answer

    @app.exception_handler(SatchelError)
    def satchel_error(request: Request, error: SatchelError) -> Response:
        for kind, status, title in _STATUS:
            if isinstance(error, kind):
                return told(request, status, title, detail=str(error), hint=error.hint)
        return told(request, 500, "Internal Server Error", detail=str(error), hint=error.hint)

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        wrong = [_wrong_field(one) for one in error.errors()[:_MOST_FIELDS]]
        first = error.errors()[0] if error.errors() else {}
        where = ".".join(str(part) for part in first.get("loc", ()))
        detail = f"{where}: {_words(first)}"[:500]
        return told(request, 422, "Unprocessable Content", detail=detail, errors=wrong)

    @app.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        titles = {404: "Not Found", 405: "Method Not Allowed"}
        answer = told(request, error.status_code, titles.get(error.status_code, str(error.detail)))
        answer.headers.update(error.headers or {})
        return answer


def _words(one: Mapping[str, Any]) -> str:
    """Return an error's message without the "Value error, " that pydantic prepends."""
    return str(one.get("msg", "")).removeprefix("Value error, ")


def _wrong_field(one: Mapping[str, Any]) -> WrongField:
    """Return where a field is, as a JSON Pointer if it is in the body."""
    place, *parts = one.get("loc", ("",))
    detail = clean_text(_words(one))[:300]
    if place != "body":
        return WrongField(detail=detail, parameter=clean_text(".".join(map(str, parts)))[:200])
    if one.get("type") == "json_invalid":
        parts = []  # where reading stopped is no field
    escaped = [str(part).replace("~", "~0").replace("/", "~1") for part in parts]
    return WrongField(detail=detail, pointer=clean_text("/".join(["#", *escaped]))[:300])
