"""A rule or a decision keeps the reason that was given for it."""

import pytest

from satchel.application.learning.signals import statements
from satchel.application.learning.signals.hearing import hear
from satchel.engine.statements.contradictions import SAME, Rule, clashes

MOCKS = (
    "Don't mock the database here, spin up the real one; mocks hid exactly this bug last quarter."
)


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        (MOCKS, "Don't mock the database, spin up the real one: mocks hid exactly this bug last quarter"),
        ("Actually let's drop Kafka for events; a Postgres outbox is plenty at our volume.",
         "Let's drop Kafka for events: a Postgres outbox is plenty at our volume"),
        ("Use pnpm here; npm breaks the workspace links.", "Use pnpm: npm breaks the workspace links"),
        ("Never call the API in a loop - it rate limits at 10/s.",
         "Never call the API in a loop: it rate limits at 10/s"),
        ("Don't push to main. That broke prod twice.", "Don't push to main: that broke prod twice"),
        ("No default exports. Otherwise the imports get renamed all over.",
         "No default exports: otherwise the imports get renamed all over"),
        ("Use tabs in Makefiles; never spaces.", "Use tabs in Makefiles, never spaces"),
    ],
)  # fmt: skip
def test_what_was_laid_down_is_heard_with_its_reason(text: str, wording: str) -> None:
    assert [one.wording for one in hear(text)] == [wording]


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        ("We use pnpm; what does the lockfile say?", "We use pnpm"),
        ("Never commit the lockfile; fix the tests now.", "Never commit the lockfile"),
        ("Never commit the lockfile. The tests are slow today.", "Never commit the lockfile"),
        ("Never commit the lockfile; " + "the diff is long, " * 14, "Never commit the lockfile"),
    ],
)
def test_what_follows_and_is_no_reason_stays_out(text: str, wording: str) -> None:
    assert hear(text)[0].wording == wording


def test_two_rules_stay_two() -> None:
    said = "Never log request bodies; always use structured logging."
    assert len(hear(said)) == 2


def test_a_report_of_what_is_wrong_now_is_no_fact() -> None:
    wrong = "The refund endpoint double-charges when the client retries."
    assert hear(f"{wrong} Look at src/pay.py, I think the key isn't checked.") == []
    assert hear(f"{wrong} Can you check why?") == []
    assert hear("The finance team needs a CSV of refunds. Put it behind /admin/reports.") == []


@pytest.mark.parametrize(
    "text",
    ["The date filter is off by one for merchants in Tokyo.",
     "wtf, it's deleting the export dir on every run",
     "The finance team wants a CSV of refunds per month",
     "I need to change the invoice rounding in the billing module",
     "Retry failed payouts five times instead of three.",
     "The Tokyo report is wrong again: the day boundaries are in UTC."],
)  # fmt: skip
def test_what_is_wrong_or_wanted_now_teaches_nothing(text: str) -> None:
    assert hear(text) == []


def test_the_same_rule_with_a_reason_is_the_same_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    (heard,) = hear("Use pnpm for installing packages; npm breaks the workspace links.")
    bare = "Use pnpm for installing packages"
    for one, other in ((bare, heard.wording), (heard.wording, bare)):
        assert [clash.what for clash in clashes(one, [Rule("", 0, other)])] == [SAME]
    # Seeded bug: the reason is lost, and whoever reads the rule asks why.
    monkeypatch.setattr(statements, "_reason_of", lambda *_: "")
    assert hear("Use pnpm here; npm breaks the workspace links.")[0].wording == "Use pnpm"


@pytest.mark.parametrize(
    ("offered", "answer", "wording"),
    [
        ("Shall I use SKIP LOCKED, or LISTEN/NOTIFY? Both work.",
         "SKIP LOCKED. LISTEN/NOTIFY drops messages when the connection blips.",
         "Use SKIP LOCKED: LISTEN/NOTIFY drops messages when the connection blips"),
        ("should we move to exposed or jooq?", "jooq. exposed's dsl gets weird with upserts",
         "Use jooq, not exposed: exposed's dsl gets weird with upserts"),
        ("GraphQL or REST?", "REST please. We only have one client, and it caches GETs.",
         "Use REST, not GraphQL: we only have one client, and it caches GETs"),
    ],
)  # fmt: skip
def test_what_was_chosen_of_what_the_agent_offered_is_a_decision(
    offered: str, answer: str, wording: str
) -> None:
    (one,) = hear(answer, offered)
    assert (one.label, one.wording) == ("decision", wording)


@pytest.mark.parametrize(
    ("offered", "answer"),
    [
        ("exposed or jooq?", "jooq."),
        ("exposed or jooq?", "jooq. go on"),
        ("Shall I add a column (first) or a table (second)?", "the second. The first one breaks it"),
        ("Shall I add a test or not?", "yes. it is needed"),
        ("We could use exposed or jooq.", "jooq. exposed's dsl gets weird"),
    ],
)  # fmt: skip
def test_a_bare_choice_is_of_the_moment(offered: str, answer: str) -> None:
    assert [one for one in hear(answer, offered) if one.form == "chosen"] == []


def test_an_order_before_the_rule_that_it_follows_stays_out() -> None:
    (one,) = hear("Rename the column to published_at, all our timestamps end in _at.")
    assert one.wording == "All our timestamps end in _at"


def test_what_worked_out_and_is_to_be_used_is_named() -> None:
    (one,) = hear("sqlc worked out, use it everywhere new from now on")
    assert one.wording == "Use sqlc everywhere new from now on"


def test_what_happens_now_and_then_is_a_fact() -> None:
    (one,) = hear("Refund webhooks from Adyen come twice sometimes. Make the handler idempotent.")
    assert one.label == "fact"
    (named,) = hear("No, leave the retry at 3. Adyen blocks us for an hour after five failures.")
    assert named.label == "fact"


def test_who_asks_to_be_asked_lays_down_a_rule() -> None:
    (one,) = hear("I need to approve every release")
    assert one.label == "preference"


@pytest.mark.parametrize(
    "text",
    ["I've put an example in docs/export-sample.xml.", "The flaky test is test_lock_timeout.",
     "Hm, the metrics endpoint now returns 500.", "I don't care about the exact wording.",
     "The client wants the export in their own format.",
     "Ok so the plan: first extract the parser, then the writer"],
)  # fmt: skip
def test_what_was_done_or_is_seen_for_the_task_teaches_nothing(text: str) -> None:
    assert hear(text) == []


def test_a_fact_keeps_what_is_to_be_done_because_of_it() -> None:
    (one,) = hear(
        "The reason we vendor libfoo is that upstream removed it. So don't try to bump it."
    )
    assert one.wording.endswith("upstream removed it, so don't try to bump it")


def test_what_a_rule_is_about_is_not_heard_twice() -> None:
    (one,) = hear(
        "We have two customers on the old plan. They must never see the new billing page."
    )
    assert one.wording.startswith("We have two customers on the old plan: they must never see")
