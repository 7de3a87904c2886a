"""Side by side: how a file is, and how it would be. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from satchel.core.trust import clean_text
from satchel.core.values import NamedTuple

_AROUND = 3
_MOST = 400


class Row(NamedTuple):
    """One row: numbers and texts of both sides; `kind` is same, added, removed, changed or gap."""

    kind: str
    left_number: int = 0
    left: str = ""
    right_number: int = 0
    right: str = ""


def side_by_side(before: bytes | None, after: bytes) -> list[Row]:
    """Return the rows of a comparison, three lines around each change, at most 400."""
    old, new = _lines(before or b""), _lines(after)
    rows: list[Row] = []
    groups = difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_grouped_opcodes(_AROUND)
    for number, group in enumerate(groups):
        if number:
            rows.append(Row("gap"))
        for tag, *ends in group:
            rows += _rows(tag, old, new, (ends[0], ends[1], ends[2], ends[3]))
    return rows[:_MOST]


def _rows(
    tag: str, old: list[str], new: list[str], ends: tuple[int, int, int, int]
) -> Iterator[Row]:
    first, last, begin, end = ends
    kinds = {"equal": "same", "insert": "added", "delete": "removed", "replace": "changed"}
    for step in range(max(last - first, end - begin)):
        here, there = first + step, begin + step
        left, right = here < last, there < end
        yield Row(
            kinds[tag], here + 1 if left else 0, old[here] if left else "",
            there + 1 if right else 0, new[there] if right else "",
        )  # fmt: skip


def _lines(data: bytes) -> list[str]:
    return clean_text(data.decode("utf-8", "replace")).splitlines()
