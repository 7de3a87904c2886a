"""Entries of a YAML file: one is changed, and every other byte of the file stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.core.errors import BadInputError, ConflictError
from satchel.engine.markdown.yaml_entries import (
    read_entries,
    with_changes,
    with_entry,
    without_entries,
)
from satchel.engine.markdown.yaml_serialization import encode_value
from satchel.engine.markdown.yaml_text import read_yaml

FILE = """# ours
version: 1   # of the form
instincts:
  # about packages
  - id: a
    rule: 'Use pnpm'   # as agreed
    confidence: 0.7
    more: |
      a block
        of text

  # about tests
  - rule: "Run # the tests"
    id: b
    nested: {x: 1}
    empty:
owner: team
# the end
"""


def test_a_change_touches_one_value_and_keeps_its_quotes() -> None:
    listing = read_entries(FILE, "instincts")
    first, second = listing.entries
    made = with_changes(listing, [(first, {"confidence": 0.8, "rule": "it's"})])
    assert made == FILE.replace("0.7", "0.8").replace("'Use pnpm'", "'it''s'")
    made = with_changes(listing, [(second, {"empty": "full", "count": 3})])
    assert made == FILE.replace("    empty:\n", "    empty: full\n    count: 3\n")


def test_a_new_field_goes_behind_a_block_of_text_and_before_the_comment_below() -> None:
    listing = read_entries(FILE, "instincts")
    made = with_changes(listing, [(listing.entries[0], {"seen": "2026-03-10"})])
    assert made == FILE.replace("of text\n", "of text\n    seen: 2026-03-10\n")


def test_an_entry_comes_and_goes_and_comments_stay() -> None:
    listing = read_entries(FILE, "instincts")
    more = with_entry(listing, {"id": "c", "rule": "No: colons"})
    assert more == FILE.replace("    empty:\n", '    empty:\n  - id: c\n    rule: "No: colons"\n')
    again = read_entries(more, "instincts")
    assert without_entries(again, [again.entries[2]]) == FILE
    less = without_entries(listing, [listing.entries[0]])
    assert "# about packages" in less
    assert "pnpm" not in less
    assert less.endswith("# the end\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "version: 1\nlist:\n  - id: x\n"),
        ("# mine\n", "# mine\nversion: 1\nlist:\n  - id: x\n"),
        ("other: 1", "other: 1\nlist:\n  - id: x\n"),
        ("list: []  # none yet\n", "list:  # none yet\n  - id: x\n"),
        ("list:\nother: 1\n", "list:\n  - id: x\nother: 1\n"),
        ("list:\n- id: a\n", "list:\n- id: a\n- id: x\n"),
        ("list:\n  -\n    id: a", "list:\n  -\n    id: a\n  - id: x\n"),
        ("list: [{id: a},]\n", 'list: [{id: a},{id: "x"}]\n'),
        ('{"list": []}', '{"list": [{id: "x"}]}'),
        ("list:\r\n  - id: a\r\n", "list:\r\n  - id: a\r\n  - id: x\r\n"),
        ("\ufefflist:\n  - id: a\n", "\ufefflist:\n  - id: a\n  - id: x\n"),
    ],
)
def test_an_entry_is_added_to_every_spelling_of_a_list(before: str, after: str) -> None:
    assert with_entry(read_entries(before, "list"), {"id": "x"}) == after


def test_what_cannot_be_changed_in_place_is_refused() -> None:
    for text in ("{other: 1}", "list: [1, {id: a}]\n", "list:\n  - id: a\n...\n---\n"):
        try:
            listing = read_entries(text, "list")
        except BadInputError:
            continue
        with pytest.raises(ConflictError, match="without rewriting it"):
            with_entry(listing, {"id": "x"})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("list:\n  - id: a\n   bad: 1\n", "line 3"),
        ("list: 3\n", "not a list"),
        ("- id: a\n", "no fields"),
        ("list: &x [1]\nmore: *x\n", "alias"),
    ],
)
def test_a_file_that_is_no_such_list_says_where(text: str, told: str) -> None:
    with pytest.raises(BadInputError, match=told):
        read_entries(text, "list")


TEXTS = st.text(max_size=40).map(lambda t: t.encode("utf-8", "replace").decode())
COMMENT = st.sampled_from(["", "  # a: comment - [x]\n", "\n", "    # - id: no\n"])


@st.composite
def files(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A file of entries in mixed spellings, and the lines of each entry."""
    blocks = []
    for number in range(draw(st.integers(1, 5))):
        rule = encode_value(draw(TEXTS), draw(st.sampled_from(['"', "'", '"'])))
        style = draw(st.sampled_from(["block", "flow", "text", "dash"]))
        if style == "flow":
            block = f"  - {{id: i{number}, rule: {rule}, confidence: 0.5}}  # kept\n"
        elif style == "text":
            block = (
                f"  - confidence: 0.5\n    id: i{number}\n    rule: |\n      some\n\n      text\n"
            )
        elif style == "dash":
            block = f"  -   # here\n    id: i{number}\n    rule: {rule}\n    confidence: 0.5 # n\n"
        else:
            block = f"  - id: i{number}\n    confidence:   0.5\n    rule: {rule}\n    x: [1,\n      2]\n"
        blocks.append(block)
    between = [draw(COMMENT) for _ in range(len(blocks) + 1)]
    text = "# head\nlist:\n" + "".join(c + b for c, b in zip(between, blocks, strict=False))
    return text + between[-1] + draw(st.sampled_from(["", "after: 1\n", "# end"])), blocks


@given(files(), st.data())
@settings(max_examples=120, deadline=None)
def test_untouched_entries_are_the_same_bytes(
    made: tuple[str, list[str]], data: st.DataObject
) -> None:
    text, blocks = made
    listing = read_entries(text, "list")
    at = data.draw(st.integers(0, len(blocks) - 1))
    rule = data.draw(TEXTS)
    changed = with_changes(listing, [(listing.entries[at], {"confidence": 0.25, "new": rule})])
    assert read_entries(changed, "list").entries[at].fields["new"] == rule
    assert read_entries(changed, "list").entries[at].fields["confidence"] == 0.25
    front, behind = text.split(blocks[at], 1)
    assert changed.startswith(front)
    assert changed.endswith(behind)
    gone = without_entries(listing, [listing.entries[at]])
    assert gone == front + behind
    added = with_entry(listing, {"id": "z", "rule": rule})
    assert [line for line in text.splitlines() if line not in added.splitlines()] == []
    assert read_entries(added, "list").entries[-1].fields == {"id": "z", "rule": rule}


@given(TEXTS, st.sampled_from(["", '"', "'"]))
@settings(max_examples=150, deadline=None)
def test_every_text_is_spelled_so_that_it_is_read_back(text: str, quote: str) -> None:
    assert read_yaml(f"x: {encode_value(text, quote)}\n") == {"x": text}
