"""What something on the thread is connected to, as one HTML page that works offline."""

from __future__ import annotations

from collections import Counter

from satchel.application.thread.edges import Node
from satchel.application.thread.neighbours import Neighbours
from satchel.core.plurals import counted
from satchel.features.graph.html_export import Drawn, Line, html_of, page_data
from satchel.features.thread.values import CERTAIN, LIKELY
from satchel.interfaces.edges_rendering import drawn_name
from satchel.interfaces.thread_rendering import because

_WEIGHTS = {CERTAIN: 1.0, LIKELY: 0.6}
_GUESS = 0.3
#: Characters of a node's name.
_NAME = 60


def thread_page(found: Neighbours) -> tuple[str, int]:
    """Return the HTML of a walk, and how many things it shows; its start comes first."""
    nodes: dict[str, Node] = {found.node.id: found.node}
    for edge in found.edges:
        for one in (edge.source, edge.target):
            # One edge has a commit's subject, another only its id.
            if one.label or one.id not in nodes:
                nodes[one.id] = one
    place = {ident: n for n, ident in enumerate(nodes)}
    joined = Counter(one for edge in found.edges for one in (edge.source.id, edge.target.id))
    most = max(joined.values(), default=1)
    kinds = {kind: n for n, kind in enumerate(dict.fromkeys(one.kind for one in nodes.values()))}
    drawn = [
        Drawn(
            drawn_name(one)[:_NAME],
            one.kind,
            1.0 if one.id == found.node.id else joined[one.id] / most,
            group=kinds[one.kind],
            text=drawn_name(one) if len(drawn_name(one)) > _NAME else "",
            aliases=(one.id,) if one.label else (),
        )
        for one in nodes.values()
    ]
    lines = [
        Line(
            place[one.source.id],
            place[one.target.id],
            one.type,
            _WEIGHTS.get(one.confidence, _GUESS),
            because(one.confidence, one.evidence),
        )
        for one in found.edges
    ]
    summary = (
        f"Around {found.node.kind} {found.node.id}: "
        f"{counted(len(drawn), 'thing')}, {counted(len(lines), 'link')}"
    )
    return html_of(page_data(drawn, lines, summary)), len(drawn)
