"""Titles and lines of lists are cut between words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.excerpts import beginning


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("Run it on the Pi", 20, "Run it on the Pi"),
        ("Run it  on\nthe Pi", 20, "Run it on the Pi"),
        ("Take back: always convert amounts", 24, "Take back: always…"),
        ("Take back: always convert amounts", 27, "Take back: always convert…"),
        ("commas, are not left at the end", 9, "commas…"),
        ("x" * 30, 10, "x" * 9 + "…"),
    ],
)
def test_a_text_is_cut_between_words(text: str, most: int, shown: str) -> None:
    assert beginning(text, most) == shown


@given(st.text(max_size=400), st.integers(2, 120))
def test_a_cut_text_is_short_and_one_line(text: str, most: int) -> None:
    shown = beginning(text, most)
    assert len(shown) <= most
    assert "\n" not in shown
