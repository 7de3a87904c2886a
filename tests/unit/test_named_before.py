"""A statement about "it" or "them" is kept with the sentence before that names the thing."""

from __future__ import annotations

import pytest

from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.scanning import scan
from satchel.clients.transcript_format.values import ASSISTANT, USER, Turn


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "the analytics key is in 1password, vault tallow. it must never end up in the repo",
            "The analytics key is in 1password, vault tallow: it must never end up in the repo",
        ),
        (
            "careful: the numbers in data.csv belong to ines. never change them yourself, ask her",
            "The numbers in data.csv belong to ines: never change them yourself, ask her",
        ),
        (
            "the fixtures in tests/data come from the vendor. don't edit them, ask for new ones",
            "The fixtures in tests/data come from the vendor: don't edit them, ask for new ones",
        ),
    ],
)
def test_the_sentence_before_names_what_a_rule_is_about(said: str, kept: str) -> None:
    assert [one.wording for one in hear(said)] == [kept]


def test_a_rule_that_names_its_object_stands_alone() -> None:
    heard = hear("the staging box is called kessel. never push to main without a review")
    assert [one.wording for one in heard][-1] == "Never push to main without a review"


def test_what_was_asked_before_does_not_name_what_this_prompt_names() -> None:
    turns = [
        Turn(USER, "how much faster is it"),
        Turn(ASSISTANT, "Three seconds."),
        Turn(
            USER,
            "the vault of the studio has the analytics key, since may i think. it must"
            " never end up in the repo",
        ),
    ]
    assert not [one for one in scan(turns) if "faster" in one.learning]
