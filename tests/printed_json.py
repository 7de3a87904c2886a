"""The JSON Schemas of what commands print with `--json`: the test's measure, and the reference's source.

They lie in `json_schemas/`, one file for each command: action -> schema, "" where there is none.
What several of them name lies in `shared.json`.
"""

from __future__ import annotations

import json
import os
from typing import Any

_DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "json_schemas")
_SHARED = "shared"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REFERENCE = "#/$defs/"


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
    """Return the full schema of one command's JSON, with everything it refers to."""
    name = f"{command} {action}".strip()
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
