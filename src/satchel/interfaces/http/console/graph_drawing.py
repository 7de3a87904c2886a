"""The layout of something and its neighbors in the graph. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from satchel.application.thread.neighbours import Neighbours
from satchel.core.excerpts import clipped
from satchel.core.values import NamedTuple
from satchel.features.graph.values import Relation
from satchel.interfaces.edges_rendering import drawn_name

_NEAR, _FAR = 14, 3
_WIDTH, _HEIGHT = 760.0, 620.0
_RING, _OUTER = 0.52, 0.9
_NAME = 26
#: How far sideways a name is placed beside its node, not above or below it.
_BESIDE = 0.6


class Node(NamedTuple):
    """An entity in the drawing. `ring` is its distance from the middle in steps."""

    name: str
    label: str
    x: float
    y: float
    ring: int
    anchor: str = "middle"
    below: float = 26.0


class Edge(NamedTuple):
    """A relation in the drawing, from one position to another."""

    x1: float
    y1: float
    x2: float
    y2: float
    said: str
    near: bool


class Drawing(NamedTuple):
    """The part of the graph to draw, and the relations of its center."""

    nodes: list[Node]
    edges: list[Edge]
    relations: list[Relation]
    more: int


def draw(
    name: str,
    relations_of: Callable[[str, int], Sequence[Relation]],
    labels: Mapping[str, str] = MappingProxyType({}),
) -> Drawing:
    """Place an entity in the center, its neighbors around it, and theirs outside.

    Args:
        labels: what to write instead of a name.
    """
    relations = list(relations_of(name, 200))
    near = _others(name, relations, {name})
    places = {name: Node(name, _short(name), _WIDTH / 2, _HEIGHT / 2, 0)}
    edges: list[tuple[str, str, str]] = []
    shown = near[:_NEAR]
    for n, other in enumerate(shown):
        angle = _angle(n, len(shown))
        places[other] = _at(other, angle, _RING, 1)
    for n, other in enumerate(shown):
        angle = _angle(n, len(shown))
        further = _others(other, relations_of(other, 20), set(places))[:_FAR]
        for m, far in enumerate(further):
            turn = (m - (len(further) - 1) / 2) * (2 * math.pi / len(shown) / (_FAR + 0.5))
            places[far] = _at(far, angle + turn, _OUTER, 2)
            edges.append((other, far, ""))
    edges += [(one.source, one.target, one.type) for one in relations]
    drawn = [
        Edge(places[a].x, places[a].y, places[b].x, places[b].y, said, near=name in (a, b))
        for a, b, said in edges
        if a in places and b in places
    ]
    nodes = [
        one._replace(label=_short(labels.get(one.name, one.name)))
        for one in reversed(places.values())
    ]
    return Drawing(nodes, drawn, relations, max(0, len(near) - _NEAR))


def draw_thread(found: Neighbours) -> tuple[Drawing, dict[str, str]]:
    """Draw what something on the thread is connected to; also return the names to write."""
    labels, around = dict[str, str](), dict[str, list[Relation]]()
    for one in found.edges:
        relation = Relation(one.source.id, one.target.id, one.type)
        for end in (one.source, one.target):
            around.setdefault(end.id, []).append(relation)
            labels[end.id] = drawn_name(end) if end.label else labels.get(end.id) or end.id
    return draw(found.node.id, lambda of, most: around.get(of, [])[:most], labels=labels), labels


def _others(name: str, relations: Sequence[Relation], known: set[str]) -> list[str]:
    ends = (
        one.target if one.source == name else one.source
        for one in sorted(relations, key=lambda one: -one.weight)
    )
    return [one for one in dict.fromkeys(ends) if one not in known]


def _angle(n: int, of: int) -> float:
    """Rotate slightly, so that no edge is vertical and crosses a name."""
    return 2 * math.pi * n / of - math.pi / 2 + 0.35


def _at(name: str, angle: float, far: float, ring: int) -> Node:
    x = _WIDTH / 2 + math.cos(angle) * far * _WIDTH / 2 * 0.86
    y = _HEIGHT / 2 + math.sin(angle) * far * _HEIGHT / 2 * 0.94
    across, beside = math.cos(angle), abs(math.cos(angle)) > _BESIDE
    anchor = ("start" if across > 0 else "end") if beside else "middle"
    below = 4.0 if beside else 22.0 if math.sin(angle) > 0 else -14.0
    return Node(
        name, _short(name), round(x, 1), y=round(y, 1), ring=ring, anchor=anchor, below=below
    )


def _short(name: str) -> str:
    return clipped(name, _NAME)
