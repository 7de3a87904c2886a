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


@pytest.mark.parametrize(
    "said",
    [
        "Don't ask me before every small edit",
        "Don't ask me for every file, just go on until the tests are green",
        "You never need to ask me before you run the formatter or the tests",
        "Je préfère que tu me répondes en anglais même si j'écris en français, pour les captures dans les PRs",
    ],
)
def test_what_one_person_lets_an_agent_do_is_taste(said: str) -> None:
    assert is_taste(said)


@pytest.mark.parametrize(
    "said",
    [
        "Ask me before anything that talks to production",
        "Never deploy without asking me",
        "Don't ask me for the password, it is in the vault",
        "Answer in German in PR comments",
    ],
)
def test_what_needs_leave_is_the_projects(said: str) -> None:
    assert not is_taste(said)
