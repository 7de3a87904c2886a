"""Retention: compresses closed sessions, and moves or removes old ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.core.times import DAY
from satchel.core.values import NamedTuple
from satchel.features.sessions.archive import files_in, read_session
from satchel.features.sessions.store import SessionStore
from satchel.features.sessions.values import CLOSE, CLOSED
from satchel.storage.files import flush_directory, make_private_directory, read_file

#: What happens to old sessions: moved out of the index, or removed.
MOVE, REMOVE = "move", "remove"


class Rule(NamedTuple):
    """How long sessions are kept, in seconds, and what happens to older ones.

    `removes` is false if nobody has agreed to a removal: then old ones are only moved.
    """

    seconds: float
    policy: str = MOVE
    removes: bool = False


class CleanupReport(NamedTuple):
    """The result of a clean-up or dry run: files moved, files removed, bytes freed.

    `closed` are ids of abandoned own sessions.
    """

    moved: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    bytes: int = 0
    closed: tuple[str, ...] = ()


def pack_closed(store: SessionStore, now: float, *, after_days: float) -> list[str]:
    """Compress messages of sessions closed long enough ago; return their ids."""
    packed = []
    for session in store.every():
        old = session.closed_at and now - session.closed_at >= after_days * DAY
        if session.status == CLOSED and old and store.pack(session.id):
            packed.append(session.id)
    return packed


def close_stale(
    store: SessionStore, now: float, seconds: float, *, dry_run: bool = False
) -> list[str]:
    """Close sessions that were inactive for too long; return their ids."""
    stale = []
    for session in store.every():
        last = max(session.last_activity_at, session.created_at)
        if session.status == CLOSED or not last or now - last <= seconds:
            continue
        stale.append(session.id)
        if not dry_run:
            days = (now - last) / DAY
            store.move(
                session.id, CLOSE, summary=session.summary or f"no activity for {days:.0f} d"
            )
    return stale


def clean_up(
    directory: str,
    old: str,
    last: Callable[[str], float],
    now: float,
    rule: Rule,
    *,
    dry_run: bool = False,
) -> CleanupReport:
    """Move sessions older than the limit, and remove those twice as old.

    The Foundation's `cleanup_old_context`: stale conversations are archived; those older than two
    retention periods are removed. The caller holds the archive's lock.

    Args:
        directory: the archive.
        old: for moved sessions: readable, but not searched.
        last: returns the time of a file's last turn, seconds since 1970.
        now: seconds since 1970.
        rule: how long to keep sessions, and what happens to the rest.
        dry_run: show what would be done.
    """
    stale = [path for path in files_in(directory) if now - last(path) > rule.seconds]
    gone: list[str] = []
    if rule.removes:
        periods = 1 if rule.policy == REMOVE else 2
        every = [*stale, *files_in(old)]
        gone = [path for path in every if now - last(path) > periods * rule.seconds]
    moved = [path for path in stale if path not in gone]
    freed = sum(os.path.getsize(path) for path in gone)
    if not dry_run:
        _move(moved, old)
        for path in gone:
            os.unlink(path)
        for place in {os.path.dirname(path) for path in (*moved, *gone)}:
            flush_directory(place)
    return CleanupReport(tuple(moved), tuple(gone), freed)


def last_turn(path: str) -> float:
    """Return the time of a file's last turn, or its modification time if damaged."""
    session = read_session(read_file(path))
    if isinstance(session, str) or not session.turns:
        return os.path.getmtime(path)
    return max(turn.at for turn in session.turns)


def _move(paths: Sequence[str], old: str) -> None:
    if paths:
        make_private_directory(old)
    for path in paths:
        os.replace(path, os.path.join(old, os.path.basename(path)))
    if paths:
        flush_directory(old)
