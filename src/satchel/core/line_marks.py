"""Marks of lines: short hashes by which a line of code is known again without keeping its text.

White space does not count: a line that was only indented again keeps its mark.
"""

from __future__ import annotations

from satchel.core.hashing import digest

#: Hexadecimal digits of a mark: 40 bits, enough among the lines of one project.
LENGTH = 10
#: Letters and digits without which a line could have been written by anybody: `}`, `else:`, `try:`.
_TELLING = 8


def mark_of(line: str) -> str:
    """Return the mark of a line, "" for an empty one."""
    text = "".join(line.split())
    return digest(text.encode("utf-8", "replace")).hex()[:LENGTH] if text else ""


def marks_of(text: str) -> tuple[str, ...]:
    """Return the marks of the lines of a text; empty lines have none."""
    return tuple(mark for mark in map(mark_of, text.splitlines()) if mark)


def is_telling(line: str) -> bool:
    """Return whether a line says enough to be known again by itself."""
    return sum(map(str.isalnum, line)) >= _TELLING


def packed(marks: tuple[str, ...]) -> str:
    """Return marks as one word."""
    return "".join(marks)


def unpacked(word: str) -> tuple[str, ...]:
    """Return the marks of one word."""
    return tuple(word[at : at + LENGTH] for at in range(0, len(word) - LENGTH + 1, LENGTH))
