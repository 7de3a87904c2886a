"""A home that is whole: a restore that was killed in the middle is finished before it is read."""

from __future__ import annotations

import os

from satchel.storage.home_paths import restoring_in
from satchel.storage.paths import UserHome


def whole_home(path: str) -> UserHome:
    """Return the home at a path, with an interrupted restore finished."""
    home = UserHome(path)
    if os.path.isdir(restoring_in(home.path)):
        from satchel.application.exchange.backups.restoring import finish

        finish(home)
    return home
