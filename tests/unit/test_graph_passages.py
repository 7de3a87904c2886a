"""Passages and what they name: the walk goes where connections lead."""

import json
import os
import random
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.corpora import triples
from satchel.features.graph.passages import Passage, PassageGraph

ROWS = [
    Passage("p1", ("Johnnycake",), (("Johnnycake", "lies in", "McDowell County"),)),
    Passage("p2", (), (("McDowell County", "borders", "Tazewell County"),)),
    Passage("p3", ("Tazewell County",), (("Tazewell County", "in", "Virginia"),)),
    Passage("p4", ("Redis",), (("Redis", "is", "a cache"),)),
]
NAME = st.sampled_from(["a b", "b c", "redis", "kafka", "x", "the x", "A B", ""])
PASSAGES = st.lists(
    st.builds(
        Passage,
        st.sampled_from(["p1", "p2", "p3", "p4"]),
        st.lists(NAME, max_size=4).map(tuple),
        st.lists(st.tuples(NAME, st.just("is"), NAME), max_size=3).map(tuple),
    ),
    max_size=6,
)


def test_two_hops_are_reached_and_what_is_unconnected_is_not() -> None:
    graph = PassageGraph(ROWS)
    scores = graph.rank({"p1": 1.0})
    assert max(scores, key=lambda one: scores[one]) == "p1"
    assert scores["p2"] > scores["p3"] > 0
    assert "p4" not in scores


def test_an_entity_of_the_question_is_a_place_to_begin() -> None:
    graph = PassageGraph(ROWS)
    named = graph.named_in("Which county borders the county of johnnycake?")
    assert named == {"johnnycake": 1.0}
    scores = graph.rank({}, named)
    assert scores["p1"] > scores["p2"] > 0


def test_what_many_passages_name_is_less_specific() -> None:
    graph = PassageGraph(
        [Passage("p1", ("rare", "common")), Passage("p2", ("common",)), Passage("p3", ("common",))]
    )
    named = graph.named_in("rare and common things")
    assert named["rare"] == 3 * named["common"]


def test_the_path_names_the_entities_that_led_there() -> None:
    graph = PassageGraph(ROWS)
    assert graph.path("p3", ["p1"]) == ("mcdowell county", "tazewell county")
    assert graph.path("p4", ["p1"]) == ()
    assert graph.path("p2", [], ["Johnnycake"]) == ("johnnycake", "mcdowell county")


def test_spellings_and_alike_names_connect() -> None:
    graph = PassageGraph(
        [
            Passage("p1", ("Jan Philip Solovej",)),
            Passage("p2", ("jan  solovej",)),
            Passage("p3", ("x",)),
        ]
    )
    assert "p2" in graph.rank({"p1": 1.0})
    assert "p3" not in graph.rank({"p1": 1.0})


def test_triples_that_lack_a_part_are_tolerated(tmp_path: Path) -> None:
    file = tmp_path / "triples.jsonl"
    file.write_text(json.dumps({"id": "p", "triples": [["alone"], ["two", "parts"], []]}) + "\n")
    assert set(PassageGraph(triples(str(file))).entities) == {"alone", "two"}


@given(PASSAGES, st.dictionaries(st.sampled_from(["p1", "p2", "none"]), st.floats(0.1, 5)))
def test_scores_are_a_share_and_the_order_of_passages_does_not_matter(
    passages: list[Passage], seeds: dict[str, float]
) -> None:
    graph = PassageGraph(passages)
    scores = graph.rank(seeds)
    known = set(seeds) & {one.id for one in passages}
    assert bool(scores) == bool(known)
    assert sum(scores.values()) <= 1.0 + 1e-9
    again = PassageGraph(passages[::-1]).rank(seeds)
    assert scores == pytest.approx(again, abs=1e-9)


@given(PASSAGES, st.text(max_size=40))
def test_any_question_may_be_asked(passages: list[Passage], question: str) -> None:
    graph = PassageGraph(passages)
    named = graph.named_in(question)
    assert set(named) <= set(graph.entities)
    graph.rank({}, named)


def test_two_thousand_passages_are_walked_in_milliseconds() -> None:
    dice = random.Random(1)
    graph = PassageGraph(
        Passage(f"p{n}", tuple(f"entity {dice.randrange(4_000)}" for _ in range(10)))
        for n in range(2_000)
    )
    best = float("inf")
    for _ in range(10):
        begun = time.perf_counter()
        graph.rank({"p1": 1.0, "p7": 0.5}, {"entity 3": 1.0})
        best = min(best, time.perf_counter() - begun)
    assert best < 0.02, best


PUBLIC = os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared", "eval", "musique")


@pytest.mark.skipif(not os.path.isdir(PUBLIC), reason="the public evaluation data is not here")
def test_it_finds_more_of_musique_than_words_do() -> None:
    def rows(name: str) -> list[dict[str, object]]:
        with open(os.path.join(PUBLIC, name), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    graph = PassageGraph(triples(os.path.join(PUBLIC, "triples.jsonl")))
    recalls = []
    for query in rows("queries.jsonl"):
        scores = graph.rank({}, graph.named_in(str(query["query"])))
        top = sorted(scores, key=lambda one: -scores[one])[:5]
        relevant = query["relevant"]
        assert isinstance(relevant, list)
        recalls.append(len(set(relevant) & set(top)) / len(relevant))
    assert sum(recalls) / len(recalls) > 0.5
