"""Splits a text into chunks small enough to search and complete enough to read.

Cut at headings, then at blank lines, then at line ends, sentences, spaces. Every character of the
text is in exactly one chunk.
"""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.engine.markdown.sections import Section, lines_of, sections

#: Characters: the wanted size of a chunk, the largest, and the size too small to stand alone under
#: its heading.
WANTED = 900
MOST = 1350
_LEAST = 240


class Chunk(NamedTuple):
    """`text[start:end]`, with its headings, outermost first."""

    start: int
    end: int
    headings: tuple[str, ...]


def chunks(text: str) -> list[Chunk]:
    """Split a text into contiguous chunks; [] for an empty text."""
    breaks = _blank_line_ends(text)
    found: list[Chunk] = []
    for section in sections(text):
        pieces = _pieces(text, section, breaks)
        if found and pieces and _joins(found[-1], pieces[0], section):
            first = pieces.pop(0)
            found[-1] = Chunk(found[-1].start, first.end, found[-1].headings or first.headings)
        found += pieces
    return found


def _joins(last: Chunk, first: Chunk, section: Section) -> bool:
    """Return whether a short section joins its subsection or the next one."""
    inside = section.path[: len(last.headings)] == last.headings
    beside = section.path[:-1] == last.headings[:-1]
    little = last.end - last.start < _LEAST
    return little and (inside or beside) and first.end - last.start <= WANTED


def _pieces(text: str, section: Section, breaks: list[int]) -> list[Chunk]:
    found: list[Chunk] = []
    start = section.start
    while section.end - start > MOST:
        end = _end_of_piece(text, start, breaks)
        found.append(Chunk(start, end, section.path))
        start = end
    if start < section.end:
        found.append(Chunk(start, section.end, section.path))
    return found


def _end_of_piece(text: str, start: int, breaks: list[int]) -> int:
    """Return where to cut an overlong piece that begins at `start`."""
    near, far = start + _LEAST, start + MOST
    at = _bisect(breaks, start + WANTED)
    earlier = breaks[at - 1] if at else 0
    later = breaks[at] if at < len(breaks) else far + 1
    if earlier > near:
        return earlier
    if later <= far:
        return later
    for mark in ("\n", ". ", "? ", "! ", "。", " "):
        at = text.rfind(mark, near, start + WANTED)
        if at >= 0:
            return at + len(mark)
    return start + WANTED


def _blank_line_ends(text: str) -> list[int]:
    """Return offsets of paragraphs: after blank lines outside fenced code."""
    found, blank = [], False
    for line in lines_of(text):
        empty = not line.code and not line.text.strip()
        if blank and not empty:
            found.append(line.start)
        blank = empty
    return found


def _bisect(values: list[int], wanted: int) -> int:
    from bisect import bisect_right

    return bisect_right(values, wanted)
