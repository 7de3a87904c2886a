"""Finds passwords under a heading: a table in Markdown, a file of comma- or tab-separated values.

| user | password |        user,password
|------|----------|        app,aaaabbbb
| app  | aaaabbbb |
"""

from __future__ import annotations

from satchel.core.redaction.values import LONGEST_NAME, looks_made, names_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]

_SEPARATORS = "|\t;,"
#: Most cells of a row, and what may stand around one.
_MOST_CELLS, _AROUND = 40, " \"'`*"


def find_columns(text: str) -> Iterator[Span]:
    """Find (start, end, kind) of what looks made up in the rows below a secret's name."""
    separator, secret = "", frozenset[int]()
    at = 0
    for line in text.split("\n"):
        named = _named(line)
        if named[1]:
            separator, secret = named
        elif separator and separator in line:
            yield from _of_row(line, at, separator, secret)
        else:
            separator = ""
        at += len(line) + 1


def _named(line: str) -> tuple[str, frozenset[int]]:
    """Return the separator of a heading, and which of its columns are of secrets."""
    separator = next((one for one in _SEPARATORS if one in line), "")
    cells = line.split(separator, _MOST_CELLS) if separator else []
    names = [cell.strip(_AROUND) for cell in cells]
    if any(len(name) > LONGEST_NAME or _is_value(name) for name in names):
        return "", frozenset()
    return separator, frozenset(n for n, name in enumerate(names) if name and names_secret(name))


def _is_value(name: str) -> bool:
    return any(letter in "=:({[<" or letter.isdigit() for letter in name)


def _of_row(line: str, at: int, separator: str, secret: frozenset[int]) -> Iterator[Span]:
    for n, cell in enumerate(line.split(separator, _MOST_CELLS)):
        value = cell.strip(_AROUND)
        if n in secret and looks_made(value):
            start = at + cell.index(value)
            yield start, start + len(value), "password"
        at += len(cell) + 1
