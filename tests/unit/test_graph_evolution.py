"""Evolution: planned, explained, capped; and the configuration file of The Foundation."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.errors import BadInputError
from satchel.features.graph.curation import Curation
from satchel.features.graph.evolution import (
    EvolutionPlan,
    current_weight,
    operations_of,
    plan_evolution,
)
from satchel.features.graph.evolution_settings import (
    _ALSO_READ,
    _PLACES,
    EvolutionSettings,
    read_evolution,
)
from satchel.features.graph.operations import Operation, active
from satchel.features.graph.values import Entity, Relation

DAY = 86_400
NOW = 1_800_000_000
SETTINGS = EvolutionSettings()
#: The fields that The Foundation documents for its file, with other values than the defaults.
FILE = {
    "evolution": {
        "schedule": "0 3 * * *",
        "ebbinghaus_forgetting": {
            "enabled": True, "base_stability_days": 10, "reinforcement_bonus": 2,
            "minimum_retention": 0.05,
            "retention_thresholds": {"strong": 0.8, "moderate": 0.4, "weak": 0.2, "forgotten": 0.1},
        },
        "pagerank": {"enabled": False, "damping_factor": 0.5, "iterations": 7,
                     "convergence_threshold": 0.01, "edge_weight_scaling": False},
        "consolidation": {"enabled": True, "similarity_threshold": 0.9, "consolidation_rules": [
            {"rule": "exact_name_match"}, {"rule": "x", "min_cooccurrence": 3}]},
        "temporal_validity": {"enabled": True, "auto_expire_days": 90,
                              "supersede_on_conflict": False},
        "pruning": {"enabled": True, "min_weight_threshold": 0.02,
                    "min_retention_threshold": 0.05, "orphan_cleanup": False},
    }
}  # fmt: skip


def relation(source: str, target: str, days: float, **fields: Any) -> Relation:
    seen = int(NOW - days * DAY)
    return Relation(source, target, last_seen=seen, first_seen=seen)._replace(**fields)


def steps(
    entities: list[Entity], relations: list[Relation], **options: Any
) -> tuple[EvolutionPlan, set[tuple[str, str]]]:
    confirmed = bool(options.pop("confirmed", True))
    settings = SETTINGS._replace(**options)
    plan = plan_evolution(entities, relations, [], settings, NOW, confirmed=confirmed)
    return plan, {(step.kind, step.what) for step in plan.steps}


def test_a_weight_falls_by_the_forgetting_curve() -> None:
    one = relation("a", "b", 30, weight=0.8)
    assert current_weight(one, NOW, SETTINGS) == pytest.approx(0.8 * 0.36788, abs=1e-4)
    again = one._replace(reinforcements=1)
    assert current_weight(again, NOW, SETTINGS) > current_weight(one, NOW, SETTINGS)
    assert current_weight(one, NOW, SETTINGS._replace(decay=False)) == 0.8


def test_what_weighs_less_than_a_hundredth_is_pruned_with_its_reason() -> None:
    plan, done = steps([], [relation("a", "b", 130), relation("a", "c", 10)])
    assert done == {("prune", "a -relates_to-> b")}
    assert "130 days" in plan.steps[0].why
    assert "0.01" in plan.steps[0].why


def test_no_run_prunes_more_than_a_twentieth_unless_confirmed() -> None:
    old = [relation(f"s{n}", "t", 130 + n) for n in range(40)]
    plan, done = steps([], old, confirmed=False, validity=False)
    assert [s.what for s in plan.steps] == ["s39 -relates_to-> t", "s38 -relates_to-> t"]
    assert plan.held_back == 38
    _, done = steps([], old, validity=False)
    assert len(done) == 40


def test_what_nobody_says_for_half_a_year_ends_where_it_was_last_known() -> None:
    one = relation("a", "b", 181, reinforcements=2)
    plan, done = steps([], [one, relation("a", "c", 179, reinforcements=4)])
    assert ("expire", "a -relates_to-> b") in done
    assert len(done) == 1
    assert plan.steps[0].data["at"] == one.last_seen + 180 * DAY


def test_what_was_said_very_often_outlives_the_limit() -> None:
    _, done = steps([], [relation("a", "b", 181, reinforcements=5)])
    assert done == set()


def test_the_newer_of_two_that_cannot_both_hold_ends_the_older() -> None:
    older = relation("flag", "crash", 9, type="causes")
    newer = relation("flag", "crash", 2, type="prevents")
    plan, done = steps([], [older, newer, relation("flag", "else", 9, type="causes")])
    assert done == {("expire", "flag -causes-> crash")}
    assert "prevents" in plan.steps[0].why
    assert plan.steps[0].data["at"] == newer.last_seen
    _, done = steps([], [older, newer], newer_wins=False)
    assert done == set()


def test_a_thing_with_one_answer_at_a_time_has_the_newest() -> None:
    _, done = steps(
        [], [relation("a", "x", 5, type="owned_by"), relation("a", "y", 3, type="owned_by")]
    )
    assert done == {("expire", "a -owned_by-> x")}


def test_forgotten_things_without_relations_are_taken_out() -> None:
    entities = [
        Entity("old", last_seen=NOW - 200 * DAY, mentions=1),
        Entity("new", last_seen=NOW - 2 * DAY, mentions=1),
        Entity("linked", last_seen=NOW - 200 * DAY, mentions=1),
    ]
    plan, done = steps(entities, [relation("linked", "new", 2)])
    assert done == {("orphan", "old")}
    assert "200 days" in plan.steps[0].why


def test_bands_count_every_relation() -> None:
    relations = [relation("a", f"b{n}", days) for n, days in enumerate((1, 20, 50, 80, 95))]
    plan, _ = steps([], relations)
    assert plan.bands == {"strong": 1, "moderate": 1, "weak": 1, "fading": 1, "forgotten": 1}


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("efgh"), st.integers(0, 400))))
def test_a_plan_never_prunes_what_it_would_not_explain(
    edges: list[tuple[str, str, int]],
) -> None:
    relations = list({r.triple: r for r in (relation(a, b, d) for a, b, d in edges)}.values())
    plan = plan_evolution([], relations, [], SETTINGS, NOW)
    pruned = [step for step in plan.steps if step.kind == "prune"]
    assert len(pruned) <= len(relations) * 0.05
    assert all(step.why and step.what for step in plan.steps)
    told = {tuple(t) for r in operations_of(plan, "RUN") for t in (r.data or {})["relations"]}
    assert told == {tuple(s.data["relation"]) for s in plan.steps if "relation" in s.data}


def test_the_file_of_the_foundation_is_read_field_by_field() -> None:
    read = read_evolution(json.dumps(FILE).encode(), "x.json")
    assert read == EvolutionSettings(
        base_stability_days=10, reinforcement_bonus=2, strong=0.8, moderate=0.4, weak=0.2,
        forgotten=0.1, pagerank=False, damping=0.5, iterations=7, convergence=0.01,
        weighted=False, similarity=0.9, co_occurrence=3, auto_expire_days=90, newer_wins=False,
        least_weight=0.02, least_retention=0.05, orphans=False,
    )  # fmt: skip
    assert read_evolution(b"{}", "x.json") == EvolutionSettings()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"{", "x.json"),
        (b"[]", "evolution"),
        (b'{"evolution": {"pagerank": {"damping_factor": 2}}}', "damping_factor"),
        (b'{"evolution": {"pagerank": {"enabled": 1}}}', "pagerank.enabled"),
        (b'{"evolution": {"ebbinghaus_forgetting": {"base_stability_days": 0}}}', "base_stability"),
        (b'{"evolution": {"ebbinghaus_forgetting": {"reinforcement_bonus": 0.5}}}', "bonus"),
        (b'{"evolution": {"pruning": {"min_weight_threshold": "low"}}}', "min_weight_threshold"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(data: bytes, told: str) -> None:
    with pytest.raises(BadInputError, match=told):
        read_evolution(data, "x.json")


KEYS = st.sampled_from(["a", "b", "c", "d"])


def operation(n: int, name: str, **data: object) -> Operation:
    return Operation(f"{n:026d}", n, name, dict(data))


@given(st.lists(st.tuples(KEYS, KEYS), max_size=6), KEYS, KEYS)
def test_merging_and_unmerging_is_nothing(
    before: list[tuple[str, str]], into: str, key: str
) -> None:
    earlier = [operation(n, "merge", into=a, **{"from": [b]}) for n, (a, b) in enumerate(before)]
    old = Curation(earlier)
    if key in old.merged:
        return  # it would be taken out of another merge
    both = [
        operation(90, "merge", into=into, **{"from": [key]}),
        operation(91, "unmerge", entities=[key]),
    ]
    assert Curation([*earlier, *both]).merged == old.merged


@given(st.lists(st.tuples(KEYS, KEYS), max_size=12))
def test_merges_never_run_in_a_circle(pairs: list[tuple[str, str]]) -> None:
    merges = [operation(n, "merge", into=a, **{"from": [b]}) for n, (a, b) in enumerate(pairs)]
    curation = Curation(merges)
    for key in "abcd":
        assert curation.key(curation.key(key)) == curation.key(key)


@given(st.lists(st.integers(0, 6), max_size=8))
def test_undo_and_undo_of_undo_cancel(targets: list[int]) -> None:
    first = [operation(n, "prune", relations=[["a", "uses", str(n)]]) for n in range(3)]
    undos = [
        operation(10 + n, "undo", undoes=[f"{t:026d}" if t < 3 else f"{10 + t - 3:026d}"])
        for n, t in enumerate(targets)
        if t < 3 or t - 3 < n
    ]
    standing = {one.id for one in active([*first, *undos])}
    for one in [*first, *undos]:
        undone = any(one.id in u.data["undoes"] and u.id in standing for u in undos)
        assert (one.id in standing) != undone


def test_the_page_that_a_note_names_lists_the_fields_that_are_used() -> None:
    page = Path(__file__).parents[2].joinpath("docs/graph.md").read_text("utf-8")
    table = page.partition("| field below `evolution` |")[2].partition("\n\n")[0]
    listed = set()
    for row in table.splitlines()[2:]:
        first, *others = re.findall(r"`([^`]+)`", row.split("|")[1])
        above = first.rpartition(".")[0]
        listed |= {first.partition("[]")[0], *(above + name for name in others)}
    assert listed == {*_PLACES.values(), *_ALSO_READ}
