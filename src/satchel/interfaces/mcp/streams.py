"""Takes over standard input and output before anything prints; watches whether the client lives.

The protocol has the real standard output to itself. File descriptor 1 leads to standard error
from the first moment on, so that a stray `print`, a warning, a native library or a child process
cannot put a byte between two messages; descriptor 0 leads to nothing, so that no child eats one.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
import time

from satchel.core.values import NamedTuple

_LOOK_EVERY = 1.0
_ABOVE = 3


class Wire(NamedTuple):
    """The protocol's private descriptors: requests are read here, answers written there."""

    requests: int
    answers: int


def take_standard_streams() -> Wire:
    """Take over the real standard streams and leave harmless ones in their place."""
    import fcntl

    requests = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, _ABOVE)
    answers = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, _ABOVE)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return Wire(requests, answers)


def give_back(wire: Wire) -> None:
    """Restore the real standard streams, for an action that prints."""
    os.dup2(wire.requests, 0)
    os.dup2(wire.answers, 1)


def watch_client(wire: Wire) -> None:
    """Exit soon after the client dies, even if the parent process changed.

    The reader sees the end of the input; this sees the rest: nobody reads the answers any more,
    or the parent is another one than at the start. A parent that is 1 from the start tells nothing.
    """
    parent = os.getppid()
    thread = threading.Thread(target=_watch, args=(wire, parent), name="client", daemon=True)
    thread.start()


def _watch(wire: Wire, parent: int) -> None:
    looking = select.poll()
    looking.register(wire.answers, 0)
    while True:
        gone = any(event & (select.POLLERR | select.POLLHUP) for _, event in looking.poll(0))
        if gone or os.getppid() != parent:
            leave(0)
        time.sleep(_LOOK_EVERY)


def leave(code: int) -> None:
    """Exit at once. Acknowledged writes are on disk; nobody waits for the rest."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)
