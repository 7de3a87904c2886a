"""The console's routes: sign in, and every page's reading and forms."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from starlette.staticfiles import StaticFiles

from satchel.features.access.values import READER
from satchel.interfaces.http.console.pages import plain, served_by, who_asks
from satchel.interfaces.http.console.routes import knowledge as knowing
from satchel.interfaces.http.console.routes import overview as looking
from satchel.interfaces.http.console.routes import tasks as working
from satchel.interfaces.http.server.middleware import COOKIE

_HERE = os.path.dirname(os.path.abspath(__file__))
#: Asked without a token: the page to sign in, and what it looks like.
OPEN_PATHS = ("/console/login", "/console/logout", "/console/static/")
STATIC = StaticFiles(directory=os.path.join(_HERE, "static"))

router = APIRouter(include_in_schema=False)


@router.get("/console/login")
def login(request: Request, ended: bool = False) -> Response:
    """Ask for the token."""
    return plain("login", wrong=False, ended=ended, team=served_by(request).team)


@router.post("/console/login")
def sign_in(request: Request, token: Annotated[str, Form(max_length=300)]) -> Response:
    """Let somebody in whose token is good; the cookie is for this server's own pages alone."""
    if served_by(request).identify(token.strip()) is None:
        return plain("login", 403, wrong=True, ended=False, team=served_by(request).team)
    answer = RedirectResponse("/console/", status_code=303)
    answer.set_cookie(
        COOKIE, token.strip(), httponly=True, samesite="strict", path="/",
        secure=request.url.scheme == "https", max_age=30 * 86_400,
    )  # fmt: skip
    return answer


@router.post("/console/logout")
def sign_out() -> Response:
    """Forget the token in this browser."""
    answer = RedirectResponse("/console/login", status_code=303)
    answer.delete_cookie(COOKIE, path="/")
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


for one in (looking, knowing, working):
    router.include_router(one.router)
