"""Whether a client's session is a project's: by its directory, or by what hooks noted."""

from __future__ import annotations

import os

from satchel.project.store import ProjectStore
from satchel.storage.safe_open import is_within

#: Fewest characters of a session's id, so that no other word of a ledger is taken for one.
_LEAST_ID = 16


def belongs(project: ProjectStore, cwd: str) -> bool:
    """Return whether a directory is in one of the project's work trees."""
    if not cwd:
        return False
    here = os.path.realpath(cwd)
    if is_within(here, os.path.realpath(project.place.root)):
        return True
    if not os.path.isdir(here):
        return False
    from satchel.project.place import find_place

    place = find_place(here)
    return place is not None and project.owns(place)


def was_told(project: ProjectStore, session: str) -> bool:
    """Return whether the ledger of what agents were told names a session.

    So it ran here, even if its work tree has been removed since.
    """
    marker = session.encode("utf-8", "replace")
    return len(marker) >= _LEAST_ID and marker in project.log("injections").data(marker)
