"""Copies that forgetting cannot reach: git history, clients' own files, backups."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from satchel.application.forgetting.git_history import in_repository, in_sync
from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.scrub import contains_trace
from satchel.application.forgetting.values import Leftover
from satchel.clients.registry import ALIASES, client_home
from satchel.clients.transcripts.reading import transcript_files
from satchel.core.errors import SatchelError
from satchel.project.approvals.work_tree import top_of
from satchel.project.store import ProjectStore
from satchel.storage.files import read_file

_LARGEST = 512 << 20
_BACKUP = (".bak", ".old", ".orig", "~", ".tar", ".tar.gz", ".tgz", ".zip", ".backup")


def unreachable_copies(
    project: ProjectStore, traces: TraceMatcher, ids: Sequence[str]
) -> Iterator[Leftover]:
    """Yield every place of a project that contains it and is out of reach, as far as checked."""
    root = os.path.realpath(project.place.root)
    # Without git, nothing was left unsearched.
    if os.path.lexists(os.path.join(top_of(root), ".git")):
        yield from in_repository(root, traces, ids)
    yield from _transcripts(project, traces)


def copies_of_home(home: str, traces: TraceMatcher, ids: Sequence[str]) -> Iterator[Leftover]:
    """Yield the repository of sync if it contains it, and what may be copies of the home."""
    yield from in_sync(home, traces, ids)
    yield from _backups(home)


def _transcripts(project: ProjectStore, traces: TraceMatcher) -> Iterator[Leftover]:
    """Yield clients' own files, which are read but never changed."""
    root = os.path.realpath(project.place.root)
    looked = project.settings.flag("sessions.import")
    for client in ALIASES:
        if not looked:
            if os.path.isdir(client_home(client)):
                why = "were not searched, because sessions.import is off"
                yield Leftover(client_home(client), f"{client}'s own transcripts", why)
            continue
        for file in transcript_files(client, client_home(client), root):
            try:
                said = os.path.getsize(file.path) <= _LARGEST and contains_trace(
                    read_file(file.path), traces
                )
            except (OSError, SatchelError):
                continue
            if said:
                yield Leftover(file.path, f"{client}'s own transcript", "is that program's file")


def _backups(home: str) -> Iterator[Leftover]:
    """Yield what looks like a copy of the home beside it; copies are not opened."""
    above, name = os.path.split(home.rstrip(os.sep))
    try:
        names = sorted(os.listdir(above))
    except OSError:
        return
    for other in names:
        if other != name and other.startswith(name) and other.endswith(_BACKUP):
            why = "looks like a backup of the home, and was not searched"
            yield Leftover(os.path.join(above, other), "backup", why)
