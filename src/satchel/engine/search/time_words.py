"""Time expressions in a question: "last week", "in May", "3 days ago" become a time span.

Spans are in UTC, as ledgers are. A span is a hint that raises documents written in it; it never
hides any, because people also ask on Monday about what somebody planned for Tuesday.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import datetime, timedelta

from satchel.core import times

_DAY = timedelta(days=1)
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    word: n
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 4}

_NUMBER = r"(?P<n>\d{1,3}|" + "|".join(_NUMBERS) + r")(?: of)?"
_UNIT = r"(?P<unit>minute|hour|day|week|month|year)s?"
#: `may` and `march` are months only next to a preposition, a day or a year.
_MONTH = r"(?P<month>" + "|".join(m[:3] + "(?:" + m[3:] + ")?" for m in _MONTHS) + r")\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"

_AGO = re.compile(rf"\b{_NUMBER}\s+{_UNIT}\s+(?:ago|back|earlier)\b")
_PAST_MANY = re.compile(rf"\b(?:last|past|previous)\s+{_NUMBER}\s+{_UNIT}\b")
_PAST_ONE = re.compile(
    r"\b(?P<which>last|past|previous|this|current)\s+(?P<unit>week|month|year)\b"
)
_NEAR = re.compile(
    r"\b(?P<day>today|yesterday|tonight|last night|this morning|just now|recently)\b"
)
_WEEKDAY = re.compile(rf"\b(?:on|last|this|since)\s+(?P<weekday>{'|'.join(_WEEKDAYS)})\b")
_ISO = re.compile(rf"\b{_YEAR}-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b")
_DAY_MONTH = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?\b"
)
_MONTH_DAY = re.compile(rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+{_YEAR}\b)?")
_MONTH_YEAR = re.compile(rf"\b{_MONTH},?\s+{_YEAR}\b")
_IN_MONTH = re.compile(rf"\b(?:in|during|since|of|last|this)\s+{_MONTH}\b")
#: Began then and continues until now.
_SINCE = re.compile(r"\bsince\b")
_IN_YEAR = re.compile(rf"\b(?:in|during|since|of)\s+{_YEAR}\b")


def time_span(question: str, now: float) -> tuple[int, int] | None:
    """Parse a question's first time expression, or return None.

    Args:
        question: any text.
        now: the time of the question, Unix seconds, which "last week" counts from.

    Returns:
        Begin (inclusive) and end (exclusive), Unix seconds.
    """
    text = question.lower()
    try:
        today = times.utc(now).replace(hour=0, minute=0, second=0, microsecond=0)
    except (ValueError, OverflowError, OSError):
        return None  # a time that no calendar has
    for read in (_iso, _calendar, _relative):
        try:
            span = read(text, today, now)
        except (ValueError, OverflowError):
            continue  # the 31st of February, or the year before the first
        if span is not None:
            begin, end = int(span[0].timestamp()), int(span[1].timestamp())
            return begin, max(end, int(now) + 1) if _SINCE.search(text) else end
    return None


def _iso(text: str, today: datetime, now: float) -> tuple[datetime, datetime] | None:
    del now
    found = _ISO.search(text)
    if not found:
        return None
    year, month, day = (int(v) if v else 0 for v in found.group("year", "month", "day"))
    if day:
        begin = today.replace(year=year, month=month, day=day)
        return begin, begin + _DAY
    return _month(today, year, month)


def _calendar(text: str, today: datetime, now: float) -> tuple[datetime, datetime] | None:
    del now
    for pattern in (_DAY_MONTH, _MONTH_DAY):
        found = pattern.search(text)
        if found:
            month = _month_number(found["month"])
            year = _year(found["year"], today, month)
            begin = today.replace(year=year, month=month, day=int(found["day"]))
            return begin, begin + _DAY
    found = _MONTH_YEAR.search(text) or _IN_MONTH.search(text)
    if found:
        month = _month_number(found["month"])
        return _month(today, _year(found.groupdict().get("year"), today, month), month)
    found = _IN_YEAR.search(text)
    if found:
        begin = today.replace(year=int(found["year"]), month=1, day=1)
        return begin, begin.replace(year=begin.year + 1)
    return None


def _relative(text: str, today: datetime, now: float) -> tuple[datetime, datetime] | None:
    found = _NEAR.search(text)
    if found:
        return _near(found["day"], today)
    found = _AGO.search(text)
    if found:
        unit = found["unit"]
        length = _length(unit) * _count(found["n"])
        middle = times.utc(now) - length
        # "3 weeks ago" means that week; the farther back, the vaguer.
        slack = max(_length(unit) / 2, _DAY / 2)
        return middle - slack, middle + slack
    found = _PAST_MANY.search(text)
    if found:
        return today + _DAY - _length(found["unit"]) * _count(found["n"]) - _DAY, today + _DAY
    found = _WEEKDAY.search(text)
    if found:
        back = (today.weekday() - _WEEKDAYS.index(found["weekday"]) - 1) % 7 + 1
        begin = today - back * _DAY
        return begin, begin + _DAY
    found = _PAST_ONE.search(text)
    return _period(found["which"], found["unit"], today) if found else None


def _near(word: str, today: datetime) -> tuple[datetime, datetime]:
    if word in ("yesterday", "last night"):
        return today - _DAY, today + (_DAY / 4 if word == "last night" else timedelta())
    if word == "recently":
        return today - 14 * _DAY, today + _DAY
    return today, today + _DAY


def _period(which: str, unit: str, today: datetime) -> tuple[datetime, datetime]:
    back = 0 if which in ("this", "current") else 1
    if unit == "week":
        monday = today - today.weekday() * _DAY - 7 * back * _DAY
        return monday, monday + 7 * _DAY
    if unit == "year":
        begin = today.replace(year=today.year - back, month=1, day=1)
        return begin, begin.replace(year=begin.year + 1)
    first = today.replace(day=1)
    if back:
        first = (first - _DAY).replace(day=1)
    return _month(first, first.year, first.month)


def _month(like: datetime, year: int, month: int) -> tuple[datetime, datetime]:
    begin = like.replace(year=year, month=month, day=1)
    return begin, begin + monthrange(year, month)[1] * _DAY


def _month_number(name: str) -> int:
    return next(n for n, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))


def _year(given: str | None, today: datetime, month: int) -> int:
    """Return a month's year: the latest in which it has begun."""
    if given:
        return int(given)
    return today.year if month <= today.month else today.year - 1


def _count(word: str) -> int:
    return _NUMBERS.get(word) or int(word)


def _length(unit: str) -> timedelta:
    days = {"day": 1, "week": 7, "month": 30, "year": 365}
    if unit in days:
        return timedelta(days=days[unit])
    return timedelta(hours=1) if unit == "hour" else timedelta(minutes=1)
