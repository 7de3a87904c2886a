"""Finds and reads identity files: `<place>/<agent>/SOUL.md` and similar files.

Several places are read; the first one with a file wins. A file shared by agents may be at the top
of a place. Links that lead out of the places are not followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from satchel.core.errors import BadInputError, NotFoundError
from satchel.features.agents.values import EAGER, FILES, SOUL, IdentityFile
from satchel.storage.files import NO_WAIT, names_in
from satchel.storage.safe_open import is_within

_LONGEST_NAME = 64
#: Largest file to read, in bytes.
LARGEST = 256 * 1024
_SOULS, _SOUL_ENDING = "souls", "-SOUL.md"


def check_name(name: str) -> str:
    """Return an agent's name if it is valid: letters, digits, `-`, `_` and inner `.`.

    Raises `BadInputError` for anything that could mean another place.
    """
    plain = name.strip()
    good = plain.replace("-", "").replace("_", "").replace(".", "").isalnum()
    inside = plain[:1].isalnum() and ".." not in plain and not plain.endswith(".")
    if not good or not inside or len(plain) > _LONGEST_NAME or plain.lower() == _SOULS:
        raise BadInputError(
            f"{name[:_LONGEST_NAME]!r} is not a name of an agent.",
            hint="Use letters, digits, - and _, for example `reviewer`.",
        )
    return plain


class IdentityFiles:
    """The identity files below some places.

    Args:
        places: directories of agents, the preferred one first.
        roots: directories that may contain files once links are followed.
    """

    def __init__(self, places: Sequence[str], roots: Sequence[str]) -> None:
        self.places = tuple(places)
        self._roots = tuple(os.path.realpath(root) for root in roots)

    def names(self) -> list[str]:
        """Return the names of agents that have their own files."""
        found: dict[str, str] = {}
        for place in self.places:
            for name in names_in(place):
                directory = os.path.join(place, name)
                has = any(os.path.isfile(os.path.join(directory, f"{one}.md")) for one in FILES)
                if has and _is_name(name):
                    found.setdefault(name.lower(), name)
            for name in names_in(os.path.join(place, _SOULS)):
                if name.endswith(_SOUL_ENDING):
                    bare = name.removesuffix(_SOUL_ENDING)
                    if _is_name(bare):
                        found.setdefault(bare.lower(), bare)
        return sorted(found.values(), key=str.lower)

    def known(self, name: str) -> str:
        """Return the name as spelled on disk. Raises `NotFoundError` if unknown."""
        plain = check_name(name)
        there = self.names()
        found = next((one for one in there if one.lower() == plain.lower()), "")
        if not found:
            raise NotFoundError(
                f"There is no agent {plain!r}.",
                hint=f"There are: {', '.join(there)}."
                if there
                else f"`satchel agents new {plain}` makes one.",
            )
        return found

    def read(self, name: str, labels: Sequence[str] = EAGER) -> list[IdentityFile]:
        """Read an agent's files in the order given, skipping missing ones."""
        found = []
        for label in labels:
            one = self._first(name, label)
            if one is not None:
                found.append(one)
        return found

    def path(self, name: str, label: str) -> str:
        """Return the path of an agent's file, or where to create it: next to the others."""
        for place in self.places:
            path = os.path.join(place, name, f"{label}.md")
            if os.path.isfile(path):
                return path
        for place in self.places:
            if os.path.isdir(os.path.join(place, name)):
                return os.path.join(place, name, f"{label}.md")
        return os.path.join(self.places[0], name, f"{label}.md")

    def _first(self, name: str, label: str) -> IdentityFile | None:
        own = [os.path.join(place, name, f"{label}.md") for place in self.places]
        if label == SOUL:
            own += [os.path.join(place, _SOULS, name + _SOUL_ENDING) for place in self.places]
        shared = [os.path.join(place, f"{label}.md") for place in self.places]
        for path in (*own, *(shared if label in EAGER else ())):
            text = self._text(path)
            if text is not None:
                return IdentityFile(label, path, text, shared=path in shared)
        return None

    def _text(self, path: str) -> str | None:
        """Read a regular file in an allowed place, or return None."""
        try:
            real = os.path.realpath(path, strict=True)
            fd = os.open(real, os.O_RDONLY | NO_WAIT)
        except (OSError, ValueError):
            return None
        try:
            status = os.fstat(fd)
            inside = any(is_within(real, root) for root in self._roots)
            if not stat.S_ISREG(status.st_mode) or not inside or status.st_size > LARGEST:
                return None
            with os.fdopen(os.dup(fd), "rb") as file:
                return file.read(LARGEST).decode("utf-8", "replace").removeprefix("\ufeff")
        finally:
            os.close(fd)


def _is_name(name: str) -> bool:
    try:
        return check_name(name) == name
    except BadInputError:
        return False
