"""What is said to last is heard; what is said of the moment is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.hearing import CORPUS, Said, corpus
from satchel.application.learning.signals import lasting, likelihood
from satchel.application.learning.signals.hearing import hear, heard, may_last
from satchel.engine.inference.static import open_table


def share_heard(said: list[Said]) -> float:
    found = [bool(hear(one.text, rejected=one.where == "rejected")) for one in said]
    return sum(found) / len(found)


@pytest.mark.parametrize("held_out", [False, True])
def test_of_the_corpus_what_lasts_is_heard_and_what_passes_is_not(*, held_out: bool) -> None:
    part = [one for one in corpus() if one.held_out == held_out]
    lasting = [one for one in part if one.kind == "lasting" and one.where != "rejected"]
    rejected = [one for one in part if one.kind == "lasting" and one.where == "rejected"]
    passing = [one for one in part if one.kind == "passing"]
    assert share_heard(lasting) >= 0.85
    assert share_heard(rejected) >= 0.80
    assert share_heard(passing) <= 0.06


def test_without_the_table_of_vectors_words_alone_do_nearly_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weights, _ = likelihood.learnt()
    monkeypatch.setattr(likelihood, "_kept", [(weights, None)])
    out = [one for one in corpus() if one.held_out and one.where == "plain"]
    assert share_heard([one for one in out if one.kind == "lasting"]) >= 0.80
    assert share_heard([one for one in out if one.kind == "passing"]) <= 0.08


def test_a_form_that_words_do_not_bear_out_would_be_heard_too_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lasting, "LASTS", 0.0)  # the seeded bug
    out = [one for one in corpus() if one.held_out and one.kind == "passing"]
    assert share_heard(out) > 0.10


def test_the_weights_belong_to_the_table_that_is_installed() -> None:
    weights, table = likelihood.learnt()
    installed = open_table()
    assert installed is None or (table is not None and weights.identity == installed.identity)


@given(st.text(max_size=300))
def test_a_likelihood_is_a_share_whatever_was_said(text: str) -> None:
    assert 0.0 <= likelihood.likelihood(text, likelihood.form_in(text)) <= 1.0


@pytest.mark.parametrize(
    ("said", "wording"),
    [
        (
            "we always run `uv run pytest -q`, please remember that",
            "We always run `uv run pytest -q`",
        ),
        ("I told you not to use autogenerate!!", "Don't use autogenerate"),
        ("no, use pnpm here, not npm", "Use pnpm, not npm"),
        ("also remember that order numbers start with KB-", "Order numbers start with KB-"),
        ("remember: never log in as root -", "Never log in as root"),
        ("hm the rates api is limited to 10 requests", "The rates api is limited to 10 requests"),
        ("I don't agree, we use unions because they erase", "We use unions because they erase"),
        ("use bottleneck for it, p-limit has no window", "Use bottleneck, p-limit has no window"),
        ("I prefer early returns, you nested again", "Prefer early returns"),
        (
            "Tomas is right that staged migrations are overkill for small tables",
            "Staged migrations are overkill for small tables",
        ),
        (
            "add DPD as a carrier. they send times without a timezone, always CET",
            "Add DPD as a carrier: they send times without a timezone, always CET",
        ),
        ("remember that customers can have two addresses", "Customers can have two addresses"),
        ("for the record, the sandbox rejects 31.5 kg", "The sandbox rejects 31.5 kg"),
        ("make a note that event codes are not unique", "Event codes are not unique"),
        (
            'for future reference the sandbox key is in 1password under "carrier sandbox"',
            'The sandbox key is in 1password under "carrier sandbox"',
        ),
        ("remember: the staging db resets every night", "The staging db resets every night"),
        ("I told you already, tests live in tests/unit", "Tests live in tests/unit"),
        ("that's wrong, the port is 5433, never 5432", "The port is 5433, never 5432"),
        ("from now on write the tests first please", "Write the tests first"),
        (
            "ah, found it: the clock in the container is UTC but the fixture assumes local time",
            "The clock in the container is UTC but the fixture assumes local time",
        ),
        # A name in code keeps its case.
        (
            "found the culprit: node_modules is cached by CI across branches",
            "node_modules is cached by CI across branches",
        ),
        (
            "perfect, exactly how I like error messages: one line with the cause",
            "Error messages: one line with the cause",
        ),
        ("nope, we're on Python 3.12, you can use it", "We're on Python 3.12, you can use it"),
        ("that's not how we name tests, it's test_name", "Tests: it's test_name"),
        (
            "you should have used the helper in utils.py",
            "You should have used the helper in utils.py",
        ),
        (
            "tests need the compose db, run `make db` first. port is 5544 on this machine not 5432",
            "Tests need the compose db, run `make db` first: port is 5544 on this machine not 5432",
        ),
        (
            "hm, that's the old client. the new one lives in packages/api-client",
            "That's the old client: the new one lives in packages/api-client",
        ),
        (
            "no, cursor paging please. we had duplicates with offset paging",
            "Cursor paging: we had duplicates with offset paging",
        ),
        ("the mobile app still uses v1 of the api", "The mobile app still uses v1 of the api"),
        ("bitte immer pnpm verwenden", "Immer pnpm verwenden"),
        (
            "und bitte Fehlermeldungen immer auf Englisch, nie auf Deutsch",
            "Fehlermeldungen immer auf Englisch, nie auf Deutsch",
        ),
        (
            "no, don't use surrogate ids here, we key items by (feed_id, guid) so imports can repeat",
            "Don't use surrogate ids, we key items by (feed_id, guid) so imports can repeat",
        ),
        ("not uv! I told you, we use pip-sync", "We use pip-sync"),
        (
            "always run migrations in (order, name) order, otherwise they clash",
            "Always run migrations in (order, name) order, otherwise they clash",
        ),
        (
            "we never log emails (they are personal data)",
            "We never log emails (they are personal data)",
        ),
        (
            "we use testify for assertions btw, not the plain t.Errorf stuff",
            "We use testify for assertions, not the plain t.Errorf stuff",
        ),
        (
            "could you from now on write commit messages in english?",
            "Write commit messages in english",
        ),
    ],
)
def test_a_lesson_is_worded_without_what_leads_up_to_it(said: str, wording: str) -> None:
    found = heard(said)
    assert found is not None
    assert found.wording == wording


@pytest.mark.parametrize(
    "said",
    [
        "always use tabs, scratch that",
        "forget what I said about conventional commits, plain sentences are fine",
        "vergiss, was ich über die Tests gesagt habe, immer alle laufen lassen",
        'The reviewer wrote: "You should always use default exports". What do you think?',
        "do not store anything about my salary: I never earn less than 80k",
        "remember that I'm away tomorrow",
        "remember that test you just fixed, it fails again",
        "remember that the tests are still running",
        "the staging box always needs the VPN. don't remember that",
        "my phone is +49 170 1234567, always call me if it breaks",
        "my api key is [redacted:anthropic-key], always use it for the tests",
        "What does 409 mean in our API?",
        "got it: go ahead and merge",
        "found it, fix it please",
        "the problem was that you deleted my file",
        "wo liegt der preis cache und wie lange gilt er",
        "warum failt der dhl sandbox test am samstag",
        "hey, tests in api fail for me, can u look",
    ],
)
def test_what_is_taken_back_quoted_confidential_or_asked_is_not_heard(said: str) -> None:
    assert hear(said) == []


@pytest.mark.parametrize(
    ("said", "wording"),
    [
        ("use tabs. no wait, we always use 2 spaces here", "We always use 2 spaces"),
        ("never store passwords in plain text", "Never store passwords in plain text"),
        ("never log customers' e-mail addresses", "Never log customers' e-mail addresses"),
        ("we said: never push on fridays", "We said: never push on fridays"),
        (
            "handlers never talk to the database directly; they go through the store",
            "Handlers never talk to the database directly; they go through the store",
        ),
        (
            "non, les commentaires doivent toujours être en anglais",
            "Les commentaires doivent toujours être en anglais",
        ),
        ("nein, bitte immer slog benutzen", "Immer slog benutzen"),
    ],
)
def test_a_rule_that_is_near_to_those_is_heard_whole(said: str, wording: str) -> None:
    assert [one.wording for one in hear(said)] == [wording]


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("near_unseen", 0.8, 0.06), ("streams_unseen", 0.85, 0.1), ("tasks", 0.85, 0.35)],
)
def test_of_prompts_that_nothing_was_learned_from_lessons_are_heard(
    name: str, least: float, most: float
) -> None:
    said = corpus(CORPUS.with_name(f"{name}.tsv"))
    assert share_heard([one for one in said if one.kind == "lasting"]) >= least
    assert share_heard([one for one in said if one.kind == "passing"]) <= most


def test_what_is_to_be_built_is_no_rule_though_it_never_expires() -> None:
    wanted = (
        "I need a page for api keys. The full key is only shown once in a dialog. Keys never expire by "
        "default but there should be an optional expiry. Only admins can see it. Please add tests."
    )
    assert hear(wanted) == []
    told = f"{wanted} By the way, we never return internal ids to customers."
    assert [one.wording for one in hear(told)] == ["We never return internal ids to customers"]


@pytest.mark.parametrize(
    "said",
    [
        "address them but be careful not to break existing behaviour",
        "for the matching I would describe exact and fuzzy search so we can make a choice",
        (
            "this: Instead of one branch per commit, create isolated branches:\n\nstill reads as if we "
            "always start a new branch"
        ),
        "Checkpoints are missing. It only works if the session is started at the root. why ?",
        "the fee is never added to the invoice. any idea?",
        "don't install anything, just read the code",
        "replace the logo with the one in assets/new",
        "no, the one in the admin module",
        "I'd like to explain the issue briefly and then provide the solution in general",
        "commit first so you get the sha",
        "the assumption that we can always tell is a stretch",
        "we never got an answer from them",
        "haha you always know what to say. never change",
        "I meant wg-box, not wg-feed",
    ],
)
def test_a_step_of_the_task_and_a_text_under_discussion_are_not_heard(said: str) -> None:
    assert hear(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "amounts are always in cents. Why that matters: floats lose some",
        "replace the legacy client with the new one whenever you touch a file",
        "don't log anything about customers, they are all in the EU",
    ],
)
def test_a_lesson_that_is_near_to_a_step_is_heard(said: str) -> None:
    assert hear(said)


def test_a_smile_is_no_part_of_a_lesson() -> None:
    (lesson,) = hear("never push to main 🤦🏻")
    assert lesson.wording == "Never push to main"


def test_an_error_in_a_sentence_is_not_heard_and_a_rule_about_errors_is() -> None:
    for pasted in (
        "tests fail: ModuleNotFoundError: No module named 'app'",
        "npm ERR! code ERESOLVE",
    ):
        assert hear(pasted) == []
    assert hear("never swallow exceptions: log them")


def test_pasted_text_and_questions_are_not_heard() -> None:
    assert heard("```\nnever use eval\n```") is None
    assert heard("do we never commit to main?") is None


def test_a_prompt_without_a_word_of_those_that_last_is_not_looked_at() -> None:
    assert not may_last("fix the typo on line 3")
    assert may_last("never push to main")
    said = [one for one in corpus() if one.where == "plain" and one.kind == "lasting"]
    missed = [one.text for one in said if hear(one.text) and not heard(one.text)]
    assert len(missed) <= 0.1 * len(said), missed


@pytest.mark.parametrize(
    "said",
    [
        "how does pdf_of get its input into typst",
        "what ends up as the mail provider, i lost track",
        "stripe events dont show up on the test server anymore, what was the thing again",
        "customer wants his invoice deleted, write me the sql",
        "next: newsletter signup, store emails in the newsletter table, double opt in",
        "never mind the kerning, was my printer. 0.14 is fine, no pin needed",
        "Hm you committed without asking",
        "there's a bug in the date picker when the month has 31 days",
        "hm interesting. what if we used duckdb instead of polars",
        "how about we use duckdb instead of polars",
        "Priya from finance said we should round half even. is she right?",
        "my colleague says we should never mock the clock. what do you think?",
        "can you explain kotlin coroutines to me",
        "the retry in the billing client, make it 3 times",
        "the script needs an argument for the path, add one",
        "can u delete the demo user from prod db, its cluttering the stats",
        "jonas said we should never use kotlin coroutines in repos but i dont agree",
        "my wife says the app should be pink, always. lol",
        "never in my life have i seen such slow ci",
        "always ask me first. just kidding",
        "dont panic about the red build",
        "hi. need an endpoint to archive habits, look at HabitRoutes.kt first",
        "eas build says im not authorized on the expo project, why",
        "no idea why but ios build keeps complaining abt pods",
        "sort imports in HabitRepo.kt",
        "I am having problems if I start a session inside a folder, it is not creating checkpoints",
        "revenuecat webhook returns 401 invalid signature",
        "can you always pass --no-daemon to gradle on this command? the other ones are fine",
        "u must always read HabitRoutes.kt before answering this one",
        "forget it, the uuid v7 thing is overkill, back to bigserial for everything",
    ],
)
def test_what_is_asked_or_ordered_without_a_mark_does_not_last(said: str) -> None:
    assert hear(said) == []
