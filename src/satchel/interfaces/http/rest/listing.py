"""Pages of a list that changes meanwhile, without repeated or skipped items.

A cursor names the last entry returned, and its position. The search starts there: in an unchanged
list it succeeds at once.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import TypeVar

from satchel.core.errors import BadInputError
from satchel.storage.ledger.record import Record

T = TypeVar("T")
#: Returns at most this many entries from a position on, and the total.
Fetch = Callable[[int, int], tuple[Sequence[Record], int]]
_PARTS = 4


def page_after(fetch: Fetch, cursor: str, limit: int) -> tuple[Sequence[Record], int, str]:
    """Return a page of a list ordered newest first, the total and the next cursor.

    Raises `BadInputError` for an invalid cursor.
    """
    start = 0
    if cursor:
        place, last = read_cursor(cursor, _place_and_version)
        found, total = fetch(max(0, place - 1), limit + 1)
        if found and found[0].version[:3] == last:
            return _page(found[1:], place, total)
        start = _place_after(fetch, min(place, total), last)
    found, total = fetch(start, limit)
    return _page(found, start, total)


def _page(found: Sequence[Record], start: int, total: int) -> tuple[Sequence[Record], int, str]:
    end = start + len(found)
    return found, total, _cursor(end, found[-1]) if found and end < total else ""


def _place_after(fetch: Fetch, place: int, last: tuple[int, str, int]) -> int:
    """Return the position of the first entry older than `last`, searching from `place`."""

    def told(at: int) -> bool:
        found, _ = fetch(at, 1)
        return bool(found) and found[0].version[:3] >= last

    low, high, step = place - 1, place, 1
    if told(place):
        while told(place + step):
            step *= 2
        low, high = place + step // 2, place + step
    else:
        while low >= 0 and not told(low):
            low, high, step = max(-1, low - step), low, step * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if told(middle) else (low, middle)
    return high


def _cursor(place: int, last: Record) -> str:
    moment, ident, revision, _ = last.version
    return written_cursor(f"{place}:{moment}:{revision}:{ident}")


def _place_and_version(text: str) -> tuple[int, tuple[int, str, int]]:
    place, moment, revision, ident = text.split(":", _PARTS - 1)
    if int(place) < 0:
        raise ValueError(text)
    return int(place), (int(moment), ident, int(revision))


def written_cursor(text: str) -> str:
    """Return the cursor that stands for a text."""
    return base64.urlsafe_b64encode(text.encode("utf-8", "replace")).decode().rstrip("=")


def read_cursor(cursor: str, parse: Callable[[str], T]) -> T:
    """Parse the text of a cursor. Raises `BadInputError` if `parse` raises `ValueError`."""
    try:
        return parse(base64.urlsafe_b64decode(cursor.encode() + b"==").decode())
    except ValueError:
        raise BadInputError("This cursor is not from this server.", hint="Leave it out.") from None
