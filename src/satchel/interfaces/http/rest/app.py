"""The application: routes, errors, OpenAPI. The gate wraps it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from satchel import __version__
from satchel.interfaces.http.rest.description import openapi_of
from satchel.interfaces.http.rest.problems import Page, add_handlers
from satchel.interfaces.http.rest.routes import (
    chat,
    intent,
    knowledge,
    memory,
    reading,
    server,
    sessions,
    work,
)
from satchel.interfaces.http.server.project_pool import ProjectPool


async def known_query(request: Request) -> None:
    """Reject unknown query parameters: a misspelt filter would match everything.

    Raises `RequestValidationError`, which names each.
    """
    route = request.scope.get("route")
    if not isinstance(route, APIRoute) or not request.query_params:
        return
    known = _names(route.dependant)
    wrong = [name for name in request.query_params if name not in known]
    if wrong:
        words = f"unknown parameter; known are: {', '.join(sorted(known)) or 'none'}"
        raise RequestValidationError(
            [{"type": "extra_forbidden", "loc": ("query", name), "msg": words} for name in wrong]
        )


def _names(dependant: Dependant) -> set[str]:
    own = {one.alias for one in dependant.query_params}
    return own.union(*(_names(one) for one in dependant.dependencies))


def create_app(served: ProjectPool, page: Page | None = None) -> FastAPI:
    """Create the application; the caller wraps it in the gate.

    Args:
        page: makes a page for a problem, for browsers; None if it makes none.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        served.close()

    app = FastAPI(
        title="Satchel",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    app.state.served = served
    add_handlers(app, page)
    for one in (memory, intent, sessions, chat, work, knowledge, server, reading):
        app.include_router(one.router, dependencies=[Depends(known_query)])

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = openapi_of(app)
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]
    return app
