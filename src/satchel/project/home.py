"""Opens the user's Satchel home."""

from __future__ import annotations

import os

from satchel.storage.home_paths import restoring_in
from satchel.storage.paths import UserHome
from satchel.storage.settings.environment import home_path


def open_home(path: str = "") -> UserHome:
    """Return the home at a path, or the one set in the environment.

    Finishes an interrupted restore before anything is read.
    """
    home = UserHome(path or home_path())
    if os.path.isdir(restoring_in(home.path)):
        from satchel.project.interrupted_restore import finish

        finish(home)
    return home
