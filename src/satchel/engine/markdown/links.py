"""Links in Markdown: `[text](target)`, `[[note]]` and `[name]: target`, outside code."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.engine.markdown.sections import lines_of


class Link(NamedTuple):
    """A link's target, its text, and its line from 1."""

    target: str
    text: str
    line: int


def links(text: str) -> list[Link]:
    """Return a text's links in order, including images."""
    import re

    inline = re.compile(
        r"\[\[(?P<wiki>[^\[\]|\n]{1,300})(?:\|(?P<alias>[^\[\]\n]{0,300}))?\]\]"
        r"|\[(?P<text>[^\[\]\n]{0,300})\]\((?P<target><[^<>\n]{0,1000}>|[^\s()]{1,1000})"
        r"(?:\s{1,9}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\)"
        r"|^ {0,3}\[(?P<name>[^\[\]\n]{1,300})\]:\s{0,9}(?P<defined>\S{1,1000})"
    )
    found = []
    for number, line in enumerate(lines_of(text), 1):
        if line.code or "[" not in line.text:
            continue
        for match in inline.finditer(_without_code(line.text)):
            target = match["wiki"] or match["target"] or match["defined"] or ""
            name = match["alias"] or match["text"] or match["name"] or match["wiki"] or ""
            found.append(Link(target.strip("<> "), name.strip(), number))
    return found


def _without_code(line: str) -> str:
    """Blank out inline code, in which no link may begin."""
    pieces = line.split("`")
    closed = len(pieces) - 1 if len(pieces) % 2 else len(pieces) - 2
    return "`".join(
        " " * len(piece) if at % 2 and at <= closed else piece for at, piece in enumerate(pieces)
    )
