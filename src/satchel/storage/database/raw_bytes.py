"""Reads database files' bytes without releasing anyone's locks."""

from __future__ import annotations

import os
import subprocess
import sys

from satchel.core.errors import StoreError

_SECONDS = 120.0
#: `cat` would need a PATH, and Windows has none.
_READ = "import sys; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read())"


def raw_bytes(path: str) -> bytes:
    """Return a database file's bytes; empty if missing. Raises `StoreError`.

    A child process reads it. Closing a file releases all of the process's locks on it (POSIX
    `fcntl`), SQLite's too: another process would take our open database for closed, and truncate
    the shared memory.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _READ, path],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StoreError(f"{path} could not be searched: {error}") from error
    if done.returncode and os.path.exists(path):
        raise StoreError(f"{path}: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout
