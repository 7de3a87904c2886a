"""Marks: short hashes that identify a line of code without storing its text.

White space does not count: a line that was only indented again keeps its mark.
"""

from __future__ import annotations

from satchel.core.hashing import digest

#: Hexadecimal digits of a mark: 40 bits, enough among the lines of one project.
LENGTH = 10
#: The fewest letters and digits of a distinctive line; anybody may write `}`, `else:` or `try:`.
_TELLING = 8


def mark_of(line: str) -> str:
    """Return a line's mark, "" for an empty one."""
    text = "".join(line.split())
    return digest(text.encode("utf-8", "replace")).hex()[:LENGTH] if text else ""


def marks_of(text: str) -> tuple[str, ...]:
    """Return the marks of a text's non-empty lines, which end where git says: at a newline."""
    return tuple(mark for mark in map(mark_of, text.split("\n")) if mark)


def is_telling(line: str) -> bool:
    """Return whether a line is distinctive enough to be identified by itself."""
    return sum(map(str.isalnum, line)) >= _TELLING


def packed(marks: tuple[str, ...]) -> str:
    """Join marks into one word."""
    return "".join(marks)


def unpacked(word: str) -> tuple[str, ...]:
    """Split a word into marks."""
    return tuple(word[at : at + LENGTH] for at in range(0, len(word) - LENGTH + 1, LENGTH))
