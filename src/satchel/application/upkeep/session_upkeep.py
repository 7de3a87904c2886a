"""Maintenance and state of sessions, for upkeep, doctor and rebuild."""

from __future__ import annotations

import os

from satchel.application.findings import NOTE, WARNING, Finding
from satchel.application.services import Services
from satchel.core.errors import SatchelError
from satchel.core.plurals import counted
from satchel.features.sessions.archive import is_damaged

_MEGABYTE = 1e6
#: Seconds for updating the thread; the rest is read next time.
_THREAD_SECONDS = 300.0


def keep_archive(work: Services, *, dry_run: bool) -> str:
    """Import clients' records and compress closed sessions; return a report."""
    told = []
    with work.sessions as sessions:
        try:
            if dry_run:
                return "transcripts would be imported, closed sessions compressed"
            clients = sessions.archive.clients()
            if clients:
                done = sessions.archive.import_transcripts(clients=clients)
                told.append(f"{done.turns} turns of {done.changed} transcripts imported")
            told.append(f"{len(sessions.archive.pack())} closed sessions compressed")
        except SatchelError as error:
            told.append(f"left for the next run: {error}")
    return ", ".join(told)


def keep_retention(work: Services, *, dry_run: bool, confirmed: bool = False) -> str:
    """Move old sessions out of the searched archive; return a report.

    With `sessions.old = "remove"` they are removed at once; if a person confirms, so are those
    twice as old.
    """
    settings = work.project.settings
    removes = confirmed or settings.text("sessions.old") == "remove"
    with work.sessions as sessions:
        try:
            moved = sessions.archive.clean_up(dry_run=dry_run, removes=removes)
        except SatchelError as error:
            return f"left for the next run: {error}"
    would = "would be " if dry_run else ""
    told = [f"{len(moved.moved)} old ones {would}moved out of sight"]
    if moved.closed:
        told.append(f"{len(moved.closed)} stale ones {would}closed")
    if moved.removed:
        told.append(f"{len(moved.removed)} {would}removed")
    return ", ".join(told)


def keep_thread(work: Services, *, dry_run: bool) -> str:
    """Read new archive entries for the thread; return how much is known."""
    if work.person is None:
        return "a team's server keeps no transcripts"
    if not work.sessions.archive.every_file():
        return "the archive has no session yet"
    if dry_run:
        return "what is new in the archive would be linked to lines and commits"
    with work.thread as thread:
        left = thread.catch_up(_THREAD_SECONDS)
        there = thread.follow_commits()
        known = thread.store.counts()
    told = f"{known['edits']} edits and {known['commits']} commits of {known['sessions']} sessions"
    return f"{told}; git has {there} of them" + (f"; {left} sessions left" * bool(left))


def session_findings(work: Services) -> list[Finding]:
    """Report the disk use of sessions and archive, and what is damaged."""
    with work.sessions as sessions:
        own, kept = len(sessions.store.ids()), len(sessions.archive.files())
        found = [
            Finding(
                WARNING,
                path,
                "is damaged; its messages are unharmed, in the file beside it",
                "Move it aside; `satchel sessions list` leaves it out.",
            )
            for path in sessions.store.damaged()
        ]
        for path in sessions.archive.files():
            if is_damaged(path):
                what = "is damaged; what surrounds the damage is still found"
                found.append(Finding(WARNING, path, what))
        if os.path.exists(sessions.archive.place.index):
            problems = sessions.archive.index().problems()
            damage = sessions.archive.index().damage()
            if problems:
                step = "`satchel rebuild --only sessions` reads every session again."
                found.append(Finding(WARNING, sessions.archive.place.index, problems[0], step))
            found += [Finding(WARNING, one.path, one.reason) for one in damage]
        if own or kept:
            size = sessions.archive.size() / _MEGABYTE
            told = [counted(own, "session")] if own else []
            told += [f"{kept if own else counted(kept, 'session')} archived"] if kept else []
            found.append(Finding(NOTE, "sessions", f"{', '.join(told)}: {size:.1f} MB"))
    return found


def rebuild_sessions(work: Services) -> int:
    """Rebuild the index of sessions; return the number of files."""
    with work.sessions as sessions:
        return sessions.archive.rebuild()
