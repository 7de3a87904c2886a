"""Opens the socket that a server listens on."""

from __future__ import annotations

import socket

_WAITING = 128


def listen_on(host: str, port: int) -> socket.socket:
    """Listen on an address; 0 takes a free port. Raises `OSError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With an explicit protocol: otherwise asyncio leaves Nagle's delay on, 40 ms per answer.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_WAITING)
    except OSError:
        listening.close()
        raise
    return listening
