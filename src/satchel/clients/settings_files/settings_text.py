"""Changes one member of a JSON file, leaving every other byte unchanged."""

import json
import re
from typing import Any

from satchel.clients.settings_files.jsonc import dumped
from satchel.core.errors import ConflictError

_BOM = b"\xef\xbb\xbf"
_BLANK = re.compile(r"[ \t\r\n]*")
_FIRST_INDENT = re.compile(r"\{[ \t]*\r?\n([ \t]+)\"")
_NEXT_STEP = "run it again with --print and put the entries in by hand"


def parse_settings(raw: bytes, path: str) -> dict[str, Any]:
    """Parse a settings file.

    Raises:
        ConflictError: it is not a JSON object, or repeats a name; the message says where.
    """
    text = _text(raw, path)
    if not text.strip():
        return {}

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise ConflictError(f"{path}: {twice!r} occurs twice", hint=_NEXT_STEP)
        return found

    try:
        data = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        what = "comments are not JSON" if text[error.pos : error.pos + 1] == "/" else error.msg
        raise ConflictError(
            f"{path} is not valid JSON: line {error.lineno}, column {error.colno}: {what}",
            hint=_NEXT_STEP,
        ) from None
    except RecursionError:
        raise ConflictError(f"{path} is nested too deeply", hint=_NEXT_STEP) from None
    if not isinstance(data, dict):
        raise ConflictError(f"{path} contains no JSON object", hint=_NEXT_STEP)
    return data


def with_member(raw: bytes | None, path: str, name: str, value: Any) -> bytes:
    """Return the file with top-level member `name` set to `value`; None removes it."""
    text = _text(raw or b"", path)
    if not text.strip():
        return (dumped({name: value}, "  ") + "\n").encode()
    newline = "\r\n" if "\r\n" in text else "\n"
    indent = _indent(text)
    written = dumped(value, indent)
    if indent:
        written = written.replace("\n", newline + indent)
    members, close = _members(text)
    for at, (key, start, value_start, end) in enumerate(members):
        if key != name:
            continue
        if value is not None:
            changed = text[:value_start] + written + text[end:]
        elif at:
            changed = text[: members[at - 1][3]] + text[end:]
        else:
            alone = len(members) == 1
            changed = (
                text[: text.index("{") + 1] + text[close:]
                if alone
                else text[:start] + text[members[1][1] :]
            )
        break
    else:
        if value is None:
            return raw or b""
        lead = members[-1][3] if members else text.index("{") + 1
        gap = newline + indent if indent else ""
        after = text[lead:close] if members else ""
        after = after if members or not indent else newline
        comma = ("," if indent else ", ") if members else ""
        entry = f"{comma}{gap}{json.dumps(name)}: {written}"
        changed = text[:lead] + entry + after + text[close:]
    return (_BOM if (raw or b"").startswith(_BOM) else b"") + changed.encode()


def _text(raw: bytes, path: str) -> str:
    try:
        return raw.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        raise ConflictError(f"{path} is not UTF-8 (byte {error.start})", hint=_NEXT_STEP) from None


def _indent(text: str) -> str | None:
    """Return the file's indentation; None if it is all on one line."""
    found = _FIRST_INDENT.search(text)
    if found:
        return found[1]
    return "  " if "\n" in text.strip() or text.strip() == "{}" else None


def _members(text: str) -> tuple[list[tuple[str, int, int, int]], int]:
    """Return each top-level member (name, start, start of value, end), and the last brace."""
    decoder = json.JSONDecoder()
    members = []
    at = _skip(text, text.index("{") + 1)
    while text[at] != "}":
        key, after = decoder.raw_decode(text, at)
        value_start = _skip(text, _skip(text, after) + 1)
        _, end = decoder.raw_decode(text, value_start)
        members.append((key, at, value_start, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return members, at


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at
