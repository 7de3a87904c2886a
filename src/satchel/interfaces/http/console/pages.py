"""Shared by all pages: templates, the project of a request, redirects after a form."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import time
from collections.abc import Iterator, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Annotated, Any
from urllib.parse import parse_qsl, quote, urlencode

from fastapi import Depends, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from satchel.core.errors import BadInputError
from satchel.core.times import seconds_of
from satchel.core.trust import clean_line, clean_text
from satchel.core.values import NamedTuple
from satchel.features.access.secrets import equal_in_constant_time
from satchel.features.access.users import ADMIN, READER, WRITER
from satchel.interfaces.http.console import presentation
from satchel.interfaces.http.console.project_reading import ProjectReading
from satchel.interfaces.http.server.project_pool import PooledProject, served_by, who_asks
from satchel.workspace import Workspace

_HERE = os.path.dirname(os.path.abspath(__file__))
#: Destination -> its name and the key that follows `g`, in the order of the rail.
PAGES = {
    "home": ("Home", "h"),
    "memory": ("Memory", "m"),
    "inbox": ("Inbox", "i"),
    "sessions": ("Sessions", "s"),
    "work": ("Work", "w"),
    "explore": ("Explore", "e"),
}
PAGE_SIZE = 50
#: A path and a query below a project, in which forms name the page they came from.
_WHERE = re.compile(r"[\w\-./?=&%+,:~@]*")
_OWN_QUERY = ("told", "mark", "undo")


class Undo(NamedTuple):
    """The form that undoes a change: its target, below the project, and its fields."""

    path: str
    fields: tuple[tuple[str, str], ...] = ()

    def encoded(self) -> str:
        """Return the form encoded as one line."""
        return self.path + "?" + urlencode(self.fields)


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(os.path.join(_HERE, "templates")),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Escaping makes text harmless to a browser; cleaning, to its reader.
    made.filters["line"] = lambda value: clean_line(str(value))
    made.filters["text"] = lambda value: clean_text(str(value))
    made.filters["inline"] = lambda value: presentation.inline(str(value))
    made.filters["spans"] = lambda value: presentation.spans(str(value))
    made.filters["markdown"] = lambda value: presentation.markdown(str(value))
    made.filters["ago"] = lambda value: presentation.ago(float(value), time.time())
    made.filters["since"] = lambda value: presentation.ago(float(value), time.time(), whole=True)
    made.filters["occasion"] = presentation.occasion
    made.filters["section_icon"] = presentation.section_icon
    made.filters["shown_line"] = lambda value: presentation.shown_line(str(value))
    made.filters["says"] = lambda one: presentation.sentence(one.title, one.content, one.kind)
    made.filters["moment"] = seconds_of
    made.filters["zip"] = zip
    made.filters["clock"] = presentation.clock
    made.filters["kind"] = presentation.kind_look
    made.filters["trust"] = presentation.trust_look
    made.filters["part"] = lambda value: quote(str(value), safe="")
    made.filters["thousands"] = lambda value: f"{value:,}"
    made.globals["pages"] = PAGES
    made.globals["query"] = _query
    return made


def _query(given: Mapping[str, str], **changes: object) -> str:
    """Return a query with some values changed; empty values and 0 are left out."""
    asked = {name: value for name, value in {**given, **changes}.items() if value}
    return f"?{urlencode(asked)}" if asked else ""


_TEMPLATES = _environment()


def project_of(
    request: Request, project: Annotated[str, Path(alias="project", max_length=200)]
) -> PooledProject:
    """Return the project named in the path."""
    return served_by(request).project(project)


def chosen_theme(request: Request) -> str:
    """Return the theme chosen in this browser; "" for the system's."""
    try:
        chosen = SimpleCookie(request.headers.get("cookie", "")).get("satchel_theme")
    except CookieError:
        return ""
    return chosen.value if chosen is not None and chosen.value in ("light", "dark") else ""


