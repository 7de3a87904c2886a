"""Sections and chunks: nothing is lost, nothing in code counts."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from satchel.engine.markdown.chunks import MOST, chunks
from satchel.engine.markdown.sections import first_heading, lines_of, sections

_PIECES = st.sampled_from(
    ["# One", "## Two ##", "### Three", "#no", "Title", "=====", "-----", "```", "~~~~", "```py",
     "    # code", "text with words. And more! ", "- item", "> quote", "", "", "| a | b |",
     "word " * 60, "x" * 400, "日本語。" * 30, "\r", "#", "####### seven"]
)  # fmt: skip
_TEXTS = st.one_of(
    st.text(max_size=400), st.lists(_PIECES, max_size=40).map("\n".join),
    st.lists(_PIECES, max_size=40).map("\r\n".join),
)  # fmt: skip


@given(_TEXTS)
@example("")
@example("\n\n")
@example("a\n===\nb\n---\nc")
def test_sections_follow_each_other_without_a_gap(text: str) -> None:
    found = sections(text)
    assert "".join(text[s.start : s.end] for s in found) == text
    assert all(s.start < s.end for s in found[1:])
    assert [s.path[-1] for s in found if s.title] == [s.title for s in found if s.title]


@given(_TEXTS)
@example("x" * 10_000)
@example("# A\n\n" + "word " * 2000)
@example("```\n" + "code\n\n" * 2000 + "```\n")
def test_every_character_is_in_exactly_one_chunk_and_no_chunk_is_too_long(text: str) -> None:
    found = chunks(text)
    assert "".join(text[c.start : c.end] for c in found) == text
    assert all(0 < c.end - c.start <= MOST + 240 for c in found)
    assert chunks(text) == found


@given(_TEXTS)
def test_lines_are_the_text(text: str) -> None:
    assert "".join(text[line.start : line.end] for line in lines_of(text)) == text


def titles(text: str) -> list[tuple[int, str]]:
    return [(s.level, s.title) for s in sections(text) if s.level]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n## B\n# C\n", [(1, "A"), (2, "B"), (1, "C")]),
        ("A title\n=======\n\nB\n---\n", [(1, "A title"), (2, "B")]),
        ("text\n\n---\n\nmore\n", []),
        ("- item\n---\n", []),
        ("```\n# no\n```\n# yes\n", [(1, "yes")]),
        ("~~~\n```\n# no\n~~~\n# yes\n", [(1, "yes")]),
        ("````\n```\n# no\n````\n# yes\n", [(1, "yes")]),
        ("```\n# never closed\n", []),
        ("    # indented\n", []),
        ("#hashtag\n####### seven\n", []),
        ("## Closed ##\n### C# #\n### C#\n", [(2, "Closed"), (3, "C#"), (3, "C#")]),
        ("#\n", [(1, "")]),
        ("`code` ```not a fence\n# yes\n", [(1, "yes")]),
        ("# A\r\ntext\r\nB\r\n===\r\n", [(1, "A"), (1, "B")]),
    ],
)
def test_headings(text: str, expected: list[tuple[int, str]]) -> None:
    assert titles(text) == expected


def test_a_section_knows_the_headings_above_it() -> None:
    paths = [s.path for s in sections("intro\n# A\n## B\n### C\n## D\n# E\n")]
    assert paths == [(), ("A",), ("A", "B"), ("A", "B", "C"), ("A", "D"), ("E",)]
    assert first_heading("intro\n\n## B\n") == "B"
    assert first_heading("intro") == ""


def test_chunks_are_cut_at_headings_and_paragraphs() -> None:
    paragraph = "A sentence about one thing. " * 15
    text = "# A\n\n" + f"{paragraph}\n\n" * 4 + f"## B\n\n{paragraph}\n"
    found = chunks(text)
    assert [text[c.start : c.end].lstrip()[:3] for c in found[1:]] == ["A s", "## "]
    assert [c.headings for c in found] == [("A",), ("A",), ("A", "B")]


def test_fenced_code_with_blank_lines_is_not_torn_apart_while_it_fits() -> None:
    code = "```\n" + "line\n\n" * 60 + "```\n"
    text = "# A\n\n" + "Words before it. " * 80 + "\n\n" + code
    assert any(code in text[c.start : c.end] for c in chunks(text))


def test_a_heading_with_nothing_below_it_goes_with_its_first_section() -> None:
    install = "Run it as it is told. " * 15
    found = chunks(f"# Guide\n\n## Install\n\n{install}\n\n## Use\n\n" + "Use it. " * 40)
    assert [c.headings for c in found] == [("Guide",), ("Guide", "Use")]
