"""Runs upkeep steps in processes that outlive their parent."""

from __future__ import annotations

import _thread
import os
import sys
import time

from satchel.core.errors import StoreError
from satchel.storage.files import open_private
from satchel.storage.locks import FileLock

#: Seconds after which these steps are killed, finished or not.
_MOST_SECONDS = {"reflect": 300}
#: Largest git index, in bytes (about a hundred a file), whose code is mapped while a user waits.
_MAPPED_AT_ONCE = 100_000
#: The file descriptor of the lock that a background process holds while it runs.
_HELD = 3


def is_large(git: str) -> bool:
    """Return whether a repository has more files than can be mapped while a user waits."""
    try:
        return os.path.getsize(os.path.join(git, "index")) > _MAPPED_AT_ONCE
    except OSError:
        return False


def is_due(lock: str, every: float) -> bool:
    """Return whether a step last ran long enough ago, by its lock file; mark it as running.

    Of several that ask at once, one gets True. Raises `OSError`.
    """
    asking = FileLock(f"{lock}-due", timeout=0)
    if not asking.acquire():
        return False
    try:
        if time.time() - os.stat(lock).st_mtime < every:
            return False
        os.utime(lock)
    except FileNotFoundError:
        os.close(open_private(lock, os.O_RDWR | os.O_CREAT))  # it has never run here
    finally:
        asking.release()
    return True


def start(step: str, root: str, home: str, lock: str) -> None:
    """Start a project's upkeep step in the background, unless it is running.

    The process inherits a lock and holds it as long as it lives: of several that start a step at
    once, one does. Raises `OSError`, and `StoreError` on Windows.

    `-P` keeps Python from importing from the current directory: a repository's own `satchel.py` or
    `json.py` must never run because somebody asked a question.
    """
    _refuse_on_windows()
    words = ["-P", "-m", "satchel", "-C", root, "upkeep", step]
    if step in _MOST_SECONDS:
        words += ["--within", str(_MOST_SECONDS[step])]
    running = FileLock(f"{lock}-runs", timeout=0)
    if not running.acquire():
        # The running one may be past what this call needs: the next caller starts it again.
        os.utime(lock, (0, 0))
        return
    try:
        number = _spawn(words, home, running.fd)
    finally:
        running.release()
    # A long-lived parent (a server, MCP) collects its exit status: otherwise it would stay a
    # zombie.
    _thread.start_new_thread(_see_end, (number,))


def _refuse_on_windows() -> None:
    """Raise if a lock cannot be passed on to another process; `doctor` shows the error."""
    if sys.platform == "win32":
        raise StoreError("On Windows nothing runs in the background: run `satchel upkeep` yourself")


def _spawn(words: list[str], home: str, lock: int) -> int:
    """Start a process in its own session that holds the lock; return its process id."""
    number = -1
    if sys.platform != "win32":
        nothing = os.open(os.devnull, os.O_RDWR)
        streams = [(os.POSIX_SPAWN_DUP2, nothing, number) for number in (0, 1, 2)]
        try:
            number = os.posix_spawn(
                sys.executable,
                [sys.executable, *words],
                {**os.environ, "SATCHEL_HOME": home},
                file_actions=[*streams, (os.POSIX_SPAWN_DUP2, lock, _HELD)],
                setsid=True,
            )
        finally:
            os.close(nothing)
    return number


def _see_end(number: int) -> None:
    try:
        os.waitpid(number, 0)
    except OSError:
        return  # somebody else has asked
