"""Permission tests as an ordinary user: root may read and write everything."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

_NOBODY = 65_534


@contextmanager
def reachable_directory() -> Iterator[str]:
    """Make a directory that every user can enter; pytest's own belong to root alone."""
    path = tempfile.mkdtemp(prefix="satchel-permissions-")
    os.chmod(path, 0o755)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def as_ordinary_user() -> Iterator[None]:
    """Run the block without root's rights; as an ordinary user it changes nothing."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
