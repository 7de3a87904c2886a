"""The graph as one self-contained HTML file that works offline."""

from __future__ import annotations

import base64
import os

from satchel.core.hashing import digest
from satchel.core.quick_json import dumps
from satchel.features.graph.service import Graph
from satchel.features.graph.values import Entity, Relation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

_FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "visual")
_MOST_LINKS = 20_000
_STEPS = 160
#: Cells of the fine grid per side; the coarse one has a cell for each 8 of them.
_CELLS = 64
_COARSE = 8
#: Length that a link would have if nothing pushed.
_IDEAL = 30.0
_GOLDEN = 2.399963229728653
#: Characters that could end the data's element or its line.
_ESCAPES = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}
_LONGEST = 300


def page(graph: Graph, *, most: int = 5_000) -> tuple[str, int]:
    """Return the HTML and the number of entities it shows: the `most` important ones."""
    graph.compute_metrics()
    entities = graph.store.entities(limit=most)
    shown = {entity.key for entity in entities}
    relations = [
        r for r in graph.store.relations() if r.triple[0] in shown and r.triple[2] in shown
    ]
    relations.sort(key=lambda r: (-r.weight, -r.reinforcements, r.triple))
    data = _data(entities, relations[:_MOST_LINKS], graph.store.counts())
    return html_of(data), len(entities)


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
    # Cut at the marks: data that holds a mark is never looked into.
    html = []
    for piece in frame.split("{{"):
        name, closed, rest = piece.partition("}}")
        html.append(parts[name] + rest if closed else piece)
    return "".join(html)


def _read(name: str) -> str:
    with open(os.path.join(_FILES, name), encoding="utf-8") as file:
        return file.read()


def _hash_of(text: str) -> str:
    return "sha256-" + base64.b64encode(digest(text.encode())).decode()


def _data(
    entities: list[Entity], relations: list[Relation], counts: dict[str, Any]
) -> dict[str, Any]:
    place = {entity.key: n for n, entity in enumerate(entities)}
    kinds = sorted({entity.type for entity in entities})
    links = sorted({relation.type for relation in relations})
    ends = [(place[r.triple[0]], place[r.triple[2]]) for r in relations]
    spots = arrange(len(entities), ends, [entity.community for entity in entities])
    return {
        "kinds": kinds,
        "links": links,
        "total": {"entities": counts["entities"], "relations": counts["relations"]},
        "nodes": [
            [
                entity.name,
                kinds.index(entity.type),
                round(float(x), 1),
                round(float(y), 1),
                round(entity.importance, 4),
                entity.community,
                entity.description[:_LONGEST],
                entity.mentions,
                list(entity.aliases)[:8],
            ]
            for entity, (x, y) in zip(entities, spots, strict=True)
        ],
        "edges": [
            [one, other, links.index(r.type), round(r.weight, 3), r.description[:_LONGEST]]
            for r, (one, other) in zip(relations, ends, strict=True)
        ],
    }


def arrange(count: int, ends: list[tuple[int, int]], groups: list[int]) -> NDArray[Any]:
    """Lay out nodes by forces, deterministically: links pull, everything repels.

    Fruchterman and Reingold, 1991; pushing goes by the cells of two grids, the near ones fine
    and the far ones coarse, so that a step costs about the number of nodes.

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
    # What is linked to nothing lies around the rest, where it is in nobody's way.
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
    # A hub's links pull less each, or everything would lie on it.
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
    # Two on one spot push nobody: they are set apart by their numbers.
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
