"""Describes a memory's origin: author, trust, age."""

from __future__ import annotations

from satchel.core.times import age
from satchel.core.trust import ORCHESTRATOR, clean_line
from satchel.storage.ledger.record import Record

_LONGEST_TASK, _LONGEST_WHO = 60, 40


def age_of(record: Record, now: float) -> str:
    """Describe a memory's approximate age."""
    return age(now - record.when)


def origin_of(record: Record, now: float, *, source: str = "") -> str:
    """Describe a memory's origin: author, trust, age, task. Leaves out `source`."""
    trust = "imported" if record.edited else record.trust
    trust = "" if trust == source else trust
    who = clean_line(record.agent or record.source or "unknown")
    if len(who) > _LONGEST_WHO:  # the name says enough without the address
        who = who.partition(" <")[0][:_LONGEST_WHO]
    who = "" if who == ORCHESTRATOR else who  # nearly all are
    task = record.task if len(record.task) <= _LONGEST_TASK else record.task[:_LONGEST_TASK] + "…"
    parts = [who, trust if trust and trust != who else "", age_of(record, now), task]
    return ", ".join(clean_line(part) for part in parts if part)
