"""A JSON log of requests: by route, never by content or id."""

from __future__ import annotations

import json
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

from satchel.core.clock import Clock
from satchel.features.sessions.serialization import iso
from satchel.interfaces.http.server.metrics import route_of


class RequestLog:
    """A log with one line per answered request.

    Args:
        clock: the time.
        out: where lines go; standard error unless given.
    """

    def __init__(self, clock: Clock, out: TextIO | None = None) -> None:
        self._clock, self._out = clock, out

    def note(self, scope: MutableMapping[str, Any], status: int, seconds: float, user: str) -> None:
        """Log a request. A closed pipe does not stop the response."""
        told = {
            "time": iso(self._clock.now()),
            "method": scope["method"][:8],
            "route": route_of(scope),
            "status": status,
            "seconds": round(seconds, 6),
            "user": user,
        }
        out = self._out or sys.stderr
        try:
            # One write: lines of several workers do not run into each other.
            out.write(json.dumps(told) + "\n")
            out.flush()
        except (OSError, ValueError):
            return
