"""Communities of a weighted graph: Leiden, seeded and deterministic. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from satchel.core.values import Any

_SEED = 20_240_707
#: Larger communities are divided again on the next level.
LARGEST = 60


def leiden(
    edges: Iterable[tuple[str, str, float]], *, largest: int = LARGEST
) -> list[dict[str, int]]:
    """Cluster the edges' nodes into communities, from the widest level to the finest.

    Traag, Waltman and van Eck, 2019. The direction of edges is ignored; parallel edges add up;
    weights must be greater than 0. The order of edges does not matter. Numbers are unique
    across levels, and on each level ordered by size, then by their first member.

    Args:
        edges: (node, node, weight).
        largest: communities with more members are divided on the next level.

    Returns:
        For each level a mapping node -> number; a community that is not divided further keeps
        its number on all finer levels. Empty without edges.
    """
    together: dict[tuple[str, str], float] = {}
    for one, other, weight in edges:
        if one != other and weight > 0.0:
            pair = (one, other) if one < other else (other, one)
            together[pair] = together.get(pair, 0.0) + weight
    if not together:
        return []
    import graspologic_native  # type: ignore[import-untyped, unused-ignore]

    # These are its defaults, spelled out because releases differ in which are required.
    found = graspologic_native.hierarchical_leiden(
        edges=[(one, other, weight) for (one, other), weight in sorted(together.items())],
        starting_communities=None,
        resolution=1.0,
        randomness=0.001,
        iterations=1,
        use_modularity=True,
        max_cluster_size=largest,
        seed=_SEED,
    )
    return _levels(found)


def _levels(found: Iterable[Any]) -> list[dict[str, int]]:
    rows: dict[int, dict[str, int]] = {}
    for row in found:
        rows.setdefault(int(row.level), {})[str(row.node)] = int(row.cluster)
    levels: list[dict[str, int]] = []
    number = 0
    named: dict[int, int] = {}
    for level in sorted(rows):
        # A node missing on this level keeps its place on the wider one.
        given = rows[level]
        for cluster in _by_size(given):
            if cluster not in named:
                named[cluster] = number
                number += 1
        wider = levels[-1] if levels else {}
        levels.append({**wider, **{node: named[cluster] for node, cluster in given.items()}})
    return levels


def _by_size(given: Mapping[str, int]) -> list[int]:
    members: dict[int, list[str]] = {}
    for node, cluster in given.items():
        members.setdefault(cluster, []).append(node)
    return sorted(members, key=lambda cluster: (-len(members[cluster]), min(members[cluster])))
