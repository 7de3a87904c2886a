"""Extraction: what a text names, what it states, where it says so, and how quickly."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.features.graph.extraction import MOST_ENTITIES, MOST_RELATIONS, extract
from satchel.features.graph.values import normal
from satchel.features.graph.vocabulary import KNOWN


def types_in(text: str, title: str = "") -> dict[str, str]:
    return {entity.name: entity.type for entity in extract(text, title=title).entities}


def stated(text: str, title: str = "") -> set[tuple[str, str, str]]:
    found = extract(text, title=title)
    return {(r.source.lower(), r.type, r.target.lower()) for r in found.relations if r.weight > 0.5}


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("we moved to postgres", "postgresql", "technology"),
        ("k8s evicts the pod", "kubernetes", "technology"),
        ("trained with scikit-learn at night", "scikit-learn", "technology"),
        ("a C++ module and C# one", "c++", "technology"),
        ("raises ConnectionResetError at once", "ConnectionResetError", "error"),
        ("it ends with ECONNREFUSED", "ECONNREFUSED", "error"),
        ("tsc says TS2345 here", "TS2345", "error"),
        ("answers with HTTP 503 sometimes", "HTTP 503", "error"),
        ("call block_on() outside", "block_on()", "function"),
        ("set MAX_CLIENT_CONN higher", "MAX_CLIENT_CONN", "config"),
        ("see pool.toml for it", "pool.toml", "artifact"),
        ("the `--no-deps` flag", "--no-deps", "concept"),
        ("parseHttpUrl is slow", "parseHttpUrl", "code"),
        ("as Ada Lovelace wrote", "Ada Lovelace", "concept"),
        ("a race condition in the worker", "race condition", "error"),
    ],
)  # fmt: skip
def test_it_finds_what_developers_name(text: str, name: str, kind: str) -> None:
    assert types_in(text).get(name) == kind


@pytest.mark.parametrize(
    "text",
    [
        "we go and make it react to express wishes",
        "the foundation expresses ambitions",
        "`true` and `null` and `self`",
        "It was late. They left.",
        "agents learn from it",
    ],
)
def test_plain_words_are_not_taken_for_names(text: str) -> None:
    assert types_in(text) == {}


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("pgbouncer ran dry; fixed by redis", ("redis", "solves", "pgbouncer")),
        ("DeadlockError is caused by pgbouncer", ("deadlockerror", "caused_by", "pgbouncer")),
        ("TimeoutError was fixed by redis", ("redis", "solves", "timeouterror")),
        ("pgvector requires postgresql", ("pgvector", "requires", "postgresql")),
        ("django depends on sqlite", ("django", "requires", "sqlite")),
        ("jenkins was replaced by gitlab", ("gitlab", "supersedes", "jenkins")),
        ("orjson conflicts with pydantic", ("orjson", "contradicts", "pydantic")),
        ("redis prevents TimeoutError", ("redis", "prevents", "timeouterror")),
        ("tokio uses `epoll_wait`", ("tokio", "uses", "epoll_wait")),
        ("kafka is used by flink_job", ("flink_job", "uses", "kafka")),
        ("nginx is caused by idle transactions", ("nginx", "caused_by", "idle transactions")),
    ],
)
def test_causal_phrases_become_typed_relations(text: str, triple: tuple[str, str, str]) -> None:
    assert triple in stated(text)


def test_a_relation_is_described_by_the_words_that_state_it() -> None:
    found = extract("Long story. The pgvector extension requires postgresql 14. More of it.")
    (stated,) = (one for one in found.relations if one.type == "requires")
    assert stated.description == "pgvector extension requires postgresql"


def test_the_title_is_the_subject_where_a_sentence_names_none() -> None:
    assert ("slow deploys", "caused_by", "docker") in stated("Caused by docker.", "Slow deploys")


def test_names_of_different_sentences_are_not_related_by_a_phrase() -> None:
    assert stated("We like redis. Because of rain. Then kafka came.") == set()


@given(st.text(max_size=400), st.text(max_size=80))
def test_any_text_gives_the_same_bounded_answer_twice(text: str, title: str) -> None:
    found = extract(text, title=title)
    assert found == extract(text, title=title)
    assert len(found.entities) <= MOST_ENTITIES
    assert len(found.relations) <= MOST_RELATIONS == 12
    keys = [entity.key for entity in found.entities]
    assert all(keys)
    assert len(set(keys)) == len(keys)
    for relation in found.relations:
        assert {normal(relation.source), normal(relation.target)} <= set(keys)
        assert normal(relation.source) != normal(relation.target)


def test_enough_technologies_are_known() -> None:
    assert len({name for name, _ in KNOWN.values()}) >= 120


def test_twice_the_notes_take_about_twice_the_time() -> None:
    """How many a second is printed by the benchmarks; a busy machine says nothing about that."""
    note = (
        "The `tokio` runtime panics with NestedRuntimeError when block_on() is called in async "
        "code, caused by connection pool exhaustion in pgbouncer. Deploys failed because redis "
        "was down; fixed by raising MAX_CONNECTIONS in config.toml. "
    ) * 4
    notes = [f"{note[:990]} {n}" for n in range(400)]
    few = min(timed(notes[:200]) for _ in range(3))
    many = min(timed(notes) for _ in range(3))
    assert many <= few * 4


def timed(notes: list[str]) -> float:
    begun = time.process_time()
    for text in notes:
        extract(text, title="A pool that runs dry")
    return time.process_time() - begun


def test_a_long_line_without_end_takes_no_time() -> None:
    begun = time.perf_counter()
    for text in ("a" * 200_000, "A_" * 100_000, "`" * 200_000, "because " * 25_000, "x." * 100_000):
        extract(text)
    assert time.perf_counter() - begun < 10
