"""Reads a list of mappings as Satchel itself writes it, without a YAML library. Pure.

A library takes as long to load as everything else at a session's start. Anything in another form,
written by hand or another program, is left to the library: see `yaml_entries.read_entries`.
"""

from __future__ import annotations

import re

from satchel.core.values import Any, NamedTuple

#: A field: its name, and a value that every reader understands the same way.
_NAMED = (
    r"(?P<name>[a-z][a-z_]{0,40}): (?:"
    r'"(?P<quoted>[^"\\]*)"'
    r"|(?P<day>\d{4}-\d\d-\d\d)"
    r"|(?P<float>(?:0|[1-9]\d{0,3})\.(?:0|\d{0,5}[1-9]))"
    r"|(?P<int>0|[1-9]\d{0,8})"
    r"|(?P<word>[A-Za-z](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?))"
)
#: A field on its own line, with the entry's dash; and a field of a one-line entry.
_FIELD = re.compile(r"  (?P<dash>- |  )" + _NAMED)
_PART = re.compile(_NAMED + r"(?P<end>, |\}$)")
_LINE = "  - {"
#: Words that YAML readers do not take as text.
_TAKEN = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n", "none"))


class PlainEntry(NamedTuple):
    """An entry: its fields, and the line of its dash, from 1."""

    fields: dict[str, Any]
    line: int


def read_plain(text: str, field: str) -> list[PlainEntry] | None:
    """Return the entries below a field, as `read_entries` would; None for any other text."""
    head, *rest = text.removeprefix("version: 1\n").split("\n")
    if head != f"{field}:" or not rest or rest.pop():
        return None
    entries: list[PlainEntry] = []
    for number, line in enumerate(rest, text.count("\n") - len(rest) + 1):
        if not line.isprintable():
            return None
        if line.startswith(_LINE):
            entries.append(PlainEntry({}, number))
            if not _reads_parts(line, entries[-1].fields):
                return None
            continue
        found = _FIELD.fullmatch(line)
        if found is None:
            return None
        if found["dash"] == "- ":
            entries.append(PlainEntry({}, number))
        if not entries or not _takes(entries[-1].fields, found):
            return None
    return entries


def _reads_parts(line: str, fields: dict[str, Any]) -> bool:
    at, end = len(_LINE), ", "
    while end == ", ":
        found = _PART.match(line, at)
        if found is None or not _takes(fields, found):
            return False
        at, end = found.end(), found["end"]
    return True


def _takes(fields: dict[str, Any], found: re.Match[str]) -> bool:
    name, value = found["name"], _value_of(found)
    if value is None or name in fields or name in _TAKEN:
        return False
    fields[name] = value
    return True


def _value_of(found: re.Match[str]) -> str | float | None:
    if found["float"]:
        return float(found["float"])
    if found["int"]:
        return int(found["int"])
    word = found["word"]
    if word:
        return None if word.lower() in _TAKEN else word
    return found["day"] or found["quoted"]
