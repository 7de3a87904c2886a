"""Sections of a Markdown text by heading, ignoring fenced code."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.core.values import NamedTuple

_SPACES = " \t"
_DEEPEST = 6
_CODE_INDENT = 4
_SHORTEST_FENCE = 3


class Line(NamedTuple):
    """A line: its start and end (with newline), its text, and whether it is code."""

    start: int
    end: int
    text: str
    code: bool


class Section(NamedTuple):
    """A part of a text, `text[start:end]`: a heading and its text up to the next heading.

    `level` is 0 for text before the first heading. `path` has the titles from the outermost heading
    to this one.
    """

    level: int
    title: str
    path: tuple[str, ...]
    start: int
    end: int


def lines_of(text: str) -> Iterator[Line]:
    r"""Yield a text's lines and whether each is fenced code. Only `\n` ends a line."""
    start, fence = 0, ""
    while start < len(text):
        newline = text.find("\n", start)
        end = len(text) if newline < 0 else newline + 1
        line = text[start:end].rstrip("\r\n")
        mark = _fence_of(line)
        code = bool(fence) or bool(mark)
        if fence:
            closes = mark.startswith(fence) and not line.strip().strip(fence[0])
            fence = "" if closes else fence
        elif mark:
            fence = mark
        yield Line(start, end, line, code)
        start = end


def sections(text: str) -> list[Section]:
    """Split a text into contiguous sections; [] for an empty text."""
    heads: list[tuple[int, int, str]] = [(0, 0, "")]
    before: Line | None = None
    for line in lines_of(text):
        if line.code:
            before = None
            continue
        level, title = _atx(line.text)
        if level:
            heads.append((line.start, level, title))
            before = None
            continue
        level = _setext(line.text)
        if level and before is not None:
            heads.append((before.start, level, before.text.strip()))
            before = None
            continue
        before = line if _may_be_title(line.text) else None
    if len(heads) > 1 and heads[1][0] == 0:
        del heads[0]
    ends = [start for start, _, _ in heads[1:]] + [len(text)]
    found, path = [], list[tuple[int, str]]()
    for (start, level, title), end in zip(heads, ends, strict=True):
        path = [(above, name) for above, name in path if above < level]
        if title:
            path.append((level, title))
        found.append(Section(level, title, tuple(name for _, name in path), start, end))
    return found if text else []


def first_heading(text: str) -> str:
    """Return the first heading's title, or ""."""
    return next((section.title for section in sections(text) if section.title), "")


def _fence_of(line: str) -> str:
    """Return a fence line's backticks or tildes; "" for other lines."""
    bare = line.lstrip(" ")
    if len(line) - len(bare) >= _CODE_INDENT or bare[:1] not in ("`", "~"):
        return ""
    run = len(bare) - len(bare.lstrip(bare[0]))
    if run < _SHORTEST_FENCE or (bare[0] == "`" and "`" in bare[run:]):
        return ""
    return bare[:run]


def _atx(line: str) -> tuple[int, str]:
    bare = line.lstrip(" ")
    if len(line) - len(bare) >= _CODE_INDENT or not bare.startswith("#"):
        return 0, ""
    level = len(bare) - len(bare.lstrip("#"))
    rest = bare[level:]
    if level > _DEEPEST or (rest and rest[0] not in _SPACES):
        return 0, ""
    title = rest.strip()
    bare_title = title.rstrip("#")
    if not bare_title or bare_title[-1] in _SPACES:
        title = bare_title.rstrip()
    return level, title


def _setext(line: str) -> int:
    bare = line.strip(_SPACES)
    if not bare or line.startswith(" " * _CODE_INDENT):
        return 0
    if not bare.strip("="):
        return 1
    return 2 if not bare.strip("-") else 0


def _may_be_title(line: str) -> bool:
    """Return whether a line can be a setext title: no list, quote, table or code."""
    bare = line.strip()
    if not bare or line.startswith((" " * _CODE_INDENT, "\t")) or _setext(line):
        return False
    return not bare.startswith(("- ", "* ", "+ ", ">", "|", "#", "<"))
