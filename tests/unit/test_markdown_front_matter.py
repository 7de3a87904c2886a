"""Front matter: whatever a file holds, no byte of it is lost, and no value is guessed."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from machine_speed import least_seconds
from satchel.core.errors import BadInputError
from satchel.engine.markdown.front_matter import read_fields, split, with_fields
from satchel.engine.markdown.yaml_text import LARGEST, read_yaml, write_yaml

_LINES = st.sampled_from(
    ["---", "--- ", "...", "----", "title: x", "tags: [a, b]", "  - item", "# head", "", "\ttext",
     "a: *b", "é: ü", "title: a: b", "'quoted': 1", "{a: 1}", "text --- text"]
)  # fmt: skip
_FILES = st.one_of(
    st.binary(max_size=300),
    st.builds(
        lambda bom, lines, newline, end: (
            (b"\xef\xbb\xbf" if bom else b"") + newline.join(line.encode() for line in lines) + end
        ),
        st.booleans(), st.lists(_LINES, max_size=12), st.sampled_from([b"\n", b"\r\n"]),
        st.sampled_from([b"", b"\n", b"\r\n"]),
    ),
)  # fmt: skip
_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
_NAMES = st.from_regex(r"[a-z][a-z_]{0,11}", fullmatch=True)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | _TEXT
    | st.sampled_from(["2026-03-16", "yes", "012", "1.10", "null", "a: b", "- x", "# c", "one\ntwo"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
_FIELDS = st.dictionaries(_NAMES, _VALUES.filter(lambda v: v is not None), max_size=5)


@given(_FILES)
@example(b"---\n---\n")
@example(b"---\na: 1\n---")
@example(b"\xef\xbb\xbf---\r\na: 1\r\n---\r\nbody\r\n")
def test_the_four_parts_are_the_file(data: bytes) -> None:
    parts = split(data)
    assert parts.before + parts.yaml + parts.after + parts.body == data
    assert parts.has_fields == bool(parts.after)
    assert not (parts.unclosed and parts.has_fields)


@given(_FIELDS, st.binary(max_size=80), st.sampled_from([b"", b"\xef\xbb\xbf"]))
def test_what_is_written_is_read_again_and_the_body_keeps_its_bytes(
    fields: dict[str, Any], body: bytes, mark: bytes
) -> None:
    base = mark + b"---\n---\n" + body
    written = with_fields(base, fields)
    assert split(written).body == body
    assert read_fields(split(written)) == fields
    assert written.startswith(mark)


@given(_FIELDS, _FIELDS)
def test_a_change_of_some_fields_leaves_the_others(
    before: dict[str, Any], changes: dict[str, Any]
) -> None:
    data = with_fields(b"---\n---\nbody\n", before)
    after = read_fields(split(with_fields(data, changes)))
    assert after == {**before, **changes}
    assert list(after) == [*before, *(name for name in changes if name not in before)]


@given(_FIELDS)
def test_taking_a_field_out_takes_out_nothing_else(fields: dict[str, Any]) -> None:
    data = with_fields(b"---\n---\nbody\n", {**fields, "odd_one": [1, 2]})
    assert read_fields(split(with_fields(data, {"odd_one": None}))) == fields


NOTE = b"""---
# how we name things
title:   "Tokio"   # with care
tags: [rust,   async]
custom-field: {kept: yes}
symptoms:
  - one
  - two
