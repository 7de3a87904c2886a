"""Parses any program's lines as issues: every version of beads, and The Foundation's script."""

from __future__ import annotations

from collections.abc import Container, Mapping

from satchel.core import times
from satchel.core.shapes import list_of
from satchel.core.values import Any
from satchel.features.tasks.values import (
    BLOCKS,
    CLOSED,
    DEFERRED,
    FAILURE_WORDS,
    IN_PROGRESS,
    NO_WORK,
    OPEN,
    PARENT,
    PINNED,
    USUAL_PRIORITY,
    Issue,
    Link,
)

#: How The Foundation's script spells the states. Its lines keep their
#: spelling when they are changed.
FOUNDATION_STATUSES = {
    "pending": OPEN,
    "in-progress": IN_PROGRESS,
    "completed": CLOSED,
    "preflight": DEFERRED,
    "archived": CLOSED,
}
_FOUNDATION_SPELLING = {OPEN: "pending", IN_PROGRESS: "in-progress", CLOSED: "completed"}
_APART = ("ephemeral", "wisp", "is_template", "pinned")


def text(data: Mapping[str, Any], *names: str) -> str:
    """Return the first of these fields that is a text, or ""."""
    for name in names:
        value = data.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def moment(spelled: Any) -> float:
    """Parse a line's time to Unix seconds; 0.0 if missing or invalid."""
    return times.seconds_of(spelled) or 0.0


def format_time(seconds: float) -> str:
    """Format a time for lines: UTC with microseconds, so that texts sort by time."""
    return times.iso(seconds, "microseconds")


def status_of(data: Mapping[str, Any]) -> str:
    """Return a line's state in beads' terms."""
    status = text(data, "status") or OPEN
    return FOUNDATION_STATUSES.get(status, status)


def encode_status(data: Mapping[str, Any], status: str) -> str:
    """Encode a state in the terms of this line's program."""
    is_foundation = text(data, "status") in FOUNDATION_STATUSES or "blocked_by" in data
    return _FOUNDATION_SPELLING.get(status, status) if is_foundation else status


def issue_of(data: dict[str, Any]) -> Issue | None:
    """Parse a line's object; None if it is not an issue."""
    ident = text(data, "id").strip()
    if not ident:
        return None
    priority, links = data.get("priority"), links_of(data)
    parent = next((link.target for link in links if link.kind == PARENT), "")
    status, kind = status_of(data), text(data, "issue_type") or "task"
    apart = kind in NO_WORK or status == PINNED or any(data.get(name) is True for name in _APART)
    reason = text(data, "close_reason", "summary").lower()
    return Issue(
        id=ident,
        title=text(data, "title"),
        status=status,
        priority=priority if type(priority) is int else USUAL_PRIORITY,
        issue_type=kind,
        parent=parent,
        assignee=text(data, "assignee", "assigned_to"),
        labels=_texts(data.get("labels")),
        links=links,
        created=moment(data.get("created_at")),
        updated=moment(data.get("updated_at") or data.get("created_at")),
        deferred=moment(data.get("defer_until")),
        apart=apart,
        failed=status == CLOSED and any(word in reason for word in FAILURE_WORDS),
        data=data,
    )


def links_of(data: Mapping[str, Any]) -> tuple[Link, ...]:
    """Return an issue's dependencies, without duplicates and self-links."""
    ident = text(data, "id").strip()
    found: dict[tuple[str, str], Link] = {}
    rows = data.get("dependencies")
    for row in list_of(rows):
        if not isinstance(row, dict):
            continue
        target = text(row, "depends_on_id", "id")
        if (text(row, "issue_id") or ident) != ident or target in ("", ident):
            continue
        kind = text(row, "type", "dependency_type") or BLOCKS
        found.setdefault((target, kind), Link(target, kind, text(row, "metadata")))
    for one in _texts(data.get("blocked_by")):
        if one != ident:
            found.setdefault((one, BLOCKS), Link(one, BLOCKS))
    above = text(data, "parent", "parent_id")
    if above not in ("", ident) and not any(kind == PARENT for _, kind in found):
        found[above, PARENT] = Link(above, PARENT)
    return tuple(found.values())


def blocked_by_it(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what a line of The Foundation blocks: the same links, from the other end."""
    return _texts(data.get("blocks"))


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(one for one in list_of(value) if isinstance(one, str))


def dotted_parent(ident: str, issues: Container[str]) -> str:
    """Return the parent of `bd-a3f8.1.2`: `bd-a3f8.1`, or `bd-a3f8` if only that exists."""
    parent = ident
    while "." in parent:
        parent, _, number = parent.rpartition(".")
        if not number.isdecimal():
            return ""
        if parent in issues:
            return parent
    return ""
