"""Diffs of a file as one column of lines, with the changed words marked. Pure."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from satchel.core.trust import clean_text
from satchel.core.values import NamedTuple

_AROUND = 3
_MOST = 400
#: Lines that share less than this are not compared by words.
_ALIKE = 0.4
SAME, ADDED, REMOVED, GAP = "same", "added", "removed", "gap"


class Line(NamedTuple):
    """A line: its number in the file, and its text in parts, each changed or not."""

    kind: str
    number: int = 0
    parts: tuple[tuple[str, bool], ...] = ()


class FileDiff(NamedTuple):
    """A file: its display name, lines, counts of added and removed lines; `new` if created."""

    name: str
    lines: list[Line]
    added: int
    removed: int
    new: bool
    folded: bool


def diff_of(name: str, before: bytes | None, after: bytes, *, folded: bool = False) -> FileDiff:
    """Compare two versions of a file, with 3 lines of context and at most 400 lines."""
    old, new = _lines(before or b""), _lines(after)
    lines: list[Line] = []
    groups = difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_grouped_opcodes(_AROUND)
    for number, group in enumerate(groups):
        if number:
            lines.append(Line(GAP))
        for tag, first, last, begin, end in group:
            if tag == "equal":
                lines += [
                    Line(SAME, begin + n + 1, ((old[first + n], False),))
                    for n in range(last - first)
                ]
            else:
                lines += _changed(old[first:last], new[begin:end], first, begin)
    added = sum(one.kind == ADDED for one in lines)
    removed = sum(one.kind == REMOVED for one in lines)
    return FileDiff(name, lines[:_MOST], added, removed=removed, new=before is None, folded=folded)


def _changed(old: list[str], new: list[str], first: int, begin: int) -> Iterator[Line]:
    compared = [words_of(a, b) for a, b in zip(old, new, strict=False)]
    for n, line in enumerate(old):
        parts = compared[n][0] if n < len(compared) else ((line, False),)
        yield Line(REMOVED, first + n + 1, parts)
    for n, line in enumerate(new):
        parts = compared[n][1] if n < len(compared) else ((line, False),)
        yield Line(ADDED, begin + n + 1, parts)


Parts = tuple[tuple[str, bool], ...]


def words_of(old: str, new: str) -> tuple[Parts, Parts]:
    """Split two texts into parts, marking the words that only one of them has."""
    left, right = re.findall(r"\w+|\s+|.", old), re.findall(r"\w+|\s+|.", new)
    matcher = difflib.SequenceMatcher(a=left, b=right, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return ((old, False),), ((new, False),)
    here: list[tuple[str, bool]] = []
    there: list[tuple[str, bool]] = []
    for tag, first, last, begin, end in matcher.get_opcodes():
        here.append(("".join(left[first:last]), tag != "equal"))
        there.append(("".join(right[begin:end]), tag != "equal"))
    return tuple(one for one in here if one[0]), tuple(one for one in there if one[0])


def _lines(data: bytes) -> list[str]:
    return clean_text(data.decode("utf-8", "replace")).splitlines()
