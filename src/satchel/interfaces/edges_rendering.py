"""Format what a thing is connected to, one edge a line."""

from __future__ import annotations

from satchel.application.thread import edges as ends
from satchel.application.thread.edges import Node
from satchel.application.thread.neighbours import Neighbours
from satchel.application.thread.values import SESSION
from satchel.core.ids import short_id
from satchel.core.trust import UNAPPROVED, clean_line
from satchel.interfaces.rendering import Style
from satchel.interfaces.thread_rendering import because

_SHOWN_ID, _LABEL = 8, 60


def edges_text(found: Neighbours, style: Style, limit: int) -> str:
    """Format a thing and its edges, one per line, its own seen from its side."""
    lines = [style.bold(_node(found.node))]
    for one in found.edges[:limit]:
        why = style.dim(f"  ({because(one.confidence, one.evidence)})")
        if one.source.id == found.node.id:
            told = f"{one.type} {_node(one.target)}"
        elif one.target.id == found.node.id:
            told = f"{_node(one.source)} {one.type} it"
        else:
            told = f"  {_node(one.source)} {one.type} {_node(one.target, short=True)}"
        lines.append(f"  {told}{why}")
    if len(found.edges) > limit:
        lines.append(style.dim(f"  and {len(found.edges) - limit} more; --limit shows more"))
    if not found.edges:
        lines.append("  Nothing is known to be joined to it.")
    return "\n".join(lines)


def drawn_name(one: Node) -> str:
    """Return what a picture writes at a thing: a stranger's words after their mark."""
    mark = f"{UNAPPROVED}: " if one.unapproved and one.label else ""
    return mark + (one.label or one.id)


def _node(one: Node, *, short: bool = False) -> str:
    shown = {SESSION: one.id[:_SHOWN_ID], ends.MEMORY: short_id(one.id)}.get(one.kind, one.id)
    name = one.kind if one.kind == ends.PROMPT else f"{one.kind} {clean_line(shown)}"
    label = clean_line(one.label)[:_LABEL]
    mark = f" · {UNAPPROVED}" if one.unapproved else ""
    return name + (f" “{label}”" if label and not short else "") + mark
