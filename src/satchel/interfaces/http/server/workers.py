"""Worker processes that share one socket, and the process that supervises them.

The supervisor has only opened the socket: an open database must not be carried through a fork.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from satchel.core.errors import SatchelError, StoreError
from satchel.storage.files import is_foreign
from satchel.storage.locks import FileLock
from satchel.storage.platforms import END_SIGNALS, KILL, fork, has_ended

#: Seconds after which a worker that has not exited is killed; it has ten for its requests.
_PATIENCE = 15.0
#: A worker that exits sooner has answered nobody; after this many in a row the server gives up.
_SOON, _ATTEMPTS = 2.0, 5
_LOOK = 0.1
#: Seconds between a worker's checks that its supervisor is alive.
_GLANCE = 1.0


class Workers:
    """The worker processes of one server.

    Args:
        serve: a worker's work, given its number from 0; returns on shutdown.
        ended: called with the process id of an exited worker.
    """

    def __init__(self, serve: Callable[[int], None], ended: Callable[[int], None]) -> None:
        self._serve, self._ended = serve, ended
        self.running: dict[int, tuple[int, float]] = {}
        self._failures = 0
        self._watcher = os.getpid()
        self.stopping = False

    def start(self, number: int) -> None:
        """Start a worker."""
        sys.stdout.flush()
        sys.stderr.flush()
        pid = fork(lambda: self._worked(number))
        self.running[pid] = (number, time.monotonic())

    def _worked(self, number: int) -> int:
        threading.Thread(target=_end_with, args=(self._watcher,), daemon=True).start()
        try:
            self._serve(number)
        except SatchelError as error:
            sys.stderr.write(f"worker {number}: {error}\n")
            return 1
        except (KeyboardInterrupt, SystemExit):
            return 0
        except BaseException as error:  # noqa: BLE001 -- the watcher starts another
            sys.stderr.write(f"worker {number}: {type(error).__name__}\n")
            return 1
        finally:
            sys.stderr.flush()
        return 0

    def look(self) -> None:
        """Reap ended workers and start replacements, unless shutting down.

        Raises `StoreError` if they exit as soon as they are started.
        """
        for pid, (number, since) in list(self.running.items()):
            if not has_ended(pid):
                continue
            del self.running[pid]
            self._ended(pid)
            if self.stopping:
                continue
            self._failures = self._failures + 1 if time.monotonic() - since < _SOON else 0
            if self._failures >= _ATTEMPTS:
                raise StoreError(
                    "Server workers exit right after they start.",
                    hint="Serve with --workers 1 to see why.",
                )
            self.start(number)

    def tell(self, number: int) -> None:
        """Send a signal to each worker."""
        for pid in self.running:
            os.kill(pid, number)

    def stop(self) -> None:
        """Let each worker finish its requests; kill those that exceed the limit."""
        self.stopping = True
        self.tell(signal.SIGTERM)
        deadline = time.monotonic() + _PATIENCE
        while self.running:
            self.look()
            if self.running and time.monotonic() > deadline:
                self.tell(KILL)
            time.sleep(_LOOK / 4)


def _end_with(watcher: int) -> None:
    """Terminate this worker once its supervisor is gone, since nobody else would."""
    while os.getppid() == watcher:
        time.sleep(_GLANCE)
    os.kill(os.getpid(), signal.SIGTERM)


def watch(
    count: int, serve: Callable[[int], None], ended: Callable[[int], None] = lambda _: None
) -> None:
    """Keep `count` workers running until SIGTERM, SIGINT or SIGHUP, then let them finish."""
    workers = Workers(serve, ended)

    def told(*_: object) -> None:
        workers.stopping = True

    before = {number: signal.signal(number, told) for number in END_SIGNALS}
    try:
        for number in range(count):
            workers.start(number)
        while not workers.stopping:
            workers.look()
            time.sleep(_LOOK)
    finally:
        workers.stop()
        for number, handler in before.items():
            signal.signal(number, handler)


_PREFIX = "satchel-metrics-"
#: Held by the server and, after it, by its surviving workers.
_SERVER_LOCK = "server.lock"


@contextmanager
def metrics_place() -> Iterator[str]:
    """Create the directory for the caller; first remove those of dead servers."""
    _tidy(tempfile.gettempdir())
    with (
        tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as place,
        FileLock(os.path.join(place, _SERVER_LOCK), timeout=0),
    ):
        yield place


def _tidy(folder: str) -> None:
    """Remove what this user's dead servers left; leave everything else."""
    try:
        names = [name for name in os.listdir(folder) if name.startswith(_PREFIX)]
    except OSError:
        return
    for name in names:
        place = os.path.join(folder, name)
        try:
            status = os.lstat(place)
            lock = os.lstat(os.path.join(place, _SERVER_LOCK))
        except OSError:
            continue  # not Satchel's, or made this moment
        if not (stat.S_ISDIR(status.st_mode) and stat.S_ISREG(lock.st_mode)):
            continue
        if is_foreign(status) or is_foreign(lock):
            continue
        try:
            with FileLock(os.path.join(place, _SERVER_LOCK), timeout=0):
                shutil.rmtree(place, ignore_errors=True)
        except (SatchelError, OSError):
            continue  # its server lives
