"""Detects changes of a project by the times and sizes of its files."""

from __future__ import annotations

import os
from typing import Any

from satchel.workspace import Workspace

#: Files that git tracks and that pages show, by the names that `TrackedFiles.place` knows.
_TRACKED = ("knowledge", "instincts", "guards", "intent_links", "tasks")


def watched_paths(workspace: Workspace) -> list[str]:
    """Return the files and folders that pages depend on."""
    own, tracked = workspace.project.state, workspace.project.tracked
    named = [tracked.place(name) for name in _TRACKED]
    return [own.ledgers, own.inbox, own.sessions.own, tracked.intent, *named]


def file_states(paths: list[str]) -> dict[str, Any]:
    """Return the state of files by name, including the direct contents of folders."""
    found: dict[str, Any] = {}
    for path in paths:
        try:
            entries = list(os.scandir(path)) if os.path.isdir(path) else []
            for entry in entries:
                status = entry.stat()
                name = entry.name.partition(".")[0]
                found[name] = (status.st_mtime_ns, status.st_size, found.get(name))
            if not entries and os.path.isfile(path):
                status = os.stat(path)
                name = os.path.basename(path).partition(".")[0]
                found[f"{name} (tracked)"] = (status.st_mtime_ns, status.st_size)
        except OSError:
            continue  # deleted meanwhile: the next call notices
    return found
