"""Writes incoming changes to the home, durably. The caller holds the ledger's lock."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.application.forgetting.indexes import drop_database
from satchel.core.errors import BusyError
from satchel.storage.files import flush_directory, read_file, replace_file
from satchel.storage.ledger.file import append_durably
from satchel.storage.ledger.rewriting import rewrite


def append_lines(path: str, lines: Sequence[bytes]) -> None:
    """Append lines to a ledger unchanged."""
    if lines:
        append_durably(path, b"".join(raw + b"\n" for raw in lines))


def scrub(paths: Sequence[str], lines: frozenset[bytes], index: str) -> None:
    """Remove lines that were purged elsewhere from a ledger, its archive and their index.

    The index goes, since its free pages would keep the words: first, in case this is killed, and
    last, in case somebody read meanwhile. The next reader makes it again.
    """
    if not lines:
        return
    drop_database(index)
    for path in paths:
        rewrite(path, lambda there: [raw for raw in there if raw not in lines])
    drop_database(index)


def put_file(path: str, before: bytes | None, after: bytes | None) -> None:
    """Replace a file, or remove it for None. Raises `BusyError` if it changed meanwhile."""
    now = read_file(path) if os.path.lexists(path) else None
    if now != before:
        raise BusyError(f"{path} was changed meanwhile.", hint="Run `satchel sync now` again.")
    if after is not None:
        replace_file(path, after)
    elif before is not None:
        os.unlink(path)
        flush_directory(os.path.dirname(path))


def write_conflict_copy(path: str, data: bytes) -> None:
    """Write the remote version of a file beside ours, once."""
    if not os.path.lexists(path):
        replace_file(path, data)
