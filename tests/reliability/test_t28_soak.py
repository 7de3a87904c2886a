"""T28: a long day's work leaves no process fatter, no descriptor open, no zombie; rest is rest."""

from pathlib import Path

import pytest

from reliability.soaking import Limits, soak
from reliability.stand import Stand, say, scale

pytestmark = pytest.mark.torture


def test_a_day_of_work_leaves_those_that_stay_as_they_were(tmp_path: Path) -> None:
    found = soak(Stand(str(tmp_path)), seconds=scale(40, 1_800), idle=scale(8, 60))
    assert found.complaints(Limits()) == {}
    assert found.acts > scale(200, 10_000)
    say("T28", found.acts, found.told())


def test_a_server_that_leaks_would_be_noticed(tmp_path: Path) -> None:
    found = soak(Stand(str(tmp_path)), seconds=12, idle=3, form="leaking")
    assert set(found.complaints(Limits())) >= {"resident", "descriptors", "zombies", "idle"}
