"""The user's decisions on guards, and guards' firings, as lines of private ledgers.

A repository brings guards; it cannot approve them. An approval is for a digest, so that an edited
guard must be approved again.
"""

from __future__ import annotations

from collections.abc import Iterator

from satchel.core.values import Any, NamedTuple
from satchel.features.guards.values import ACTIVE, OFF, WAITING, Guard
from satchel.storage.files import read_file
from satchel.storage.ledger.lines import records_in
from satchel.storage.ledger.record import Record

#: The kinds of their lines.
KIND, FIRING = "guard", "guard_firing"
APPROVE, SWITCH_OFF, SWITCH_ON, REVOKE = "approve", "off", "on", "revoke"
NAMES = (APPROVE, SWITCH_OFF, SWITCH_ON, REVOKE)
_EXCERPT = 200


class Decision(NamedTuple):
    """The last decision on a digest: `state` is active, off or waiting; first approval time.

    `fields` is the guard as approved, so that it keeps acting after an edit of the file.
    """

    guard: str
    state: str
    by: str
    first: int
    fields: dict[str, Any] | None = None


class Firing(NamedTuple):
    """A guard's firing: on what, and in which session."""

    ts: int
    guard: str
    action: str
    tool: str
    session: str
    agent: str
    excerpt: str


def decision(name: str, guard: Guard, *, by: str, fields: dict[str, Any] | None = None) -> Record:
    """Build a decision's line; the ledger adds its id and time."""
    data: dict[str, Any] = {
        "op": name,
        "guard": guard.id,
        "digest": guard.digest,
        "by": by,
        "from": guard.source,
    }
    if fields is not None:
        data["fields"] = fields
    return Record(kind=KIND, content=guard.message, source="satchel", data=data)


def firing(
    guard: dict[str, Any], *, tool: str, excerpt: str, session: str, agent: str, action: str
) -> Record:
    """Build a firing's line."""
    data = {"guard": guard["id"], "digest": guard["digest"], "action": action, "tool": tool}
    return Record(
        kind=FIRING,
        content=excerpt[:_EXCERPT],
        source="satchel",
        session=session,
        agent=agent,
        data=data,
    )


def read_decisions(path: str) -> dict[str, Decision]:
    """Return the last decision on every digest."""
    found: dict[str, Decision] = {}
    for record, data in _lines(path, KIND):
        name, digest = data.get("op"), str(data.get("digest") or "")
        before = found.get(digest)
        if name not in NAMES or not digest:
            continue
        if name in (SWITCH_OFF, SWITCH_ON) and before is None:
            continue
        state = {APPROVE: ACTIVE, SWITCH_ON: ACTIVE, SWITCH_OFF: OFF}.get(str(name), WAITING)
        if name == SWITCH_ON and before is not None and before.state == WAITING:
            state = WAITING
        first = before.first if before is not None and before.first else record.ts
        fields = data.get("fields") or (before.fields if before is not None else None)
        # Move to the end, so that a guard's last decision comes after its others.
        found.pop(digest, None)
        found[digest] = Decision(
            str(data.get("guard") or ""),
            state,
            str(data.get("by") or ""),
            first=first,
            fields=fields if isinstance(fields, dict) else None,
        )
    return found


def last_approved(decisions: dict[str, Decision]) -> dict[str, Decision]:
    """Return each guard's latest decision that lets it act."""
    last = {one.guard: one for one in decisions.values()}
    return {guard: one for guard, one in last.items() if one.state == ACTIVE and one.fields}


def read_firings(path: str) -> list[Firing]:
    """Return every firing, oldest first."""
    return [
        Firing(
            record.ts,
            str(data.get("guard") or ""),
            str(data.get("action") or ""),
            tool=str(data.get("tool") or ""),
            session=record.session,
            agent=record.agent,
            excerpt=record.content,
        )
        for record, data in _lines(path, FIRING)
    ]


def _lines(path: str, kind: str) -> Iterator[tuple[Record, dict[str, Any]]]:
    seen: dict[str, Record] = {}
    for record in records_in(read_file(path)):
        if record.kind == kind and isinstance(record.data, dict):
            seen[record.id] = record
    for record in sorted(seen.values(), key=lambda one: (one.ts, one.id, one.rev)):
        yield record, record.data or {}
