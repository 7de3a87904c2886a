"""The front matter of an instruction file, its versions, and when the file applies. Pure.

Known fields: `version`, `priority`, `enabled` (beans); `paths` (Claude Code), `applyTo` (Copilot),
`globs`, `alwaysApply`, `description` (Cursor).
"""

from __future__ import annotations

from satchel.clients.contract.instructions import ALWAYS, CONDITIONAL, ON_REQUEST
from satchel.core.errors import BadInputError
from satchel.core.shapes import list_of
from satchel.core.values import Any, NamedTuple
from satchel.engine.markdown.front_matter import read_fields, split

VERSION = 1
_MOST_GLOBS = 100
_LONGEST_GLOB = 200
#: How much of a rule's description Cursor shows.
LONGEST_DESCRIPTION = 1536
_LARGEST_PRIORITY = 1_000_000


class FrontMatter(NamedTuple):
    """Front matter in the current version; `told` lists its errors."""

    body: bytes
    body_line: int = 1
    version: int = VERSION
    priority: int | None = None
    enabled: bool = True
    globs: tuple[str, ...] = ()
    description: str = ""
    kind: str = ALWAYS
    told: tuple[str, ...] = ()


def read_front_matter(data: bytes, *, rule: str = "") -> FrontMatter:
    """Parse a file's front matter. Never fails: invalid fields are reported and dropped.

    Args:
        rule: "cursor" for a `.mdc`, whose head is not YAML and is required; "" for the rest.
    """
    parts = split(data)
    if not parts.has_fields:
        told = ("it has no front matter, so Cursor ignores it",) if rule == "cursor" else ()
        if parts.unclosed:
            told = (*told, "the front matter is not closed")
        kind = ON_REQUEST if rule == "cursor" else ALWAYS
        return FrontMatter(parts.body, parts.body_line, kind=kind, told=told)
    told = ()
    if rule == "cursor":
        fields = by_lines(parts.yaml.decode("utf-8", "replace"))
    else:
        try:
            fields = read_fields(parts)
        except BadInputError as error:
            fields = by_lines(parts.yaml.decode("utf-8", "replace"))
            told = (f"{error}; it was read line by line",)
    if not fields and parts.yaml.strip():
        # Two horizontal rules with text between them: not meant as a head.
        return FrontMatter(parts.before + parts.yaml + parts.after + parts.body)
    fields, wrong = migrated(fields)
    globs = _globs(fields)
    return FrontMatter(
        parts.body,
        parts.body_line,
        version=_whole(fields.get("version"), VERSION),
        priority=_priority(fields),
        enabled=_switch(fields.get("enabled"), default=True),
        globs=globs,
        description=str(fields.get("description") or "")[:LONGEST_DESCRIPTION],
        kind=_kind(fields, globs, rule),
        told=(*told, *wrong),
    )


def migrated(fields: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return fields in the current version, and what is wrong. The file is unchanged.

    Version 0 switched files off by `disabled: true`; a file with that field alone is of version 0.
    """
    first = 0 if "disabled" in fields and "version" not in fields else VERSION
    version = _whole(fields.get("version"), first)
    told: tuple[str, ...] = ()
    if "version" in fields and _whole(fields["version"], -1) < 0:
        told = ("`version` is not a whole number; it was taken for 1",)
    if version > VERSION:
        told = (*told, f"it has version {version}, newer than this Satchel knows")
    if version == 0:
        off = _switch(fields.get("disabled"), default=False)
        rest = {name: value for name, value in fields.items() if name != "disabled"}
        fields = {"enabled": not off, **rest, "version": VERSION}
    return fields, told


def by_lines(text: str) -> dict[str, Any]:
    """Parse `key: value` lines and block lists as Cursor does; nesting becomes `a.b`."""
    fields: dict[str, Any] = {}
    parent = name = ""
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        if bare.startswith("- ") or bare == "-":
            if name:
                kept = fields.get(name)
                items = list_of(kept)
                fields[name] = [*items, _unquoted(bare[1:].strip())]
            continue
        key, colon, value = bare.partition(":")
        if not colon or " " in key:
            continue
        nested = line[:1] in (" ", "\t") and parent
        name = f"{parent}.{key}" if nested else key
        fields[name] = _unquoted(value.strip())
        if not nested:
            parent = "" if value.strip() else key
    return fields


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


def _whole(value: object, otherwise: int) -> int:
    if isinstance(value, bool):
        return otherwise
    if isinstance(value, int):
        return value if 0 <= value <= _LARGEST_PRIORITY else otherwise
    text = str(value or "").strip()
    digits = text.isascii() and text.isdigit() and len(text) < 7  # noqa: PLR2004
    return int(text) if digits else otherwise


def _priority(fields: dict[str, Any]) -> int | None:
    value = fields.get("priority")
    sign = -1 if str(value).strip().startswith("-") else 1
    number = _whole(str(value).strip().removeprefix("-"), -1) if value is not None else -1
    return None if number < 0 else sign * number


def _switch(value: object, *, default: bool) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    return text in ("true", "yes", "on", "1") if value is not None and text else default


def _globs(fields: dict[str, Any]) -> tuple[str, ...]:
    found: list[str] = []
    for name in ("paths", "globs", "applyTo"):
        value = fields.get(name)
        items = value if isinstance(value, list) else _comma_list(str(value or ""))
        found += [str(item).strip() for item in items if str(item).strip()]
    return tuple(glob for glob in found[:_MOST_GLOBS] if len(glob) <= _LONGEST_GLOB)


def _comma_list(text: str) -> list[str]:
    """Split at commas outside braces."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == "," and depth <= 0:
            parts.append(text[start:at])
            start = at + 1
    return [_unquoted(part.strip()) for part in (*parts, text[start:])]


def _kind(fields: dict[str, Any], globs: tuple[str, ...], rule: str) -> str:
    if rule != "cursor":
        return CONDITIONAL if globs else ALWAYS
    always = fields.get("alwaysApply")
    if always is True or str(always).strip() == "true":
        return ALWAYS
    return CONDITIONAL if globs else ON_REQUEST
