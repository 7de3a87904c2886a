"""The graph as one self-contained HTML file that works offline."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from satchel.core.errors import ConflictError
from satchel.core.hashing import digest
from satchel.core.plurals import counted
from satchel.core.quick_json import dumps
from satchel.core.values import NamedTuple
from satchel.features.graph.service import Graph
from satchel.features.graph.values import Entity
from satchel.storage.files import read_file, replace_file

_FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "visual")
_MOST_LINKS = 20_000
_STEPS = 160
#: Cells per side of the fine grid; a cell of the coarse one is 8 of them wide.
_CELLS = 64
_COARSE = 8
#: Length that a link would have if nothing pushed.
_IDEAL = 30.0
_GOLDEN = 2.399963229728653
#: Characters that could end the data's element or its line.
_ESCAPES = {one: f"\\u{ord(one):04x}" for one in "<>&\u2028\u2029"}
_LONGEST = 300


class Drawn(NamedTuple):
    """A node of the picture. `importance` is 0 to 1; nodes of one `group` share a color."""

    name: str
    type: str
    importance: float
    group: int
    text: str = ""
    aliases: tuple[str, ...] = ()


class Line(NamedTuple):
    """An edge of the picture, between positions of nodes. `weight` is 0 to 1."""

    source: int
    target: int
    type: str
    weight: float
    text: str = ""


def page(graph: Graph, *, most: int = 5_000) -> tuple[str, int]:
    """Return the HTML and the number of entities it shows: the `most` important ones."""
    graph.compute_metrics()
    entities = graph.store.entities(limit=most)
    place = {entity.key: n for n, entity in enumerate(entities)}
    relations = [r for r in graph.store.relations() if {r.triple[0], r.triple[2]} <= place.keys()]
    relations.sort(key=lambda r: (-r.weight, -r.reinforcements, r.triple))
    lines = [
        Line(place[r.triple[0]], place[r.triple[2]], r.type, r.weight, r.description)
        for r in relations[:_MOST_LINKS]
    ]
    counts = graph.store.counts()
    groups = len({one.community for one in entities})
    summary = (
        f"{len(entities)} of {counts['entities']} entities, "
        f"{len(lines)} of {counts['relations']} relations, {groups} communities"
    )
    nodes = [_drawn(entity) for entity in entities]
    return html_of(page_data(nodes, lines, summary if nodes else "The graph is empty.")), len(nodes)


def _drawn(one: Entity) -> Drawn:
    group = f"community {one.community}" if one.community >= 0 else "no community"
    about = f"{group}, named in {counted(one.mentions, 'text')}"
    text = f"{about}\n{one.description}" if one.description else about
    return Drawn(
        one.name, one.type, one.importance, group=one.community, text=text, aliases=one.aliases
    )


def html_of(data: dict[str, Any]) -> str:
    """Insert data, style and script into the page, with the hashes its policy allows."""
    style, script, frame = (_read(name) for name in ("graph.css", "graph.js", "graph.html"))
    text = dumps(data)
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    policy = (
        f"default-src 'none'; script-src '{_hash_of(script)}'; style-src '{_hash_of(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {"policy": policy, "style": style, "script": script, "data": text}
    # Split at the marks first, so that marks within the data are left alone.
    html = []
    for piece in frame.split("{{"):
        name, closed, rest = piece.partition("}}")
        html.append(parts[name] + rest if closed else piece)
    return "".join(html)


def write_page(path: str, html: str) -> None:
    """Write a page; raise `ConflictError` for an existing file that is not one."""
    there = read_file(path) if os.path.isfile(path) else b""
    if os.path.isdir(path) or not _is_page(there):
        raise ConflictError(
            f"{path} is there already and is not an HTML page.",
            hint="Name a file that may be replaced, or remove that one first.",
        )
    replace_file(os.path.abspath(path), html.encode("utf-8", "replace"), mode=0o644)


def _is_page(data: bytes) -> bool:
    """Return whether a file may be overwritten: it is empty, or an HTML page."""
    return not data or data[:200].lstrip().lower().startswith((b"<!doctype html", b"<html"))


def _read(name: str) -> str:
    with open(os.path.join(_FILES, name), encoding="utf-8") as file:
        return file.read()


def _hash_of(text: str) -> str:
    return "sha256-" + base64.b64encode(digest(text.encode())).decode()


def page_data(nodes: Sequence[Drawn], lines: Sequence[Line], summary: str) -> dict[str, Any]:
    """Return what the page's script draws: nodes with their places, and edges between them."""
    kinds = sorted({one.type for one in nodes})
    types = sorted({one.type for one in lines})
    ends = [(one.source, one.target) for one in lines]
    spots = arrange(len(nodes), ends, [one.group for one in nodes])
    return {
        "kinds": kinds,
        "links": types,
        "summary": summary,
        "nodes": [
            [
                one.name,
                kinds.index(one.type),
                round(float(x), 1),
                round(float(y), 1),
                round(one.importance, 4),
                one.group,
                one.text[:_LONGEST],
                list(one.aliases)[:8],
            ]
            for one, (x, y) in zip(nodes, spots, strict=True)
        ],
        "edges": [
            [
                one.source,
                one.target,
                types.index(one.type),
                round(one.weight, 3),
                one.text[:_LONGEST],
            ]
            for one in lines
        ],
    }


