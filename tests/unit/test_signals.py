"""Signals: what a conversation teaches, by its words and by its course."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machine_speed import least_seconds, slowness
from satchel.application.learning.signals.classifying import classify
from satchel.application.learning.signals.lesson_filter import why_dropped
from satchel.application.learning.signals.own_words import own_words
from satchel.application.learning.signals.patterns import category_of, wording_of
from satchel.application.learning.signals.scanning import scan
from satchel.application.learning.signals.values import BEHAVIORAL, PROJECT, TIERS, Signal
from satchel.clients.transcript_format.values import Turn


def said(text: str, role: str = "user") -> list[Signal]:
    return scan([Turn(role, text, 1.0, "t1")])


def labels_of(text: str, prev: str) -> list[str]:
    return sorted(verdict.label for verdict in classify(text, prev))


# ---- wordings: the cases that reflect's program checks of itself, and what it only documents ----


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        ("The root cause was a missing index", "high"),
        ("Fixed by adding CASCADE to the migration", "high"),
        ("Spent 3 hours tracking down the bug", "medium"),
        ("This breaks when the cache is cold", "high"),
        ("The docs say it retries but it does not", "high"),
        ("We tried gevent but it deadlocks", "high"),
        ("It was slow because of N+1 queries", "high"),
        ("chose SQLite over a server", "high"),
        ("It only works with Node 22", "medium"),
    ],
)
def test_the_tier_of_a_finding(text: str, tier: str) -> None:
    wording = wording_of(text)
    assert wording is not None
    assert wording.tier == tier


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Never use var in TypeScript", "code-style"),
        ("Always run tests before commit", "process"),
        ("Use snake_case for Python variables", "code-style"),
        ("Hash every password before it is stored", "security"),
        ("Use pnpm instead of npm", "tools"),
        ("Keep the storage layer free of SQL", "architecture"),
        ("An order belongs to one customer", "domain"),
        ("Beige", "unknown"),
    ],
)
def test_the_category_of_a_lesson(text: str, category: str) -> None:
    assert category_of(text) == category


def test_rules_of_behaviour_are_not_taken_from_the_agent() -> None:
    assert said("Always use tabs in this file.", "assistant") == []
    assert said("Always use tabs in this file.", "user")


@pytest.mark.parametrize(
    "text",
    [
        "> Never use var in TypeScript",
        "```\nnever use var in TypeScript\n```",
        "<system-reminder>Never use var in TypeScript</system-reminder>",
        "If it turns out that the cache was slow because of the network, tell me",
        "fix(api): never return null from the handler",
        "I'll make sure that the root cause was found before we go on",
        '<satchel-memory nonce="abcd" label="x">Never use var in code</satchel-memory nonce="abcd">',
        "Should we never use var in TypeScript?",
        "[Request interrupted by user for tool use]",
        "Perfect",
        "",
    ],
)
def test_what_is_quoted_planned_supposed_or_injected_is_no_signal(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Don't change anything, just let me know",
        "Please don't commit this yet",
        "Don't do anything yet.",
        "I never said that we should",
        "It should never have been merged",
        "Always happy to help you",
    ],
)
def test_what_is_meant_for_this_moment_is_no_rule(text: str) -> None:
    assert [one for one in said(text) if one.group == BEHAVIORAL] == []


@pytest.mark.parametrize(
    "text",
    [
        "Don't ever push to main again!",
        "Don't use that, use httpx",
        "Don't push anything without asking me",
        "Please don't touch dist/, it is generated",
        "Never use it without a lock",
    ],
)
def test_what_holds_tomorrow_is_a_rule(text: str) -> None:
    assert [one.group for one in said(text)] == [BEHAVIORAL]


def test_a_pasted_review_is_nobodys_rule() -> None:
    review = (
        "Missing error check\n\nMedium Severity\n\nThis function never returns an error when the "
        "file is missing, which may cause silent data loss; consider adding a check here."
    )
    assert said(review) == []
    assert [s.learning for s in said(review + "\n\nAlways check errors of file reads.")] == [
        "Always check errors of file reads"
    ]


# ---- labels of turns -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "prev", "labels"),
    [
        ("let's use the second one, it is simpler", "", ["decision"]),
        ("yes, do that please", "Should I move it to its own module?", ["decision"]),
        ("B) please", "Which approach do you prefer, A or B?", ["decision"]),
        ("no, that's not what I asked for", "Done.", ["correction"]),
        ("you forgot the migration", "Done.", ["correction"]),
        ("I prefer small commits", "", ["preference"]),
        ("fyi the staging database is read-only", "", ["fact"]),
        ("can you add a license?", "", []),
        ("what does this function do?", "", []),
        ("let's look at the logs", "", []),
        ("", "Should I?", []),
    ],
)
def test_the_labels_of_a_turn(text: str, prev: str, labels: list[str]) -> None:
    assert labels_of(text, prev) == labels


@pytest.mark.parametrize(
    ("text", "prev", "label"),
    [
        ("we decided on PostgreSQL", "", "decision"),
        ("the log format is fine, let's leave the parser for a follow-up", "", "decision"),
        ("yes", "Want me to write the migration?", "decision"),
        ("hmm, I still don't see the new column", "Done. The column is shown.", "correction"),
        ("why did you delete the test?", "All tests pass.", "correction"),
        ("I meant the other config, not the one of the server", "Updated.", "correction"),
        ("can you take the comments out again?", "Done.", "correction"),
        ("doesn't work on my phone", "The menu opens now.", "correction"),
        ("are you sure? that column was dropped", "It uses `deleted`.", "correction"),
        ("no, the seed script still writes to the old table", "Done.", "correction"),
        ("always run the formatter before a commit", "", "preference"),
        ("use tabs, not spaces", "", "preference"),
        ("please add that to CLAUDE.md", "", "preference"),
        ("our CI runs on Ubuntu 22.04", "", "fact"),
        ("I've just moved the repository to another host", "", "fact"),
        ("a colleague merged the auth rewrite this morning", "", "fact"),
        ("can you check the export? the vendor changed the format last week", "", "fact"),
        ("the tokens were rotated on friday by the ops team", "I'd need a token.", "fact"),
    ],
)
def test_a_label_that_a_turn_carries(text: str, prev: str, label: str) -> None:
    assert label in labels_of(text, prev)


@pytest.mark.parametrize(
    ("text", "prev", "label"),
    [
        ("can we decide on PostgreSQL?", "", "decision"),
        ("commit and push please", "Done.", "decision"),
        ("we need to look at the logs first", "", "decision"),
        ("what is still in the queue?", "Done.", "correction"),
        ("great, that works", "Done. All tests pass.", "correction"),
        ("yes, this should still be called a basket", "Should it be renamed?", "correction"),
        ("let's call it basket and not cart", "", "correction"),
        ("the next one is the login page", "The page is done.", "correction"),
        ("is the formatter always run?", "", "preference"),
        ("does our CI run on Ubuntu?", "", "fact"),
        ("we need to fix the lint errors", "", "fact"),
        ("the table is empty now", "Done. I've cleaned it up.", "fact"),
    ],
)
def test_a_label_that_it_only_seems_to_carry(text: str, prev: str, label: str) -> None:
    assert label not in labels_of(text, prev)


def test_a_label_says_by_which_words() -> None:
    (verdict,) = classify("never mind, we will look at it later", "Shall I go on?")
    assert verdict.label == "decision"
    assert "never mind" in verdict.cues
    assert verdict.score >= 1.0


@given(st.text(max_size=400), st.text(max_size=200))
@settings(max_examples=120, deadline=None)
def test_any_text_is_classified_and_always_the_same(text: str, prev: str) -> None:
    first = labels_of(text, prev)
    assert first == labels_of(text, prev) == sorted(set(first))
    assert set(first) <= {"correction", "decision", "fact", "preference"}


@given(
    st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text(max_size=120)), max_size=8)
)
@settings(max_examples=80, deadline=None)
def test_a_scan_gives_each_lesson_once_the_surest_first(turns: list[tuple[str, str]]) -> None:
    found = scan([Turn(role, text, float(n), str(n)) for n, (role, text) in enumerate(turns)])
    learnings = [" ".join(one.learning.lower().split()) for one in found]
    assert len(learnings) == len(set(learnings))
    assert [TIERS.index(one.tier) for one in found] == sorted(TIERS.index(o.tier) for o in found)


@pytest.mark.parametrize(
    "seed",
    ["instead of ", "let's ", "I think we ", "I'd I'd ", "<system-reminder>", "```\n", "- ", "(",
     "use x ", "root cause ", "a " * 3, "$ x\n", "tried ", "we should ", "I did ", "not a ",
     "the x is ", "Implement the following plan:\n", "a.go:1 ", "ok, "],
)  # fmt: skip
def test_a_hostile_turn_of_100_kb_is_read_at_once(seed: str) -> None:
    text = (seed * (100_000 // len(seed) + 1))[:100_000]
    turns = [
        Turn("user", text, 1.0, "1"),
        Turn("assistant", text, 2.0, "2", (text[:150],), (text[:400],)),
    ]
    slow = slowness()
    assert least_seconds(lambda: scan(turns), enough=0.2) < 0.2 * slow
    assert time.process_time() > 0


def test_a_log_is_left_out_whole_and_a_plan_that_a_client_put_below_the_words() -> None:
    log = "=== Step 1\nSession count: 2\nERROR: it should not be there\n{\n}\nit still fails"
    assert own_words(log) == "it still fails"
    plan = "we need a cache\n---\nImplement the following plan:\n\n# Plan\nAlways do x"
    assert own_words(plan) == "we need a cache"
    review = (
        "The handler calls `parseInput` in server.go without a check, so that an empty body leads to "
        "a panic in `decodeBody`, which should be turned into an error that every caller can see and act on."
    )
    assert own_words(review) == ""


def test_own_words_leave_out_what_was_handed_over() -> None:
    text = (
        "fix this please\n$ git status\nfatal: unable to read e536\n  at foo (x.js:1:2)\nit is new"
    )
    assert own_words(text) == "fix this please\nit is new"
    assert own_words("Implement the following plan:\n\n# Plan\nAlways do x") == ""


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("no, the gateway returns 202, not 200", PROJECT),
        ("The cron is in UTC, not in local time", PROJECT),
        ("no, the gateway must return 202, not 200", BEHAVIORAL),
        ("use pnpm here, not npm", BEHAVIORAL),
        ("tests go next to the code, not into a folder of their own", BEHAVIORAL),
    ],
)
def test_who_corrects_a_fact_lays_down_no_rule(text: str, group: str) -> None:
    (one,) = said(text)
    assert (one.kind, one.group) == ("correction", group)


def test_what_somebody_is_said_to_have_said_is_no_rule() -> None:
    assert said("someone on reddit said never use redux") == []
    assert said("never use redux") != []


def test_a_mail_address_makes_no_log_of_what_a_person_says() -> None:
    (one,) = said("support email is hi@kettle.app, use it in all error screens")
    assert why_dropped(one) == ""
    assert why_dropped(one._replace(learning="Ann <ann@kettle.app> wrote this file")) != ""
