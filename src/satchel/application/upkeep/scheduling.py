"""Upkeep schedules in the formats of systemd and cron. Pure.

Times are UTC. Cron only knows local time, so its line checks the clock every quarter of an hour:
all time zone offsets are multiples of that.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.values import NamedTuple

DAILY = "03:00"
SYSTEMD, CRON = "systemd", "cron"
_HOURS, _MINUTES, _QUARTER = 24, 60, 15


class Schedule(NamedTuple):
    """A daily run at `at` (UTC): a command's words, and whose upkeep it is.

    `name` distinguishes the schedule of one project, or of all, from others; the entry contains it.
    """

    at: str
    command: tuple[str, ...]
    name: str

    @property
    def unit(self) -> str:
        """Return the systemd units' name, without extension."""
        return f"satchel-upkeep-{self.name}"

    @property
    def mark(self) -> str:
        """Return the comment that identifies the cron line."""
        return f"# satchel-upkeep:{self.name}"


def time_of_day(text: str) -> str:
    """Parse `HH:MM`. Raises `BadInputError`."""
    hours, colon, minutes = text.partition(":")
    plain = all(part.isascii() and part.isdigit() and len(part) <= 2 for part in (hours, minutes))  # noqa: PLR2004
    if not (colon and plain and int(hours) < _HOURS and int(minutes) < _MINUTES):
        raise BadInputError(f"{text[:20]!r} is not a time of day.", hint="Write 03:00; it is UTC.")
    return f"{int(hours):02}:{int(minutes):02}"


def service_text(schedule: Schedule) -> str:
    """Return the service unit."""
    words = " ".join(_systemd_word(word) for word in schedule.command)
    return (
        f"[Unit]\nDescription=Satchel upkeep ({schedule.name})\n\n"
        f"[Service]\nType=oneshot\nExecStart={words}\nNice=10\nIOSchedulingClass=idle\n"
    )


def timer_text(schedule: Schedule) -> str:
    """Return the timer unit; a machine that slept runs it on wake-up."""
    return (
        f"[Unit]\nDescription=Satchel upkeep, daily ({schedule.name})\n\n"
        f"[Timer]\nOnCalendar=*-*-* {schedule.at}:00 UTC\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )


def cron_line(schedule: Schedule) -> str:
    """Return the crontab line."""
    minute = int(schedule.at[3:]) % _QUARTER
    minutes = ",".join(str(one) for one in range(minute, _MINUTES, _QUARTER))
    words = " ".join(shlex.quote(word) for word in schedule.command).replace("%", "\\%")
    asked = f'[ "$(date -u +\\%H:\\%M)" = {schedule.at} ]'
    return f"{minutes} * * * * {asked} && {words} >/dev/null 2>&1 {schedule.mark}"


def with_cron_line(crontab: str, schedule: Schedule, *, remove: bool = False) -> str:
    """Return a crontab with or without this schedule's line, keeping all others."""
    kept = [line for line in crontab.splitlines() if not line.rstrip().endswith(schedule.mark)]
    if not remove:
        kept.append(cron_line(schedule))
    return "".join(line + "\n" for line in kept)


def next_run(at: str, now: float) -> float:
    """Return the next occurrence of a time of day in Unix seconds."""
    today = times.utc(now).replace(hour=int(at[:2]), minute=int(at[3:]), second=0, microsecond=0)
    moment = today.timestamp()
    return moment if moment > now else moment + times.DAY


def format_command(words: Sequence[str]) -> str:
    """Format a command for people."""
    return " ".join(shlex.quote(word) for word in words)


def _systemd_word(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    plain = all(c.isalnum() or c in "-_./:=+@," for c in word) and word
    return escaped if plain else f'"{escaped}"'
