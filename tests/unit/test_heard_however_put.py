"""What lasts is heard whether or not it is put politely, ends with a full stop, or follows an order."""

from collections.abc import Callable
from functools import cache

import pytest

from benchmarks.hearing import CORPUS, corpus
from satchel.application.learning.signals import likelihood, own_words, statements
from satchel.application.learning.signals.asides import aside_in
from satchel.application.learning.signals.hearing import hear

#: None of these was learnt from.
SETS = ("weeks_unseen", "blind", "plain", "typed")
REPORT = "The upload page never stops loading on my phone and the console shows a 413. "


@cache
def said(kind: str) -> list[str]:
    """Return one sentence of each prompt of a kind that is judged rightly as it stands."""
    lines = [one for name in SETS for one in corpus(CORPUS.with_name(f"{name}.tsv"))]
    texts = [one.text.rstrip(" .") for one in lines if (one.kind, one.where) == (kind, "plain")]
    plain = [one for one in texts if len(own_words.sentences(one)) == 1 and one[-1] not in "?!:"]
    return [one for one in plain if bool(hear(one)) == (kind == "lasting")]


def share_heard(texts: list[str], put: Callable[[str], str]) -> float:
    return sum(bool(hear(put(one))) for one in texts) / len(texts)


def begun(text: str) -> str:
    return text[:1].upper() + text[1:]


@pytest.mark.parametrize(
    ("pattern", "least"),
    [
        ("{}.", 0.99), ("{}!", 0.99), ("{}, thanks", 0.98), ("hey, {}, thanks!", 0.98), ("{} please", 0.98), ("ok, {}", 0.98),
        ("hey, {}", 0.98), ("and {}", 0.98), ("oh and {}", 0.98), ("hi claude, {}", 0.95),
        ("while you're at it, {}", 0.9), ("did you run the linter? {}", 0.98),
        ("{}. did you run the linter?", 0.98), ("{} :)", 0.95),
        ("fix the failing upload test, {}", 0.8), ("fix the failing upload test ({})", 0.8),
    ],
)  # fmt: skip
def test_how_it_is_put_makes_no_difference(pattern: str, least: float) -> None:
    assert len(said("lasting")) > 200
    assert share_heard(said("lasting"), pattern.format) >= least
    assert share_heard(said("passing"), pattern.format) <= 0.03


def test_a_statement_within_a_report_that_asks_something_else_is_heard() -> None:
    def put(text: str) -> str:
        return f"{REPORT}{begun(text)}. Can you find out where the limit is set?"

    assert share_heard(said("lasting"), put) >= 0.8
    assert share_heard(said("passing"), put) <= 0.02


def test_a_courtesy_that_is_weighed_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seeded bug: the words around a statement count as its own."""
    monkeypatch.setattr(likelihood, "bare", lambda sentence: sentence)
    assert share_heard(said("lasting"), "hey, {}, thanks!".format) < 0.93


def test_an_order_that_hides_what_follows_it_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seeded bug: a sentence that begins with an order holds nothing else."""
    monkeypatch.setattr(statements, "_aside", lambda sentence: (sentence, None))
    assert share_heard(said("lasting"), "fix the failing upload test, {}".format) < 0.7


@pytest.mark.parametrize(
    ("sentence", "aside"),
    [
        ("fix the login test, we never mock the database", "we never mock the database"),
        ("rename it (ids are uuids everywhere)", "ids are uuids everywhere"),
        ("run the tests and remember: CI needs node 22", "CI needs node 22"),
        ("fix the login test, it fails on the second run", ""),
        ("fix the login test and run the linter", ""),
        ("fix the login test, then commit", ""),
        ("never mock the database, use the container", ""),
    ],
)
def test_an_aside_is_what_stands_behind_an_order(sentence: str, aside: str) -> None:
    assert aside_in(sentence) == aside


@pytest.mark.parametrize(
    ("text", "wordings"),
    [
        ("we're going with buf over plain protoc, the lint alone pays for it",
         ["We're going with buf over plain protoc, the lint alone pays for it"]),
        ("never rebase main; Kenji showed it breaks the mirror",
         ["Never rebase main: Kenji showed it breaks the mirror"]),
        ("for retries: three, with jitter, then dead letter. that's what we agreed with platform",
         ["For retries: three, with jitter, then dead letter"]),
        ("no new dependencies in the sdk. none. ever.",
         ["No new dependencies in the sdk"]),
        ("money is Decimal in this codebase, i said that on tuesday",
         ["Money is Decimal in this codebase"]),
        ("ok let's settle it: settlement files are written as CSV, not parquet",
         ["Settlement files are written as CSV, not parquet"]),
    ],
)  # fmt: skip
def test_the_lesson_is_what_was_said_and_no_more(text: str, wordings: list[str]) -> None:
    assert [one.wording for one in hear(text)] == wordings


@pytest.mark.parametrize("question", ["Why does it do that?", "can you check that?", "why?"])
def test_what_is_asked_about_is_no_statement(question: str) -> None:
    assert hear(f"the staging cluster is torn down every night at 2. {question}") == []


def test_a_question_about_something_else_takes_nothing_back() -> None:
    assert hear("We use pnpm here, not npm. Can you find out where the limit is set?")


@pytest.mark.parametrize("dash", [" - ", " -- ", " — "])
@pytest.mark.parametrize(
    "text",
    [
        "keep the sql in .sql files, not in python strings",
        "the tests need docker running, otherwise test_store hangs",
        "loggers get the request id, always",
        "wir verwenden hier pnpm, nicht npm",
    ],
)
def test_a_dash_is_as_good_as_a_comma(text: str, dash: str) -> None:
    assert [one.wording for one in hear(text.replace(", ", dash))] == [
        one.wording for one in hear(text)
    ]
