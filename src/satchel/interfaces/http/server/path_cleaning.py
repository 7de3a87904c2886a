"""Removes the server's own paths from responses to others: they reveal who runs it, and where.

Done here, around every route, rather than where texts are made: an error may name any file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, MutableMapping
from typing import Any

from satchel.interfaces.http.server.messages import Send

Message = MutableMapping[str, Any]


class PathCleaner:
    """Knows the server's paths, and what replaces them for others.

    Args:
        roots: the work tree of each project, and the project's name.
    """

    def __init__(self, roots: Iterable[tuple[str, str]], home: str) -> None:
        named = [(root, name) for root, name in roots]
        named.append((home, "satchel-home"))
        person = os.path.expanduser("~")
        pairs = {(os.path.realpath(path), name) for path, name in named}
        pairs |= {(os.path.abspath(path), name) for path, name in named}
        # The user's home may be as short as /root: only what is below it is a path.
        pairs |= {(person + "/", "~/")}
        #: Longest first: one may be below another.
        self._pairs = [
            (path.encode(), name.encode())
            for path, name in sorted(pairs, key=lambda pair: -len(pair[0]))
            if len(path.strip("/")) > 1
        ]

    def clean(self, body: bytes) -> bytes:
        """Return a text with the paths replaced."""
        for path, name in self._pairs:
            if path in body:
                body = body.replace(path, name)
        return body

    def around(self, send: Send) -> Send:
        """Wrap a `send` to clean what it sends; streams are cleaned chunk by chunk."""
        begun: list[Message] = []

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                begun.append(message)  # until the length of its body is known
                return
            if message["type"] != "http.response.body":
                await send(message)
                return
            body = self.clean(message.get("body", b""))
            if begun:
                start = begun.pop()
                if not message.get("more_body", False):
                    start["headers"] = _with_length(start.get("headers", []), len(body))
                await send(start)
            await send({**message, "body": body})

        return sent


def _with_length(headers: Any, length: int) -> list[tuple[bytes, bytes]]:
    return [
        (name, str(length).encode() if bytes(name).lower() == b"content-length" else value)
        for name, value in headers
    ]
