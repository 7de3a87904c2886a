"""Errors as `application/problem+json` (RFC 9457): what is wrong, and the next step."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
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

#: Makes a page of a problem, or None for who wants none.
Page = Callable[[Request, Mapping[str, Any]], Response | None]


class PreconditionError(ConflictError):
    """What was read has changed."""


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


class Problem(BaseModel):
    """What went wrong."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""
    hint: str = Field(default="", description="The next step.")


_MEANINGS = {
    400: "Invalid request",
    401: "No token, or an invalid one",
    403: "Foreign origin, or insufficient role",
    404: "Nothing has this id",
    409: "Conflict with the present state",
    412: "It was changed meanwhile (ETag)",
    413: "Too large",
    422: "A field is missing or of the wrong kind",
    429: "Too many requests",
    502: "The model did not answer",
    503: "Busy: try again",
    507: "A file or the disk refused",
}
#: What any route may answer besides what it says.
RESPONSES: dict[int | str, dict[str, object]] = {
    status: {
        "description": meaning,
        "content": {
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
        },
    }
    for status, meaning in _MEANINGS.items()
}


def problem(status: int, title: str, detail: str = "", hint: str = "") -> JSONResponse:
    """Make the answer."""
    told = Problem(title=title, status=status, detail=clean_text(detail), hint=clean_text(hint))
    headers = {"Retry-After": "1"} if status == 503 else None  # noqa: PLR2004
    return JSONResponse(
        told.model_dump(),
        status_code=status,
        media_type="application/problem+json",
        headers=headers,
    )


def add_handlers(app: FastAPI, page: Page | None = None) -> None:
    """Turn every error on purpose into its answer; into a page where `page` makes one of it."""

    def told(
        request: Request, status: int, title: str, detail: str = "", hint: str = ""
    ) -> Response:
        answer = problem(status, title, detail, hint)
        return (page and page(request, json.loads(bytes(answer.body)))) or answer

    @app.exception_handler(SatchelError)
    def satchel_error(request: Request, error: SatchelError) -> Response:
        for kind, status, title in _STATUS:
            if isinstance(error, kind):
                return told(request, status, title, str(error), error.hint)
        return told(request, 500, "Internal Server Error", str(error), error.hint)

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0] if error.errors() else {}
        where = ".".join(str(part) for part in first.get("loc", ()))
        detail = f"{where}: {first.get('msg', '')}"[:500]
        return told(request, 422, "Unprocessable Content", detail)

    @app.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        titles = {404: "Not Found", 405: "Method Not Allowed"}
        title = titles.get(error.status_code, str(error.detail))
        answer = told(request, error.status_code, title)
        answer.headers.update(error.headers or {})
        return answer
