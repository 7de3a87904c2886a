"""The memory brief of Beads Console: scoped memories as Markdown for a task's session."""

from __future__ import annotations

from satchel.core import times
from satchel.core.kinds import BEADS_CONSOLE, KINDS, kinds_for
from satchel.core.token_budget import estimate_tokens
from satchel.core.trust import clean_line, clean_text
from satchel.features.memories.scoped import Scoped
from satchel.storage.ledger.record import Record

_ORDER = {kind: at for at, kind in enumerate(kinds_for(BEADS_CONSOLE))}


def memory_brief(scoped: Scoped, *, budget: int = 2000, missing: str = "") -> str:
    """Format scoped memories in a budget: constraints, decisions, checkpoints, the rest.

    An entry that does not fit is skipped and counted in the last line; smaller ones may follow.
    What is `missing` is said first.
    """
    records = sorted(scoped.all(), key=lambda r: _ORDER.get(r.kind, len(_ORDER)))
    parts = ["## Memory Context", *([f"_{clean_line(missing)}_"] if missing else ())]
    room = budget - estimate_tokens("\n\n".join(parts)) - 16
    omitted = 0
    for record in records:
        entry = _entry(record)
        cost = estimate_tokens(entry) + 1
        if cost > room:
            omitted += 1
            continue
        parts.append(entry)
        room -= cost
    if omitted:
        parts.append(f"_{omitted} additional memories omitted for brevity._")
    text = "\n\n".join(parts) if len(parts) > 1 else ""
    return text if estimate_tokens(text) <= budget else ""


def _entry(record: Record) -> str:
    if record.task:
        where = f"bead:{record.task}"
    else:
        where = f"epic:{record.epic}" if record.epic else "project"
    kind = KINDS.get(record.kind)
    title = record.title or (kind.name if kind else record.kind).replace("_", " ").capitalize()
    day = times.day(record.when)
    heading = f"### {clean_line(title)} [{clean_line(where)}]"
    return f"{heading}\n**{clean_line(record.kind)}** - {day}\n{clean_text(record.content)}"
