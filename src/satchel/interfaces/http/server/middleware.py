"""The gate in front of every route: host, origin, token, size, rate. Denies by default.

Loopback is not a boundary: a page of another site can reach it, and a rebound name makes that look
like the same site. Only `Host` betrays it, so it is checked on every route, static ones included.
"""

from __future__ import annotations

import asyncio
import functools
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from satchel.core.errors import SatchelError
from satchel.features.access.audit import AuditEntry
from satchel.features.access.limits import MOST_BODY, MOST_RUNNING, MOST_STRANGERS, MOST_URL
from satchel.features.access.users import OWNER, READER, WRITER, Identity
from satchel.interfaces.http.server.messages import (
    NO_TOKEN,
    TOO_LARGE,
    TOO_MANY,
    UNKNOWN_USERS,
    Denied,
    Receive,
    RequestBody,
    Response,
    Send,
    for_people,
)
from satchel.interfaces.http.server.problem_types import problem_uri
from satchel.interfaces.http.server.project_pool import ProjectPool

T = TypeVar("T")
Scope = MutableMapping[str, Any]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
#: Status, title, detail and hint -> the page to show a person.
Page = Callable[[int, str, str, str], bytes]

SAFE = ("GET", "HEAD", "OPTIONS")
#: Below a project: a POST that may only read; what an agent calls over MCP checks the rest.
_ASKING = (["packs"], ["mcp"])
#: Need no token: they only say that the server is alive.
OPEN = ("/healthz", "/readyz")
_COOKIE = "satchel_session"
#: Headers that a browser sends unchanged with every request to a site.
_OF_BROWSER = ("user-agent", "accept-language")
CONSOLE = "/console/"
_SEE_OTHER = 303
_LONGEST_PATH = 1000
_SAME_SITES = ("same-origin", "none", "")


