"""`satchel schema`: the JSON Schema of what commands print with `--json`.

The schemas lie in `schemas/`, one file for each command: action -> schema, "" where there is none.
What several of them name lies in `shared.json`. A test compares them with what commands print.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from satchel.core.errors import NotFoundError
from satchel.interfaces.cli.arguments import parser_for, print_json
from satchel.interfaces.cli.commands import ALIASES

_DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemas")
_SHARED = "shared"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REFERENCE = "#/$defs/"


def schema(words: Sequence[str]) -> int:
    """`satchel schema [COMMAND [ACTION]]`: print one schema, or list all of them."""
    parser = parser_for("schema", "Print the JSON Schema of what a command prints with --json.")
    parser.add_argument("command", nargs="?", default="", help="the command; without one, all")
    parser.add_argument("action", nargs="?", default="", help="the action, if the command has any")
    options = parser.parse_args(words)
    if options.command:
        return print_json(schema_of(options.command, options.action))
    listed = described()
    width = max(map(len, listed))
    return options.reply(
        [{"command": name, "prints": text} for name, text in listed.items()],
        *(f"{name:<{width}}  {text}" for name, text in listed.items()),
    )


def described() -> dict[str, str]:
    """Return what each command and action prints, for every schema."""
    names = sorted(name[: -len(".json")] for name in os.listdir(_DIRECTORY))
    return {
        f"{name} {action}".strip(): str(one["description"])
        for name in names
        if name != _SHARED
        for action, one in _read(name).items()
    }


def schema_of(command: str, action: str = "") -> dict[str, Any]:
    """Return the full schema of one command's JSON, with everything it refers to.

    Raises:
        NotFoundError: there is none; the hint names those of the command.
    """
    known = described()
    command = ALIASES.get(command, (command,))[0]
    name = f"{command} {action}".strip()
    if name not in known:
        near = [one for one in known if one.partition(" ")[0] == command]
        hint = f"There are {', '.join(near)}." if near else "`satchel schema` lists them."
        raise NotFoundError(f"There is no schema of {name[:60]!r}.", hint=hint)
    found = _read(command)[action]
    parts = _needed(found, shared())
    title = "an error" if command == "error" else f"satchel {name} --json"
    whole = {"$schema": _DIALECT, "title": title, **found}
    return {**whole, "$defs": parts} if parts else whole


def shared() -> dict[str, dict[str, Any]]:
    """Return the definitions that several schemas use: a memory, a task, a row."""
    return _read(_SHARED)


def _read(name: str) -> dict[str, dict[str, Any]]:
    with open(os.path.join(_DIRECTORY, f"{name}.json"), encoding="utf-8") as file:
        read: dict[str, dict[str, Any]] = json.load(file)
    return read


def _needed(schema: Any, known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the shared definitions that a schema refers to, directly or not."""
    found: dict[str, Any] = {}
    waiting = [schema]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
            name = str(one.get("$ref", "")).removeprefix(_REFERENCE)
            if name and name not in found:
                found[name] = known[name]
                waiting.append(known[name])
        elif isinstance(one, list):
            waiting += one
    return dict(sorted(found.items()))


COMMANDS = {"schema": schema}
