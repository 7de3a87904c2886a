"""Limits on idle connections: how long they may stay silent, and how many there may be.

Anyone who can reach the port can open connections without a token and send nothing, or a byte now
and then. Each has a limited time to send a whole head, and only a limited number may be doing so:
beyond that, the one waiting longest is closed, so that they keep nobody else out.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from satchel.features.access.limits import HEAD_SECONDS, MOST_SILENT


class Connection(H11Protocol):
    """A uvicorn connection with a deadline for the request's head."""

    #: This process's connections without a running request, the longest waiting first.
    silent: dict[Connection, None] = {}  # noqa: RUF012 -- one worker, one loop

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start waiting for the first head."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Receive data; keep waiting until the head is complete."""
        super().data_received(data)
        if self._asked():
            self._end_wait()
        elif not self.transport.is_closing():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._end_wait()
        super().connection_lost(exc)

    def give_up(self) -> None:
        """Close the connection, unless a request is running."""
        self._end_wait()
        # If it has received a request meanwhile, it is not closed.
        if not self._asked():
            self.transport.close()

    def _asked(self) -> bool:
        """Return whether a request is running; there is no cycle before the first."""
        return not getattr(self.cycle, "response_complete", True)

    def _wait(self) -> None:
        if self._limit is not None:
            return
        self._limit = self.loop.call_later(HEAD_SECONDS, self.give_up)
        self.silent[self] = None
        if len(self.silent) > MOST_SILENT:
            next(iter(self.silent)).give_up()

    def _end_wait(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
        self.silent.pop(self, None)
