"""The history of soft rules, as lines of a private ledger; the file has only their state."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.features.instincts.values import (
    ADDED,
    CONTRADICTED,
    DECAYED,
    PROMOTED,
    PRUNED,
    REINFORCED,
    Change,
)
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.ledger.record import Record
from satchel.storage.locks import read_file

#: The kind of their lines.
KIND = "instinct"
NAMES = (ADDED, REINFORCED, CONTRADICTED, DECAYED, PROMOTED, PRUNED)


class Event(NamedTuple):
    """An event in a rule's history, in Unix seconds, UTC."""

    ts: int
    change: Change
    agent: str = ""
    id: str = ""


def record(change: Change, *, agent: str = "") -> Record:
    """Build a change's line; the ledger adds its id and time."""
    data = {"op": change.what, "instinct": change.id, "from": change.before, "to": change.after}
    if change.detail:
        data["detail"] = change.detail
    return Record(kind=KIND, content=change.rule, agent=agent, source="satchel", data=data)


def read_events(path: str, ident: str = "") -> list[Event]:
    """Return the events of one rule, or of all, oldest first."""
    marker = ident.encode("utf-8", "replace")
    found: dict[str, Event] = {}
    for raw in split_lines(read_file(path)):
        if marker not in raw:
            continue
        line = decode(raw).record
        if line is None or line.kind != KIND or not isinstance(line.data, dict):
            continue
        data = line.data
        if data.get("op") not in NAMES or (ident and data.get("instinct") != ident):
            continue
        change = Change(
            str(data.get("instinct") or ""),
            str(data["op"]),
            _number(data.get("from")),
            _number(data.get("to")),
            line.content,
            str(data.get("detail") or ""),
        )
        found[line.id] = Event(line.ts, change, line.agent, line.id)
    return sorted(found.values(), key=lambda event: (event.ts, event.id))


def _number(value: object) -> float:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if known else 0.0  # type: ignore[arg-type]
