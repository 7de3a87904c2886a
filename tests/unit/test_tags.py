import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.features.memories.tags import KEYWORDS, detect_tags


@pytest.mark.parametrize(
    ("content", "tags"),
    [
        ("TaskGroup requires @Sendable closures in strict concurrency mode.", ("concurrency",)),
        ("the latter crashes on macOS", ("crash",)),
        ("SwiftUI and AppKit: two UI layouts", ("swiftui", "appkit", "ui", "layout")),
        ("async/await bug-fix", ("bug", "fix", "async")),
        ("test_database APIs", ("api", "test", "database")),
        ("latest authority debugging prefix remodel", ()),
        ("securities and fixes", ("security", "fix")),
        ("", ()),
    ],
)
def test_keywords_count_as_whole_words_and_plurals_in_the_order_of_beads_memory(
    content: str, tags: tuple[str, ...]
) -> None:
    assert detect_tags("learned", content) == ("learned", *tags)


def test_what_a_prefix_adds_stands_after_the_kind_and_never_twice() -> None:
    found = detect_tags("learned", "a pattern with tests", ("pattern", "learned"))
    assert found == ("learned", "pattern", "test")


@given(
    st.lists(st.sampled_from(KEYWORDS), max_size=8), st.sampled_from([" ", ", ", "/", "_", "\n"])
)
def test_every_keyword_is_found_wherever_it_stands_and_no_other(
    words: list[str], between: str
) -> None:
    expected = tuple(word for word in KEYWORDS if word in words)
    assert detect_tags("fact", between.join(words).title()) == ("fact", *expected)


@given(st.text())
def test_any_text_gives_the_kind_first_and_no_tag_twice(content: str) -> None:
    tags = detect_tags("fact", content)
    assert tags[0] == "fact"
    assert len(set(tags)) == len(tags)
