"""Encodes values and entries as YAML that every parser reads the same way. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from satchel.core.values import Any

#: Words that other YAML readers do not take as text.
_TAKEN = frozenset("true false null yes no on off y n none".split())
_LONGEST_PLAIN = 64
_LONGEST_LIST = 60


def encode_value(value: Any, quote: str = "") -> str:
    """Encode a text, number, boolean or list of texts on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, int | float):
        return _quoted(str(value), quote) if quote else str(value)
    if isinstance(value, list | tuple):
        return (
            "["
            + ", ".join(encode_value(one, '"' if isinstance(one, str) else "") for one in value)
            + "]"
        )
    if isinstance(value, dict):
        inner = (f"{encode_value(str(k))}: {encode_value(v, _double(v))}" for k, v in value.items())
        return "{" + ", ".join(inner) + "}"
    text = str(value)
    return text if not quote and _is_plain(text) else _quoted(text, quote)


def _double(value: Any) -> str:
    return '"' if isinstance(value, str) else ""


def _is_plain(text: str) -> bool:
    word = text.replace("-", "").replace("_", "")
    date = len(text) == len("2026-03-10") and text[4:5] == text[7:8] == "-"
    return (
        0 < len(text) <= _LONGEST_PLAIN
        and word.isascii()
        and word.isalnum()
        and (text[0].isalpha() or (date and word.isdigit()))
        and text.lower() not in _TAKEN
    )


def _quoted(text: str, quote: str) -> str:
    if quote == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    parts = []
    for character in text:
        code = ord(character)
        if character in '"\\':
            parts.append("\\" + character)
        elif character == "\n":
            parts.append("\\n")
        elif character.isprintable():
            parts.append(character)
        elif code < 0x100:  # noqa: PLR2004
            parts.append(f"\\x{code:02x}")
        else:
            parts.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")  # noqa: PLR2004
    return '"' + "".join(parts) + '"'


def as_item(fields: Mapping[str, Any], column: int, new: str, *, in_line: bool = False) -> str:
    """Encode an entry as lines, with its dash at `column`; or as one, which git merges whole."""
    if in_line:
        return f"{' ' * column}- {encode_value(dict(fields))}{new}"
    lines = [line for name, value in fields.items() for line in _field_lines(name, value)]
    head, *rest = lines or ["{}"]
    indent = " " * column
    return "".join([f"{indent}- {head}{new}", *(f"{indent}  {line}{new}" for line in rest)])


def _field_lines(name: str, value: Any) -> list[str]:
    """Encode a field, with mappings and long lists on their own lines."""
    if isinstance(value, dict) and value:
        inner = [line for key, one in value.items() for line in _field_lines(str(key), one)]
        return [f"{encode_value(name)}:", *("  " + line for line in inner)]
    line = f"{encode_value(name)}: {encode_value(value)}"
    if isinstance(value, list | tuple) and value and len(line) > _LONGEST_LIST:
        return [
            f"{encode_value(name)}:",
            *("  - " + encode_value(one, _double(one)) for one in value),
        ]
    return [line]
