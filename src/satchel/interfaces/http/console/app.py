"""The console's routes: sign in, and every page's reading and forms."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.staticfiles import StaticFiles

from satchel.features.access.browser_sessions import LONGEST
from satchel.features.access.secrets import hash_of
from satchel.features.access.values import READER
from satchel.interfaces.http.console.pages import plain, served_by, who_asks
from satchel.interfaces.http.console.routes import knowledge as knowing
from satchel.interfaces.http.console.routes import overview as looking
from satchel.interfaces.http.console.routes import tasks as working
from satchel.interfaces.http.rest.routes.server import changes
from satchel.interfaces.http.server.middleware import (
    CONSOLE,
    browser_of,
    cookie_name,
    headers_of,
    session_of,
)

_HERE = os.path.dirname(os.path.abspath(__file__))
#: Asked without a token: the page to sign in, and what it looks like.
OPEN_PATHS = ("/console/login", "/console/logout", "/console/static/")
STATIC = StaticFiles(directory=os.path.join(_HERE, "static"))

#: Where the cookie goes: a browser sends it to every port of a host, but only below this.
_PATH = "/console"

router = APIRouter(include_in_schema=False)


@router.get("/console/login")
def login(
    request: Request,
    ended: bool = False,
    once: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """Ask for the token, or follow the link that `satchel serve` printed."""
    served = served_by(request)
    token = served.sessions.follow_link(once) if once else ""
    if token:
        return _begun(request, token)
    return plain("login", wrong=False, used=bool(once), ended=ended, team=served.team)


@router.post("/console/login")
def sign_in(request: Request, token: Annotated[str, Form(max_length=300)]) -> Response:
    """Begin a session for somebody whose token is good; the browser does not keep the token."""
    served = served_by(request)
    if served.identify(token.strip()) is None:
        return plain("login", 403, wrong=True, used=False, ended=False, team=served.team)
    return _begun(request, hash_of(token.strip()))


def _begun(request: Request, token: str) -> Response:
    headers = headers_of(request.scope)
    session = served_by(request).sessions.begin(token, browser_of(headers))
    answer = RedirectResponse(CONSOLE, status_code=303)
    answer.set_cookie(
        cookie_name(headers["host"]), session, httponly=True, samesite="strict", path=_PATH,
        secure=request.url.scheme == "https", max_age=LONGEST,
    )  # fmt: skip
    return answer


@router.post("/console/logout")
def sign_out(request: Request) -> Response:
    """End the session, also for whoever has its cookie."""
    headers = headers_of(request.scope)
    served_by(request).sessions.end(session_of(headers))
    answer = RedirectResponse("/console/login", status_code=303)
    answer.delete_cookie(cookie_name(headers["host"]), path=_PATH)
    return answer


@router.get("/console/")
@router.get("/console")
@router.get("/")
def first(request: Request) -> Response:
    """Go to the first project that may be read."""
    who = who_asks(request)
    for project in served_by(request).projects:
        if who.may(READER, *project.names):
            return RedirectResponse(f"/console/{project.key}/overview", status_code=303)
    return plain("nothing", 403, user=who.user)


@router.get("/console/{project}/events")
async def events(request: Request, project: str) -> Response:
    """What changes while a page is looked at; the session's cookie does not go to the API."""
    return changes(request, served_by(request).project(project))


for one in (looking, knowing, working):
    router.include_router(one.router)
