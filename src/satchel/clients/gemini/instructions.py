"""Gemini CLI: GEMINI.md at every level, and notes in a folder named for a project."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence

from satchel.clients.contract.instructions import (
    AGENT,
    ON_REQUEST,
    PRIORITIES,
    USER,
    Directory,
    File,
    Instructions,
    Rules,
    Source,
)
from satchel.core.hashing import digest
from satchel.storage.safe_open import open_text

_MOST_NAMES, _LONGEST_ROOT = 1000, 4096


def _notes(home: str, directories: Sequence[str]) -> list[Directory]:
    note = Source(
        "", AGENT, USER, PRIORITIES[AGENT], order=30, clients=("gemini",), kind=ON_REQUEST
    )
    top = os.path.join(home, "tmp")
    return [
        Directory(os.path.join(top, name, "memory"), ".md", note)
        for name in _names(top, directories)
    ]


def _names(top: str, directories: Sequence[str]) -> list[str]:
    """Return a project's folder names: a hash, or a name that a file maps."""
    hashes = {digest(one.encode("utf-8", "surrogateescape")).hex() for one in directories}
    try:
        with os.scandir(top) as entries:
            names = sorted(entry.name for entry in itertools.islice(entries, _MOST_NAMES))
    except OSError:
        return []
    return [name for name in names if name in hashes or _root_of(top, name) in directories]


def _root_of(top: str, name: str) -> str:
    path = os.path.join(top, name, ".project_root")
    said = open_text(path, lambda _: "", most=_LONGEST_ROOT).data
    return os.fsdecode(said.strip())


INSTRUCTIONS = Instructions(
    Rules("gemini", "GEMINI.md"),
    dialect="gemini",
    reads=("GEMINI.md",),
    hidden={"GEMINI.md": ".gemini"},
    home_files=(File("GEMINI.md", order=3),),
    notes=_notes,
)
