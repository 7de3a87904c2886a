"""Records when a client's hooks last ran in a project, as a file's modification time."""

from __future__ import annotations

import os

from satchel.core.errors import StoreError
from satchel.storage.files import NO_LINK, PRIVATE_FILE, make_private_directory


def note_seen(path: str) -> None:
    """Record that a client's hook is running. Nothing depends on it."""
    try:
        make_private_directory(os.path.dirname(path))
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | NO_LINK, PRIVATE_FILE))
        os.utime(path)
    except (OSError, StoreError):
        return
