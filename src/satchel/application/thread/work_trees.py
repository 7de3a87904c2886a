"""Finds where a tool wrote, so that another repository's file is not mistaken for this one's."""

from __future__ import annotations

import os

from satchel.project.place import Place, find_place


class SessionDirectory:
    """A session's directory, which its tools' paths are relative to. Created for each reading.

    Args:
        cwd: as given by the client; "" if not given.
    """

    def __init__(self, cwd: str) -> None:
        self._cwd = cwd
        self._places: dict[str, Place | None] = {}
        self._own = self._place(cwd) if os.path.isdir(cwd) else None

    def path(self, written: str) -> str:
        """Return a tool's path from the top of its work tree, with `/`.

        "" for one outside the repository. If the session's directory or the file's no longer
        exists, the path is returned unchanged, or from the session's directory.
        """
        given, own = written.replace("\\", "/"), self._own
        if own is None or not own.common:
            above = self._cwd.replace("\\", "/").rstrip("/")
            return given.removeprefix(f"{above}/") if above else given
        whole = os.path.normpath(os.path.join(self._cwd, given))
        directory = os.path.dirname(whole)
        if not os.path.isdir(directory):
            inside = _from_top(own, whole)
            return given if inside.startswith("../") else inside
        there = self._place(directory)
        if there is None or there.common != own.common:
            return ""
        return _from_top(there, os.path.join(os.path.realpath(directory), os.path.basename(whole)))

    def is_known(self, path: str) -> bool:
        """Return whether a path so returned is this repository's: what is gone may be a copy."""
        return not path.startswith("/") and path[1:2] != ":"

    def _place(self, directory: str) -> Place | None:
        if directory not in self._places:
            self._places[directory] = find_place(directory)
        return self._places[directory]


def _from_top(place: Place, path: str) -> str:
    return os.path.normpath(os.path.join(place.below, os.path.relpath(path, place.root)))
