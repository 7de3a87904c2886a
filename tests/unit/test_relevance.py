"""The gate: what concerns a prompt passes, what is about something else does not, in every store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from satchel.application.recall import relevance
from satchel.application.recall.relevance import Relevant, relevant_memories
from satchel.core.kinds import kinds_with_prompt
from satchel.engine.ranking.relevance import (
    Calibration,
    Chance,
    Scale,
    Signals,
    above,
    as_data,
    from_data,
    likelihood,
    typical,
)
from satchel.engine.search.calibration import is_stale, known_calibration, unrelated_prompts
from satchel.features.memories.embedding import calibrate_anew
from satchel.storage.ledger.record import Record
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

#: A memory, and a prompt that it concerns, not in the same words throughout.
TAUGHT = (
    (
        "Invoices are numbered by the ledger service; never take a number from the orders table",
        "the invoice numbers have gaps, where does the ledger service take the next number from?",
    ),
    (
        "The barcode scanner sends a carriage return after each code; strip it before the lookup",
        "scanning a barcode finds no article, I think the scanner adds a character to the code",
    ),
    (
        "Harbour pilots log in with their badge, so passwords are optional for the role pilot",
        "add a password reset for harbour pilots",
    ),
    (
        "Tide tables come from the hydrographic office as fixed-width text in local time",
        "parse the new tide tables of the hydrographic office",
    ),
    (
        "The crane simulator needs the GPU driver 535; newer ones draw the cables black",
        "cables are black in the crane simulator since the GPU driver update",
    ),
    (
        "Container weights are kilograms in the manifest and pounds in the American feed",
        "container weights from the American feed look twice too heavy in the manifest",
    ),
    (
        "Berth reservations are released after 45 minutes without a position report",
        "a berth reservation vanished although the ship sent its position report",
    ),
    (
        "The customs export must stay XML 1.0: the authority rejects entities above U+FFFF",
        "customs authority rejects our XML export because of an emoji",
    ),
)
#: None of them is among the prompts that stores are calibrated by.
FOREIGN = (
    "what is the meaning of life",
    "make the sidebar collapsible on small screens",
    "can you add a test for this function?",
    "why is the build red again on windows",
    "implement the plan from the issue and open a pull request when you are done",
    "the animation of the menu stutters in safari",
    "write a haiku about spring",
    "set up eslint with the recommended rules and fix what it finds",
    "replace the spinner by a progress bar",
    "explain this regular expression to me",
    "our users want to sign in with google, add it next to the mail form",
    "the chart library draws the legend over the bars, move it below them",
    "delete the old screenshots and squash the last three commits",
    "let us use a queue between the web server and the mailer so that requests return at once",
    "how would you split this component into two",
    "the podcast feed lacks the episode length",
    "translate the onboarding texts to Portuguese",
    "add a health check to the docker compose file",
    "I want a recipe site where visitors can rate dishes and save them in a cookbook",
    "train the spam filter again with the mails of last month",
)


@contextmanager
def store(count: int, *, more: int = 0, codes: bool = True) -> Iterator[Workspace]:
    """Open a workspace with some of the lessons, and so many about other parts of the port."""
    with temporary_workspace() as workspace:
        lessons = [text for text, _ in TAUGHT[:count]]
        parts = ("quay", "locks", "tugs", "fees", "radar", "ferry", "dredging", "fuel", "radio")
        lessons += [
            f"The {parts[n % 9]} report {n} is written by {parts[n // 9 % 9]} crew {n % 17} at noon"
            for n in range(more)
        ]
        records = [Record(kind="learned", key=f"k{n}", content=t) for n, t in enumerate(lessons)]
        workspace.memories.stores.ledgers.private("learned").append(records)
        workspace.refresh()
        table = workspace.models.table()
        database = workspace.memories.own.index.database
        if codes and table is not None:
            rows = database.read("SELECT doc_id, content FROM documents")
            with database.transaction():
                for row, text in rows:
                    database.write("INSERT INTO codes VALUES (?, ?)", (row, table.code(str(text))))
        yield workspace


def answered(workspace: Workspace, count: int) -> tuple[int, int]:
    """Count own prompts whose memory comes first, and foreign ones that get anything."""

    def ask(prompt: str) -> list[str]:
        least = workspace.project.settings.number("prompt.min_confidence")
        found = relevant_memories(workspace, prompt, kinds=kinds_with_prompt(), least=least)
        return [one.record.content for one in found]

    own = sum(ask(prompt)[:1] == [text] for text, prompt in TAUGHT[:count])
    return own, sum(bool(ask(prompt)) for prompt in FOREIGN)


@pytest.mark.parametrize("calibrated", [True, False])
@pytest.mark.parametrize("codes", [True, False])
@pytest.mark.parametrize(("count", "more"), [(1, 0), (4, 0), (8, 0), (8, 150), (8, 1000)])
def test_small_and_large_stores_tell_own_from_foreign_prompts(
    count: int, more: int, *, codes: bool, calibrated: bool
) -> None:
    with store(count, more=more, codes=codes) as workspace:
        if calibrated:
            assert calibrate_anew(workspace.memories.own, workspace.models)
        own, foreign = answered(workspace, count)
        assert own >= count * 0.75
        assert foreign <= 1


def test_a_gate_that_knows_no_chance_answers_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seeded bug: whatever shares words counts, as if chance never brought any."""
    none = Chance(0.0, 0.0, 0.01)
    scale = Scale((none, none), none, (0.0, 0.1, 0.2, 0.3, 0.4))
    monkeypatch.setattr(relevance, "chance_in", lambda *_: Calibration(1000, None, scale))
    monkeypatch.setattr(relevance, "_shares", lambda *_: True)
    with store(8, more=150) as workspace:
        _, foreign = answered(workspace, 8)
        assert foreign > 3


