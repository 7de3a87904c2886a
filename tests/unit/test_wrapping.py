"""Text on a terminal ends its lines between words."""

from hypothesis import given
from hypothesis import strategies as st

from satchel.interfaces.cli.wrapping import wrapped

WORDS = st.lists(st.text("abcxyz-/.", min_size=1, max_size=12), min_size=1, max_size=60)


@given(WORDS, st.integers(30, 200), st.integers(0, 4))
def test_no_word_is_broken_and_no_line_is_too_long(
    words: list[str], width: int, indent: int
) -> None:
    lines = wrapped(" " * indent + " ".join(words), width).split("\n")
    assert " ".join(lines).split() == words
    assert all(len(line) <= width for line in lines)
    assert all(len(line) - len(line.lstrip()) == (indent or 2) for line in lines[1:])


def test_a_word_wider_than_the_terminal_stays_whole() -> None:
    path = "/home/you/" + "a-long-directory/" * 5
    assert path in wrapped(f"It lies in {path}, below it.", 40).replace(",", "").split()
