"""The messages of a request and its response, and what the gate answers in place of a route."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from satchel.features.access.limits import BODY_SECONDS, MOST_BODY
from satchel.features.access.users import Identity

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"private, no-store"),
)
#: No page of the server may be framed, except pages that allow it themselves.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: Seconds for which an answer to "may they still?" is believed.
BELIEVED = 1.0
_END = {"type": "http.response.body", "body": b"", "more_body": False}
_CSP = (b"content-security-policy", POLICY.encode())


class Denied(Exception):  # noqa: N818 -- an answer, not an error
    """A response sent instead of the requested one."""

    def __init__(self, status: int, title: str, detail: str = "", **headers: str) -> None:
        super().__init__(title)
        self.status, self.title, self.detail, self.headers = status, title, detail, headers


TOO_LARGE = Denied(413, "Content Too Large", f"At most {MOST_BODY:,} bytes.")
UNKNOWN_USERS = Denied(
    503, "Service Unavailable", "The server's users cannot be read now.", **{"retry-after": "1"}
)
TOO_MANY = Denied(
    503, "Service Unavailable", "Too many requests at the same time.", **{"retry-after": "1"}
)
_UNKNOWN = "Send the token: `Authorization: Bearer …`."
NO_TOKEN = Denied(401, "Unauthorized", _UNKNOWN, **{"www-authenticate": "Bearer"})
TOO_SLOW = Denied(408, "Request Timeout", f"A body has {BODY_SECONDS:.0f} seconds.")


def for_people(denied: Denied, identity: Identity | None) -> tuple[str, str]:
    """Return the error page with the next step, for people in a browser."""
    wait = denied.headers.get("retry-after", "")
    if wait:
        return denied.detail or "Too many requests at once.", f"Try again in {wait} seconds."
    if denied.status == 403 and identity:  # noqa: PLR2004
        return (
            f"{denied.detail} You are signed in as {identity.user}.",
            "The server's operator grants roles: `satchel serve user add NAME --role ROLE`.",
        )
    return denied.detail, ""


class RequestBody:
    """A request body that is cut off if it is too large or too late, declared or not.

    `denied` is the response then, whatever the route makes of half a body. `whole` is set once no
    more data is expected: a stream waits here for its client to disconnect.
    """

    def __init__(self, receive: Receive, headers: dict[str, str]) -> None:
        self._receive = receive
        self._seen = 0
        self._until = time.monotonic() + BODY_SECONDS
        said = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        self.whole = not said
        self.denied: Denied | None = None

    async def receive(self) -> MutableMapping[str, Any]:
        """Return the next part of the body."""
        if self.whole:
            return await self._receive()
        try:
            async with asyncio.timeout(max(0.0, self._until - time.monotonic())):
                message = await self._receive()
        except TimeoutError:
            return self._end(TOO_SLOW)
        self._seen += len(message.get("body", b""))
        if self._seen > MOST_BODY:
            return self._end(TOO_LARGE)
        self.whole = not message.get("more_body", False)
        return message

    def _end(self, denied: Denied) -> MutableMapping[str, Any]:
        self.whole, self.denied = True, denied
        return {"type": "http.request", "body": b"", "more_body": False}


class Response:
    """Passes a response on with its security headers, and keeps its status.

    A stream of changes stays open for hours; meanwhile the user can be removed, their role taken
    away, their token rotated or their session ended. Once `still_may` says no, the client sees the
    end of the response, and the route sees a client that left.
    """

    def __init__(
        self, send: Send, body: RequestBody, still_may: Callable[[], Awaitable[bool]]
    ) -> None:
        self._send, self._body, self._still_may = send, body, still_may
        self._asked = time.monotonic()
        self._ended = False
        self.status = 500

    async def receive(self) -> MutableMapping[str, Any]:
        """Return the client's next message."""
        return {"type": "http.disconnect"} if self._ended else await self._body.receive()

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Send a part of the response, unless it has ended."""
        if self._body.denied or self._ended:
            return  # a denied body is answered later
        if message.get("more_body", False) and await self._lost():
            self._ended, message = True, _END
        self._body.whole = True  # what has begun to be answered is not ended for its body
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = _with_headers(message.get("headers", []))
        await self._send(message)

    async def _lost(self) -> bool:
        if time.monotonic() - self._asked < BELIEVED:
            return False
        self._asked = time.monotonic()
        return not await self._still_may()


def _with_headers(headers: Any) -> list[tuple[bytes, bytes]]:
    held = {bytes(name).lower() for name, _ in headers}
    return [*headers, *(pair for pair in (*_HEADERS, _CSP) if pair[0] not in held)]
