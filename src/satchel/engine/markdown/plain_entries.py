"""Reads a list of mappings as Satchel itself writes it, without a YAML library. Pure.

A library takes as long to load as all else that a session's start does. What is put in any other
way, by hand or by another program, is left to it: see `yaml_entries.read_entries`.
"""

from __future__ import annotations

import re

from satchel.core.values import Any, NamedTuple

#: A field of an entry: its dash, its name, and a value that no reader takes for something else.
_FIELD = re.compile(
    r"  (?P<dash>- |  )(?P<name>[a-z][a-z_]{0,40}): (?:"
    r'"(?P<quoted>[^"\\]*)"'
    r"|(?P<day>\d{4}-\d\d-\d\d)"
    r"|(?P<float>(?:0|[1-9]\d{0,3})\.(?:0|\d{0,5}[1-9]))"
    r"|(?P<int>0|[1-9]\d{0,8})"
    r"|(?P<word>[A-Za-z](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?))"
)
#: Words that a reader of YAML takes for more than words.
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
        found = _FIELD.fullmatch(line)
        if found is None or not line.isprintable():
            return None
        if found["dash"] == "- ":
            entries.append(PlainEntry({}, number))
        name, value = found["name"], _value_of(found)
        if not entries or value is None or name in entries[-1].fields or name in _TAKEN:
            return None
        entries[-1].fields[name] = value
    return entries


def _value_of(found: re.Match[str]) -> str | float | None:
    if found["float"]:
        return float(found["float"])
    if found["int"]:
        return int(found["int"])
    word = found["word"]
    if word:
        return None if word.lower() in _TAKEN else word
    return found["day"] or found["quoted"]
