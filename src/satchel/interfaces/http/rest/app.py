"""The application: routes, errors, OpenAPI. The gate stands around it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from satchel import __version__
from satchel.interfaces.http.rest.problems import RESPONSES, Page, Problem, add_handlers
from satchel.interfaces.http.rest.routes import (
    chat,
    intent,
    knowledge,
    memory,
    server,
    sessions,
    work,
)
from satchel.interfaces.http.server.project_pool import ProjectPool

_ABOUT = "The memory that coding agents carry from session to session."


def create_app(served: ProjectPool, page: Page | None = None) -> FastAPI:
    """Make the application; whoever runs it puts the gate around it.

    Args:
        served: the projects, and who may ask.
        page: makes a page of a problem for a browser; None where it makes none.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        served.close()

    app = FastAPI(
        title="Satchel",
        version=__version__,
        description=_ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=RESPONSES,
        redirect_slashes=False,
    )
    app.state.served = served
    add_handlers(app, page)
    for one in (server, intent, memory, sessions, chat, knowledge, work):
        app.include_router(one.router)

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title, version=app.version, description=_ABOUT, routes=app.routes
            )
            parts = schema.setdefault("components", {})
            parts.setdefault("schemas", {})["Problem"] = Problem.model_json_schema()
            parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            schema["security"] = [{"token": []}]
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]
    return app
