"""The console's routes: sign-in, pages and forms."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from satchel.features.access.browser_sessions import LONGEST
from satchel.features.access.secrets import hash_of
from satchel.features.access.users import READER
from satchel.interfaces.http.console.pages import chosen_theme, plain
from satchel.interfaces.http.console.routes import (
    explore,
    find,
    home,
    inbox,
    memory,
    memory_changes,
    sessions,
    settings,
    work,
)
from satchel.interfaces.http.rest.routes.server import changes
from satchel.interfaces.http.server.middleware import (
    CONSOLE,
    browser_of,
    cookie_name,
    headers_of,
    session_of,
)
from satchel.interfaces.http.server.project_pool import served_by, who_asks

_HERE = os.path.dirname(os.path.abspath(__file__))
#: Need no token: the sign-in page, and its style.
OPEN_PATHS = ("/console/login", "/console/logout", "/console/static/")
#: Compressed, since they contain no secret that their length could reveal.
STATIC = GZipMiddleware(StaticFiles(directory=os.path.join(_HERE, "static")), minimum_size=500)

#: The cookie's path: a browser sends it to every port of a host, but only below this.
_PATH = "/console"

router = APIRouter(include_in_schema=False)


@router.get("/console/login")
def login(
    request: Request,
    ended: bool = False,
    once: Annotated[str, Query(max_length=100)] = "",
    next_: Annotated[str, Query(alias="next", max_length=2000)] = "",
) -> Response:
    """Ask for the token, or accept the link that `satchel serve` printed."""
    token = served_by(request).sessions.follow_link(once) if once else ""
    if token:
        return _begun(request, token, next_)
    return _asked(request, next_, used=bool(once), ended=ended)


@router.post("/console/login")
def sign_in(
    request: Request,
    token: Annotated[str, Form(max_length=300)],
    next_: Annotated[str, Form(alias="next", max_length=2000)] = "",
) -> Response:
    """Start a session if the token is valid; the browser does not store the token."""
    if served_by(request).identify(token.strip()) is None:
        return _asked(request, next_, 403, wrong=True)
    return _begun(request, hash_of(token.strip()), next_)


def _asked(request: Request, next_: str, status: int = 200, **what: bool) -> Response:
    said = {"wrong": False, "used": False, "ended": False} | what
    team, theme = served_by(request).team, chosen_theme(request)
    return plain("login", status, next=_deep_link(next_), team=team, theme=theme, **said)


def _deep_link(given: str) -> str:
    """Return the console page requested before signing in; "" for anything else."""
    inside = given.startswith(CONSOLE) and "//" not in given and "\\" not in given
    return given if inside and given.isprintable() else ""


def _begun(request: Request, token: str, next_: str) -> Response:
    headers = headers_of(request.scope)
    session = served_by(request).sessions.begin(token, browser_of(headers))
    answer = RedirectResponse(_deep_link(next_) or CONSOLE, status_code=303)
    answer.set_cookie(
        cookie_name(headers["host"]),
        session,
        httponly=True,
        samesite="strict",
        path=_PATH,
        secure=request.url.scheme == "https",
        max_age=LONGEST,
    )
    return answer


@router.post("/console/logout")
def sign_out(request: Request) -> Response:
    """End the session, for every holder of its cookie."""
    headers = headers_of(request.scope)
    served_by(request).sessions.end(session_of(headers))
    answer = RedirectResponse("/console/login", status_code=303)
    answer.delete_cookie(cookie_name(headers["host"]), path=_PATH)
    return answer


@router.get("/console/")
@router.get("/console")
@router.get("/")
def first(request: Request) -> Response:
    """Redirect to the first project that the user may read."""
    who = who_asks(request)
    for project in served_by(request).projects:
        if who.may(READER, *project.names):
            return RedirectResponse(f"/console/{project.key}/home", status_code=303)
    return plain("nothing", 403, user=who.user, theme=chosen_theme(request))


@router.get("/console/{project}/events")
async def events(request: Request, project: str) -> Response:
    """Stream changes while a page is open; the API does not accept the session cookie."""
    return changes(request, served_by(request).project(project))


for one in (home, memory_changes, memory, inbox, sessions, work, explore, settings, find):
    router.include_router(one.router)
