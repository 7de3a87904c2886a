"""Projects that are made, and the private state that they get."""

from __future__ import annotations

import os
from pathlib import Path

from satchel.project.place import find_place, known_key
from satchel.project.registry import project_key, read_identity
from satchel.storage.paths import UserHome
from satchel.testing import run_git

ID = '[project]\nid = "01TEMPLATE"\n'


def project(path: Path, *, git: bool = True, text: str = ID, commit: bool = True) -> Path:
    (path / ".satchel").mkdir(parents=True)
    (path / ".satchel" / "project.toml").write_text(text, encoding="utf-8")
    if git:
        run_git(str(path), "init", "--quiet")
        run_git(str(path), "add", "--all")
        if commit:
            run_git(str(path), "commit", "--quiet", "--message", f"begin {path}")
    return path


def key(registry: str, path: Path | str) -> str:
    place = find_place(str(path))
    assert place is not None
    home = UserHome(os.path.dirname(registry))
    made = project_key(home, place)
    assert known_key(registry, place) in (made, "")
    return made


def alike(registry: str, project_key: str) -> list[str]:
    return list(read_identity(UserHome(os.path.dirname(registry)), project_key).get("alike", []))
