"""What answers are to begin or end with is a person's taste, in every project."""

from __future__ import annotations

import pytest

from satchel.application.learning.signals.taste import is_taste


@pytest.mark.parametrize(
    "said",
    [
        "Stop with the summary at the end of every answer, i read the diff anyway",
        "Skip the recap after each reply",
        "No emojis in your answers",
        "Leave out the disclaimer at the top of all your answers",
    ],
)
def test_parts_of_an_answer_are_taste(said: str) -> None:
    assert is_taste(said)


@pytest.mark.parametrize(
    "said",
    [
        "Show a summary at the end of every test run",
        "The summary at the end of the report is generated",
        "No emojis in commit messages",
        "Emojis in customer messages are stripped by the gateway",
        "Every answer of the API ends with a checksum",
    ],
)
def test_parts_of_what_is_made_are_the_projects(said: str) -> None:
    assert not is_taste(said)