class RequestGuard:
    """The middleware around every route.

    Args:
        open_paths: paths that need no token, such as the sign-in page; everything below one that
            ends with a slash.
        sign_in: where to send a browser without a token.
        page: makes a page for a refusal, for people in the console.
    """

    def __init__(
        self,
        app: App,
        served: ProjectPool,
        open_paths: tuple[str, ...] = (),
        *,
        sign_in: str = "",
        page: Page | None = None,
    ) -> None:
        self.app, self.served = app, served
        self.open_paths = open_paths
        self.sign_in = sign_in
        self.page = page
        self._running = {True: 0, False: 0}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or respond with why not."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        body = RequestBody(receive, headers_of(scope))
        response = Response(send, body, lambda: self._still_may(scope))
        began = time.perf_counter()
        self.served.metrics.running.inc()
        try:
            identity = await self._checked(scope)
            await self._answered(scope, response.receive, response.send, known=identity is not None)
        except Denied as denied:
            response.status = denied.status
            await self._refuse(scope, denied, response.send)
        else:
            if body.denied:
                late, body.denied = body.denied, None
                response.status = late.status
                await self._refuse(scope, late, response.send)
        finally:
            # After the answer: nobody waits for a database that is away.
            await self._noted(scope, response.status, time.perf_counter() - began)
            self.served.metrics.running.dec()

    async def _noted(self, scope: Scope, status: int, seconds: float) -> None:
        """Add a request to the metrics, the log and the audit log.

        The audit log is last: it may be in a database, and a worker killed meanwhile has counted.
        """
        identity: Identity | None = scope.get("satchel.identity")  # also of who was refused
        self.served.metrics.note(scope, status, seconds)
        if self.served.log is not None:
            self.served.log.note(scope, status, seconds, identity.user if identity else "")
        if scope["method"] not in SAFE or status in (401, 403, 421):
            await self._beside(self._audit, scope, identity, status)

    async def _refuse(self, scope: Scope, denied: Denied, send: Send) -> None:
        """Send a problem to programs, and a page to users of the console."""
        told = {"type": problem_uri(denied.status), "title": denied.title, "status": denied.status}
        told["instance"] = quote(scope["path"])[:_LONGEST_PATH]
        if denied.detail:
            told["detail"] = denied.detail
        body, kind = json.dumps(told).encode(), b"application/problem+json"
        at_console = scope["path"] == "/" or of_console(scope["path"])
        asks_pages = "text/html" in headers_of(scope).get("accept", "")
        if self.page and at_console and asks_pages and denied.status != _SEE_OTHER:
            detail, hint = for_people(denied, scope.get("satchel.identity"))
            body = self.page(denied.status, denied.title, detail, hint)
            kind = b"text/html; charset=utf-8"
        headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
        headers += [(name.encode(), value.encode()) for name, value in denied.headers.items()]
        await send({"type": "http.response.start", "status": denied.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _answered(self, scope: Scope, receive: Receive, send: Send, *, known: bool) -> None:
        """Pass a request on unless too many run; requests without a token count apart."""
        if self._running[known] >= (MOST_RUNNING if known else MOST_STRANGERS):
            raise TOO_MANY
        self._running[known] += 1
        try:
            asked = _as_get(scope)
            identity = scope.get("satchel.identity")
            others = self.served.team and (identity is None or identity.user != OWNER)
            await self.app(asked, receive, self.served.paths.around(send) if others else send)
            if "route" in asked:
                scope["route"] = asked["route"]
        finally:
            self._running[known] -= 1

    async def _beside(self, work: Callable[..., T], *given: Any) -> T:
        """Query the database outside the event loop, which answers others meanwhile."""
        if self.served.store.database is None:
            return work(*given)
        return await asyncio.to_thread(work, *given)

    async def _checked(self, scope: Scope) -> Identity | None:
        headers = headers_of(scope)
        method, path = scope["method"], scope["path"]
        if len(path) + len(scope.get("query_string", b"")) > MOST_URL:
            raise Denied(400, "URI Too Long", f"At most {MOST_URL} bytes.")
        host = headers.get("host", "").lower()
        if host not in self.served.hosts:
            raise Denied(421, "Misdirected Request", "This host name is not allowed.")
        self._same_site(headers, host, safe=method in SAFE)
        self._from_own_page(headers, path, safe=method in SAFE)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MOST_BODY:
            raise TOO_LARGE
        try:
            identity = await self._beside(self._identity, headers, path)
        except SatchelError:
            # The error and the database's address are for the operator: see `/readyz` and faults.
            raise UNKNOWN_USERS from None
        scope["satchel.identity"] = identity
        client = identity.user if identity else str((scope.get("client") or ("",))[0])
        # Health checks are always answered, whatever else comes from the same client.
        wait = 0.0 if path in OPEN else self.served.limit.allows(client, time.monotonic())
        if wait:
            raise Denied(429, "Too Many Requests", **{"retry-after": str(max(1, round(wait)))})
        if self._is_open(path):
            return identity
        if identity is None and self.sign_in and "text/html" in headers.get("accept", ""):
            if not of_console(path):
                # The cookie is only for the console, and is not sent with other paths.
                raise Denied(_SEE_OTHER, "See Other", location=CONSOLE)
            raise Denied(_SEE_OTHER, "See Other", location=self._sign_in_for(scope, headers))
        if identity is None:
            raise NO_TOKEN
        self._may(identity, method, path)
        return identity

    async def _still_may(self, scope: Scope) -> bool:
        """Return whether a request that was let through would be let through now."""
        headers, path = headers_of(scope), scope["path"]
        if self._is_open(path):
            return True
        try:
            known = functools.partial(self._identity, active=False)
            identity = await self._beside(known, headers, path)
            if identity is not None:
                self._may(identity, scope["method"], path)
        except (SatchelError, Denied):
            return False
        return identity is not None

    def _sign_in_for(self, scope: Scope, headers: dict[str, str]) -> str:
        """Return the sign-in address, with the requested page to return to."""
        path, query = scope["path"], scope.get("query_string", b"").decode("latin-1")
        asked = f"{path}?{query}" if query else path
        said = {"ended": "true"} if session_of(headers) else {}
        if path not in (CONSOLE, CONSOLE.rstrip("/")) and scope["method"] in SAFE:
            said["next"] = asked
        return self.sign_in + (f"?{urlencode(said)}" if said else "")

    def _is_open(self, path: str) -> bool:
        # "/console/login" opens that page and not "/console/login-service", which is a project.
        return path in OPEN or any(
            path.startswith(one) if one.endswith("/") else path == one for one in self.open_paths
        )

    def _same_site(self, headers: dict[str, str], host: str, *, safe: bool) -> None:
        origin = headers.get("origin", "")
        if origin and _netloc(origin) != host:
            raise Denied(403, "Forbidden", "The request came from another origin.")
        site = headers.get("sec-fetch-site", "")
        # A link on another site may lead here for reading; no other request may come from there.
        navigates = safe and headers.get("sec-fetch-mode", "") == "navigate"
        if site not in _SAME_SITES and not navigates:
            raise Denied(403, "Forbidden", "The request came from another site.")

    def _from_own_page(self, headers: dict[str, str], path: str, *, safe: bool) -> None:
        """Refuse a change by a cookie alone: every browser says where a form was sent from."""
        said = headers.get("origin") or headers.get("sec-fetch-site")
        if not (safe or said or self._is_open(path)) and session_of(headers):
            raise Denied(403, "Forbidden", "The request does not say which page sent it.")

    def _identity(
        self, headers: dict[str, str], path: str, *, active: bool = True
    ) -> Identity | None:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self.served.identify(token.strip())
        session = session_of(headers) if of_console(path) else ""
        if not session:
            return None
        return self.served.signed_in(session, browser_of(headers), active=active)

    def _may(self, identity: Identity, method: str, path: str) -> None:
        """Check the role: reads need a reader, everything else a writer, in the path's project."""
        parts = path.strip("/").split("/")
        below = parts[3:] if parts[:2] == ["api", "projects"] else []
        # The answer of a chat is kept with the session, and may have to be paid for.
        reads = (method in SAFE and below[:1] != ["chat"]) or below in _ASKING
        needed = READER if reads else WRITER
        at = 2 if parts[:2] == ["api", "projects"] else 1 if parts[:1] == ["console"] else 0
        names: tuple[str, ...] = ()
        if at and len(parts) > at and parts[at]:
            try:
                names = self.served.project(parts[at]).names
            except SatchelError:
                names = ()
        elif reads:
            return  # lists show what the user may see
        if not identity.may(needed, *names):
            raise Denied(403, "Forbidden", f"This requires the role {needed}.")

    def _audit(self, scope: Scope, identity: Identity | None, status: int) -> None:
        parts = scope["path"].strip("/").split("/")
        project = parts[2] if parts[:2] == ["api", "projects"] and len(parts) > 2 else ""  # noqa: PLR2004
        try:
            user = identity.user if identity else ""
            asked = AuditEntry(user, scope["method"], scope["path"][:300], status, project[:80])
            self.served.audit.note(asked)
        except SatchelError:
            return  # a full disk: the request is answered all the same


def cookie_name(host: str) -> str:
    """Return the name of the session cookie, distinct for each server on a machine.

    A browser sends a cookie to every port of a host.
    """
    port = host.rpartition(":")[2]
    return f"{_COOKIE}_{port}" if port.isdigit() else _COOKIE


def session_of(headers: dict[str, str]) -> str:
    """Return the session id from the browser's cookie, or ""."""
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(cookie_name(headers.get("host", "")))
    except CookieError:
        return ""
    return cookie.value if cookie else ""


def browser_of(headers: dict[str, str]) -> str:
    """Return what identifies a browser, so that a stolen cookie is useless elsewhere."""
    return "\0".join(headers.get(name, "") for name in _OF_BROWSER)


def of_console(path: str) -> bool:
    """Return whether a path belongs to the console."""
    return path == CONSOLE.rstrip("/") or path.startswith(CONSOLE)


def _as_get(scope: Scope) -> Scope:
    """Handle HEAD as GET: the server omits the body. Streams never end, so they have no HEAD."""
    if scope["method"] != "HEAD" or scope["path"].endswith(("/events", "/stream")):
        return scope
    return {**scope, "method": "GET"}


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""  # such as `http://[`: no host, so not a project of this server


def headers_of(scope: Scope) -> dict[str, str]:
    """Return the headers; a duplicated one gets a value that every check rejects."""
    found: dict[str, str] = {}
    for raw, value in scope.get("headers", []):
        name = raw.decode("latin-1").lower()
        text = value.decode("latin-1")
        found[name] = text if name not in found else f"{found[name]}, {text}"
    return found
