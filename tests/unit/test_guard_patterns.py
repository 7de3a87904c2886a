"""Patterns of guards: what `re` would find, and never more than one step a character."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.core.errors import BadInputError
from satchel.features.guards import matching
from satchel.features.guards.matching import pattern_matches
from satchel.features.guards.patterns import MOST_STATES, compiled, from_glob, literal

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
    try:
        table = compiled(pattern)
    except BadInputError:
        return
    # Python's `$` is also before a last line's end; ours is at every line's edge, as MULTILINE is.
    expected = re.compile(pattern, re.MULTILINE)
    for text in texts:
        if text == "" and r"\B" in pattern:
            continue  # Python finds no `\B` in nothing, and changed its mind with 3.14
        assert pattern_matches(table, text) == bool(expected.search(text)), (pattern, text)


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("(?=a)", "lookaround"), ("(?<!a)b", "lookaround"), (r"(a)\1", "a reference back"),
        ("a{500}", "more than 200"), ("(a{100}){100}", "too large"), ("[a", r"`\[` without"),
        ("(a", r"`\(` without"), ("a)", r"`\)` without"), ("*a", "nothing to repeat"),
        ("a\\", "a backslash at the end"), (r"\q", "has no meaning"), (r"\x4", "without its digits"),
        ("[z-a]", "end comes before"), ("a{3,2}", "minimum exceeds"), ("a++", "after a repetition"),
        ("^*", "cannot be repeated"), ("(a|b)*a(a|b){15}", "too many states"),
        ("x" * 501, "at most 500"), ("(" * 50 + ")" * 50, "nested too deeply"),
    ],
)  # fmt: skip
def test_what_cannot_be_decided_in_one_pass_is_refused_with_its_place(
    pattern: str, told: str
) -> None:
    with pytest.raises(BadInputError, match=told):
        compiled(pattern)


HOSTILE = ["(a+)+$", "(a|aa)+$", "(.*a){20}b", "(x+x+)+y", "(a*)*b", "([a-z]+)*1", r"(\w+\s?)+!$"]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_what_explodes_elsewhere_takes_one_step_a_character(pattern: str) -> None:
    steps = 0

    class Rows(list):  # type: ignore[type-arg]
        def __getitem__(self, at):  # type: ignore[no-untyped-def]
            nonlocal steps
            steps += 1
            return super().__getitem__(at)

    table = compiled(pattern)
    text = "a" * 20_000 + "\x00"
    assert not pattern_matches({**table, "next": Rows(table["next"])}, text)
    assert steps == len(text)
    assert len(table["next"]) <= MOST_STATES


def test_case_can_be_ignored_and_letters_beyond_ascii_are_found() -> None:
    assert pattern_matches(compiled("(?i)npm"), "NPM i")
    assert pattern_matches(compiled("(?i)É[a-z]"), "éX")
    assert not pattern_matches(compiled("npm"), "NPM i")
    assert pattern_matches(compiled("[à-ü]x"), "éx")
    assert pattern_matches(compiled(r"\u00e9\x41\n"), "éA\n")
    assert pattern_matches(compiled(""), "")


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
    table = compiled(from_glob(glob))
    assert [path for path in yes if not pattern_matches(table, path)] == []
    assert [path for path in no if pattern_matches(table, path)] == []


@given(st.text(max_size=20), st.text(max_size=10))
@settings(max_examples=150, deadline=None)
def test_a_literal_finds_itself_and_nothing_else(text: str, around: str) -> None:
    table = compiled(literal(text))
    assert pattern_matches(table, around + text + around)
    assert pattern_matches(table, around) == (text in around)


def test_only_so_much_of_a_call_is_looked_at() -> None:
    call = matching.call_of("Bash", {"command": "x" * 10**6}, root="/r", cwd="/r")
    assert len(call.command) == matching.MOST_COMMAND
    edits = {"edits": [{"new_string": "a"}, {"new_string": "b"}, 3], "file_path": "../r/s/../t.py"}
    call = matching.call_of("MultiEdit", edits, root="/r", cwd="/r/s")
    assert (call.content, call.path, call.cwd) == ("a\nb", "r/t.py", "s")
