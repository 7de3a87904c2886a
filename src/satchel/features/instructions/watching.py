"""Watches instruction files by polling; reports changes once they have settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from satchel.features.instructions.file_stats import Changes, FileStat, compare

#: How files stand: path -> stamp.
Look = Callable[[], dict[str, FileStat]]


def watch(
    look: Look,
    wait: Callable[[float], object],
    *,
    every: float,
    settle: float,
    ends: Callable[[], bool],
) -> Iterator[Changes]:
    """Yield changes once nothing more has happened for `settle` seconds.

    Args:
        look: says how the files stand.
        wait: passes the time, seconds.
        every: seconds between looks.
        settle: a file that is being written changes several times; this much quiet ends it.
        ends: asked before every look whether to stop.
    """
    before = look()
    while not ends():
        wait(every)
        now = look()
        if not compare(before, now):
            continue
        quiet = 0.0
        while quiet < settle and not ends():
            pause = min(every, settle - quiet)
            wait(pause)
            later = look()
            quiet = 0.0 if compare(now, later) else quiet + pause
            now = later
        changes = compare(before, now)
        before = now
        if changes:
            yield changes
