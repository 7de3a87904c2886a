"""A person who briefs the agent about the project says more that lasts than in a month of tasks."""

import pytest

from benchmarks.hearing import CORPUS, corpus
from satchel.application.learning.signals import briefings, hearing
from satchel.application.learning.signals.briefings import (
    BACKGROUND,
    BRIEFINGS,
    RULES,
    TASK,
    told_for,
)
from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.own_words import own_words, sentences

SAID = corpus(CORPUS.with_name("briefings.tsv"))
TEXTS = [one.text for one in SAID if one.kind == "lasting"]


def share_heard() -> float:
    """Return the share of the sentences of the briefings that are in a lesson."""
    told = [(one, text) for text in TEXTS for one in told_for(sentences(own_words(text)))[0]]
    heard = {text: " ".join(one.wording.lower() for one in hear(text)) for text in TEXTS}
    return sum(one.strip(" .").lower() in heard[text] for one, text in told) / len(told)


def test_most_of_a_briefing_is_heard() -> None:
    assert share_heard() >= 0.7


def test_a_briefing_taken_for_any_turn_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded bug."""
    plain = lambda said: (list(said), [""] * len(said))  # noqa: E731 -- what it is told for is lost
    monkeypatch.setattr(briefings, "told_for", plain)
    assert share_heard() < 0.6


@pytest.mark.parametrize("text", [one.text for one in SAID if one.kind == "passing"])
def test_what_only_begins_like_a_briefing_teaches_next_to_nothing(text: str) -> None:
    assert len(hear(text)) <= 1


def test_what_announces_a_briefing_is_no_part_of_the_lesson() -> None:
    said = "Our conventions: snake_case in python. Files are named after their class."
    assert [one.wording for one in hear(said)] == [
        "snake_case in python",
        "Files are named after their class",
    ]


def test_rules_become_rules_and_background_facts_each_by_itself() -> None:
    rules = "Our conventions: one component per file. Texts via t(). No inline styles."
    assert [(one.label, one.wording) for one in hear(rules)] == [
        ("correction", "One component per file"),
        ("correction", "Texts via t()"),
        ("correction", "No inline styles"),
    ]
    told = "Some context. Payments go through Adyen. Refunds are only possible within 14 days."
    assert [(one.label, one.wording) for one in hear(told)] == [
        ("fact", "Payments go through Adyen"),
        ("fact", "Refunds are only possible within 14 days"),
    ]


@pytest.mark.parametrize(
    "announcement",
    [
        "Some background before we start.",
        "Quick intro:",
        "A few things about this project:",
        "Things to know.",
        "Context for you:",
        "Rules for this repo.",
        "How we work here:",
        "Here's how we work.",
        "You should know a few names.",
        "What you should know about this repo:",
        "House rules:",
        "A few notes on the data.",
    ],
)
def test_it_is_announced_in_many_ways_and_ends_with_a_request(announcement: str) -> None:
    said = sentences(
        f"{announcement} The hub is a gateway. Sites have one. Now add a site. It has a name."
    )
    bare, purposes = told_for(said)
    purpose = dict(zip(bare, purposes, strict=True))
    assert purpose["The hub is a gateway."] == purpose["Sites have one."]
    assert purpose["Sites have one."] in BRIEFINGS
    assert purpose["Now add a site."] == purpose["It has a name."] == TASK


@pytest.mark.parametrize(
    "begins",
    [
        "Some background on the bug: it happens twice.",
        "A few things are still broken: the button.",
        "The rules of the game: each player has four cards.",
        "Background jobs are slow today.",
        "Context menus open twice.",
    ],
)
def test_what_is_wrong_or_built_is_no_briefing(begins: str) -> None:
    told = told_for(sentences(f"{begins} It is odd. It was fine before."))[1]
    assert not {BACKGROUND, RULES} & set(told)


def test_a_short_turn_is_taken_as_it_is() -> None:
    assert told_for(["Fix it.", "It never expires."])[1] == ["", ""]
    assert hearing.TASK_LASTS > hearing.LASTS > hearing.BRIEFING_LASTS
