"""Conflicts between sources: shown only while they are right at least four times in five."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from satchel.application.research.conflicts import why_exclusive
from satchel.engine.statements.contradictions import AGAINST, Rule, clashes
from satchel.engine.statements.subject_words import telling_words

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "research_conflicts.py"


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("research_conflicts", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_four_of_five_conflicts_are_ones_and_most_are_found(benchmark: ModuleType) -> None:
    corpus = benchmark.pairs()
    done = benchmark.measured(corpus)
    assert len(corpus) - done.there >= 60
    assert done.there >= 20
    assert done.precision >= 0.8
    assert done.recall >= 0.7


def test_one_word_in_common_would_fail_the_measure(
    benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bug it is there to find: two statements that share a word are taken for contraries."""

    def any_word(one: str, other: str) -> str:
        return min(telling_words(one) & telling_words(other), default="")

    monkeypatch.setattr(benchmark, "why_exclusive", any_word)
    assert benchmark.measured(benchmark.pairs()).precision < 0.5


def test_what_tells_two_short_rules_apart_is_right_as_often_as_it_has_to_be(
    benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in four was right while one word in common was enough."""

    def any_clash(one: str, other: str) -> str:
        return next((c.why for c in clashes(one, [Rule("", 0, other)]) if c.what == AGAINST), "")

    monkeypatch.setattr(benchmark, "why_exclusive", any_clash)
    done = benchmark.measured(benchmark.pairs())
    assert done.precision >= 0.8
    assert done.recall >= 0.8


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("Use pnpm here, not npm", "Install packages with npm", "`npm` is chosen by one and"),
        ("Keep logs for 30 days", "Keep logs for 90 days", "30 against 90"),
        ("Telemetry is enabled by default", "Telemetry is disabled by default", "against"),
        ("Migrations are run on start", "Migrations are not run on start", "negates"),
        ("Commits are written in plain English", "Commits are written in plain German", "against"),
        ("Public endpoints need no token", "Private endpoints need a token too", ""),
        ("The api service listens on 8080", "The admin service listens on 9090", ""),
        ("Squash feature branches", "Do not squash release branches", ""),
    ],
)
def test_one_difference_about_one_subject_is_a_conflict(one: str, other: str, why: str) -> None:
    told = why_exclusive(one, other)
    assert (why in told) if why else told == ""
    assert bool(why_exclusive(other, one)) == bool(told)
