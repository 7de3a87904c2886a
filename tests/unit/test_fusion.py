"""Fusing signals: scales keep order, groups lift, sums are means."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.engine.ranking.fusion import convex, lifted_by_group, min_max, standard


@given(st.dictionaries(st.integers(), st.floats(-1e6, 1e6), max_size=20))
def test_scaled_scores_lie_between_0_and_1_in_the_same_order(scores: dict[int, float]) -> None:
    scaled = min_max(scores)
    assert set(scaled) == set(scores)
    assert all(0 <= value <= 1 for value in scaled.values())
    order = sorted(scores, key=lambda k: scores[k])
    assert all(scaled[a] <= scaled[b] for a, b in pairwise(order))


@given(
    st.dictionaries(st.integers(0, 9), st.floats(-9, 9)),
    st.dictionaries(st.integers(0, 9), st.sampled_from(("", "a", "b"))),
    st.floats(0, 1),
)
def test_a_group_lifts_by_the_best_of_the_others(
    scores: dict[int, float], groups: dict[int, str], share: float
) -> None:
    lifted = lifted_by_group(scores, groups, share)
    assert set(lifted) == set(scores)
    for thing, score in scores.items():
        group = groups.get(thing, "")
        others = [s for o, s in scores.items() if o != thing and group == groups.get(o, "")]
        best = max([0.0, *others]) if group else 0.0
        assert lifted[thing] == pytest.approx(score + share * best)


@given(st.dictionaries(st.integers(), st.floats(-1e6, 1e6), max_size=200))
def test_scores_in_spreads_keep_their_order_and_begin_at_0(scores: dict[int, float]) -> None:
    scaled = standard(scores)
    assert set(scaled) == set(scores)
    assert all(value >= 0 for value in scaled.values())
    order = sorted(scores, key=lambda k: scores[k])
    assert all(scaled[a] <= scaled[b] for a, b in pairwise(order))


def test_what_stands_out_keeps_its_distance_in_spreads() -> None:
    scores = dict.fromkeys(range(99), 1.0) | {100: 2.0, 101: 10.0}
    assert standard(scores)[101] > 8 * standard(scores)[100] > 0
    assert standard(scores)[101] > 3 > min_max(scores)[101]


@given(
    st.dictionaries(
        st.sampled_from("abc"),
        st.dictionaries(st.integers(0, 9), st.floats(0, 100), max_size=8),
    ),
    st.dictionaries(st.sampled_from("abc"), st.floats(0, 1)),
)
def test_a_fused_score_is_a_mean_whatever_arms_there_are(
    arms: dict[str, dict[int, float]], weights: dict[str, float]
) -> None:
    fused = convex(arms, weights)
    assert all(-1e-9 <= score <= 1 + 1e-9 for score in fused.values())
    assert set(fused) <= {row for scores in arms.values() for row in scores}
