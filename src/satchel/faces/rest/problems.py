"""Errors as `application/problem+json` (RFC 9457): what is wrong, and the next step."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from satchel.errors import (
    AmbiguousIdError,
    BadInputError,
    BusyError,
    ConflictError,
    NoProjectError,
    NotFoundError,
    SatchelError,
    StoreError,
)
from satchel.inference.failures import ModelUnavailableError
from satchel.trust import clean_text


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
    400: "What was sent cannot be used", 401: "No token, or not a good one",
    403: "Another origin, or the role is not enough", 404: "Nothing has this id",
    409: "It stands otherwise than was thought", 412: "It was changed meanwhile (ETag)",
    413: "Too large", 422: "A field is missing or of the wrong kind", 429: "Too many requests",
    502: "The model did not answer", 503: "Busy: come again", 507: "A file or the disk refused",
}  # fmt: skip
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


def add_handlers(app: FastAPI) -> None:
    """Turn every error on purpose into its answer."""

    @app.exception_handler(SatchelError)
    def satchel_error(_: Request, error: SatchelError) -> JSONResponse:
        for kind, status, title in _STATUS:
            if isinstance(error, kind):
                return problem(status, title, str(error), error.hint)
        return problem(500, "Internal Server Error", str(error), error.hint)

    @app.exception_handler(RequestValidationError)
    def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0] if error.errors() else {}
        where = ".".join(str(part) for part in first.get("loc", ()))
        return problem(422, "Unprocessable Content", f"{where}: {first.get('msg', '')}"[:500])

    @app.exception_handler(HTTPException)
    def http(_: Request, error: HTTPException) -> JSONResponse:
        titles = {404: "Not Found", 405: "Method Not Allowed"}
        answer = problem(error.status_code, titles.get(error.status_code, str(error.detail)))
        answer.headers.update(error.headers or {})
        return answer
