"""Versions of derived databases: older ones are rebuilt, newer ones left alone."""

from __future__ import annotations

from satchel.core.errors import NewerIndexError, NotReadableError


def check_version(found: str, ours: str, what: str) -> None:
    """Compare a database's schema version with this release's.

    Raises `NewerIndexError` for a newer one, which nobody may write to: reading goes on in
    memory. Raises `NotReadableError` for any other, which is set aside and rebuilt.
    """
    if found == ours:
        return
    if found.isascii() and found.isdigit() and int(found[:9]) > int(ours):
        raise NewerIndexError(f"{what} was made by a newer Satchel; it is left as it is.")
    raise NotReadableError(f"{what} has another schema; it is rebuilt.")
