"""What becomes of sessions with time, and how they stand: for upkeep, doctor and rebuild."""

from __future__ import annotations

import os

from satchel.application.health.findings import NOTE, WARNING, Finding
from satchel.clients.registry import ALIASES
from satchel.core.errors import SatchelError
from satchel.features.sessions.archive import files_in, is_damaged
from satchel.features.sessions.archive_service import SessionArchive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.project.store import OpenProject

_MEGABYTE = 1e6


def keep_archive(project: OpenProject, *, dry_run: bool) -> str:
    """Import what clients wrote and compress what is closed; say what was done."""
    settings, told = project.settings, []
    with SessionArchive(project) as sessions:
        try:
            if dry_run:
                return "transcripts would be imported, closed sessions compressed"
            if settings.flag("sessions.import"):
                clients = settings.words("sessions.clients")
                done = sessions.import_transcripts(clients=ALIASES if "all" in clients else clients)
                told.append(f"{done.turns} turns of {done.changed} transcripts imported")
            told.append(f"{len(sessions.pack())} closed sessions compressed")
        except SatchelError as error:
            told.append(f"left for the next time: {error}")
    return ", ".join(told)


def keep_retention(project: OpenProject, *, dry_run: bool, confirmed: bool = False) -> str:
    """Move sessions that are too old out of sight; say what was done.

    What is older than twice that is removed, where `sessions.old` is `remove` or a person says so.
    """
    settings = project.settings
    removes = confirmed or settings.text("sessions.old") == "remove"
    with SessionArchive(project) as sessions:
        try:
            moved = sessions.clean_up(dry_run=dry_run, removes=removes)
        except SatchelError as error:
            return f"left for the next time: {error}"
    would = "would be " if dry_run else ""
    told = [f"{len(moved.moved)} old ones {would}moved out of sight"]
    if moved.closed:
        told.append(f"{len(moved.closed)} stale ones {would}closed")
    if moved.removed:
        told.append(f"{len(moved.removed)} {would}removed")
    return ", ".join(told)


def session_findings(project: OpenProject) -> list[Finding]:
    """Say how much sessions and archive take on disk, and what of them is damaged."""
    with SessionArchive(project) as sessions:
        own, kept = len(sessions.store.ids()), len(files_in(sessions.state.archive))
        found = [
            Finding(
                WARNING, path, "is damaged; its messages are unharmed, in the file beside it",
                "Move it aside; `satchel session list` leaves it out.",
            )
            for path in sessions.store.damaged()
        ]  # fmt: skip
        for path in files_in(sessions.state.archive):
            if is_damaged(path):
                what = "is damaged; what stands around the damage is read and found"
                found.append(Finding(WARNING, path, what))
        if os.path.exists(sessions.state.index):
            problems = sessions.index().problems()
            damage = sessions.index().damage()
            if problems:
                step = "`satchel rebuild --only sessions` reads every session anew."
                found.append(Finding(WARNING, sessions.state.index, problems[0], step))
            found += [Finding(WARNING, one.path, one.reason) for one in damage]
        if own or kept:
            size = sessions.size() / _MEGABYTE
            what = f"{own} sessions and {kept} archived ones take {size:.1f} MB"
            found.append(Finding(NOTE, "sessions", what))
    return found


def rebuild_sessions(project: OpenProject) -> int:
    """Build the index of sessions anew; return how many files it holds."""
    with SessionArchive(project) as sessions:
        return sessions.rebuild()