def arrange(count: int, ends: list[tuple[int, int]], groups: list[int]) -> NDArray[Any]:
    """Lay out nodes by forces, deterministically: links pull, everything repels.

    Fruchterman and Reingold, 1991. Repelling forces use the cells of two grids, fine for near nodes
    and coarse for far ones, so that a step's cost is about linear in the number of nodes.

    Args:
        count: how many nodes there are.
        ends: the two nodes of each link.
        groups: community of each node; its members begin together.

    Returns:
        Coordinates, shape (count, 2), centred on 0.
    """
    import numpy as np

    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    degree = np.bincount(pairs.ravel(), minlength=count)[:count]
    linked = np.flatnonzero(degree)
    place = np.zeros((count, 2))
    number = np.zeros(count, dtype=np.int64)
    number[linked] = np.arange(len(linked))
    core = _settled(number[pairs], [groups[n] for n in linked.tolist()])
    place[linked] = core
    # Nodes without links go around the rest, where they are in nobody's way.
    alone = np.flatnonzero(degree == 0)
    reach = float(np.sqrt((core**2).sum(axis=1)).max()) + 30.0 if len(linked) else 0.0
    turn = np.arange(len(alone)) * _GOLDEN
    away = np.sqrt(reach**2 + (np.arange(len(alone)) + 1.0) * 150.0)
    place[alone] = np.stack([away * np.cos(turn), away * np.sin(turn)], axis=1)
    return place


def _settled(pairs: NDArray[Any], groups: list[int]) -> NDArray[Any]:
    """Lay out linked nodes by forces, centred on 0."""
    import numpy as np

    count = len(groups)
    if not count:
        return np.zeros((0, 2))
    spots = _begin(count, groups)
    degree = np.bincount(pairs.ravel(), minlength=count).astype(np.float64)
    one, other = pairs[:, 0], pairs[:, 1]
    # Each link of a hub pulls less, or everything would end up on it.
    slack = _IDEAL * np.sqrt(1.0 + np.minimum(degree[one], degree[other]))
    heat = 12.0 * _IDEAL
    for _ in range(_STEPS):
        force = _pushes(spots, _IDEAL) - spots * 0.15
        apart = spots[other] - spots[one]
        pull = apart * (np.sqrt((apart**2).sum(axis=1)) / slack)[:, None]
        for axis in (0, 1):
            force[:, axis] += np.bincount(one, weights=pull[:, axis], minlength=count)
            force[:, axis] -= np.bincount(other, weights=pull[:, axis], minlength=count)
        size = np.sqrt((force**2).sum(axis=1)) + 1e-9
        spots += force / size[:, None] * np.minimum(size, heat)[:, None]
        heat = max(1.0, heat * 0.96)
    placed: NDArray[Any] = spots - spots.mean(axis=0)
    return placed


def _begin(count: int, groups: list[int]) -> NDArray[Any]:
    """Place communities on a sunflower spiral, and members on spirals around these points."""
    import numpy as np

    order = {group: n for n, group in enumerate(dict.fromkeys(groups))}
    number = np.array([order[group] for group in groups], dtype=np.float64)
    inside = np.zeros(count)
    sizes: dict[int, int] = {}
    for n, group in enumerate(groups):
        inside[n] = sizes.get(group, 0)
        sizes[group] = sizes.get(group, 0) + 1
    spread = 30.0 * np.sqrt(count / max(1, len(order))) + 30.0
    wide = np.sqrt(number + 0.5) * spread
    near = np.sqrt(inside + 0.5) * 18.0
    return np.stack(
        [
            wide * np.cos(number * _GOLDEN) + near * np.cos(inside * _GOLDEN + number),
            wide * np.sin(number * _GOLDEN) + near * np.sin(inside * _GOLDEN + number),
        ],
        axis=1,
    )


def _pushes(spots: NDArray[Any], ideal: float) -> NDArray[Any]:
    """Return repelling forces: exact for nearby cells, approximate for far blocks."""
    import numpy as np

    low = spots.min(axis=0)
    step = float((spots.max(axis=0) - low).max()) / (_CELLS - 1) + 1e-9
    cell = ((spots - low) / step).astype(np.int64).clip(0, _CELLS - 1)
    force = np.zeros_like(spots)
    mass, middle = _masses(cell[:, 0] * _CELLS + cell[:, 1], spots, _CELLS * _CELLS)
    for dx in (-2, -1, 0, 1, 2):
        for dy in (-2, -1, 0, 1, 2):
            x, y = cell[:, 0] + dx, cell[:, 1] + dy
            inside = (x >= 0) & (x < _CELLS) & (y >= 0) & (y < _CELLS)
            at = np.where(inside, x * _CELLS + y, 0)
            weight = np.where(inside, mass[at], 0.0) - (1.0 if dx == dy == 0 else 0.0)
            force += _push(spots, middle[at], weight, ideal)
    blocks = _CELLS // _COARSE
    block = cell // _COARSE
    mass, middle = _masses(block[:, 0] * blocks + block[:, 1], spots, blocks * blocks)
    for one in np.flatnonzero(mass).tolist():
        far = np.abs(block - [one // blocks, one % blocks]).max(axis=1) > 0
        force += _push(spots, middle[one], np.where(far, mass[one], 0.0), ideal)
    # Two nodes on one spot have no direction to push: their numbers set them apart.
    angle = np.arange(len(spots)) * _GOLDEN
    return force + 0.01 * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _masses(at: NDArray[Any], spots: NDArray[Any], count: int) -> tuple[NDArray[Any], NDArray[Any]]:
    import numpy as np

    mass = np.bincount(at, minlength=count).astype(np.float64)
    sums = [np.bincount(at, weights=spots[:, axis], minlength=count) for axis in (0, 1)]
    return mass, np.stack(sums, axis=1) / np.maximum(mass, 1.0)[:, None]


def _push(spots: NDArray[Any], middle: Any, weight: NDArray[Any], ideal: float) -> NDArray[Any]:
    apart = spots - middle
    square = (apart**2).sum(axis=1) + ideal
    pushed: NDArray[Any] = apart * (weight * ideal * ideal / square)[:, None]
    return pushed
