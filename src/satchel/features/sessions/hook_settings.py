"""The Foundation's `session-hooks.json`: what agents are shown when a session starts.

    {"hooks": {"pre_session": {"args": [...]}}, "agent_overrides": {"seldon": {"pre_session":
     {"args": ["--include-fleet-status"]}}}}

The scripts it names are never run: Satchel does their work, and reads their arguments.
"""

from __future__ import annotations

import json
from typing import Any

from satchel.core.errors import NotReadableError
from satchel.core.shapes import dict_of, list_of
from satchel.core.values import NamedTuple
from satchel.storage.files import read_file

#: Argument of The Foundation's script -> section of the start.
_INCLUDES = {
    "--include-fleet-status": "fleet",
    "--include-infra-health": "health",
    "--include-task-summary": "tasks",
}
_COUNTS = {
    "insights": ("--insights", "insights_limit"),
    "activities": ("--activities", "activities_limit"),
    "conversations": ("--conversations", "conversations_limit"),
}


class StartSettings(NamedTuple):
    """What a session starts with: the number of each, and extra sections."""

    insights: int = 5
    activities: int = 10
    conversations: int = 5
    include: tuple[str, ...] = ()


def start_for(path: str, agent: str) -> StartSettings:
    """Return an agent's settings, with The Foundation's defaults.

    Raises `NotReadableError` if the file is not a JSON object.
    """
    raw = read_file(path) if path else b""
    if not raw:
        return StartSettings()
    try:
        value: Any = json.loads(raw)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise NotReadableError(f"{path} is not a JSON object.", hint="Fix it or remove it.")
    start = _with(StartSettings(), _at(value, "hooks", "pre_session"))
    named = value.get("agent_overrides")
    overrides: dict[str, Any] = dict_of(named)
    own: Any = next((v for k, v in overrides.items() if k.lower() == agent.lower()), {})
    return _with(start, _at({"own": own}, "own", "pre_session"))


def _with(start: StartSettings, given: dict[str, Any]) -> StartSettings:
    arguments = given.get("args")
    words = [str(word) for word in list_of(arguments)]
    include = [_INCLUDES[word] for word in words if word in _INCLUDES]
    counts: dict[str, int] = {}
    for name, (option, field) in _COUNTS.items():
        value = given.get(field)
        if option in words[:-1]:
            value = words[words.index(option) + 1]
        if str(value).isdecimal() and int(str(value)) <= 100:  # noqa: PLR2004
            counts[name] = int(str(value))
    together = tuple(dict.fromkeys((*start.include, *include)))
    return start._replace(include=together, **counts)


def _at(value: dict[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        inner = value.get(name)
        value = dict_of(inner)
    return value
