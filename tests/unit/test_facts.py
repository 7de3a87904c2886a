import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.clock import FixedClock
from satchel.core.errors import BadInputError
from satchel.engine.search.documents import Filter
from satchel.features.memories.facts import facts_at, parse_triple, triple_data
from satchel.storage.ledger.record import Record
from satchel.testing import temporary_workspace

DAY = 86_400


def objects(facts: list[Record]) -> list[str]:
    return [str((fact.data or {})["object"]) for fact in facts]


def test_a_newer_fact_closes_the_older_and_both_are_kept() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        start = clock.now()
        workspace.remember("api | listens on | 8080", kind="fact", confidence=0.9)
        clock.advance(10 * DAY)
        workspace.remember("api | listens on | 9090", kind="fact")
        clock.advance(10 * DAY)
        workspace.remember("API | Listens On | 7070", kind="fact")
        workspace.refresh()
        facts = workspace.memories.own.facts
        assert objects(facts()) == ["7070"]
        assert objects(facts(as_of=start + 5 * DAY)) == ["8080"]
        assert objects(facts(as_of=start + 15 * DAY)) == ["9090"]
        assert facts(as_of=start - 1) == []
        assert len(workspace.memories.list(Filter(kinds=("fact",)), 10, all_versions=True)) == 3
        (old,) = facts(as_of=start + 5 * DAY)
        assert (old.confidence, old.valid_to) == (0.9, int(start + 10 * DAY))


def test_the_same_answer_again_closes_nothing() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        workspace.remember("api | port | 80", kind="fact")
        clock.advance(DAY)
        workspace.remember("api | port | 80", kind="fact")
        workspace.refresh()
        assert set(objects(workspace.memories.own.facts())) == {"80"}


def test_a_fact_that_begins_later_leaves_the_present_one_until_then() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        workspace.remember("rate | is | 5", kind="fact", data={"single": True})
        later = int(clock.now() + 30 * DAY)
        workspace.remember("rate | is | 6", kind="fact", valid_from=later)
        workspace.refresh()
        assert objects(workspace.memories.own.facts()) == ["5"]
        assert objects(workspace.memories.own.facts(as_of=later)) == ["6"]
        lesson = workspace.learn("written today")
        assert lesson.ts == int(clock.now())
        clock.advance(31 * DAY)
        assert objects(workspace.memories.own.facts()) == ["6"]


def test_a_fact_of_a_past_time_does_not_end_the_present_one() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        workspace.remember("owner | is | Ann", kind="fact")
        begin, end = int(clock.now() - 90 * DAY), int(clock.now() - 60 * DAY)
        workspace.remember("owner | is | Bob", kind="fact", valid_from=begin, valid_to=end)
        workspace.refresh()
        assert objects(workspace.memories.own.facts()) == ["Ann"]
        assert objects(workspace.memories.own.facts(as_of=begin + DAY)) == ["Bob"]
        assert workspace.memories.own.facts(as_of=end + DAY) == []


def test_a_deleted_fact_held_at_no_time() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        record = workspace.remember("api | port | 80", kind="fact")
        workspace.memories.delete(record.id)
        assert workspace.memories.own.facts(as_of=clock.now()) == []


def test_facts_are_asked_by_subject() -> None:
    with temporary_workspace() as workspace:
        workspace.remember("api | port | 80", kind="fact")
        workspace.remember("web | port | 90", kind="fact")
        workspace.remember("a sentence, not a triple", kind="fact")
        workspace.refresh()
        assert objects(workspace.memories.own.facts(about="API")) == ["80"]
        assert len(workspace.memories.own.facts()) == 3


@given(st.lists(st.tuples(st.integers(0, 50), st.sampled_from("xyz")), max_size=8), st.randoms())
def test_of_what_writers_apart_left_open_one_holds_at_each_moment_whatever_the_order(
    given_: list[tuple[int, str]], order: random.Random
) -> None:
    facts = [
        Record(
            kind="fact",
            content="c",
            id=f"{n:026d}",
            ts=start,
            valid_from=start,
            data={**triple_data("s", "p", value), "single": True},
        )
        for n, (start, value) in enumerate(given_)
    ]
    shuffled = list(facts)
    order.shuffle(shuffled)
    for moment in range(0, 51, 5):
        held = facts_at(shuffled, moment)
        assert held == facts_at(facts, moment)
        begun = [fact for fact in facts if (fact.valid_from or 0) <= moment]
        assert len(held) == (1 if begun else 0)
        if begun:
            latest = max(begun, key=lambda f: (f.valid_from or 0, f.version))
            assert held[0].id == latest.id


@pytest.mark.parametrize("text", ["a | b | c", " a|b|c "])
def test_a_triple_is_read(text: str) -> None:
    assert parse_triple(text) == ("a", "b", "c")


@pytest.mark.parametrize("text", ["a | b", "a || c", "a | b | c | d", "plain", ""])
def test_a_sentence_is_no_triple(text: str) -> None:
    assert parse_triple(text) is None


def test_a_triple_with_a_gap_is_refused_by_name() -> None:
    with pytest.raises(BadInputError, match="predicate"):
        triple_data("a", " ", "c")


def test_several_values_stand_side_by_side_unless_one_is_declared_single() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        for seats in ("200 seats", "300 seats"):
            workspace.remember(f"Acme | offered | {seats}", kind="fact")
            clock.advance(DAY)
            workspace.refresh()
        assert set(objects(workspace.memories.own.facts())) == {"200 seats", "300 seats"}
        data = {"single": True}
        written = workspace.remember("Acme | offered | 9 seats", kind="fact", data=data)
        workspace.refresh()
        assert objects(workspace.memories.own.facts()) == ["9 seats"]
        replaced = workspace.memories.replaced_by(written)
        assert set(objects(replaced)) == {"200 seats", "300 seats"}
        clock.advance(DAY)
        # What was declared once holds for the answers after it.
        workspace.remember("acme | Offered | 8 seats", kind="fact")
        workspace.refresh()
        assert objects(workspace.memories.own.facts()) == ["8 seats"]


def test_a_filter_by_a_field_that_is_not_searched_is_refused_and_does_not_match_all() -> None:
    with temporary_workspace() as workspace:
        workspace.memories.list(Filter(having=(("session", "s-1"),)), 10)
        with pytest.raises(LookupError):
            workspace.memories.list(Filter(having=(("task", "shop-1"),)), 10)
