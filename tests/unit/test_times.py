"""Times in words are read and written in one way."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import satchel
from satchel.core import times

SOURCE = Path(satchel.__file__).parent
AT = 1_773_671_400  # 2026-03-16T14:30:00Z


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2026-03-16T14:30:00Z", AT),
        (" 2026-03-16T14:30 ", AT),
        ("2026-03-16T16:30:00+02:00", AT),
        ("2026-03-16", AT - 14.5 * times.HOUR),
        ("", None), ("soon", None), (None, None), (12, None), ("0001-01-01T00:00:00+14:00", None),
    ],
)  # fmt: skip
def test_a_time_is_utc_unless_it_says_otherwise(text: object, seconds: float | None) -> None:
    assert times.seconds_of(text) == seconds


def test_a_time_is_written_for_programs_and_for_people() -> None:
    assert times.iso(AT) == "2026-03-16T14:30:00Z"
    assert times.iso(AT + 0.25, "milliseconds") == "2026-03-16T14:30:00.250Z"
    assert times.iso(AT, "microseconds") == "2026-03-16T14:30:00.000000Z"
    assert times.day(AT) == "2026-03-16"
    assert times.minute(AT) == "2026-03-16 14:30 UTC"
    assert times.minute(10**18) == "1e+18 s"


@given(st.integers(-60_000_000_000, 250_000_000_000))
def test_what_is_written_is_read_again(seconds: int) -> None:
    assert times.seconds_of(times.iso(seconds)) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("30m", 1800), ("1.5H", 5400), ("7d", 7 * times.DAY), ("2w", 14 * times.DAY),
     ("", None), ("d", None), ("soon", None)],
)  # fmt: skip
def test_durations(text: str, seconds: float | None) -> None:
    assert times.duration(text) == seconds


def test_ages_and_spans() -> None:
    told = [times.age(s) for s in (-5, 59, 60, 7200, 13 * times.DAY, 14 * times.DAY, 1e8)]
    assert told == ["now", "now", "1 min", "2 h", "13 d", "2 w", "38 mo"]
    assert [times.span(s) for s in (1, 119, 120, 7200, 2 * times.DAY)] == [
        "1 second", "119 seconds", "2 minutes", "2 hours", "2 days",
    ]  # fmt: skip


def test_no_other_module_reads_a_time_or_makes_one() -> None:
    found = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr
        in ("fromtimestamp", "utcfromtimestamp", "fromisoformat", "strptime", "gmtime")
        and ast.unparse(node.value) != "date"
    }
    assert found == {"core/times.py"}
