"""JSON calls to a model's endpoint: retries, limits, and errors that name the next step."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from http.client import HTTPException, HTTPResponse, IncompleteRead
from typing import Any
from urllib.parse import urlsplit

from satchel.core.errors import BadInputError
from satchel.engine.inference.failures import ModelUnavailableError

#: Status codes after which the same request may succeed later.
_LATER = (429, 503)
_ATTEMPTS = 4
#: First pause between attempts, doubled each time, and the longest pause, seconds.
_PAUSE, _LONGEST_PAUSE = 0.25, 20.0
#: Largest valid answer, in bytes: 64 texts of 4,096 dimensions are 6 MB.
_MOST_BYTES = 64 * 1024 * 1024
_SHOWN = 200


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Rejects redirects, which would send the key and the texts to another host."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Reject the redirect."""


class Endpoint:
    """A server with a JSON API.

    Args:
        url: the base of its paths, such as `http://127.0.0.1:11434`.
        key: sent as a bearer token; empty for none. Never shown.
        timeout: longest silence, seconds.
        plain_http: allow http to other machines, which exposes texts and key to the network.

    Raises:
        BadInputError: the URL cannot be used.
    """

    __slots__ = ("_key", "_opener", "_timeout", "url")

    def __init__(
        self, url: str, *, key: str = "", timeout: float = 60.0, plain_http: bool = False
    ) -> None:
        self.url = url.rstrip("/")
        self._key = key
        self._timeout = timeout
        local = _check(self.url, plain_http=plain_http)
        handlers: list[urllib.request.BaseHandler] = [_NoRedirects()]
        if local:
            handlers.append(urllib.request.ProxyHandler({}))
        self._opener = urllib.request.build_opener(*handlers)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send a JSON object, return the one in the response.

        Raises:
            ModelUnavailableError: no answer, an error, or an answer that is not a JSON object.
        """
        return self._asked(path, json.dumps(body).encode())

    def get(self, path: str) -> dict[str, Any]:
        """Request a path and return the JSON object in the response; errors as with `post`."""
        return self._asked(path, None)

    def lines(self, path: str, body: dict[str, Any], headers: Mapping[str, str]) -> Iterator[bytes]:
        """Send a JSON object; yield the lines of the response as they arrive.

        Args:
            path: below the URL.
            body: the object to send.
            headers: instead of the bearer token.
        """
        more = {"Accept": "text/event-stream", **headers}
        with self._opened(path, json.dumps(body).encode(), more) as answer:
            try:
                while line := answer.readline(_MOST_BYTES):
                    yield line.rstrip(b"\r\n")
            except (OSError, HTTPException, ValueError) as error:
                raise _unreachable(error, self.url + path) from None

    def _asked(self, path: str, body: bytes | None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        with self._opened(path, body, headers) as answer:
            try:
                return _object(answer, self.url + path)
            except (OSError, HTTPException) as error:
                raise _unreachable(error, self.url + path) from None

    def _opened(self, path: str, body: bytes | None, more: Mapping[str, str]) -> HTTPResponse:
        """Send the request, retrying as the server asks; return the unread response."""
        address = self.url + path
        headers = {"Accept": "application/json", "User-Agent": "satchel"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        headers.update(more)
        request = urllib.request.Request(address, body, headers)  # noqa: S310 -- the scheme is checked above
        pause = _PAUSE
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._opener.open(request, timeout=self._timeout)  # type: ignore[no-any-return]
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in _LATER or attempt == _ATTEMPTS:
                        raise _refused(error, address, attempt) from None
                    wanted = _seconds(error.headers.get("Retry-After", ""))
            except (OSError, HTTPException) as error:
                # URLError is an OSError; so are timeouts and reset connections.
                raise _unreachable(error, address) from None
            time.sleep(min(wanted or pause, _LONGEST_PAUSE))
            pause *= 2
        raise AssertionError("the last attempt returns or raises")


def _check(url: str, *, plain_http: bool) -> bool:
    """Reject invalid and insecure addresses; return whether the server is on this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        usable = parts.scheme in ("http", "https") and bool(host) and parts.port != 0
    except ValueError:
        usable, host = False, ""
    if not usable:
        raise BadInputError(
            f"`{url}` is not an address of a model's endpoint.",
            hint="Set `model.url` to something like http://127.0.0.1:11434.",
        )
    if parts.username or parts.password:
        raise BadInputError(
            "The model's address holds a user name or password.",
            hint="Put the key into an environment variable and its name into `model.key_name`.",
        )
    local = host in ("localhost", "::1") or _is_loopback(host)
    if parts.scheme == "http" and not local and not plain_http:
        raise BadInputError(
            f"{url} is on another machine and not encrypted: your text would be readable.",
            hint="Use https, or set `model.plain_http` to true if you trust the network between.",
        )
    return local


def _is_loopback(host: str) -> bool:
    """Return whether an address is in 127.0.0.0/8; host names with that prefix are not."""
    parts = host.split(".")
    return len(parts) == 4 and parts[0] == "127" and all(part.isdigit() for part in parts)  # noqa: PLR2004 -- IPv4


def _object(answer: HTTPResponse, address: str) -> dict[str, Any]:
    data = answer.read(_MOST_BYTES + 1)
    if answer.length and len(data) <= _MOST_BYTES:
        # A bounded read does not notice bytes that never arrived.
        raise IncompleteRead(data, answer.length)
    try:
        found = json.loads(data) if len(data) <= _MOST_BYTES else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        start = data[:_SHOWN].decode("utf-8", "replace")
        raise invalid_answer_error(address, f"it should be one JSON object and begins {start!r}")
    return found


def invalid_answer_error(address: str, why: str) -> ModelUnavailableError:
    """Return the error for an unusable response."""
    return ModelUnavailableError(
        f"{address} sent an unusable answer: {why}.",
        hint="Check that `model.url` and the model's name belong to this kind of server.",
    )


def _refused(error: urllib.error.HTTPError, address: str, attempts: int) -> ModelUnavailableError:
    said = error.read(_SHOWN).decode("utf-8", "replace").strip()
    hints = {
        401: "Check the key: `model.key_name` names the environment variable that holds it.",
        403: "Check the key: `model.key_name` names the environment variable that holds it.",
        404: "Check the model's name, that it is installed there, and `model.url`.",
        429: f"It rate-limited {attempts} times. Try later, or choose a local model.",
    }
    return ModelUnavailableError(
        f"{address} answered {error.code}: {said or error.reason}",
        hint=hints.get(error.code, "See the log of that server."),
    )


def _unreachable(error: Exception, address: str) -> ModelUnavailableError:
    reason = getattr(error, "reason", None) or error
    if isinstance(reason, TimeoutError):
        reason = "it did not answer in time"
    elif isinstance(error, HTTPException):
        reason = "the answer was cut short"
    return ModelUnavailableError(
        f"{address} could not be used: {reason}",
        hint="Start that server, correct `model.url`, or set `model.embed` to built-in.",
    )


def _seconds(text: str) -> float:
    """Return the seconds in a Retry-After header; 0 for a date or an invalid value."""
    return float(text) if text.isascii() and text.isdigit() else 0.0
