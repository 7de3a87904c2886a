"""Counts events that hooks could not keep, in a preallocated file, as the disk may be full."""

from __future__ import annotations

import os

from satchel.core.values import NamedTuple
from satchel.storage.files import NO_WAIT, PRIVATE_FILE, RAW, write_at

#: Size of the file: one record of fixed size, so that writing it needs no new block.
_SIZE = 256
_COUNT, _TIME = 8, 12
_REASON = _SIZE - _COUNT - 2 * _TIME - 5


class LostEvents(NamedTuple):
    """How many events were lost, from when to when, and the last reason.

    `told`: whether a session was told.
    """

    events: int
    first: int
    last: int
    reason: str
    told: bool


def lie_ready(path: str) -> None:
    """Create the file while there is space. Never raises: captures do not depend on it."""
    if not os.path.exists(path):
        _write(path, b"\n".rjust(_SIZE), os.O_CREAT)


def note_lost(path: str, reason: str, now: float) -> bool:
    """Count a lost event; return whether that was kept. Never raises: a hook's last resort."""
    before = lost(path)
    first = before.first if before and not before.told else int(now)
    count = before.events + 1 if before and not before.told else 1
    return _write(
        path, _encoded(LostEvents(count, first, int(now), reason, told=False)), os.O_CREAT
    )


def note_told(path: str, known: LostEvents) -> None:
    """Record that a session was told."""
    _write(path, _encoded(known._replace(told=True)))


def lost(path: str) -> LostEvents | None:
    """Return what was lost, or None."""
    try:
        fd = os.open(path, os.O_RDONLY | NO_WAIT | RAW)
    except OSError:
        return None
    try:
        parts = os.read(fd, _SIZE).decode("utf-8", "replace").split(maxsplit=4)
    except OSError:
        return None
    finally:
        os.close(fd)
    if len(parts) < 4 or not all(part.isdigit() for part in parts[:4]):  # noqa: PLR2004
        return None
    reason = parts[4].strip() if len(parts) > 4 else ""  # noqa: PLR2004
    return LostEvents(int(parts[0]), int(parts[1]), int(parts[2]), reason, parts[3] == "1")


def not_kept_text(known: LostEvents) -> str:
    """Describe in a sentence what was lost."""
    from satchel.core import times

    events = "1 event was" if known.events == 1 else f"{known.events} events were"
    why = f": {known.reason.rstrip('.')}" if known.reason else ""
    return f"{events} not kept since {times.minute(known.first)}{why}."


def _encoded(one: LostEvents) -> bytes:
    reason = " ".join(one.reason.split()).encode("utf-8", "replace")[:_REASON]
    count = min(one.events, 10**_COUNT - 1)
    head = f"{count:0{_COUNT}} {one.first:0{_TIME}} {one.last:0{_TIME}} {int(one.told)} "
    return (head.encode() + reason).ljust(_SIZE - 1) + b"\n"


def _write(path: str, data: bytes, create: int = 0) -> bool:
    flags = os.O_WRONLY | NO_WAIT | RAW | create
    try:
        fd = os.open(path, flags, PRIVATE_FILE)
        try:
            write_at(fd, data, 0)
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError:
        return False
    return True
