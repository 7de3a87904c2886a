"""Paragraphs of Markdown that can be quoted as an answer; not headings or code."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.core.values import NamedTuple
from satchel.engine.markdown.sections import Line, lines_of, sections
from satchel.engine.search.tokens import coverage

_BULLETS = ("- ", "* ", "+ ")
_RULE = frozenset("|-: =*_")
ROW = "|"
#: Most headings to show above a paragraph.
_HEADINGS = 2


class Paragraph(NamedTuple):
    """A paragraph, list item or table row: its position and its headings."""

    line: int
    title: str
    text: str


def paragraphs(text: str) -> list[Paragraph]:
    """Return a Markdown text's paragraphs in order."""
    found = []
    heads = [(one.start, " > ".join(one.path[-_HEADINGS:]), one.title) for one in sections(text)]
    at, number, seen = 0, 1, 0
    for block in _blocks(text):
        first = block[0]
        while at + 1 < len(heads) and heads[at + 1][0] <= first.start:
            at += 1
        number += text.count("\n", seen, first.start)
        seen = first.start
        body = "\n".join(line.text.strip() for line in block)
        if body.strip("# \n") != heads[at][2].strip():
            found.append(Paragraph(number, heads[at][1], body))
    return found


def best_paragraph(question: str, text: str) -> str:
    """Return the paragraph with most of a question's words, or ""."""
    return max(
        (one.text for one in paragraphs(text)), key=lambda one: coverage(question, one), default=""
    )


def _blocks(text: str) -> Iterator[list[Line]]:
    """Yield runs of related lines; headings, rules, code and comments end a run."""
    block: list[Line] = []
    for line in lines_of(text):
        bare = line.text.strip()
        if bare.startswith("|-") and not set(bare) - _RULE:
            block = []  # the row above a table's rule names its columns
        ends = line.code or not bare or bare.startswith(("#", "<!--")) or not set(bare) - _RULE
        if block and (ends or _begins(bare)):
            yield block
            block = []
        if not ends:
            block.append(line)
    if block:
        yield block


def _begins(bare: str) -> bool:
    number, dot, _ = bare.partition(". ")
    return bare.startswith((*_BULLETS, ROW)) or bool(dot and number.isdigit())
