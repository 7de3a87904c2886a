from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.engine.search.questions import may_name_time
from satchel.engine.search.time_words import time_span

#: A Sunday, at five in the morning.
NOW = datetime(2026, 11, 22, 5, tzinfo=UTC).timestamp()


def span(question: str) -> tuple[str, str] | None:
    found = time_span(question, NOW)
    if found is None:
        return None
    begin, end = (datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H") for at in found)
    return begin.removesuffix(" 00"), end.removesuffix(" 00")


@pytest.mark.parametrize(
    ("question", "begin", "end"),
    [
        ("what happened yesterday?", "2026-11-21", "2026-11-22"),
        ("what did we do today", "2026-11-22", "2026-11-23"),
        ("what did we decide last week", "2026-11-09", "2026-11-16"),
        ("work of this week", "2026-11-16", "2026-11-23"),
        ("last month's releases", "2026-10-01", "2026-11-01"),
        ("what broke this year", "2026-01-01", "2027-01-01"),
        ("who wrote it in May", "2026-05-01", "2026-06-01"),
        ("who wrote it in December", "2025-12-01", "2026-01-01"),
        ("in May 2023", "2023-05-01", "2023-06-01"),
        ("March, 2024", "2024-03-01", "2024-04-01"),
        ("on 7 May", "2026-05-07", "2026-05-08"),
        ("on the 3rd of June 2024", "2024-06-03", "2024-06-04"),
        ("May 7, 2023", "2023-05-07", "2023-05-08"),
        ("2024-02", "2024-02-01", "2024-03-01"),
        ("2024-02-29", "2024-02-29", "2024-03-01"),
        ("in 2019", "2019-01-01", "2020-01-01"),
        ("on monday", "2026-11-16", "2026-11-17"),
        ("last sunday", "2026-11-15", "2026-11-16"),
        ("3 days ago", "2026-11-18 17", "2026-11-19 17"),
        ("two weeks ago", "2026-11-04 17", "2026-11-11 17"),
        ("an hour ago", "2026-11-21 16", "2026-11-22 16"),
        ("in the last 3 days", "2026-11-19", "2026-11-23"),
        ("recently", "2026-11-08", "2026-11-23"),
        ("since monday", "2026-11-16", "2026-11-22 05"),
        ("what changed since may", "2026-05-01", "2026-11-22 05"),
        ("LAST WEEK", "2026-11-09", "2026-11-16"),
    ],
)
def test_a_time_in_a_question_is_read(question: str, begin: str, end: str) -> None:
    assert span(question) == (begin, end)
    assert may_name_time(question)


_WORDS = st.sampled_from(
    ["yesterday", "last", "week", "in", "may", "december", "3", "days", "ago", "two", "since", "on",
     "sunday", "2024-02", "this", "morning", "night", "past", "few", "months", "earlier", "back",
     "recently", "just", "now", "sept", "7th", "of", "june", "redis", "the", "year", "tonight"]
)  # fmt: skip


@given(st.lists(_WORDS, max_size=6))
def test_no_time_is_overlooked_by_the_quick_look(words: list[str]) -> None:
    question = " ".join(words)
    assert time_span(question, NOW) is None or may_name_time(question)


def test_the_quick_look_spares_most_questions_the_calendar() -> None:
    assert not may_name_time("why did we drop redis for jobs")


@pytest.mark.parametrize(
    "question",
    [
        "may I use redis", "march through the list", "31 february", "2024-13-40", "HTTP 2019 error",
        "the second attempt", "zero days ago", "port 2023", "", "sun and moon", "decide the format",
    ],
)  # fmt: skip
def test_what_names_no_time_is_left_alone(question: str) -> None:
    assert span(question) is None


@given(st.text(max_size=80), st.integers(0, 4_000_000_000))
def test_any_text_at_any_time_gives_a_span_forwards_or_none(text: str, now: int) -> None:
    found = time_span(text, now)
    assert found is None or found[0] < found[1]


@given(st.integers(0, 999), st.sampled_from(["minute", "hour", "day", "week", "month", "year"]))
def test_so_long_ago_lies_in_the_past(count: int, unit: str) -> None:
    found = time_span(f"{count} {unit}s ago", NOW)
    if count:
        assert found is None or found[0] < NOW
