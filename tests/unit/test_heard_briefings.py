"""A person who briefs the agent about the project says more that lasts than in a month of tasks."""

import pytest

from benchmarks.hearing import CORPUS, corpus
from satchel.application.learning.signals import lasting, statements
from satchel.application.learning.signals.briefings import TASK, Told, told_for
from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.own_words import own_words, sentences

SAID = corpus(CORPUS.with_name("briefings.tsv"))
TEXTS = [one.text for one in SAID if one.kind == "lasting"]


def share_heard() -> float:
    """Return the share of the sentences of the briefings that are in a lesson."""
    told = [
        (one, text) for text in TEXTS for one in told_for(sentences(own_words(text))) if one.text
    ]
    heard = {text: " ".join(one.wording.lower() for one in hear(text)) for text in TEXTS}
    return sum(one.text.strip(" .").lower() in heard[text] for one, text in told) / len(told)


def test_most_of_a_briefing_is_heard() -> None:
    assert share_heard() >= 0.8


def test_a_briefing_taken_for_any_turn_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded bug."""
    monkeypatch.setattr(statements, "told_for", lambda said, _="": [Told(one) for one in said])
    assert share_heard() < 0.7


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


def test_what_announces_a_briefing_names_no_subject() -> None:
    (one,) = hear("Some background. It is a monorepo with three apps.")
    assert one.wording == "It is a monorepo with three apps"


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
    told = {one.text: one for one in told_for(said)}
    assert told["The hub is a gateway."].briefs
    assert told["Sites have one."].briefs
    assert told["Now add a site."].purpose == told["It has a name."].purpose == TASK


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
    told = told_for(sentences(f"{begins} It is odd. It was fine before."))
    assert not any(one.briefs for one in told)


def test_a_short_turn_is_taken_as_it_is() -> None:
    said = ["Fix it.", "It never expires."]
    assert told_for(said) == [Told(one) for one in said]
    assert lasting.TASK_LASTS > lasting.LASTS > lasting.BRIEFING_LASTS


@pytest.mark.parametrize(
    ("said", "wordings"),
    [
        (
            "Please follow these rules in this project:\n- use tabs\n- no semicolons\n- tests with vitest, not jest",
            ["Use tabs", "No semicolons", "Tests with vitest, not jest"],
        ),
        (
            "Set up the project. Our rules:\n1. TypeScript strict\n2. No any",
            ["TypeScript strict", "No any"],
        ),
        (
            "## Conventions\n- Python 3.12\n- no print statements\n\n## Task\nWrite a script that converts the csv.",
            ["Python 3.12", "No print statements"],
        ),
        (
            "Always:\n- run make fmt before committing\nNever:\n- push to main\n- edit generated files",
            ["Always run make fmt before committing", "Never push to main", "Never edit generated files"],
        ),
        (
            "fix the login bug.\n\nRemember for later:\n- staging is behind the vpn\n- the test user is qa@acme.io",
            ["Staging is behind the vpn", "The test user is qa@acme.io"],
        ),
        (
            "hi, our team rules are:\n1. no force push\n2. tickets in the branch name\nnow fix issue 12",
            ["No force push", "Tickets in the branch name"],
        ),
        (
            "Regeln:\n- Kommentare auf Englisch\n- keine default exports\nNiemals:\n- auf main pushen",
            ["Kommentare auf Englisch", "Keine default exports", "Niemals auf main pushen"],
        ),
        ("règles:\n- pas de any\n- commits en anglais", ["Pas de any", "Commits en anglais"]),
        ("my preferences:\n- short answers\n- no emojis", ["Short answers", "No emojis"]),
    ],
)  # fmt: skip
def test_each_item_of_a_list_of_rules_is_a_lesson(said: str, wordings: list[str]) -> None:
    assert [one.wording for one in hear(said)] == wordings


@pytest.mark.parametrize(
    "said",
    [
        "Add a settings page with:\n- a field for the name\n- a button that deletes the account\n- never show the api key",
        "acceptance criteria:\n- session lasts 30 days\n- logout removes the cookie\n- never store the token in localStorage",
        "Please fix:\n1. the header is too small\n2. the footer is always visible\n3. dates are in US format",
        "Implement the import:\n- read the file as latin-1\n- never overwrite existing customers",
        "I see three bugs:\n- login always fails on the second try\n- the avatar is never updated",
        "Write a validator for signups. Rules:\n- the name must not be empty\n- emails are unique",
        "# Feature: invitations\n\n## Constraints\n- don't change the public types\n- no new dependencies",
        "Bitte beheben:\n- der header ist immer zu klein\n- die Daten sind nie aktuell",
        "Ajoute une page avec:\n- un champ nom\n- jamais afficher la clé",
        "Questions:\n1. do we always use utc?\n2. who owns the queue?",
    ],
)
def test_items_of_a_list_of_what_is_to_be_done_are_none(said: str) -> None:
    assert hear(said) == []
