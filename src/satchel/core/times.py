"""The only place that parses and formats times. Everywhere else a time is Unix seconds.

`datetime` is imported only when needed: hooks import this module and often do without.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

MINUTE, HOUR, DAY, WEEK = 60, 3600, 86_400, 604_800
_UNITS = {"s": 1, "m": MINUTE, "h": HOUR, "d": DAY, "w": WEEK}
_DAYS_IN_WEEKS, _DAYS_IN_MONTHS = 14, 70


def utc(seconds: float) -> datetime:
    """Return a time as a UTC `datetime`; if out of range, raises what `datetime` raises."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC)


def moment_of(text: object) -> datetime | None:
    """Parse an ISO 8601 time (UTC by default) to UTC; None if invalid."""
    from datetime import UTC, datetime

    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def seconds_of(text: object) -> float | None:
    """Parse an ISO 8601 time (UTC by default); None if invalid."""
    moment = moment_of(text)
    return None if moment is None else moment.timestamp()


def iso(seconds: float, precision: str = "seconds") -> str:
    """Format a time as `2026-03-16T14:30:00Z`; `precision` as in `datetime.isoformat`."""
    return utc(seconds).isoformat(timespec=precision).replace("+00:00", "Z")


def day(seconds: float) -> str:
    """Format a time's date: `2026-03-16`."""
    return utc(seconds).strftime("%Y-%m-%d")


def minute(seconds: float) -> str:
    """Format a time to the minute, for people: `2026-03-16 14:30 UTC`."""
    try:
        return utc(seconds).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return f"{seconds:g} s"


def duration(text: str) -> float | None:
    """Parse a duration to seconds: `90`, `30m`, `24h`, `7d`, `2w`; None if invalid."""
    number, unit = (text[:-1], text[-1]) if text[-1:].lower() in _UNITS else (text, "s")
    try:
        return float(number) * _UNITS[unit.lower()]
    except ValueError:
        return None


def age(seconds: float) -> str:
    """Format an approximate age: `now`, `5 min`, `3 h`, `12 d`, `5 w`, `4 mo`."""
    seconds = max(0.0, seconds)
    if seconds < MINUTE:
        return "now"
    if seconds < HOUR:
        return f"{int(seconds / MINUTE)} min"
    if seconds < DAY:
        return f"{int(seconds / HOUR)} h"
    days = int(seconds / DAY)
    if days < _DAYS_IN_WEEKS:
        return f"{days} d"
    return f"{days // 7} w" if days < _DAYS_IN_MONTHS else f"{days // 30} mo"


def ago(seconds: float) -> str:
    """Format how long ago something was: `just now`, `5 min ago`."""
    told = age(seconds)
    return "just now" if told == "now" else f"{told} ago"


def span(seconds: int) -> str:
    """Format a duration in the largest unit with at least two: `2 days`, `90 minutes`."""
    for size, name in ((DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}"
    return "1 second" if seconds == 1 else f"{seconds} seconds"
