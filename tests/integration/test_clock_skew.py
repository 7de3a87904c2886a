"""Two machines whose clocks differ by an hour write one team's memory: what was done last holds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.test_postgresql_pooling import open_memories
from satchel.core.clock import FixedClock
from satchel.engine.search.documents import Filter
from satchel.features.memories.facts import facts_at
from satchel.features.memories.replacing import replacements
from satchel.features.memories.service import Memories

pytest_plugins = ["postgresql_fixtures"]

_HOUR = 3600


@pytest.fixture(params=[_HOUR, -_HOUR], ids=["ahead", "behind"])
def pair(
    request: pytest.FixtureRequest, postgresql_url: str, tmp_path: Path
) -> Iterator[tuple[Memories, Memories]]:
    """Two who share one store; the clock of the first is an hour off."""
    ann, bob = (open_memories(postgresql_url, str(tmp_path / name)) for name in ("ann", "bob"))
    assert isinstance(ann.clock, FixedClock)
    ann.clock.advance(request.param)
    yield ann, bob
    for one in (ann, bob):
        one.index.database.close()


def told(memories: Memories) -> list[str]:
    return [one.content for one in memories.live()]


def test_edits_deletions_and_restores_hold_in_the_order_they_were_made(
    pair: tuple[Memories, Memories],
) -> None:
    for first, second in (pair, pair[::-1]):
        made = first.remember("the quay is swept at noon", kind="decision")
        second.edit(made.id, "the quay is swept at six")
        assert told(first) == told(second) == ["the quay is swept at six"]
        first.edit(made.id, "the quay is swept at seven")
        assert told(first) == told(second) == ["the quay is swept at seven"]
        second.delete(made.id)
        assert told(first) == told(second) == []
        first.restore(made.id)
        assert told(first) == told(second) == ["the quay is swept at seven"]
        second.delete(made.id)


def test_the_last_word_on_a_preference_holds(pair: tuple[Memories, Memories]) -> None:
    for number, (first, second) in enumerate((pair, pair[::-1])):
        key = f"editor-{number}"
        first.remember("vim it is", kind="preference", key=key)
        second.remember("emacs it is", kind="preference", key=key)
        assert told(first)[:1] == told(second)[:1] == ["emacs it is"]
        first.remember("nano it is", kind="preference", key=key)
        held = {one.content for one in first.live() if one.key.endswith(key)}
        assert held == {"nano it is"}


def test_the_last_answer_to_a_question_with_one_holds(pair: tuple[Memories, Memories]) -> None:
    for number, (first, second) in enumerate((pair, pair[::-1])):
        for one, hour in ((first, "five"), (second, "six")):
            text = f"depot {number} | closes at | {hour}"
            one.remember(text, kind="fact", data={"single": True})
        for asked in pair:
            later = asked.clock.now() + 2 * _HOUR
            held = [fact.content for fact in facts_at(asked.live(kinds=("fact",)), later)]
            assert [text for text in held if f"depot {number}" in text] == [
                f"depot {number} | closes at | six"
            ]


def test_a_decision_replaces_what_a_fast_clock_wrote(pair: tuple[Memories, Memories]) -> None:
    for number, (first, second) in enumerate((pair, pair[::-1])):
        old = first.remember(f"Use redis for queue {number}", kind="decision")
        second.remember(f"We dropped redis, we use postgres for queue {number}", kind="decision")
        for one in pair:
            found = one.listed(Filter(kinds=("decision",)), 10)
            assert old.id in replacements(one, found)
