import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.application.learning.listening.markers import (
    MAX_CONTENT_BYTES,
    PREFIXES,
    find_markers,
    kind_said,
)


def passages(text: str) -> list[tuple[str, str]]:
    return [(one.kind, one.content) for one in find_markers(text)]


@pytest.mark.parametrize(
    ("prefix", "kind", "tags"),
    [
        ("LEARNED", "learned", ()),
        ("DECISION", "decision", ()),
        ("CONSTRAINT", "constraint", ()),
        ("FACT", "fact", ()),
        ("PREFERENCE", "preference", ()),
        ("NEXT_STEP", "next_step", ()),
        ("NEXT STEP", "next_step", ()),
        ("NEXT STEPS", "next_step", ()),
        ("NEXT-STEP", "next_step", ()),
        ("NEXT", "next_step", ()),
        ("INVESTIGATION", "learned", ("investigation",)),
        ("CI_NOTE", "ci_note", ()),
        ("PATTERN", "learned", ("pattern",)),
    ],
)
def test_each_prefix_means_its_kind(prefix: str, kind: str, tags: tuple[str, ...]) -> None:
    assert find_markers(f"{prefix}: keep this") == [(kind, "keep this", tags)]


def test_several_markers_in_one_comment_become_one_each() -> None:
    found = find_markers("INVESTIGATION: root cause. LEARNED: first LEARNED: second")
    assert found == [
        ("learned", "root cause.", ("investigation",)),
        ("learned", "first", ()),
        ("learned", "second", ()),
    ]


def test_a_body_of_many_lines_is_kept_whole_until_the_next_marker() -> None:
    text = "Done.\nLEARNED: one\n\n  two: indented\nlast\nDECISION:\nnext line counts\n"
    assert passages(text) == [
        ("learned", "one\n\n  two: indented\nlast"),
        ("decision", "next line counts"),
    ]


def test_markdown_around_a_marker_is_no_part_of_the_memory() -> None:
    text = "**LEARNED:** bold\n- DECISION: b\n2. FACT: c\n## NEXT STEP: d\n**PATTERN**: e"
    assert [content for _, content in passages(text)] == ["bold", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    "text",
    [
        'use the "LEARNED:" prefix',
        'write "LEARNED: what you found" there',
        "write 'LEARNED: what you found' there",
        "use `LEARNED: x` for it",
        "``a `LEARNED: b` c``",
        "```\nLEARNED: an example\n```",
        "\u201cLEARNED: x\u201d is how",
        "the prefixes LEARNED:, DECISION: ...",
        "learned: lower case",
        "Learned: title case",
        "UNLEARNED: no",
        "RE_LEARNED: no",
        "MY-FACT: no",
        "DECISION::create()",
        "LEARNED without a colon",
        "LEARNED : apart",
        "LEARNED:",
        "LEARNED:   \n ",
        "LEARNED: ...",
        "LEARNED: DECISION:",
        "",
    ],
)
def test_what_only_talks_about_markers_is_none(text: str) -> None:
    assert find_markers(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't forget LEARNED: it's fine", [("learned", "it's fine")]),
        ('LEARNED: 5" wide FACT: 6" high', [("learned", '5" wide'), ("fact", '6" high')]),
        ('He said "LEARNED: x" and LEARNED: y', [("learned", "y")]),
        ("an open ` tick LEARNED: a", [("learned", "a")]),
        (
            'LEARNED: `code` and "quote" DECISION: b',
            [("learned", '`code` and "quote"'), ("decision", "b")],
        ),
        ("LEARNED: .gitignore matters", [("learned", ".gitignore matters")]),
        ("LEARNED: \U0001f642", [("learned", "\U0001f642")]),
        ("done.DECISION: b", [("decision", "b")]),
        ("LEARNED:noquote", [("learned", "noquote")]),
        ("LEARNED: a\r\nFACT: b\r\n", [("learned", "a"), ("fact", "b")]),
        ("```\nLEARNED: never closed", [("learned", "never closed")]),
    ],
)
def test_ordinary_prose_around_markers_hides_none(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert passages(text) == expected


def test_a_passage_is_cut_at_64_kib_but_never_inside_a_character() -> None:
    (only,) = find_markers("LEARNED: " + "\u20ac" * 40_000)
    assert only.content == "\u20ac" * (MAX_CONTENT_BYTES // 3)


def test_half_a_surrogate_pair_does_not_reach_the_ledger() -> None:
    (only,) = find_markers("LEARNED: a\ud800b \ud83d\ude42")
    assert only.content == "a\ufffdb \U0001f642"


BODY = st.text(st.characters(categories=("Ll", "Nd")), min_size=1).map(str.strip).filter(bool)


@given(st.lists(st.tuples(st.sampled_from(PREFIXES), BODY), min_size=1))
def test_what_is_written_with_markers_is_read_back(pairs: list[tuple[str, str]]) -> None:
    for between in (" ", "\n", ". ", "\n\n- "):
        text = between.join(f"{prefix}: {body}" for prefix, body in pairs)
        found = [content.rstrip(".") for _, content in passages(text)]
        assert found == [body for _, body in pairs]


PIECE = st.one_of(
    st.text(max_size=5),
    st.sampled_from(
        [*(f"{p}:" for p in PREFIXES), "`", "```", '"', "'", "\n", " ", "**", "\ud800"]
    ),
)


@given(st.lists(PIECE).map("".join))
def test_any_text_is_read_without_an_error_into_sound_passages(text: str) -> None:
    for one in find_markers(text):
        assert one.content == one.content.strip() != ""
        one.content.encode()


@pytest.mark.parametrize(
    "unit", ["LEARNED: ", '"', "`", "``` ", "'a ", '"LEARNED: a" ', "* ", "\n"]
)
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        text = "LEARNED: a " + unit * (size // len(unit))
        taken = []
        for _ in range(3):
            start = time.process_time()
            find_markers(text)
            taken.append(time.process_time() - start)
        return min(taken)

    assert seconds(400_000) < 10 * seconds(100_000) + 0.02


def test_a_line_of_a_brief_that_is_said_back_is_not_learnt_again() -> None:
    assert find_markers("LEARNED: [LEARN] The parser is recursive (worker, agent, 3d)") == []
    assert find_markers("CONSTRAINT: [RULE] never force-push (user, now)") == []
    assert [one.content for one in find_markers("LEARNED: [x] boxes are lists")] == [
        "[x] boxes are lists"
    ]


@pytest.mark.parametrize(
    ("said", "kind", "rest"),
    [
        ("RULE: use tabs", "constraint", "use tabs"),
        ("CONSTRAINT: use tabs", "constraint", "use tabs"),
        (
            "DECISION:  tabs, since the formatter wants them",
            "decision",
            "tabs, since the formatter wants them",
        ),
        ("LEARNED: tabs are eight wide", "learned", "tabs are eight wide"),
        ("Rule: use tabs", "", "Rule: use tabs"),
        ("CI: the build needs node 20", "", "CI: the build needs node 20"),
        ("RULE:", "", "RULE:"),
        ("[RULE] use tabs (user, now)", "constraint", "use tabs"),
        ("[LEARN] tabs (in make) (Ann, repo, 3 d; then gone)", "learned", "tabs (in make)"),
        ("[RULE] use tabs (not spaces)", "constraint", "use tabs (not spaces)"),
        ("[NOTE] use tabs", "", "[NOTE] use tabs"),
        ("use tabs", "", "use tabs"),
    ],
)
def test_what_is_to_be_remembered_may_name_its_kind(said: str, kind: str, rest: str) -> None:
    assert kind_said(said) == (kind, rest)
