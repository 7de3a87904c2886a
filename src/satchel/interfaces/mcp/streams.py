"""Takes over standard input and output before anything prints; watches whether the client lives.

The protocol has the real standard output to itself. File descriptor 1 points to standard error from
the first moment, so that a stray `print`, a warning, a native library or a child process cannot
write between two messages; descriptor 0 points to nothing, so that no child reads one.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time

from satchel.core.values import NamedTuple

_LOOK_EVERY = 1.0
_ABOVE = 3

if sys.platform == "win32":

    def _private(fd: int) -> int:
        """Return a copy of a descriptor that no child inherits."""
        return os.dup(fd)

    def is_gone(fd: int) -> bool:
        """Return false: pipes cannot be queried here. The end of the input ends the server."""
        return fd < 0

    def takes_at_once(fd: int, size: int) -> bool:
        """Return false: pipes cannot be queried here, and may block their writer."""
        return not size and fd < 0

else:
    import fcntl
    import select

    def _private(fd: int) -> int:
        """Return a copy of a descriptor that no child inherits, and that is not 0, 1 or 2."""
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _ABOVE)

    def is_gone(fd: int) -> bool:
        """Return whether nobody reads a pipe any more."""
        looking = select.poll()
        looking.register(fd, 0)
        return any(event & (select.POLLERR | select.POLLHUP) for _, event in looking.poll(0))

    def takes_at_once(fd: int, size: int) -> bool:
        """Return whether a pipe accepts this many bytes without blocking."""
        # A pipe that polls as writable accepts this much; more may block.
        if size > select.PIPE_BUF:
            return False
        looking = select.poll()
        looking.register(fd, select.POLLOUT)
        return bool(looking.poll(0))


class Wire(NamedTuple):
    """The protocol's private descriptors: requests are read here, answers written there."""

    requests: int
    answers: int


def take_standard_streams() -> Wire:
    """Take over the real standard streams and leave harmless ones in their place."""
    requests, answers = _private(0), _private(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return Wire(requests, answers)


def watch_client(wire: Wire) -> None:
    """Exit soon after the client dies, even if the parent process changed.

    The reader notices the end of the input; this notices the rest: nobody reads the answers, or the
    parent has changed since the start. A parent of 1 from the start tells nothing.
    """
    parent = os.getppid()
    thread = threading.Thread(target=_watch, args=(wire, parent), name="client", daemon=True)
    thread.start()


def _watch(wire: Wire, parent: int) -> None:
    while True:
        if is_gone(wire.answers) or os.getppid() != parent:
            leave()
        time.sleep(_LOOK_EVERY)


def leave() -> None:
    """Exit at once. Acknowledged writes are on disk; nobody waits for the rest."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(0)
