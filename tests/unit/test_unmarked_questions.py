"""A question is none of the things to keep, also without a question mark."""

from __future__ import annotations

import pytest

from satchel.application.learning.signals.hearing import hear


@pytest.mark.parametrize(
    "question",
    [
        "when do playtest builds go out",
        "when does the nightly backup of the database run",
        "when are release builds made these days",
    ],
)
def test_a_question_about_a_time_needs_no_question_mark(question: str) -> None:
    assert not hear(question)
