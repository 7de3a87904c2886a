"""Schedules upkeep with systemd user timers or cron, whichever is available.

Only entries with Satchel's own name are written, changed or removed.
"""

from __future__ import annotations

import os
import sys
import tempfile

from satchel.application.upkeep.scheduling import (
    CRON,
    DAILY,
    SYSTEMD,
    Schedule,
    cron_line,
    format_command,
    service_text,
    time_of_day,
    timer_text,
    with_cron_line,
)
from satchel.core import quick_json
from satchel.core.errors import BadInputError, StoreError
from satchel.core.hashing import digest
from satchel.core.values import NamedTuple
from satchel.storage.commands import CheckFailedError, CommandResult, run
from satchel.storage.files import read_file, read_object, replace_file
from satchel.storage.paths import SCHEDULE, UserHome
from satchel.storage.platforms import refuse_on_windows
from satchel.storage.settings.environment import user_units

_SECONDS = 20.0
_UNIT_FILE = 0o644
EVERY = "all-projects"


class Installation(NamedTuple):
    """What would be written: the scheduler, files with texts, commands, a crontab.

    `changes` is false if it is already there.
    """

    by: str
    schedule: Schedule
    files: tuple[tuple[str, str], ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()
    crontab: str | None = None
    changes: bool = True


def schedule_for(home: UserHome, root: str, at: str, *, everything: bool) -> Schedule:
    """Return a project's schedule, or with `everything` one for all the user's projects."""
    # `-P`: Python must not import from the directory in which a scheduler starts it.
    words = ["/usr/bin/env", f"SATCHEL_HOME={home.path}", sys.executable, "-P", "-m", "satchel"]
    if everything:
        return Schedule(time_of_day(at), (*words, "upkeep", "--every-project"), EVERY)
    mark = digest(root.encode("utf-8", "surrogateescape")).hex()[:12]
    return Schedule(time_of_day(at), (*words, "-C", root, "upkeep"), mark)


def scheduler_here(wanted: str = "") -> str:
    """Return the available scheduler: systemd, else cron.

    Raises `BadInputError` if the wanted one, or any, is not available, and on Windows.
    """
    instead = "Let its Task Scheduler run `satchel upkeep --every-project` each night."
    refuse_on_windows("install a daily run", instead)
    works = {
        SYSTEMD: lambda: _ask("systemctl", "--user", "show-environment") is not None,
        CRON: lambda: _crontab() is not None,
    }
    found = next((one for one in ([wanted] if wanted else works) if works[one]()), "")
    if not found:
        raise BadInputError(
            f"{wanted} does not work for you on this machine."
            if wanted
            else "Neither systemd nor cron works for you on this machine.",
            hint="Let something else run `satchel upkeep --every-project` each night.",
        )
    return found


def plan_install(schedule: Schedule, by: str) -> Installation:
    """Return what installing would write. Changes nothing."""
    if by == SYSTEMD:
        files = _unit_files(schedule)
        same = all(read_file(path) == text.encode() for path, text in files)
        timer = f"{schedule.unit}.timer"
        commands = (
            ("systemctl", "--user", "daemon-reload"),
            ("systemctl", "--user", "enable", "--now", timer),
        )
        enabled = same and _ask("systemctl", "--user", "is-enabled", timer) is not None
        return Installation(by, schedule, files, commands, changes=not enabled)
    before = _crontab() or ""
    made = with_cron_line(before, schedule)
    return Installation(by, schedule, crontab=made, changes=made != before)


def plan_removal(schedule: Schedule) -> list[Installation]:
    """Return what removal would delete, from every scheduler with an entry."""
    found = []
    files = tuple((path, "") for path, _ in _unit_files(schedule) if os.path.lexists(path))
    if files:
        timer = f"{schedule.unit}.timer"
        commands = (("systemctl", "--user", "disable", "--now", timer),)
        found.append(Installation(SYSTEMD, schedule, files, commands))
    before = _crontab()
    if before is not None:
        made = with_cron_line(before, schedule, remove=True)
        if made != before:
            found.append(Installation(CRON, schedule, crontab=made))
    return found


def apply(home: UserHome, plan: Installation, *, removes: bool = False) -> None:
    """Write the plan. Raises `StoreError` with the scheduler's own message."""
    if removes and plan.by == SYSTEMD:
        for words in plan.commands:
            _ask(*words)
    for path, text in plan.files:
        if text:
            replace_file(path, text.encode("utf-8"), mode=_UNIT_FILE)
        elif os.path.lexists(path):
            os.unlink(path)
    if removes and plan.by == SYSTEMD:
        _ask("systemctl", "--user", "daemon-reload")
    if not removes:
        for words in plan.commands:
            _must(*words)
    if plan.crontab is not None:
        _write_crontab(plan.crontab)
    known = read_schedules(home)
    if removes:
        known.pop(plan.schedule.name, None)
    else:
        known[plan.schedule.name] = {"at": plan.schedule.at, "by": plan.by}
    text = quick_json.dumps(known) + "\n"
    replace_file(home.user_state.derived(SCHEDULE), text.encode("utf-8"))


def read_schedules(home: UserHome) -> dict[str, dict[str, object]]:
    """Return installed schedules by name; empty if the file is unreadable."""
    known = read_object(home.user_state.derived(SCHEDULE))
    return {str(name): one for name, one in known.items() if isinstance(one, dict)}


def describe_plan(plan: Installation, *, removes: bool = False) -> list[str]:
    """Describe the plan, one line per change."""
    if removes:
        gone = [path for path, _ in plan.files]
        gone += [f"in your crontab: {cron_line(plan.schedule)}"] if plan.by == CRON else []
        return [f"{plan.by} no longer runs {format_command(plan.schedule.command)}", *gone]
    lines = [f"{plan.by}, daily at {plan.schedule.at} UTC: {format_command(plan.schedule.command)}"]
    for path, text in plan.files:
        lines += ["", f"{path}:", *(f"  {line}" for line in text.splitlines())]
    if plan.crontab is not None:
        lines += ["", "in your crontab:", f"  {cron_line(plan.schedule)}"]
    lines += [f"then: {format_command(words)}" for words in plan.commands]
    return lines


def installed_at(home: UserHome, root: str) -> str:
    """Return a project's scheduled upkeep time, `HH:MM`; "" if none."""
    known = read_schedules(home)
    mine = schedule_for(home, root, DAILY, everything=False).name
    entry = known.get(mine) or known.get(EVERY) or {}
    return str(entry.get("at") or "")


def _unit_files(schedule: Schedule) -> tuple[tuple[str, str], ...]:
    base = os.path.join(user_units(), schedule.unit)
    return ((f"{base}.service", service_text(schedule)), (f"{base}.timer", timer_text(schedule)))


def _crontab() -> str | None:
    """Return the user's crontab, "" if empty; None if cron is not available."""
    try:
        done = run(["crontab", "-l"], "/", _SECONDS)
    except CheckFailedError:
        return None
    if done.code == 0:
        return done.out
    return "" if "no crontab" in done.err.lower() else None


def _write_crontab(text: str) -> None:
    with tempfile.TemporaryDirectory(prefix="satchel-cron-") as directory:
        path = os.path.join(directory, "crontab")
        replace_file(path, text.encode("utf-8", "surrogateescape"))
        _must("crontab", path)


def _ask(*words: str) -> CommandResult | None:
    try:
        done = run(words, "/", _SECONDS)
    except CheckFailedError:
        return None
    return done if done.code == 0 else None


def _must(*words: str) -> None:
    try:
        done = run(words, "/", _SECONDS)
    except CheckFailedError as error:
        raise StoreError(str(error)) from None
    if done.code:
        raise StoreError(
            f"{format_command(words)}: {done.err.strip()[:300] or f'exit {done.code}'}",
            hint="What was written before stays; `satchel upkeep install --print` shows it.",
        )
