"""Reads both sides of a merge conflict that git left in a file. Pure."""

from __future__ import annotations

from satchel.core.values import NamedTuple

_OURS, _BASE, _BETWEEN, _THEIRS = "<<<<<<< ", "|||||||", "=======", ">>>>>>> "


class Sides(NamedTuple):
    """Both sides of a file with conflict markers, and the line of the first marker, from 1."""

    ours: str
    theirs: str
    line: int


def sides_of(text: str) -> Sides | None:
    """Return both sides of a conflict; None if there are no markers."""
    if _OURS not in text:
        return None
    ours, theirs, first, part = list[str](), list[str](), 0, ""
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        marks = (_BASE, _BETWEEN, _THEIRS) if part else (_OURS,)
        mark = next((one for one in marks if line.startswith(one)), "")
        if mark:
            first = first or number
            part = "" if mark == _THEIRS else mark
            continue
        if part in ("", _OURS):
            ours.append(line)
        if part in ("", _BETWEEN):
            theirs.append(line)
    # Markers that never end are a quotation, not a conflict.
    return Sides("".join(ours), "".join(theirs), first) if first and not part else None
