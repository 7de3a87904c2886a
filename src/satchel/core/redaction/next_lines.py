"""Reads a value that stands below its name: a block of YAML, a string of JSON or code.

secret_key: >-            "password":              password = (
  aaaabbbbcccc              "aaaabbbb"                 "aaaabbbb"
"""

from __future__ import annotations

from satchel.core.redaction.values import looks_secret

#: Characters between a sign and its line's end, and of one line below.
_LONGEST_HEADER, _LONGEST_LINE = 80, 512
#: Lines of a block, which wraps what is long.
_MOST_LINES = 80
_JUDGED = 128
_SPACES = 16
#: What may stand at a line's end before the value: nothing, a bracket, a line that goes on.
_OPEN: tuple[list[str], ...] = ([], ["("], ["\\"])
_QUOTES = "\"'`"


def value_on_next_line(text: str, at: int, start: int) -> tuple[bool, int, str] | None:
    """Return a value below its name: whether it was quoted, where it starts, and what it is.

    None where the value stands beside its name, or there is none.

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
    # A plain scalar of YAML goes on only where it is further in than its name.
    is_yaml = not words and text[max(0, at - _SPACES) : at].rstrip().endswith(":")
    if not is_yaml or _indent(text, below) <= indent or len(plain.split()) != 1:
        return None
    return (False, below + line.index(plain), plain) if plain[-1] not in ":,;{[(" else None


def is_block_secret(value: str, *, password: bool) -> bool:
    """Return whether what stands below its name, wrapped or not, is a secret."""
    if any(" " in line.strip() for line in value.split("\n")):
        return False
    return looks_secret(
        "".join(value.split())[:_JUDGED], quoted=True, password=password, phrase=password
    )


def _block(text: str, at: int, indent: int) -> tuple[bool, int, str] | None:
    """Return the lines of a block that are further in than its name."""
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
