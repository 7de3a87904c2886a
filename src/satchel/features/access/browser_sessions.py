"""Browser sessions: who has signed in to the console, and single-use sign-in links.

Ids are random and stored as hashes, shared by all workers of the server. A session is valid only as
long as the token that began it; it cannot be used as a token.
"""

from __future__ import annotations

import os
from base64 import urlsafe_b64encode

from satchel.core.hashing import digest
from satchel.features.access.secrets import equal_in_constant_time
from satchel.project.server_documents import ServerDocuments

#: Longest session, and longest without a request, seconds.
LONGEST, LONGEST_IDLE = 12 * 3600, 2 * 3600
#: Seconds within which a one-time sign-in link must be used.
LINK_SECONDS = 600
_SEEN_EVERY = 60
_BYTES = 32
_SESSION, _LINK = "session", "link"


class BrowserSessions:
    """The sessions of a server.

    Args:
        documents: stores them, each for `LONGEST`.
    """

    def __init__(self, documents: ServerDocuments) -> None:
        self._documents = documents

    def begin(self, token: str, browser: str) -> str:
        """Start a session and return its id.

        Args:
            token: the valid token's hash; the session ends with the token.
            browser: what this browser sends with each request, unlike a thief's.
        """
        self._documents.sweep()
        ident = _new_id()
        self._documents.put(_name(_SESSION, ident), {"token": token, "browser": _mark(browser)})
        return ident

    def token_of(self, ident: str, browser: str, *, active: bool = True) -> str:
        """Return the hash of a session's token; "" if it ended or is another's.

        Unless `active`, the session goes on being idle: nobody did anything.
        """
        name = _name(_SESSION, ident)
        held = self._documents.get(name)
        if held is None:
            return ""
        if not equal_in_constant_time(str(held.fields.get("browser")), _mark(browser)):
            return ""
        if held.age > LONGEST or held.idle > LONGEST_IDLE:
            self.end(ident)
            return ""
        if active and held.idle > _SEEN_EVERY:
            self._documents.touch(name)
        return str(held.fields.get("token", ""))

    def end(self, ident: str) -> None:
        """End a session, for every holder of its id."""
        self._documents.take(_name(_SESSION, ident))

    def new_link(self, token: str) -> str:
        """Create the secret of a single-use sign-in link for the token with this hash."""
        ident = _new_id()
        self._documents.put(_name(_LINK, ident), {"token": token})
        return ident

    def follow_link(self, ident: str) -> str:
        """Use up a link; return its token's hash, or "" if it is used or too old."""
        held = self._documents.take(_name(_LINK, ident))
        fresh = held is not None and held.age <= LINK_SECONDS
        return str(held.fields.get("token", "")) if held is not None and fresh else ""


def _name(kind: str, ident: str) -> str:
    return f"{kind}-{_mark(ident)}"


def _new_id() -> str:
    return urlsafe_b64encode(os.urandom(_BYTES)).decode().rstrip("=")


def _mark(text: str) -> str:
    return digest(text.encode("utf-8", "replace")).hex()
