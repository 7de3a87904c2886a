"""Why something failed, told in plain words once the same command passes."""

import pytest

from satchel.application.learning.signals.causes import cause_in
from satchel.application.learning.signals.lesson_filter import why_dropped
from satchel.application.learning.signals.scanning import scan
from satchel.clients.transcript_format.values import Turn

#: How agents tell it.
WAYS = (
    "Found it. The issue was that the export opens one connection for each row and the pool only has 20. I changed it to one cursor.",
    "The bug: the export opened a connection per row and exhausted the pool. Fixed by using a single cursor for the whole file.",
    "The export was failing because every row opened its own connection, and the pool has 20. Now it uses one cursor.",
    "It turned out that the export opened one connection per row, which exhausted the pool. I switched it to one cursor.",
    "**Cause:** each row opened its own connection until the pool ran out.\n**Fix:** one cursor for the whole export.",
    "**What was wrong:** each row opened its own connection until the pool ran out.\n**What I changed:** one cursor for the whole export.",
    "**Why it failed:** each row opened its own connection until the pool ran out.",
    "**Problem**: each row opened its own connection until the pool ran out.\n**Solution**: one cursor for the whole export.",
    "The failure came from opening a connection per row: the pool has 20. One cursor fixes it.",
    "The timeout was caused by the export opening a new connection for every row. It reuses one cursor now.",
    "All tests pass now. The timeout happened because the export opened a new connection for every row; it reuses one cursor now.",
    "Fixed. The pool was exhausted because the export opened a connection per row instead of sharing one cursor.",
    "The reason is that monday's file is the first with more than 20 rows, and each row opens its own connection.",
    "The culprit was the retry decorator: it opened a second connection before the first was released.",
    "Root cause found: the retry decorator opened a second connection before the first was released.",
    "The underlying problem was the retry decorator, which opened a second connection before the first was released.",
    "Done! The export works again. The problem was in the retry logic, it opened a second connection before the first was released.",
    "Turns out the retry decorator opens a second connection before the first is released, so I moved the release up.",
    "The test was flaky because the clock was read twice, once before and once after midnight UTC. I freeze it now.",
)


def mended(answer: str) -> list[str]:
    """Return the lessons of a failure that an edit ended, and of the answer after it."""
    failed = ("Exit code 1 E   TideError: gate closed",)
    turns = [
        Turn("assistant", "", 0.0, "a0", ("Bash: pytest -q tests/quay",), failed),
        Turn("assistant", "", 1.0, "a1", ("Edit: /repo/gate.py",)),
        Turn("assistant", "", 2.0, "a2", ("Bash: pytest -q tests/quay",)),
        Turn("assistant", answer, 3.0, "a3"),
    ]
    return [one.learning for one in scan(turns) if not why_dropped(one)]


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (
            "Green again. The gate stayed shut because the tide table is read in local time, not UTC.",
            "The gate stayed shut because the tide table is read in local time, not UTC.",
        ),
        (
            "The crane stopped because the driver had been logged in twice since the last change. The gate now asks first.",
            "The crane stopped because the driver had been logged in twice since the last change. The gate now asks first.",
        ),
        (
            "The bug: two boats were given the same berth when both radioed within a second. Fixed by a lock.",
            "The bug: two boats were given the same berth when both radioed within a second. Fixed by a lock.",
        ),
        (
            "**What was wrong:** the harbour clock drifts by a minute every night.\n**What I changed:** it is set before each opening.",
            "What was wrong: the harbour clock drifts by a minute every night. What I changed: it is set before each opening.",
        ),
        (
            "It turned out that the crane driver logs in twice, and the second login closes the gate.",
            "It turned out that the crane driver logs in twice, and the second login closes the gate.",
        ),
        (
            "The gate failed because tides.base.json is not picked up in the packages; I added `parserOptions.project`.",
            "The gate failed because tides.base.json is not picked up in the packages. I added `parserOptions.project`.",
        ),
    ],
)
def test_a_cause_in_plain_words_is_a_lesson_with_its_message(answer: str, cause: str) -> None:
    assert mended(answer) == [f"{cause} (`pytest` failed: TideError: gate closed)"]


@pytest.mark.parametrize(
    "answer",
    [
        "The test failed because of a typo in my last edit, it is gone from the gate now.",
        "It failed because I forgot to save the file with the opening hours of the gate.",
        "The gate probably stays shut because the tide table is read in local time.",
        "As expected, the tests failed because they still assert the old opening hours.",
        "All green. I updated the opening hours in the table.",
    ],
)
def test_a_slip_a_guess_and_a_report_are_none(answer: str) -> None:
    assert cause_in(answer) == ""
    assert mended(answer) == []


@pytest.mark.parametrize("answer", WAYS)
def test_each_way_to_tell_a_cause_is_a_lesson(answer: str) -> None:
    (lesson,) = mended(answer)
    assert lesson.endswith("(`pytest` failed: TideError: gate closed)")
