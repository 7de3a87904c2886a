"""Parses git's patches: added and removed lines, renames."""

from __future__ import annotations

import re
from collections.abc import Iterable

from satchel.core.hashing import short_hash
from satchel.core.line_marks import mark_of
from satchel.core.values import NamedTuple

_HUNK = re.compile(r"@@+(?: -\d+(?:,\d+)?)+ \+(\d+)")
_COLUMN = {"+", "-", " "}


class Patch(NamedTuple):
    """A parsed patch; see `commits.Commit`."""

    added: dict[str, tuple[tuple[int, str], ...]]
    renamed: dict[str, str]
    change: str
    removed: frozenset[str]


def parse_patch(lines: Iterable[str]) -> Patch:
    """Parse a patch without context.

    Of a merge, only the lines are added that no parent has, and what it removes is not known.
    """
    added: dict[str, list[tuple[int, str]]] = {}
    renamed: dict[str, str] = {}
    changed: list[str] = []
    path = old = ""
    number = parents = 0
    for line in lines:
        if line.startswith(("diff --git ", "diff --cc ")):
            path, parents = "", 0
        elif line.startswith("@@"):
            found = _HUNK.match(line)
            number, parents = int(found[1]) if found else 0, line.index(" ") - 1
        elif parents and line and _COLUMN.issuperset(line[:parents]):
            text = line[parents:]
            if path and line[:parents] == "+" * parents:
                added.setdefault(path, []).append((number, text))
            number += "-" not in line[:parents]
            mark = mark_of(text)
            if mark and parents == 1:
                changed.append(line[0] + mark)
        elif line.startswith("+++ "):
            path = path_in(line[4:], "b/")
        elif line.startswith("rename from "):
            old = path_in(line[12:])
        elif line.startswith("rename to "):
            renamed[path_in(line[10:])] = old
    return Patch(
        {path: tuple(found) for path, found in added.items()},
        renamed,
        short_hash("\n".join(changed).encode()) if changed else "",
        frozenset(mark[1:] for mark in changed if mark[0] == "-"),
    )


def path_in(text: str, prefix: str = "") -> str:
    """Return a path as in a patch; "" for a missing file."""
    text = text.rstrip("\t")
    if text == "/dev/null":
        return ""
    if text.startswith('"') and text.endswith('"'):
        raw = text[1:-1].encode("utf-8", "surrogateescape")
        text = raw.decode("unicode_escape").encode("latin-1", "replace").decode("utf-8", "replace")
    return text.removeprefix(prefix)
