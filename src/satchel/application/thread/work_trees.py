"""Finds where a tool wrote, so that another repository's file is not mistaken for this one's."""

from __future__ import annotations

import os

from satchel.project.place import Place, find_place


class SessionDirectory:
    """A session's directory, which its tools' paths are relative to. Created for each reading.

    Args:
        cwd: as given by the client; "" if not given.
        common: git's directory of the project whose files count; "" for that of `cwd`.
        partly: whether only a part of the session is known, because it began above the project.
    """

    def __init__(self, cwd: str, common: str = "", *, partly: bool = False) -> None:
        self._cwd, self._partly = cwd, partly
        self._places: dict[str, Place | None] = {}
        own = self._place(cwd) if os.path.isdir(cwd) else None
        self._common = common or (own.common if own else "")
        self._exists = os.path.isdir(cwd)

    def path(self, written: str) -> str:
        """Return a tool's path from the top of its work tree, with `/`.

        "" for one outside the repository. If the session's directory or the file's no longer
        exists, the path is returned unchanged, or from the session's directory.
        """
        given = written.replace("\\", "/")
        if not self._exists or not self._common:
            above = self._cwd.replace("\\", "/").rstrip("/")
            return given.removeprefix(f"{above}/") if above else given
        whole = os.path.abspath(os.path.join(self._cwd, given))
        folder = directory = os.path.dirname(whole)
        while not os.path.isdir(folder):
            folder = os.path.dirname(folder)
        there = self._place(folder)
        if there is None or there.common != self._common:
            return given if folder != directory and not self._partly else ""
        return _from_top(
            there, os.path.join(os.path.realpath(folder), os.path.relpath(whole, folder))
        )

    def is_known(self, path: str) -> bool:
        """Return whether a path so returned is this repository's, and all that was done to it seen.

        What is gone may be a copy.
        """
        return not (self._partly or path.startswith("/") or path[1:2] == ":")

    def _place(self, directory: str) -> Place | None:
        if directory not in self._places:
            self._places[directory] = find_place(directory)
        return self._places[directory]


def _from_top(place: Place, path: str) -> str:
    return os.path.normpath(os.path.join(place.below, os.path.relpath(path, place.root)))
