"""Sidecars: round trips, clear errors, refused aliases, and every kind of damage."""

import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reliability.mutants import mutants
from satchel.core.errors import BadInputError
from satchel.engine.markdown.sidecars import LARGEST, sidecar_of
from satchel.features.graph.sidecars import (
    Sidecar,
    encode_sidecar,
    names_not_in,
    only_named_in,
    parse_sidecar,
)
from satchel.features.graph.values import (
    ENTITY_TYPES,
    RELATION_TYPES,
    Entity,
    Relation,
    TextGraph,
    normal,
)

REFLECT_EXAMPLE = b"""\
document_id: tokio-runtime-panic-abc123
entities:
- name: "tokio"
  type: technology # technology | error | pattern | function | concept | tool
  description: "Async runtime for Rust"
- name: "block_on"
  type: function
  description: "Blocking call to run an async future"
relationships:
- source: "block_on"
  target: "nested runtime panic"
  type: caused_by # caused_by | solves | requires | relates_to
  description: "Calling block_on inside async context triggers panic"
  strength: 9 # 1-10
"""
NAMES = st.text(max_size=30).map(str.strip).filter(normal)
TEXTS = st.text(max_size=40)
MOMENTS = st.integers(1, 4_000_000_000)


@st.composite
def sidecars(draw: st.DrawFn) -> Sidecar:
    extracted = draw(MOMENTS)
    entities = draw(
        st.lists(
            st.builds(
                Entity, NAMES, st.sampled_from(ENTITY_TYPES), TEXTS,
                st.lists(NAMES, max_size=2).map(tuple),
            ),
            max_size=4,
        )
    )  # fmt: skip
    relations = []
    for _ in range(draw(st.integers(0, 4))):
        begin = draw(MOMENTS)
        relations.append(
            Relation(
                draw(NAMES), draw(NAMES), draw(st.sampled_from(RELATION_TYPES)),
                draw(st.integers(1, 10)) / 10, draw(TEXTS), begin,
                draw(st.none() | st.integers(begin, 4_100_000_000)), draw(MOMENTS),
            )
        )  # fmt: skip
    return Sidecar(draw(TEXTS), TextGraph(tuple(entities), tuple(relations), True), extracted)


@pytest.mark.parametrize("mark", ["\x85", "\u2028", "\u2029"])
def test_a_line_break_of_unicode_is_read_again(mark: str) -> None:
    for text in (mark, f"a{mark}b", f"a\n{mark}b"):
        sidecar = Sidecar(text, TextGraph((), (), True), 5)
        assert parse_sidecar(encode_sidecar(sidecar), "x.yaml") == sidecar


@given(sidecars())
def test_what_is_written_is_read_again(sidecar: Sidecar) -> None:
    assert parse_sidecar(encode_sidecar(sidecar), "x.yaml") == sidecar


def test_the_example_of_reflect_is_read() -> None:
    read = parse_sidecar(REFLECT_EXAMPLE, "x.yaml")
    assert read.document_id == "tokio-runtime-panic-abc123"
    assert [(e.name, e.type) for e in read.drawn.entities] == [
        ("tokio", "technology"),
        ("block_on", "function"),
    ]
    (relation,) = read.drawn.relations
    assert (relation.source, relation.type, relation.target) == (
        "block_on", "caused_by", "nested runtime panic",
    )  # fmt: skip
    assert (relation.weight, relation.strength, relation.free) == (0.9, 9, False)


@pytest.mark.parametrize(
    "name", ["on", "yes", "true", "1.0", "12", "0x10", "2026-03-16", "~x", "no", "1e3"]
)
def test_a_name_that_yaml_would_turn_into_something_else_stays_a_name(name: str) -> None:
    data = f"entities:\n- name: {name}\n".encode()
    assert parse_sidecar(data, "x.yaml").drawn.entities[0].name == name


def test_a_free_type_is_kept_and_marked() -> None:
    data = b"relationships:\n- {source: a, target: b, type: Talks-To}\n"
    (relation,) = parse_sidecar(data, "x.yaml").drawn.relations
    assert (relation.type, relation.free) == ("talks_to", True)