---
body  \r\nwith odd ends"""


def test_untouched_lines_keep_their_spelling_their_comments_and_their_order() -> None:
    made = with_fields(NOTE, {"tags": ["go"], "created": "2026-03-16"})
    assert made == NOTE.replace(b"tags: [rust,   async]\n", b"tags:\n  - go\n").replace(
        b"  - two\n", b"  - two\ncreated: '2026-03-16'\n"
    )


def test_a_file_without_front_matter_gets_some_and_keeps_its_text() -> None:
    made = with_fields(b"# Head\r\ntext\r\n", {"title": "x"})
    assert made == b"---\r\ntitle: x\r\n---\r\n# Head\r\ntext\r\n"


def test_crlf_stays_crlf_and_means_nothing_to_the_values() -> None:
    data = b"---\r\ntitle: x\r\nlist:\r\n  - a\r\n---\r\nbody\r\n"
    assert read_fields(split(data)) == {"title": "x", "list": ["a"]}
    assert with_fields(data, {"title": "y"}) == data.replace(b"title: x", b"title: y")


def test_fields_in_flow_style_can_be_changed_too() -> None:
    assert read_fields(split(with_fields(b"---\n{a: 1, b: 2}\n---\n", {"b": 3}))) == {
        "a": 1,
        "b": 3,
    }


@pytest.mark.parametrize(
    ("spelled", "value"),
    [
        ("2026-03-16", "2026-03-16"), ("2026-03-16T10:00:00Z", "2026-03-16T10:00:00Z"),
        ("yes", "yes"), ("off", "off"), ("012", "012"), ("1.10", "1.10"), ("12e4567", "12e4567"),
        ("1:30", "1:30"), ("0x1f", "0x1f"), ("+4", "+4"), ("<<", "<<"), ("=", "="),
        ("true", True), ("0.9", 0.9), ("-5", -5), ("~", None), ("", None),
    ],
)  # fmt: skip
def test_a_value_is_a_number_only_if_it_is_spelled_like_one(spelled: str, value: object) -> None:
    read = read_yaml(f"a: {spelled}\n")["a"]
    assert (read, type(read)) == (value, type(value))
    if value is not None and not isinstance(value, bool):
        assert str(read) == spelled


REFUSED = {
    "an alias": ("a: &x [1]\nb: *x\n", "alias"),
    "a billion laughs": ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "alias"),
    "a field twice": ("a: 1\nb: 2\na: 3\n", "line 3: `a` occurs twice"),
    "a colon in a text": ("title: foo: bar\n", "line 1: mapping values"),
    "an object": ("a: !!python/object:os.system x\n", "tag"),
    "bytes": ("a: !!binary aGVsbG8=\n", "bytes"),
    "a date on purpose": ("a: !!timestamp 2026-01-01\n", "date"),
    "two documents": ("a: 1\n---\nb: 2\n", "document"),
    "a list as a name": ("? [a]\n: b\n", "unhashable"),
    "an unclosed list": ("a: [b, c\n", "line 2"),
    "a control character": ("a: \x07\n", "control"),
    "too much": ("a: " + "x" * LARGEST, "64 KB"),
    "deep flow": ("[" * 30_000, "deep"),
    "deep maps": ("{" * 30_000, "deep"),
    "deep lists": ("- " * 20_000, "deep"),
    "deep keys": ("? " * 20_000, "deep"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_the_reason(name: str) -> None:
    text, reason = REFUSED[name]
    with pytest.raises(BadInputError) as told:
        read_yaml(text)
    assert reason in str(told.value)


def test_the_line_that_is_named_is_the_line_of_the_file() -> None:
    with pytest.raises(BadInputError, match="line 4"):
        read_fields(split(b"---\ntitle: x\ntags: [a]\nbad: a: b\n---\nbody\n"))
    with pytest.raises(BadInputError, match="line 3 of the front matter is not UTF-8"):
        read_fields(split(b"---\ntitle: x\nbad: \xff\n---\n"))


def test_front_matter_that_is_no_mapping_is_refused_and_an_empty_one_is_empty() -> None:
    with pytest.raises(BadInputError):
        read_fields(split(b"---\n- a\n- b\n---\n"))
    assert read_fields(split(b"---\n---\ntext")) == {}
    assert read_fields(split(b"---\n# nothing\n---\ntext")) == {}


@given(_VALUES)
def test_yaml_is_read_as_it_was_written(value: object) -> None:
    assert read_yaml(write_yaml({"a": value}))["a"] == value


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        value = read_yaml(text)
    except BadInputError:
        return
    assert value is None or isinstance(value, bool | int | float | str | list | dict)


@pytest.mark.parametrize(
    "text", ["a: &x " + "[" * 60_000, "a: &x " + "[" * 9_000 + "*x", "[" * 60_000]
)
def test_brackets_without_end_are_refused_at_once(text: str) -> None:
    def refuse() -> None:
        with pytest.raises(BadInputError, match="too deep"):
            read_yaml(text)

    assert least_seconds(refuse, enough=0.2) <= 0.2


def test_an_alias_is_refused_in_a_deep_text_too() -> None:
    with pytest.raises(BadInputError, match="alias"):
        read_yaml("a: &x 1\nc: " + "[" * 250 + "*x" + "]" * 250)
