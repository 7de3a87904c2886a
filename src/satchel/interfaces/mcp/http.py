"""The server over streamable HTTP: loopback only, and the token is required on every request.

A page in a browser can reach a loopback port, and so can every program of every user of the
machine: Host and Origin are checked against the first, a token of this installation, which only
its owner can read, against the second.
"""

from __future__ import annotations

import hmac
import ipaddress
import socket
import sys
from collections.abc import Callable
from typing import Any

from satchel.core.errors import BadInputError, ConflictError
from satchel.features.access.secrets import InstallationToken
from satchel.interfaces.listening import listen_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.interfaces.mcp.serving import McpServer

PATH = "/mcp"
_LAST = 2
_NAMES = ("127.0.0.1", "localhost", "[::1]")


def bound_socket(host: str, port: int) -> socket.socket:
    """Bind a loopback address. Raises `BadInputError` for any other address."""
    try:
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise BadInputError(
            f"{host[:80]} is not a loopback address.",
            hint="The server only listens on this machine: 127.0.0.1, ::1 or localhost.",
        )
    try:
        return listen_on(host, port)
    except OSError as error:
        raise ConflictError(
            f"Port {port} of {host} is not available: {error.strerror}.",
            hint="Give another with --port; 0 takes a free one.",
        ) from None


class Guard:
    """Rejects requests from anyone but this machine's owner, before the SDK sees them.

    Args:
        token: the token a request must carry; a rotated one is valid at once.
        port: the port required with this machine's names.
    """

    def __init__(self, app: Any, token: Callable[[], str], port: int) -> None:
        self._app = app
        self._token = token
        self._hosts = {f"{name}:{port}" for name in _NAMES}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request or pass it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        status, text = self.verdict(scope["headers"])
        if status:
            await _refuse(send, status, text)
        else:
            await self._app(scope, receive, send)

    def verdict(self, headers: list[tuple[bytes, bytes]]) -> tuple[int, str]:
        """Return the status and reason of a refusal, or 0 if the request is allowed."""
        hosts = _values(headers, b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return 421, "This host name is not allowed."
        origins = _values(headers, b"origin")
        if len(origins) > 1 or (origins and not _is_local(origins[0])):
            return 403, "Requests from this origin are refused."
        shown = _values(headers, b"authorization")
        scheme, _, given = (shown[0] if len(shown) == 1 else "").partition(" ")
        given_token = given.strip().encode("utf-8", "replace")
        known = hmac.compare_digest(given_token, self._token().encode("ascii"))
        if scheme.lower() != "bearer" or not known:
            return 401, "A bearer token is needed: `satchel mcp config http` says where it is."
        return 0, ""


def _values(headers: list[tuple[bytes, bytes]], name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in headers if key.lower() == name]


def _is_local(origin: str) -> bool:
    scheme, _, rest = origin.lower().partition("://")
    host, colon, port = rest.rpartition(":")
    if not colon or not port.isdigit():
        host = rest
    return scheme in ("http", "https") and host in _NAMES


async def _refuse(send: Any, status: int, text: str) -> None:
    body = text.encode()
    length = str(len(body)).encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", length)]
    if status == 401:  # noqa: PLR2004
        headers.append((b"www-authenticate", b'Bearer realm="satchel"'))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def serve_http(serving: McpServer, host: str, port: int, token_file: str) -> int:
    """Serve until a signal arrives."""
    import uvicorn

    token = InstallationToken(token_file)
    listening = bound_socket(host, port)
    port = listening.getsockname()[1]
    app = Guard(serving.server().streamable_http_app(streamable_http_path=PATH), token.now, port)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=_LAST,
    )
    shown = f"[{host}]" if ":" in host else host
    sys.stderr.write(f"satchel mcp: http://{shown}:{port}{PATH}, token in {token_file}\n")
    sys.stderr.flush()
    uvicorn.Server(config).run(sockets=[listening])
    return 0
