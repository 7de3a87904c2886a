"""A fact that is given another value in passing is suggested in place of the old one."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.transcripts_made import Transcript
from satchel.application.learning.reflection import changes_in_passing
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing.review import Review
from satchel.core.clock import FixedClock
from satchel.features.proposals.values import Proposal
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

KNOWN = "Baudrate is 921600 on all boards"
CHANGED = "baudrate is 1M now, 921600 dropped bytes on the new hub"
#: Before the transcript's own time.
EARLIER = 1_767_000_000.0


def suggested(work: Workspace, folder: Path, said: str) -> list[Proposal]:
    talk = Transcript(work.project.place.root).person(said).agent("Done.")
    return list(Reflection(work).reflect(paths=[talk.write(str(folder / "s.jsonl"))]).proposed)


def test_a_remembered_fact_that_changed_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with temporary_workspace(clock=FixedClock(EARLIER)) as work:
        work.learn(KNOWN, trust="user")
        (made,) = suggested(work, tmp_path, CHANGED)
        assert made.title == "Baudrate is 1M now, 921600 dropped bytes on the new hub"
        with Review(work) as review:
            review.answer("Y")
        told = work.briefs.session().text
        assert "Baudrate is 1M now" in told
        assert KNOWN not in told
    with temporary_workspace(clock=FixedClock(EARLIER)) as work:
        # Seeded bug: nothing that is known changes.
        monkeypatch.setattr(changes_in_passing, "changed", lambda *_: None)
        work.learn(KNOWN, trust="user")
        assert suggested(work, tmp_path, CHANGED) == []


@pytest.mark.parametrize(
    "said",
    [
        "baudrate is 1M for now, i only want to see whether it works",
        "is the baudrate 1M now?",
        "the baudrate is 1M now right, or",
        "the sample rate is 50 now, 921600 was something else",
        "next week the baudrate is 1M",
    ],
)
def test_what_is_asked_planned_or_only_tried_changes_nothing(tmp_path: Path, said: str) -> None:
    with temporary_workspace(clock=FixedClock(EARLIER)) as work:
        work.learn(KNOWN, trust="user")
        assert suggested(work, tmp_path, said) == []


def test_without_the_earlier_value_it_is_of_the_moment(tmp_path: Path) -> None:
    with temporary_workspace(clock=FixedClock(EARLIER)) as work:
        assert suggested(work, tmp_path, CHANGED) == []


@pytest.mark.parametrize(
    "said",
    [
        "I measured again: it's 2.1 not 1.9",
        "no, it isn't 1.9, it's 2.1",
        "it should be 2.1 degrees, not 1.9",
    ],
)
def test_a_wrong_value_of_what_is_not_named_is_set_right(tmp_path: Path, said: str) -> None:
    with temporary_workspace(clock=FixedClock(EARLIER)) as work:
        work.learn("The sensor reads 1.9 degrees too high, we subtract that", trust="user")
        work.learn("the radio needs 3.3 volts", trust="user")
        (made,) = suggested(work, tmp_path, said)
        assert made.title == "The sensor reads 2.1 degrees too high, we subtract that"
        with Review(work) as review:
            review.answer("Y")
        told = work.briefs.session().text
        assert "2.1 degrees" in told
        assert "1.9" not in told


def test_a_plain_number_is_set_right_only_where_the_talk_names_what_it_is(tmp_path: Path) -> None:
    with temporary_workspace(clock=FixedClock(EARLIER)) as work:
        work.learn("Sessions expire after 90 days", trust="user")
        assert suggested(work, tmp_path, "make the margin smaller, it's 80 not 90") == []
        (made,) = suggested(work, tmp_path, "the sessions live too long. it's 80, not 90")
        assert made.title == "Sessions expire after 80 days"


@pytest.mark.parametrize("said", ["it's 2.1 not 1.9?", "it's 2.1 not 1.95", "it's 2 not 3"])
def test_a_value_that_nothing_or_more_than_one_thing_has_is_left(tmp_path: Path, said: str) -> None:
    with temporary_workspace(clock=FixedClock(EARLIER)) as work:
        work.learn("The sensor reads 1.9 degrees too high, we subtract that", trust="user")
        assert suggested(work, tmp_path, said) == []
        work.learn("the pump starts at 1.9 bar", trust="user")
        assert suggested(work, tmp_path, "it's 2.1 not 1.9") == []
