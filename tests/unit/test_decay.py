"""Forgetting: the curve falls, repetition slows it, bands cover everything."""

from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.times import DAY
from satchel.engine.ranking.decay import BANDS, band, retention, stability

AGES = st.floats(0, 1e12)
TIMES = st.integers(0, 200)


@given(AGES, AGES, TIMES)
def test_what_is_older_is_never_remembered_better(one: float, other: float, times: int) -> None:
    young, old = sorted((one, other))
    assert retention(old, times) <= retention(young, times)


@given(AGES, TIMES)
def test_repetition_never_makes_it_worse(age: float, times: int) -> None:
    assert retention(age, times) <= retention(age, times + 1)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(-5, 10**6))
def test_what_is_left_lies_between_nothing_and_everything(age: float, times: int) -> None:
    assert 0.0 <= retention(age, times) <= 1.0


@pytest.mark.parametrize(
    ("days", "times", "left"),
    [(0, 0, 1.0), (30, 0, exp(-1)), (45, 1, exp(-1)), (90, 0, exp(-3)), (67.5, 2, exp(-1))],
)
def test_the_curve_is_that_of_the_configuration(days: float, times: int, left: float) -> None:
    assert retention(days * DAY, times) == pytest.approx(left)


def test_stability_grows_by_half_with_each_repetition() -> None:
    assert [stability(n) for n in range(3)] == [30.0, 45.0, 67.5]


def test_the_future_counts_as_now() -> None:
    assert retention(-1e9) == 1.0


@given(st.floats(0, 1))
def test_every_retention_has_a_band(left: float) -> None:
    name = band(left)
    floor = dict(BANDS).get(name, 0.0)
    assert left >= floor
    assert name == "forgotten" or left >= 0.05


def test_bands_begin_where_the_configuration_says() -> None:
    assert [band(x) for x in (0.7, 0.69, 0.3, 0.1, 0.05, 0.049)] == [
        "strong", "moderate", "moderate", "weak", "fading", "forgotten",
    ]  # fmt: skip
