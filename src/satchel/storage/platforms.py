"""Processes, signals and accounts, which differ by platform; `locks` knows how files differ.

What Windows cannot do raises there, when it is asked for, with what to do instead. Nothing here
is imported by a hook that captures.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

from satchel.core.errors import BadInputError

WINDOWS = sys.platform == "win32"
#: What asks a server to end, and what ends a process that does not.
if sys.platform == "win32":
    END_SIGNALS: tuple[signal.Signals, ...] = (signal.SIGTERM, signal.SIGINT)
    KILL = signal.SIGTERM
else:
    END_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    KILL = signal.SIGKILL


def refuse_on_windows(what: str, instead: str) -> None:
    """Raise `BadInputError` on Windows; `instead` is the next step."""
    if WINDOWS:
        raise BadInputError(f"Satchel cannot {what} on Windows.", hint=instead)


def refuse_workers() -> None:
    """Raise `BadInputError` on Windows: several workers share a socket by a fork."""
    refuse_on_windows("serve with several workers", "Leave out --workers.")


def fork(child: Callable[[], int]) -> int:
    """Start a process that ends with what `child` returns; return its number."""
    refuse_workers()
    pid = -1
    if sys.platform != "win32":
        # Held back until the child listens for itself: it would take them for its parent's.
        held = signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)
        pid = os.fork()
        if pid == 0:
            for one in END_SIGNALS:
                signal.signal(one, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
            os._exit(child())
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
    return pid


def has_ended(pid: int) -> bool:
    """Return whether a forked process has ended. It can be asked until then."""
    return sys.platform == "win32" or os.waitpid(pid, os.WNOHANG) != (0, 0)


def end_after(seconds: int) -> None:
    """Let the system end this process after a while, whatever it is doing then."""
    refuse_on_windows("end itself after a while", "Leave out --within.")
    if sys.platform != "win32":
        signal.alarm(seconds)


def end_group(pid: int) -> None:
    """End a process and the group that it leads; on Windows, which knows no groups, it alone."""
    if sys.platform == "win32":
        os.kill(pid, KILL)
    else:
        os.killpg(pid, KILL)


def account_name() -> str:
    """Return the account's name as the system has it; on Windows as the environment has it."""
    if sys.platform == "win32":
        import getpass

        name = getpass.getuser()
    else:
        import pwd

        try:
            name = pwd.getpwuid(os.getuid()).pw_name
        except (KeyError, OSError):
            name = str(os.getuid())
    return name


def notes_on_hooks() -> tuple[str, ...]:
    """Return what a person is told who installs hooks: they are written for a shell of POSIX."""
    return ("on Windows, hooks need a client that runs them in Git Bash",) if WINDOWS else ()
