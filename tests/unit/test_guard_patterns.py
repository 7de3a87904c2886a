"""Patterns of guards: what `re` would find, in linear time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.core.errors import BadInputError
from satchel.core.globs import literal
from satchel.features.guards import matching
from satchel.features.guards.patterns import check_pattern, from_glob, pattern_matches

PIECES = ["a", "b", r"\b", r"\w", r"\s", "[a-c]", "[^a]", ".", r"\.", "^", "$", r"\d", r"\B", "é"]


@st.composite
def patterns(draw: st.DrawFn, depth: int = 2) -> str:
    """Patterns that both read the same."""
    parts = []
    for _ in range(draw(st.integers(1, 4))):
        piece = draw(st.sampled_from(PIECES))
        if depth and draw(st.booleans()):
            inner = draw(patterns(depth=depth - 1))
            piece = f"(?:{inner}|{draw(st.sampled_from(PIECES))})"
        elif piece not in ("^", "$", r"\b", r"\B"):
            piece += draw(st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,3}", "{0,}", "*?"]))
        parts.append(piece)
    return "".join(parts)


@given(patterns(), st.lists(st.text(alphabet="ab c.1\n_-é", max_size=12), min_size=4, max_size=8))
@settings(max_examples=250, deadline=None)
def test_it_finds_what_regular_expressions_find(pattern: str, texts: list[str]) -> None:
    check_pattern(pattern)
    # Python's `$` is also before a last line's end; ours is at every line's edge, as MULTILINE is.
    expected = re.compile(pattern, re.MULTILINE | re.ASCII)
    for text in texts:
        if text == "" and r"\B" in pattern:
            continue  # Python finds no `\B` in nothing, and changed its mind with 3.14
        assert pattern_matches(pattern, text) == bool(expected.search(text)), (pattern, text)


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("(?=a)", "invalid perl operator"),
        ("(?<!a)b", "invalid perl operator"),
        (r"(a)\1", "invalid escape sequence"),
        ("(a{100}){100}", "invalid repetition size"),
        ("[a", r"missing \]: \[a$"),
        ("a)", r"unexpected \): a\)$"),
        ("*a", "no argument for repetition"),
        ("[z-a]", "invalid character class range"),
        ("x" * 501, "at most 500"),
        (r"(?:\pL{1,30}){30}", "too large"),
        ("\udc80", "not Unicode"),
    ],
)
def test_what_cannot_be_found_in_linear_time_is_refused(pattern: str, told: str) -> None:
    with pytest.raises(BadInputError, match=told):
        check_pattern(pattern)


HOSTILE = ["(a+)+$", "(a|aa)+$", "(.*a){20}b", "(x+x+)+y", "(a*)*b", "([a-z]+)*1", r"(\w+\s?)+!$"]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_what_explodes_elsewhere_comes_to_an_end(pattern: str) -> None:
    """With backtracking, each of these would not end within a lifetime."""
    assert not pattern_matches(pattern, "a" * matching.MOST_CONTENT + "\x00")


def test_case_can_be_ignored_and_letters_beyond_ascii_are_found() -> None:
    assert pattern_matches("(?i)npm", "NPM i")
    assert pattern_matches("(?i)É[a-z]", "éX")
    assert not pattern_matches("npm", "NPM i")
    assert pattern_matches("[à-ü]x", "éx")
    assert pattern_matches(r"\x{e9}\x41\n", "éA\n")
    assert pattern_matches("", "")
    assert pattern_matches("npm", "\udc80 npm")  # bytes of a command that are not UTF-8


@pytest.mark.parametrize(
    ("glob", "yes", "no"),
    [
        ("generated/**", ["generated/a", "generated/a/b"], ["src/generated/a", "generated"]),
        ("generated/", ["generated/a"], ["generatedx/a"]),
        ("*.lock", ["a.lock", "x/b.lock"], ["a.lock.txt"]),
        ("src/*.py", ["src/a.py"], ["src/a/b.py", "xsrc/a.py"]),
        ("**/x.c", ["x.c", "a/b/x.c"], ["a/xx.c"]),
        ("a?c+.(d)", ["abc+.(d)"], ["a/c+.(d)", "abcc.(d)"]),
    ],
)
def test_globs(glob: str, yes: list[str], no: list[str]) -> None:
    pattern = from_glob(glob)
    assert [path for path in yes if not pattern_matches(pattern, path)] == []
    assert [path for path in no if pattern_matches(pattern, path)] == []


@given(st.text(max_size=20), st.text(max_size=10))
@settings(max_examples=150, deadline=None)
def test_a_literal_finds_itself_and_nothing_else(text: str, around: str) -> None:
    pattern = literal(text)
    assert pattern_matches(pattern, around + text + around)
    assert pattern_matches(pattern, around) == (text in around)


def test_only_so_much_of_a_call_is_looked_at() -> None:
    call = matching.call_of("Bash", {"command": "x" * 10**6}, root="/r", cwd="/r")
    assert len(call.command) == matching.MOST_COMMAND
    edits = {"edits": [{"new_string": "a"}, {"new_string": "b"}, 3], "file_path": "../r/s/../t.py"}
    call = matching.call_of("MultiEdit", edits, root="/r", cwd="/r/s")
    assert (call.content, call.path, call.cwd) == ("a\nb", "r/t.py", "s")
