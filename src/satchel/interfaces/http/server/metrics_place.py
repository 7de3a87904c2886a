"""The directory where workers share their metrics, removed with the server.

One that was killed took nothing away; the next one does, where nobody holds its lock any more.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from satchel.core.errors import SatchelError
from satchel.storage.locks import FileLock, is_foreign

_PREFIX = "satchel-metrics-"
#: Held by the server and, after it, by whichever of its workers still lives.
_LOCK = "server.lock"


@contextmanager
def metrics_place() -> Iterator[str]:
    """Create the directory for the caller; first remove those of dead servers."""
    _tidy(tempfile.gettempdir())
    with (
        tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as place,
        FileLock(os.path.join(place, _LOCK), timeout=0),
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
            lock = os.lstat(os.path.join(place, _LOCK))
        except OSError:
            continue  # not Satchel's, or made this moment
        if not (stat.S_ISDIR(status.st_mode) and stat.S_ISREG(lock.st_mode)):
            continue
        if is_foreign(status) or is_foreign(lock):
            continue
        try:
            with FileLock(os.path.join(place, _LOCK), timeout=0):
                shutil.rmtree(place, ignore_errors=True)
        except (SatchelError, OSError):
            continue  # its server lives
