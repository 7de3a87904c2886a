"""Browser sessions: who has signed in to the console, and single-use sign-in links.

Ids are random and kept as hashes, a file for each, so that every worker of a server knows them. A
session is worth as much as the token that began it, and no longer; it cannot be used as a token.
"""

from __future__ import annotations

import contextlib
import os
from base64 import urlsafe_b64encode
from typing import Any

from satchel.core import quick_json
from satchel.core.clock import Clock
from satchel.core.errors import SatchelError
from satchel.core.hashing import digest
from satchel.features.access.secrets import equal_in_constant_time
from satchel.storage.locks import read_file, replace_file

#: Seconds that a session lasts at most, and without a request.
LONGEST, LONGEST_IDLE = 12 * 3600, 2 * 3600
#: Seconds in which a link that signs in once must be used.
LINK_SECONDS = 600
_SEEN_EVERY = 60
_BYTES = 32
_SESSION, _LINK = "session", "link"


class BrowserSessions:
    """The sessions of one installation's server.

    Args:
        directory: where they lie; made when it is needed.
        clock: tells when one has ended.
    """

    def __init__(self, directory: str, clock: Clock) -> None:
        self._directory, self._clock = directory, clock

    def begin(self, token: str, browser: str) -> str:
        """Start a session and return its id.

        Args:
            token: the hash of the token that was good; the session ends with it.
            browser: what this browser sends with each request, and a thief may not.
        """
        self._sweep()
        ident = _new_id()
        self._keep(self._path(_SESSION, ident), {"token": token, "browser": _mark(browser)})
        return ident

    def token_of(self, ident: str, browser: str) -> str:
        """Return the hash of a session's token; "" if it ended or is another's."""
        path = self._path(_SESSION, ident)
        held = self._held(path)
        now = int(self._clock.now())
        if not held or not equal_in_constant_time(str(held.get("browser")), _mark(browser)):
            return ""
        if now - held["began"] > LONGEST or now - held["seen"] > LONGEST_IDLE:
            self.end(ident)
            return ""
        if now - held["seen"] > _SEEN_EVERY:
            # A disk that is full ends no session; nor does one that was ended now come back.
            with contextlib.suppress(OSError):
                os.utime(path, (now, now))
        return str(held["token"])

    def end(self, ident: str) -> None:
        """End a session, for every holder of its id."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path(_SESSION, ident))

    def new_link(self, token: str) -> str:
        """Create the secret of a single-use sign-in link for the token with this hash."""
        ident = _new_id()
        self._keep(self._path(_LINK, ident), {"token": token})
        return ident

    def follow_link(self, ident: str) -> str:
        """Use up a link; return its token's hash, or "" if it is used or too old."""
        path = self._path(_LINK, ident)
        held = self._held(path)
        try:
            os.unlink(path)  # of several at once, the one that takes it away
        except OSError:
            return ""
        fresh = held and self._clock.now() - held["began"] <= LINK_SECONDS
        return str(held["token"]) if fresh else ""

    def _path(self, kind: str, ident: str) -> str:
        return os.path.join(self._directory, f"{kind}-{_mark(ident)}.json")

    def _keep(self, path: str, fields: dict[str, Any]) -> None:
        now = int(self._clock.now())
        data = quick_json.dumps({**fields, "began": now}).encode()
        replace_file(path, data + b"\n", mode=0o600)
        os.utime(path, (now, now))  # when it was last seen

    def _held(self, path: str) -> dict[str, Any]:
        try:
            value = quick_json.loads(read_file(path).decode("utf-8", "replace"))
            seen = int(os.stat(path).st_mtime)
        except (ValueError, OSError, SatchelError):
            return {}
        whole = isinstance(value, dict) and {"token", "began"} <= set(value)
        return {**value, "seen": seen} if whole else {}

    def _sweep(self) -> None:
        """Remove expired sessions and links."""
        try:
            entries = list(os.scandir(self._directory))
        except FileNotFoundError:
            return
        for entry in entries:
            held = self._held(entry.path)
            if not held or self._clock.now() - held["began"] > LONGEST:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(entry.path)


def _new_id() -> str:
    return urlsafe_b64encode(os.urandom(_BYTES)).decode().rstrip("=")


def _mark(text: str) -> str:
    return digest(text.encode("utf-8", "replace")).hex()
