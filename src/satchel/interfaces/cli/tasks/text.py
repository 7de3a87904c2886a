"""Format tasks for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.excerpts import beginning, clipped
from satchel.core.trust import clean_line, clean_text
from satchel.features.tasks.dialects import status_of, text
from satchel.features.tasks.index import Neighbour, TaskView
from satchel.features.tasks.lifecycle import PENDING
from satchel.interfaces.rendering import Style

_TITLE = 80
_TIMES = ("created_at", "updated_at", "started_at", "closed_at", "due_at", "defer_until")
#: Fields with their own heading, in display order.
_PARTS = (
    ("description", "Description"),
    ("design", "Design"),
    ("acceptance_criteria", "Acceptance"),
    ("notes", "Notes"),
    ("close_reason", "Summary"),
)


def line(shown: TaskView, style: Style) -> str:
    """Format a task on one line: id, priority, state, title, and what blocks or holds it."""
    data = shown.data
    title = clean_line(text(data, "title"))
    short = clipped(title, _TITLE)
    kind = text(data, "issue_type") or "task"
    who = text(data, "assignee", "assigned_to")
    state = "ready" if shown.stage == PENDING else status_of(data)
    tail = [kind] if kind != "task" else []
    tail += [f"@{who}"] if who else []
    tail += [f"blocked by: {', '.join(shown.held[:3])}"] if shown.held else []
    if shown.held and state == "open":
        state = "blocked"
    more = f"  ({clean_line('; '.join(tail))})" if tail else ""
    number = data.get("priority")
    rank = number if type(number) is int else 2
    head = f"{clean_line(shown.id)}  P{rank}  {clean_line(state):<11}"
    return f"{style.bold(head)}  {short}{style.dim(more)}"


def whole(
    shown: TaskView, needs: Sequence[Neighbour], needed_by: Sequence[Neighbour], style: Style
) -> str:
    """Format a task in full: fields, texts, dependencies both ways, comments."""
    data = shown.data
    rows = [line(shown, style), f"state: {shown.stage}"]
    labels = data.get("labels")
    if isinstance(labels, list) and labels:
        rows.append("labels: " + clean_line(", ".join(str(one) for one in labels)))
    rows += [
        f"{name.removesuffix('_at').replace('_', ' ')}: {clean_line(text(data, name))}"
        for name in _TIMES
        if text(data, name)
    ]
    rows += [f"{_needs(one.kind)} {_short(one)}" for one in needs]
    rows += [f"{_needed(one.kind)} {_short(one)}" for one in needed_by]
    for name, title in _PARTS:
        if text(data, name):
            rows += ["", style.bold(title), clean_text(text(data, name))]
    comments = data.get("comments")
    if isinstance(comments, list) and comments:
        rows += ["", style.bold(f"Comments ({len(comments)})")]
        for comment in comments:
            if isinstance(comment, dict):
                who, when = text(comment, "author"), text(comment, "created_at")[:16]
                head = style.dim(f"{clean_line(who) or '?'}, {clean_line(when)}")
                rows.append(f"{head}: {clean_text(text(comment, 'text'))}")
    return "\n".join(rows)


def _short(one: Neighbour) -> str:
    title = beginning(clean_line(text(one.data, "title")), _TITLE)
    return f"{clean_line(one.id)} [{clean_line(status_of(one.data))}] {title}"


def _needs(kind: str) -> str:
    words = {"blocks": "waits for", "parent-child": "part of", "discovered-from": "found in"}
    return words.get(kind, f"{clean_line(kind)} of" if kind.endswith("s") else clean_line(kind))


def _needed(kind: str) -> str:
    words = {"blocks": "blocks", "parent-child": "has part", "discovered-from": "led to"}
    return words.get(kind, f"{clean_line(kind)} from")
