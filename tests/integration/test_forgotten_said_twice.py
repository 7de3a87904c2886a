"""Two machines noted the same sentence, each on its own: forgetting it on one ends it on both."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from integration.installed import needs_command
from integration.test_forgotten_stays_forgotten import holding
from integration.test_sync_cli import Two, home_of

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

LESSON = "The quokka relay listens on the seventh port behind the turbine."
RETYPED = "the Quokka relay listens on the seventh port, behind the turbine"


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path)


def assert_gone(two: Two) -> None:
    two.meet()
    assert two.both() == ([], [])
    assert holding(home_of(two.one), "uokka") == holding(home_of(two.two), "uokka") == []
    assert not [path for path, data in two.sent().items() if b"uokka" in data]


def test_a_memory_of_its_own_that_never_met_the_forgotten_one_goes(two: Two) -> None:
    two.one.ok("learn", LESSON, at=two.here)
    two.two.ok("learn", RETYPED, at=two.there)
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    assert_gone(two)


def test_a_memory_of_its_own_beside_the_synchronised_one_goes(two: Two) -> None:
    two.one.ok("learn", LESSON, at=two.here)
    two.two.ok("learn", f"{RETYPED}, always", at=two.there)
    two.one.ok("sync", "now")
    two.two.ok("sync", "now")
    assert len(two.both()[1]) == 2
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    assert_gone(two)


def test_it_leaves_the_work_tree_in_which_it_was_shared(two: Two) -> None:
    two.one.ok("remember", LESSON, at=two.here)
    two.two.ok("remember", RETYPED, at=two.there)
    two.two.ok("share", "--yes", at=two.there)
    tracked = two.there / ".satchel" / "knowledge.jsonl"
    assert "uokka" in tracked.read_text()
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    assert_gone(two)
    assert "uokka" not in tracked.read_text()


def test_an_archive_of_the_other_machine_does_not_bring_it(two: Two) -> None:
    two.one.ok("learn", LESSON, at=two.here)
    two.two.ok("learn", RETYPED, at=two.there)
    away = str(two.there.parent / "away.tar.gz")
    two.two.ok("export", away, at=two.there)
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    two.one.ok("import", away, at=two.here)
    assert holding(home_of(two.one), "uokka") == []


def test_what_somebody_says_again_after_forgetting_stays(two: Two) -> None:
    two.one.ok("learn", LESSON, at=two.here)
    two.meet()
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    time.sleep(1.1)  # a line's time is a whole second
    two.one.ok("learn", LESSON, at=two.here)
    two.meet()
    assert two.both() == ([LESSON], [LESSON])


def test_another_project_keeps_its_own(two: Two) -> None:
    two.one.ok("learn", LESSON, at=two.here)
    other = two.two.repository("other")
    two.two.ok("learn", LESSON, at=other)
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    two.meet()
    assert [one["content"] for one in two.two.json("memory", "list", at=other)] == [LESSON]
