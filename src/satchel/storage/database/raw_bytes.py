"""Reads database files' bytes without releasing anyone's locks."""

from __future__ import annotations

import os
import subprocess

from satchel.core.errors import StoreError

_SECONDS = 120.0


def raw_bytes(path: str) -> bytes:
    """Return a database file's bytes; empty if missing. Raises `StoreError`.

    Another process reads it. Whoever closes a file gives up every lock that the process has on it
    (POSIX `fcntl`), SQLite's too: a second process would take our open database for a closed one,
    and cut short the memory that both share.
    """
    try:
        done = subprocess.run(
            ["cat", "--", path],
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
