"""Ends a response that is still being sent when its user may no longer have it.

A stream of changes stays open for hours; meanwhile the user can be removed, their role taken away,
their token rotated or their session ended.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
#: Seconds for which an answer to "may they still?" is believed.
BELIEVED = 1.0
_END = {"type": "http.response.body", "body": b"", "more_body": False}


class WatchedAnswer:
    """Passes a response on, piece by piece, as long as `still_may` says yes.

    Once it says no, the client sees the end of the response, and the route sees a client that left.
    """

    def __init__(
        self, receive: Receive, send: Send, still_may: Callable[[], Awaitable[bool]]
    ) -> None:
        self._receive, self._send, self._still_may = receive, send, still_may
        self._asked = time.monotonic()
        self._ended = False

    async def receive(self) -> Message:
        """Return the client's next message."""
        return {"type": "http.disconnect"} if self._ended else await self._receive()

    async def send(self, message: Message) -> None:
        """Send a message, unless the response has ended."""
        if not self._ended and message.get("more_body", False) and await self._lost():
            self._ended = True
            await self._send(_END)
        elif not self._ended:
            await self._send(message)

    async def _lost(self) -> bool:
        if time.monotonic() - self._asked < BELIEVED:
            return False
        self._asked = time.monotonic()
        return not await self._still_may()
