"""PageRank and communities: sums, symmetry, determinism, speed."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from machine_speed import least_seconds
from satchel.engine.ranking.communities import leiden
from satchel.engine.ranking.pagerank import Walk

NODES = 8
LINKS = st.lists(
    st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1), st.floats(0.01, 1.0)),
    max_size=30,
)


def columns(links: list[tuple[int, int, float]]) -> tuple[list[int], list[int], list[float]]:
    return [a for a, _, _ in links], [b for _, b, _ in links], [w for _, _, w in links]


@given(LINKS, st.none() | st.lists(st.floats(0, 1), min_size=NODES, max_size=NODES))
def test_shares_sum_to_one_and_none_is_negative(
    links: list[tuple[int, int, float]], restart: list[float] | None
) -> None:
    ranks = Walk(*columns(links), NODES).rank(restart)
    assert ranks.sum() == pytest.approx(1.0)
    assert (ranks >= 0).all()


@given(LINKS)
def test_it_settles_where_the_equation_holds(links: list[tuple[int, int, float]]) -> None:
    sources, targets, weights = columns(links)
    ranks = Walk(sources, targets, weights, NODES).rank(iterations=500, tolerance=1e-12)
    move = np.zeros((NODES, NODES))
    for a, b, w in links:
        move[b, a] += w
    leaving = move.sum(axis=0)
    home = np.full(NODES, 1 / NODES)
    for node in range(NODES):
        move[:, node] = move[:, node] / leaving[node] if leaving[node] else home
    assert np.allclose(0.85 * move @ ranks + 0.15 * home, ranks, atol=1e-9)


@given(LINKS, st.permutations(range(NODES)))
def test_numbers_of_nodes_do_not_matter(
    links: list[tuple[int, int, float]], order: list[int]
) -> None:
    renamed = [(order[a], order[b], w) for a, b, w in links]
    before = Walk(*columns(links), NODES).rank()
    assert np.allclose(before, Walk(*columns(renamed), NODES).rank()[order])


def test_the_walk_stays_near_where_it_begins_anew() -> None:
    chain = [(n, n + 1, 1.0) for n in range(NODES - 1)] + [
        (n + 1, n, 1.0) for n in range(NODES - 1)
    ]
    ranks = Walk(*columns(chain), NODES).rank([1] + [0] * (NODES - 1), tolerance=1e-9)
    assert list(ranks[1:]) == sorted(ranks[1:], reverse=True)
    assert ranks[0] > ranks[-1] * 10


def test_without_nodes_there_is_nothing_to_rank() -> None:
    assert Walk([], [], [], 0).rank().size == 0


def test_a_hundred_thousand_nodes_take_less_than_a_second() -> None:
    dice = np.random.default_rng(1)
    count, links = 100_000, 500_000
    walk = Walk(
        dice.integers(0, count, links), dice.integers(0, count, links), np.ones(links), count
    )
    assert least_seconds(walk.rank, enough=1.0) < 1.0


def planted(groups: int, size: int) -> list[tuple[str, str, float]]:
    edges = []
    for group in range(groups):
        names = [f"g{group}n{n}" for n in range(size)]
        edges += [(a, b, 1.0) for a in names for b in names if a < b]
        edges.append((names[0], f"g{(group + 1) % groups}n0", 0.05))
    return edges


def test_planted_communities_are_found_in_any_order_of_edges() -> None:
    edges = planted(5, 6)
    levels = leiden(edges)
    assert leiden(edges[::-1]) == levels
    assert leiden([(b, a, w) for a, b, w in edges]) == levels
    together = {frozenset(n for n in levels[-1] if levels[-1][n] == g) for g in range(5)}
    assert together == {frozenset(f"g{g}n{n}" for n in range(6)) for g in range(5)}


def test_levels_nest_and_the_finest_names_every_node() -> None:
    edges = planted(12, 8)
    levels = leiden(edges, largest=10)
    nodes = {node for a, b, _ in edges for node in (a, b)}
    assert set(levels[-1]) == nodes
    for wide, fine in pairwise(levels):
        parents: dict[int, set[int]] = {}
        for node in nodes:
            parents.setdefault(fine[node], set()).add(wide[node])
        assert all(len(held) == 1 for held in parents.values())


def test_without_edges_there_are_no_communities() -> None:
    assert leiden([]) == []
    assert leiden([("a", "a", 1.0), ("a", "b", 0.0)]) == []
