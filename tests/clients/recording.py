"""What clients write on a hook's standard input, kept without anybody's paths, ids and times."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from clients.stand import HERE, Hook, Stand

RECORDED = HERE / "recorded"
#: Fields by which two inputs of one event are of different kinds.
_KINDS = ("tool_name", "source", "reason", "trigger", "agent_type", "agentType", "prompt")
_MEASURED = re.compile(r"duration|_ms$|seconds|tokens|usd|timestamp", re.IGNORECASE)
_RANDOM = {"backgroundTaskId"}
_FENCED = re.compile(
    r"(satchel-memory nonce=.*?(?:&gt;|>)).*?((?:&lt;|<)/satchel-memory nonce=)", re.DOTALL
)
_IDS = re.compile(
    r"\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|01[0-9A-HJKMNP-TV-Z]{12,24}"
    r"|(?=[a-f]*\d)[0-9a-f]{6,40}|(?:toolu|call|fc|msg|tooluse|ses|prt)_\w+)\b"
    r"|(?<=<task-id>)\w+|(?<=tasks/)\w+(?=\.output)"
)
_CHANGING = (
    (re.compile(r"\b20\d\d([-/])\d\d\1\d\d"), r"2026\g<1>01\g<1>01"),
    (re.compile(r"T\d\d([-:])\d\d(?:\1\d\d(?![0-9a-f]))?(?:\.\d+)?"), r"T00\g<1>00"),
    (re.compile(r"\d+\.\d+ seconds"), "0.1 seconds"),
    (re.compile(r'("nickname":")\w+'), r"\g<1>any"),
    (re.compile(r"(PGID: |/tmp/claude-|duration_ms>)\d+"), r"\g<1>0"),
    # What a tool of our server found, with its ages.
    (re.compile(r"\n\n\{\"(?:id|question)\".*", re.DOTALL), r"\n\n{}"),
)


def folder(client: str, version: str) -> Path:
    """Return where the inputs of one client's version are kept."""
    return RECORDED / f"{client}-{version}"


def record(stand: Stand) -> int:
    """Keep one input of each kind, and none of another version; return how many."""
    kept: dict[str, dict[str, Any]] = {}
    for hook in stand.hooks():
        given = neutral(hook, stand)
        event = given.get("hook_event_name", hook.event)
        if stand.client.said.get("wait") in _command(given):
            continue
        kept.setdefault(event, {}).setdefault(_kind(given), given)
    place = folder(stand.client.name, stand.version)
    for old in RECORDED.glob(f"{stand.client.name}-[0-9]*"):
        if old != place:
            shutil.rmtree(old)
    for one in place.glob("*.json"):
        one.unlink()
    for event, kinds in kept.items():
        place.mkdir(parents=True, exist_ok=True)
        text = json.dumps([kinds[one] for one in sorted(kinds)], indent=1, ensure_ascii=False)
        (place / f"{event}.json").write_text(text + "\n", "utf-8")
    return sum(map(len, kept.values()))


def _kind(given: dict[str, Any]) -> str:
    return json.dumps([*_command(given), *(given.get(name) for name in _KINDS)])


def _command(given: dict[str, Any]) -> list[str]:
    """Return the command that a tool was called with, if it has one."""
    asked = given.get("tool_input")
    asked = asked if isinstance(asked, dict) else {}
    return [asked[name] for name in ("command", "cmd") if name in asked]


def neutral(hook: Hook, stand: Stand) -> dict[str, Any]:
    """Return what a hook was given, the same in every run."""
    places = {
        str(stand.repo): "/home/you/shop",
        str(stand.home): "/home/you",
        str(stand.directory): "/home/you",
    }
    # Claude Code spells a folder's path as one name.
    places |= {re.sub(r"\W|_", "-", old): new.replace("/", "-") for old, new in places.items()}
    found: dict[str, Any] = _neutral(hook.given, places, {})
    return found


def _neutral(value: Any, places: dict[str, str], ids: dict[str, str], name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _neutral(one, places, ids, key) for key, one in value.items()}
    if isinstance(value, list):
        return [_neutral(one, places, ids) for one in value]
    if name in _RANDOM:
        return "any"
    if isinstance(value, str):
        return _neutral_text(value, places, ids)
    return 0 if _MEASURED.search(name) else value


def _neutral_text(text: str, places: dict[str, str], ids: dict[str, str]) -> str:
    for old, new in places.items():
        text = text.replace(old, new)
    text = _FENCED.sub(r"\1what Satchel said\2", text)
    for pattern, new in _CHANGING:
        text = pattern.sub(new, text)
    return _IDS.sub(lambda m: ids.setdefault(m[0], _number(m[0], len(ids))), text)


def _number(old: str, so_far: int) -> str:
    """Return an id of the same shape."""
    number = str(so_far + 1)
    head = re.match(r"[a-z]+_", old)
    if head:
        return head[0] + number
    digits = number.rjust(len(old), "0")
    return "".join("-" if old[at] == "-" else one for at, one in enumerate(digits))
