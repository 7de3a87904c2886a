"""Wraps text at the terminal's width, between words. Pipes and files get unwrapped lines."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

#: Columns below which wrapping leaves nothing readable.
_LEAST = 30
_HANGING = 2


def print_wrapped(text: str, *, to: TextIO | None = None) -> None:
    """Print text whose lines end between words, each continued below its first word."""
    out = to or sys.stdout
    try:
        width = os.get_terminal_size(out.fileno()).columns
    except (OSError, ValueError, AttributeError):
        width = 0
    print(wrapped(text, width) if width >= _LEAST else text, file=out, flush=True)


def wrapped(text: str, width: int) -> str:
    """Return text with lines of at most `width` columns, except for longer words."""
    return "\n".join(_folded(line, width) for line in text.split("\n"))


def _folded(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    import textwrap

    indent = len(line) - len(line.lstrip(" "))
    return textwrap.fill(
        line[indent:],
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent or _HANGING),
        break_long_words=False,
        break_on_hyphens=False,
    )
