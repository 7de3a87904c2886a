"""Where a memory comes from, in words: who, how much it is trusted, how old it is."""

from __future__ import annotations

from satchel.core.trust import clean_line
from satchel.storage.ledger.record import Record

_LONGEST_TASK = 60
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_DAYS_IN_WEEKS = 14
_DAYS_IN_MONTHS = 70


def age_of(record: Record, now: float) -> str:
    """Say how old a memory is, roughly; see `spelled_age`."""
    return spelled_age(now - record.when)


def spelled_age(seconds: float) -> str:
    """Spell an age roughly: `now`, `5 min`, `3 h`, `12 d`, `5 w`, `4 mo`."""
    seconds = max(0.0, seconds)
    if seconds < _MINUTE:
        return "now"
    if seconds < _HOUR:
        return f"{int(seconds / _MINUTE)} min"
    if seconds < _DAY:
        return f"{int(seconds / _HOUR)} h"
    days = int(seconds / _DAY)
    if days < _DAYS_IN_WEEKS:
        return f"{days} d"
    return f"{days // 7} w" if days < _DAYS_IN_MONTHS else f"{days // 30} mo"


def origin_of(record: Record, now: float) -> str:
    """Say where a memory comes from: who, trust, age, task."""
    trust = "imported" if record.edited else record.trust
    who = clean_line(record.agent or record.source or "unknown")[:40]
    task = record.task if len(record.task) <= _LONGEST_TASK else record.task[:_LONGEST_TASK] + "…"
    parts = [who, trust if trust and trust != who else "", age_of(record, now), task]
    return ", ".join(clean_line(part) for part in parts if part)