class Page(ProjectReading):
    """A request to a page of one project."""

    def __init__(self, request: Request, served: PooledProject, workspace: Workspace) -> None:
        super().__init__(served, workspace)
        self.request = request
        self.who = who_asks(request)

    @property
    def base(self) -> str:
        """Return the address of this project's pages."""
        return f"/console/{quote(self.served.key, safe='')}"

    @property
    def here(self) -> str:
        """Return the requested page, below the project: where a form redirects to."""
        query = [pair for pair in parse_qsl(self.request.url.query) if pair[0] not in _OWN_QUERY]
        path = self.request.url.path.removeprefix(self.base).strip("/")
        return path + (f"?{urlencode(query)}" if query else "")

    def may(self, role: str) -> bool:
        """Return whether the user has a role in this project."""
        return self.who.may(role, *self.served.names)

    def owned(self, refused: str = "Only the owner of this machine can do this.") -> Workspace:
        """Return the workspace of the machine's owner; refuse everybody else."""
        if not self.owns:
            raise BadInputError(refused)
        return self.workspace

    def show(self, template: str, /, code: int = 200, **values: Any) -> HTMLResponse:
        """Render a template."""
        every = served_by(self.request).projects
        told, undo = self._flash_message()
        text = _TEMPLATES.get_template(f"{template}.html").render(
            page=values.pop("page", template),
            base=self.base,
            here=self.here,
            theme=chosen_theme(self.request),
            project=self.served.name,
            projects=[one for one in every if self.who.may(READER, *one.names)],
            user=self.who.user,
            role=self.who.role_in(*self.served.names),
            writes=self.may(WRITER),
            administers=self.may(ADMIN),
            owns=self.owns,
            team=served_by(self.request).team,
            standing=self.sidebar_counts(),
            told=told,
            undo=undo,
            **values,
        )
        return HTMLResponse(text, status_code=code)

    def back(self, where: str, told: str = "", undo: Undo | None = None) -> RedirectResponse:
        """Redirect to a page after a form, with a message and how to undo the change."""
        where = where.lstrip("/") if _WHERE.fullmatch(where) and ".." not in where else "home"
        given: dict[str, str] = {}
        if told:
            told, kept = told[:200], undo.encoded() if undo else ""
            given = {"told": told, "mark": self._mark(told, kept)} | (
                {"undo": kept} if kept else {}
            )
        if given:
            where += ("&" if "?" in where else "?") + urlencode(given)
        return RedirectResponse(f"{self.base}/{where}", status_code=303)

    def _flash_message(self) -> tuple[str, Undo | None]:
        """Return the flash message, if its HMAC is valid."""
        asked = self.request.query_params
        told, undo = asked.get("told", ""), asked.get("undo", "")
        if not told or not equal_in_constant_time(asked.get("mark", ""), self._mark(told, undo)):
            return "", None
        path, _, fields = undo.partition("?")
        return clean_line(told), Undo(path, tuple(parse_qsl(fields))) if path else None

    def _mark(self, told: str, undo: str) -> str:
        key = served_by(self.request).token.encode()
        said = f"told\0{self.who.user}\0{told}\0{undo}".encode("utf-8", "replace")
        return hmac.new(key, said, hashlib.sha256).hexdigest()[:32]


def page_of(
    request: Request, served: Annotated[PooledProject, Depends(project_of)]
) -> Iterator[Page]:
    """Provide a page with a workspace."""
    with served.opened(who_asks(request)) as workspace:
        yield Page(request, served, workspace)


Asked = Annotated[Page, Depends(page_of)]


def failed(request: Request, told: Mapping[str, Any]) -> HTMLResponse | None:
    """Return the error page for a browser; None for other clients or other paths."""
    path = request.url.path
    if not path.startswith("/console") or "text/html" not in request.headers.get("accept", ""):
        return None
    about = {"title": told["title"], "detail": told["detail"], "hint": _for_browser(told["hint"])}
    return plain("failed", int(told["status"]), theme=chosen_theme(request), **about)


def _for_browser(hint: str) -> str:
    """Drop a hint that only makes sense to a program or in a terminal."""
    return "" if re.search(r"(?:GET|POST|PUT) /|\s--\w|^--\w", hint) else hint


def refused(status: int, title: str, detail: str, hint: str) -> bytes:
    """Return the page for a user whom the gate rejected."""
    return bytes(plain("failed", status, title=title, detail=detail, hint=hint, theme="").body)


def plain(name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a page that belongs to no project."""
    text = _TEMPLATES.get_template(f"{name}.html").render(**values)
    return HTMLResponse(text, status_code=status)
