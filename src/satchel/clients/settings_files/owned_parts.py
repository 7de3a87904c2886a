"""Finds and removes Satchel's parts of a client's file.

Parts: `hooks` (entries in either shape), `mcp:KEY` (our server below that member), `toml` (our
server in Codex's configuration), `skill` and `whole` (the whole file), `rules` (a marked block).
"""

import re
from collections.abc import Iterable
from typing import Any

from satchel.clients.settings_files import rule_blocks, skills, toml_text
from satchel.clients.settings_files.hook_entries import command_of, hook_places
from satchel.clients.settings_files.jsonc import Document, decoded, without_matches

SERVER = "satchel"
#: What opencode itself puts before its configuration.
SCHEMA = "https://opencode.ai/config.json"
#: What is left of a file that only had our entries.
_NOTHING: tuple[dict[str, Any], ...] = ({}, {"version": 1}, {"$schema": SCHEMA})
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_FRONT_MATTER = re.compile(r"\A---\r?\n(?:[^\n]*\n)*?---\r?\n\s*\Z")


def is_our_server(entry: Any) -> bool:
    """Return whether a client's entry starts our MCP server."""
    program, arguments = started_by(entry)
    named = program.rsplit("/", 1)[-1] == "satchel"
    return named and isinstance(arguments, list) and arguments[:1] == ["mcp"]


def started_by(entry: Any) -> tuple[str, Any]:
    """Return a server's program and arguments, from one list or two fields."""
    if not isinstance(entry, dict):
        return "", None
    whole = entry.get("command")
    if isinstance(whole, list):
        return (whole[0] if whole and isinstance(whole[0], str) else ""), whole[1:]
    return command_of(entry), entry.get("args")


def without_parts(raw: bytes, path: str, parts: Iterable[str]) -> bytes | None:
    """Return the file without our parts; None if nothing else is left.

    Raises:
        ConflictError: it cannot be parsed.
    """
    left: bytes | None = raw
    for part in parts:
        if left is None:
            break
        left = _without(left, path, part)
    return left


def _without(raw: bytes, path: str, part: str) -> bytes | None:
    if part in ("skill", "whole"):
        # What a person changed is theirs; only a skill's mark shows that it is unchanged.
        return None if part == "skill" and skills.state_of(raw) == skills.STALE else raw
    if part == "rules":
        text = decoded(raw, path, hint="Save it as UTF-8.")
        left = rule_blocks.without_block(text, path)
        if left == text:
            return raw
        return None if not left.strip() or _FRONT_MATTER.match(left) else left.encode()
    if part == "toml":
        if not is_our_server(toml_text.server_in(raw, path)):
            return raw
        return toml_text.without_server(raw, path) or None
    return _without_members(raw, path, part)


def _without_members(raw: bytes, path: str, part: str) -> bytes | None:
    document = Document(raw, path)
    if part == "hooks":
        left_over = without_matches(document, hook_places)
    else:
        key = part.removeprefix("mcp:")
        ours = is_our_server(server_of(document, key))
        if ours and _wrote_schema(document, key):
            document = document.without(("$schema",))
        left_over = without_matches(
            document, lambda value: [(key, SERVER)] if ours and SERVER in value.get(key, {}) else []
        )
    if left_over.raw == raw:
        return raw
    if left_over.root.value in _NOTHING and not re.search(
        r"/[/*]", _STRING.sub("", left_over.text)
    ):
        return None
    return left_over.raw


def _wrote_schema(document: Document, key: str) -> bool:
    """Return whether we wrote the schema: it follows our server; others put it first."""
    names = list(document.root.value)
    return document.root.value.get("$schema") == SCHEMA and names[-2:] == [key, "$schema"]


def server_of(document: Document, key: str) -> Any:
    """Return the server called satchel below a member, or None."""
    node = document.at(key, SERVER)
    return node.value if node is not None else None
