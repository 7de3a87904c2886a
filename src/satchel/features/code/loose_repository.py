"""Code outside any project: a git repository or directory with its own state."""

from __future__ import annotations

import os

from satchel.core.clock import Clock
from satchel.project.place import Place
from satchel.storage.paths import UserHome
from satchel.storage.settings.loading import load_settings
from satchel.storage.settings.table import Settings
from satchel.storage.tracked_files import TrackedFiles


def place_of_directory(start: str) -> Place | None:
    """Return a directory outside repositories as a place; None for a home or its parents."""
    root = os.path.realpath(start)
    home = os.path.realpath(os.path.expanduser("~"))
    holds = (home + os.sep).startswith(root.rstrip(os.sep) + os.sep)
    return None if holds or not os.path.isdir(root) else Place(root, "", "", "")


class LooseRepository:
    """A repository or directory that is not a project; its map is kept in the home."""

    def __init__(self, place: Place, home: UserHome, clock: Clock) -> None:
        self.place, self.clock = place, clock
        self.key = place.entry_name()
        self.state = home.repository_state(self.key)
        self.settings: Settings = load_settings(home.configuration, "")
        self.tracked = TrackedFiles(place.root)
        self.patience = self.settings.number("index.wait_ms") / 1000
        self.patient = True

    def start_in_background(self, step: str, lock: str, every: float) -> None:
        """Do nothing: outside a project, the map is built on demand."""