def test_no_foreign_prompt_is_one_that_stores_are_calibrated_by() -> None:
    known = set(unrelated_prompts())
    assert len(known) == 168
    assert not known & set(FOREIGN)


def test_a_calibration_is_kept_with_the_index_and_made_anew_when_the_store_has_changed() -> None:
    with store(8) as workspace:
        own, database = workspace.memories.own, workspace.memories.own.index.database
        assert known_calibration(database) is None
        assert calibrate_anew(own, workspace.models)
        assert not calibrate_anew(own, workspace.models)
        known = known_calibration(database)
        assert known is not None
        assert known.documents == 8
        for number in range(3):
            workspace.learn(f"One more thing about the port, number {number}")
        workspace.refresh()
        assert is_stale(database)
        assert calibrate_anew(own, workspace.models)
        workspace.rebuild()
        assert known_calibration(workspace.memories.own.index.database) is None


def test_a_damaged_calibration_is_as_good_as_none() -> None:
    with store(4) as workspace:
        database = workspace.memories.own.index.database
        for damaged in ("", "{}", "[1]", "[1, 2, 3]", "[4, null, [[[1, 2]], [1, 2, 3], [1]]]"):
            with database.transaction():
                database.write("INSERT OR REPLACE INTO meta VALUES ('relevance', ?)", (damaged,))
            assert known_calibration(database) is None


@pytest.mark.parametrize("count", [0, 1, 3, 50, 51, 700, 40_000, 1_000_000])
def test_a_typical_store_can_be_written_and_read_and_grows_smoothly(count: int) -> None:
    one = typical(count)
    assert from_data(as_data(one)) == one
    for scale in (one.full, one.words):
        assert scale is not None
        assert all(line.spread > 0 for line in (*scale.signals, scale.total))
        heights = [scale.confidence(height / 10) for height in range(-30, 60)]
        assert heights == sorted(heights)
        assert 0 <= heights[0] <= heights[-1] <= 1
        assert scale.confidence(scale.tail[-1]) == pytest.approx(0.98)


def test_stronger_signals_are_surer() -> None:
    chance = typical(500)
    weak, strong = Signals(3.0, 0.4, 0.6), Signals(6.0, 1.0, 0.75)
    assert chance.judge(weak, 8)[1] < 0.9
    assert chance.judge(strong, 8)[1] > 0.99
    assert chance.judge(strong, 8)[1] > chance.judge(strong._replace(meaning=0.5), 8)[1]


def test_what_is_far_behind_the_best_does_not_ride_along() -> None:
    assert above([(2.0, 0.98), (8.0, 1.0), (3.0, 0.99), (4.5, 0.999)], 0.98, 0.5) == [1, 3]
    assert above([(1.0, 0.9)], 0.98, 0.5) == []


def test_it_is_said_how_often_such_a_memory_answers_not_how_rare_chance_is() -> None:
    assert 0.4 < likelihood(0.98, best=True) < 0.6
    assert 0.9 < likelihood(0.9999, best=True) < 0.97 > likelihood(1.0, best=True)
    said = [likelihood(share / 1000, best=True) for share in range(980, 1001)]
    assert said == sorted(said)
    assert all(likelihood(one, best=False) < likelihood(one, best=True) for one in (0.98, 1.0))


def test_what_rides_along_and_hardly_answers_is_left_out() -> None:
    weak, strong = (Relevant(Record(kind="learned"), "", share) for share in (0.985, 0.9999))
    assert len(relevance._likely([weak, weak])) == 1
    assert len(relevance._likely([weak, strong])) == 2
