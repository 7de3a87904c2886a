"""Names: spellings that mean one thing share a key, and the values built on them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from satchel.features.graph.near_duplicates import near_duplicates, similar
from satchel.features.graph.values import (
    Entity,
    Relation,
    normal,
    overlap,
    relation_type,
    strength_of,
    tokens,
    weight_of,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [("PostgreSQL", "postgresql"), ("The  Mule", "mule"), ("block_on", "Block on"),
     ("\uff34okio", "tokio"), ("connection-pool", "Connection Pool"), ("CAFÉ", "café")],
)  # fmt: skip
def test_spellings_of_one_name_share_a_key(one: str, other: str) -> None:
    assert normal(one) == normal(other)


@pytest.mark.parametrize(
    ("one", "other"), [("C++", "C"), ("C#", "C"), ("++", "--"), ("日本", "東京")]
)
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert normal(one) != normal(other)


@example("A a a")
@example("\u0130x")
@example("the the C++")
@given(st.text(max_size=60))
def test_a_normal_name_is_normal(name: str) -> None:
    assert normal(normal(name)) == normal(name)


@given(st.text(max_size=30), st.text(max_size=30))
def test_overlap_is_symmetric_and_bounded(one: str, other: str) -> None:
    a, b = tokens(normal(one)), tokens(normal(other))
    assert overlap(a, b) == overlap(b, a)
    assert 0.0 <= overlap(a, b) <= 1.0


@pytest.mark.parametrize(
    ("one", "other"), [("python 2", "python 3"), ("http 503", "http 502"), ("e0308", "e0309")]
)
def test_names_that_differ_in_a_number_are_never_alike(one: str, other: str) -> None:
    assert similar(one, other) == 0.0


def duplicates(
    *entities: Entity, links: dict[str, set[str]] | None = None, met: int = 0
) -> set[tuple[str, str]]:
    keys = [entity.key for entity in entities]
    together = [(a, b, met) for a in keys for b in keys if a < b] if met else []
    found = near_duplicates(entities, links or {}, together, similarity=0.85, co_occurrence=5)
    return {(one.key, one.into) for one in found}


def test_the_same_letters_are_one_thing() -> None:
    assert duplicates(Entity("pg bouncer"), Entity("pgbouncer", mentions=3)) == {
        ("pg bouncer", "pgbouncer")
    }


def test_a_name_that_is_the_alias_of_another_is_one_thing() -> None:
    k8s = Entity("orchestrator x", aliases=("Kube",))
    assert duplicates(k8s, Entity("kube", mentions=2)) == {("orchestrator x", "kube")}


def test_alike_names_need_five_texts_or_a_shared_relation() -> None:
    one, other = Entity("connection pooler", mentions=9), Entity("conection pooler")
    assert duplicates(one, other) == set()
    assert duplicates(one, other, met=4) == set()
    assert duplicates(one, other, met=5) == {("conection pooler", "connection pooler")}
    links = {one.key: {"redis", "kafka"}, other.key: {"redis"}}
    assert duplicates(one, other, links=links) == {("conection pooler", "connection pooler")}


def test_an_error_is_not_the_function_that_raises_it() -> None:
    one, other = Entity("parse headers", "function"), Entity("parse header", "error")
    assert duplicates(one, other, met=9) == set()


def test_chains_of_duplicates_end_in_the_most_connected() -> None:
    chain = [Entity("w x y z"), Entity("wx yz"), Entity("wxyz", mentions=7)]
    assert duplicates(*chain) == {("w x y z", "wxyz"), ("wx yz", "wxyz")}


@given(st.integers(1, 10))
def test_strength_and_weight_are_the_same_thing(strength: int) -> None:
    assert strength_of(weight_of(strength)) == strength


def test_free_types_are_spelled_like_the_closed_ones_and_marked() -> None:
    assert relation_type("Depends On") == "depends_on"
    assert relation_type("") == "relates_to"
    assert Relation("a", "b", "caused_by").free is False
    assert Relation("a", "b", "manages").free is True