def test_times_default_to_the_extraction() -> None:
    data = (
        b"extracted_at: 2026-03-16\nrelationships:\n- {source: a, target: b}\n"
        b"- {source: a, target: c, tcommit: 2026-04-01, tvalid: 2026-01-01T00:00:00Z,"
        b" tvalid_end: 2026-02-01}\n"
    )
    one, other = parse_sidecar(data, "x.yaml").drawn.relations
    assert one.valid_from == one.last_seen == 1_773_619_200
    assert one.valid_to is None
    assert other.last_seen == 1_775_001_600
    assert other.holds_at(1_768_000_000)
    assert not other.holds_at(1_775_001_600)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"entities: [{type: tool}]", "entities[1].name"),
        (b"entities: [{name: ''}]", "entities[1].name"),
        (b"entities: [{name: {a: b}}]", "entities[1].name"),
        (b"entities: tokio", "entities"),
        (b"entities: [tokio]", "entities"),
        (b"relationships: [{source: a}]", "relationships[1].target"),
        (b"relationships: [{source: a, target: b, strength: 11}]", "strength"),
        (b"relationships: [{source: a, target: b, strength: high}]", "strength"),
        (b"relationships: [{source: a, target: b, strength: .nan}]", "strength"),
        (b"relationships: [{source: a, target: b, tvalid: soon}]", "tvalid"),
        (b"relationships: [{source: a, target: b, tvalid: 2026-02-01, tvalid_end: 2026-01-01}]",
         "tvalid_end"),
        (b"extracted_at: 99999999999999999999", "extracted_at"),
        (b"- a\n- b", "entities:"),
        (b"entities: [\n", "line 2"),
        (b"a: &x [1]\nb: *x", "alias"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"entities: " + b"[" * 200_000, "brackets"),
        (b"entities: &x " + b"[" * 9_000, "x.yaml"),
        (("entities:\n" + f"- name: {'a' * 201}").encode(), "200"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_file_field_and_next_step(data: bytes, told: str) -> None:
    with pytest.raises(BadInputError) as raised:
        parse_sidecar(data, "notes/x.yaml")
    assert "x.yaml" in str(raised.value)
    assert told in str(raised.value)
    assert raised.value.hint


def test_a_bomb_of_aliases_is_refused_at_once() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    with pytest.raises(BadInputError, match="alias"):
        parse_sidecar("\n".join(lines).encode(), "x.yaml")


def test_a_huge_file_is_not_parsed() -> None:
    with pytest.raises(BadInputError, match="larger"):
        parse_sidecar(b"#" * (LARGEST + 1), "x.entities.yaml")


def test_names_must_occur_in_the_text_in_any_case() -> None:
    drawn = parse_sidecar(REFLECT_EXAMPLE, "x").drawn
    text = "# Tokio\nCalling `block_on` twice: the nested RUNTIME panics."
    assert names_not_in(drawn, text) == ()
    assert names_not_in(drawn, "nothing of it") == ("tokio", "block_on", "nested runtime panic")
    assert sidecar_of("note.md") == "note.entities.yaml"


def test_what_the_text_does_not_name_is_left_out() -> None:
    drawn = parse_sidecar(REFLECT_EXAMPLE, "x").drawn
    kept = only_named_in(drawn, "tokio again")
    assert [e.name for e in kept.entities] == ["tokio"]
    assert kept.relations == ()


def test_no_damage_makes_anything_but_a_clear_error(tmp_path: Path) -> None:
    dice = random.Random(int(os.environ.get("SATCHEL_REFLECT_EXAMPLE", "20261122")))
    good = 0
    for mutate in mutants(dice, REFLECT_EXAMPLE, 300, heavy=1):
        data = mutate(dice, REFLECT_EXAMPLE)
        try:
            read = parse_sidecar(data[: LARGEST + 1], "x.yaml")
        except BadInputError as error:
            assert "x.yaml" in str(error)  # noqa: PT017
            continue
        good += 1
        for entity in read.drawn.entities:
            assert entity.key
            entity.name.encode()
        for relation in read.drawn.relations:
            assert 0 <= relation.weight <= 1
    assert good < 300
