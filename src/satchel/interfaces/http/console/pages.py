"""What the pages share: templates, the project of a request, answers after a form."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Iterator, Mapping
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import Depends, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from satchel.core import times
from satchel.core.trust import clean_line, clean_text
from satchel.features.access.secrets import equal_in_constant_time
from satchel.features.access.values import ADMIN, READER, WRITER, Identity
from satchel.interfaces.http.server.project_pool import PooledProject, ProjectPool
from satchel.workspace import Workspace

_HERE = os.path.dirname(os.path.abspath(__file__))
#: Name of a page -> its title, in the order of the navigation.
PAGES = {
    "overview": "Overview", "search": "Search", "memories": "Memories", "review": "Review",
    "intent": "Intent", "sessions": "Sessions", "tasks": "Tasks", "graph": "Graph",
    "packs": "Packs", "instincts": "Instincts", "agents": "Agents", "tables": "Tables",
    "settings": "Settings",
}  # fmt: skip
#: Pages that tell of the person whose server it is.
_OF_OWNER = ("settings",)
PAGE_SIZE = 50


def _time(seconds: float) -> str:
    return times.minute(seconds).removesuffix(" UTC") if seconds else "never"


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(os.path.join(_HERE, "templates")),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Escaping makes text harmless to a browser; cleaning, to the person who reads it.
    made.filters["line"] = lambda value: clean_line(str(value))
    made.filters["text"] = lambda value: clean_text(str(value))
    made.filters["time"] = _time
    made.filters["part"] = lambda value: quote(str(value), safe="")
    made.globals["pages"] = PAGES
    return made


_TEMPLATES = _environment()


def served_by(request: Request) -> ProjectPool:
    """Return what is served."""
    served: ProjectPool = request.app.state.served
    return served


def who_asks(request: Request) -> Identity:
    """Return who asks; the gate has let them pass."""
    identity: Identity = request.scope["satchel.identity"]
    return identity


def project_of(
    request: Request, project: Annotated[str, Path(alias="project", max_length=200)]
) -> PooledProject:
    """Return the project in the path."""
    return served_by(request).project(project)


class Page:
    """One request to a page of one project.

    Args:
        request: what was asked.
        served: the project.
        workspace: lent for this request.
    """

    def __init__(self, request: Request, served: PooledProject, workspace: Workspace) -> None:
        self.request, self.served, self.workspace = request, served, workspace
        self.who = who_asks(request)

    @property
    def base(self) -> str:
        """Where this project's pages are."""
        return f"/console/{quote(self.served.key, safe='')}"

    def show(self, name: str, **values: Any) -> HTMLResponse:
        """Render a template."""
        every = served_by(self.request).projects
        names = self.served.names
        owns = self.who.may(ADMIN, *names)
        text = _TEMPLATES.get_template(f"{name}.html").render(
            page=values.pop("page", name),
            base=self.base,
            project=self.served.name,
            projects=[one for one in every if self.who.may(READER, *one.names)],
            user=self.who.user,
            role=self.who.role_in(*names),
            writes=self.who.may(WRITER, *names),
            offered={one: title for one, title in PAGES.items() if owns or one not in _OF_OWNER},
            told=self._told(),
            **values,
        )
        return HTMLResponse(text)

    def back(self, where: str, told: str = "", **query: str) -> RedirectResponse:
        """Send a browser to a page after a form."""
        given = dict(query)
        if told:
            given |= {"told": told[:200], "mark": self._mark(told[:200])}
        address = f"{self.base}/{where}" + (f"?{urlencode(given)}" if given else "")
        return RedirectResponse(address, status_code=303)

    def _told(self) -> str:
        """Return what `back` told this user: a link of anybody's could tell them something else."""
        asked = self.request.query_params
        told = asked.get("told", "")
        return (
            clean_line(told)
            if told and equal_in_constant_time(asked.get("mark", ""), self._mark(told))
            else ""
        )

    def _mark(self, told: str) -> str:
        key = served_by(self.request).token.encode()
        said = f"told\0{self.who.user}\0{told}".encode("utf-8", "replace")
        return hmac.new(key, said, hashlib.sha256).hexdigest()[:32]


def page_of(
    request: Request, served: Annotated[PooledProject, Depends(project_of)]
) -> Iterator[Page]:
    """Lend a page its workspace."""
    with served.opened() as workspace:
        yield Page(request, served, workspace)


Asked = Annotated[Page, Depends(page_of)]


def failed(request: Request, told: Mapping[str, Any]) -> HTMLResponse | None:
    """Tell a person in a browser what went wrong; None for whoever is none, or asks elsewhere."""
    path = request.url.path
    if not path.startswith("/console") or "text/html" not in request.headers.get("accept", ""):
        return None
    return plain("failed", int(told["status"]), title=told["title"], detail=told["detail"],
                 hint=told["hint"], back="/console/")  # fmt: skip


def refused(status: int, title: str, detail: str, hint: str) -> bytes:
    """Return the page for a person whom the gate did not let pass."""
    return bytes(
        plain("failed", status, title=title, detail=detail, hint=hint, back="/console/").body
    )


def plain(name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a page that belongs to no project."""
    text = _TEMPLATES.get_template(f"{name}.html").render(**values)
    return HTMLResponse(text, status_code=status)
