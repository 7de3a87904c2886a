"""Reads a value on the lines below its name: a YAML block, a string in JSON or code.

secret_key: >-            "password":              password = (
  aaaabbbbcccc              "aaaabbbb"                 "aaaabbbb"
"""

from __future__ import annotations

from satchel.core.redaction.values import looks_secret

#: Most characters between a separator and the end of its line, and of one line below.
_LONGEST_HEADER, _LONGEST_LINE = 80, 512
#: Most lines of a block, which wraps long values.
_MOST_LINES = 80
_JUDGED = 128
_SPACES = 16
#: What may end a line before the value: nothing, a bracket, a line continuation.
_OPEN: tuple[list[str], ...] = ([], ["("], ["\\"])
_QUOTES = "\"'`"


def value_on_next_line(text: str, at: int, start: int) -> tuple[bool, int, str] | None:
    """Return a value below its name: whether it is quoted, where it starts, and the value.

    None if the value is on the same line as its name, or there is none.

    Args:
        text: all of it.
        at: behind the sign.
        start: of the name.
    """
    header, newline, _ = text[at : at + _LONGEST_HEADER].partition("\n")
    if not newline:
        return None
    words = [one for one in header.partition(" #")[0].split() if one[0] not in "!&"]
    below = at + len(header) + 1
    indent = _indent(text, text.rfind("\n", 0, start) + 1)
    if len(words) == 1 and words[0].rstrip("+-0123456789") in ("|", ">"):
        return _block(text, below, indent)
    if words not in _OPEN:
        return None
    line = _line(text, below)
    plain = line.strip()
    value = plain.rstrip(",;)")
    if value[:1] in _QUOTES and value[:1] == value[-1:] and len(value) > 1:
        return True, below + line.index(value) + 1, value[1:-1]
    # A plain YAML scalar continues only on lines indented more than its name.
    is_yaml = not words and text[max(0, at - _SPACES) : at].rstrip().endswith(":")
    if not is_yaml or _indent(text, below) <= indent or len(plain.split()) != 1:
        return None
    return (False, below + line.index(plain), plain) if plain[-1] not in ":,;{[(" else None


def is_block_secret(value: str, *, password: bool) -> bool:
    """Return whether a value below its name, wrapped or not, is a secret."""
    if any(" " in line.strip() for line in value.split("\n")):
        return False
    return looks_secret(
        "".join(value.split())[:_JUDGED], quoted=True, password=password, phrase=password
    )


def _block(text: str, at: int, indent: int) -> tuple[bool, int, str] | None:
    """Return the lines of a block indented more than its name."""
    first, end = -1, at
    for _ in range(_MOST_LINES):
        line = _line(text, at)
        if line.strip():
            if _indent(text, at) <= indent:
                break
            first = at + len(line) - len(line.lstrip()) if first < 0 else first
            end = at + len(line.rstrip())
        at += len(line) + 1
        if at >= len(text):
            break
    return (True, first, text[first:end]) if first >= 0 else None


def _line(text: str, at: int) -> str:
    return text[at : at + _LONGEST_LINE].split("\n", 1)[0]


def _indent(text: str, at: int) -> int:
    line = text[at : at + _LONGEST_HEADER]
    return len(line) - len(line.lstrip(" \t"))
