"""A home that is whole: a restore that was killed in the middle is finished before it is read."""

from __future__ import annotations

import os

from satchel.home_places import restoring_in
from satchel.layout import UserHome


def whole_home(path: str) -> UserHome:
    """Return the home at a path, with an interrupted restore finished."""
    home = UserHome(path)
    if os.path.isdir(restoring_in(home.path)):
        from satchel.exchange.backups.restoring import finish

        finish(home)
    return home
