import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.scope import Scope
from satchel.engine.ranking.boosts import bounded, recency
from satchel.engine.ranking.fusion import reciprocal_rank_fusion
from satchel.features.memories.scoped import read_scoped, scoped_relevance
from satchel.storage.ledger.record import Record
from unit.records import records

DAY = 86_400
NOW = 100 * DAY
HERE = Scope("T", "E")


@pytest.mark.parametrize(
    ("fields", "score"),
    [
        # .4 * relevance + .3 * (1 - age/30) + .2 * proximity + .1 * kind
        ({"kind": "constraint", "task": "T", "ts": NOW, "relevance": 1.0}, 0.4 + 0.3 + 0.2 + 0.03),
        ({"kind": "decision", "epic": "E", "ts": NOW - 15 * DAY, "relevance": 0.5},
         0.2 + 0.15 + 0.14 + 0.02),
        ({"kind": "checkpoint", "ts": NOW - 30 * DAY, "relevance": 0.0}, 0.0 + 0.0 + 0.06 + 0.01),
        ({"kind": "learned", "ts": NOW - 300 * DAY}, 0.4 + 0.0 + 0.06 + 0.0),
        ({"kind": "learned", "ts": NOW + 50 * DAY, "task": "U"}, 0.4 + 0.3 + 0.06),
        ({"kind": "learned", "ts": NOW, "task": "U", "epic": "E"}, 0.4 + 0.3 + 0.06),
        ({"kind": "learned", "ts": NOW, "relevance": 7.0}, 0.4 + 0.3 + 0.06),
        ({"kind": "learned", "ts": NOW + 9 * DAY, "wall": NOW - 15 * DAY}, 0.4 + 0.15 + 0.06),
    ],
)  # fmt: skip
def test_the_formula_of_beads_console_by_hand(fields: dict[str, object], score: float) -> None:
    assert scoped_relevance(Record(**fields), HERE, NOW) == pytest.approx(score)  # type: ignore[arg-type]


@given(records())
def test_no_memory_scores_outside_the_formulas_bounds(record: Record) -> None:
    assert 0.0 <= scoped_relevance(record, HERE, NOW) <= 0.93 + 1e-9


SOUP = [
    Record(kind="learned", id="1", task="T", content="task"),
    Record(kind="decision", id="2", task="T", epic="E", content="task, with its epic"),
    Record(kind="decision", id="3", epic="E", content="epic"),
    Record(kind="decision", id="4", task="U", epic="E", content="sibling task"),
    Record(kind="learned", id="5", content="project-wide, no constraint"),
    Record(kind="decision", id="6", content="project-wide, no constraint"),
    Record(kind="constraint", id="7", content="project constraint"),
    Record(kind="constraint", id="8", task="U", content="constraint of another task"),
    Record(kind="constraint", id="9", epic="F", content="constraint of another epic"),
    Record(kind="constraint", id="10", task="T", content="constraint of the task"),
    Record(kind="learned", id="11", task="V", content="another task"),
    Record(kind="learned", id="12", epic="F", content="another epic"),
]


def ids(found: tuple[Record, ...]) -> set[str]:
    return {record.id for record in found}


def test_scoped_reading_has_the_four_steps_of_beads_console_and_no_soup() -> None:
    scoped = read_scoped(SOUP, HERE, NOW)
    assert ids(scoped.task) == {"1", "2", "10"}
    assert ids(scoped.epic) == {"3"}
    assert ids(scoped.project) == {"7"}
    assert ids(scoped.active) == {"8", "9"}


def test_without_a_task_only_constraints_are_read() -> None:
    scoped = read_scoped(SOUP, Scope(), NOW)
    assert (scoped.task, scoped.epic) == ((), ())
    assert ids(scoped.project) | ids(scoped.active) == {"7", "8", "9", "10"}


def test_an_epic_alone_reads_its_own_and_constraints() -> None:
    scoped = read_scoped(SOUP, Scope("", "E"), NOW)
    assert ids(scoped.epic) == {"3"}
    assert scoped.task == ()


def test_kinds_narrow_every_step() -> None:
    scoped = read_scoped(SOUP, HERE, NOW, kinds=("decision",))
    assert ids(tuple(scoped.all())) == {"2", "3"}


@given(st.lists(records(), max_size=12, unique_by=lambda r: r.id), st.randoms())
def test_each_memory_stands_in_one_step_at_most_whatever_the_order(
    held: list[Record], order: object
) -> None:
    scope = Scope(held[0].task, held[0].epic) if held else Scope()
    scoped = read_scoped(held, scope, NOW)
    shuffled = list(held)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    assert read_scoped(shuffled, scope, NOW) == scoped
    every = [record.id for record in scoped.all()]
    assert len(every) == len(set(every))
    for step in scoped:
        scores = [scoped_relevance(record, scope, NOW) for record in step]
        assert scores == sorted(scores, reverse=True)


@given(st.floats(0, 1), st.floats(-5, 5))
def test_a_boost_stays_within_half_its_weight(alpha: float, norm: float) -> None:
    assert 1 - alpha / 2 - 1e-9 <= bounded(alpha, norm) <= 1 + alpha / 2 + 1e-9


@given(st.floats(-1e9, 1e9), st.floats(0, 1e9))
def test_recency_falls_with_age_and_the_future_is_now(age: float, more: float) -> None:
    assert 0.1 <= recency(age + more) <= recency(age) <= 1.0


def test_rank_fusion_by_hand() -> None:
    fused = reciprocal_rank_fusion([["a", "b"], ["b", "c"]])
    assert [thing for thing, _ in fused] == ["b", "a", "c"]
    assert [score for _, score in fused] == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62])
    assert reciprocal_rank_fusion([["a"], ["b"]], weights=(1.0, 2.0))[0][0] == "b"


@given(st.lists(st.lists(st.sampled_from("abcdef"), unique=True), max_size=4))
def test_fusion_holds_everything_once_and_nothing_else(rankings: list[list[str]]) -> None:
    fused = [thing for thing, _ in reciprocal_rank_fusion(rankings)]
    assert sorted(fused) == sorted({thing for ranking in rankings for thing in ranking})
