"""The last brief of a project, used if there is no time to make a new one.

Derived: it may be deleted at any time, and is invalid once the user withdraws an approval.
"""

from __future__ import annotations

import os

from satchel.core import quick_json
from satchel.core.errors import StoreError
from satchel.core.times import ago
from satchel.core.trust import new_nonce
from satchel.storage.files import NO_LINK, PRIVATE_FILE, SETTINGS_SIZE, TOLD_SIZE, read_file
from satchel.storage.paths import PrivateState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Older briefs are too outdated, seconds.
_OLDEST = 7 * 86_400.0
_NONCE = 'nonce="'
#: The first line of a brief with one agent's identity; and its mark in any brief.
_OF_AGENT, _SOUL = "of agent: ", "\n## Who you are\n"


def keep_brief(state: PrivateState, text: str, agent: str = "") -> None:
    """Save a brief with its owner. It may be lost in a crash or on a full disk."""
    text = f"{_OF_AGENT}{agent.lower()}\n{text}" if agent else text
    part = f"{state.last_brief}.{os.getpid()}"
    try:
        with open(part, "w", encoding="utf-8", errors="replace", opener=_private) as file:
            file.write(text)
        os.replace(part, state.last_brief)
    except OSError:
        return


def last_brief(state: PrivateState, now: float, agent: str = "") -> str:
    """Return the last brief in its own fence, with its age; "" if there is none.

    An agent's identity is not shown to others.
    """
    try:
        made = os.stat(state.last_brief).st_mtime
        text = read_file(state.last_brief, most=SETTINGS_SIZE).decode("utf-8", "replace")
    except (OSError, StoreError):
        return ""
    if not 0 <= now - made <= _OLDEST or _withdrawn_since(state, made):
        return ""
    whose = ""
    if text.startswith(_OF_AGENT):
        whose, _, text = text.removeprefix(_OF_AGENT).partition("\n")
    if whose != agent.lower() and (whose or _SOUL in text):
        return ""
    told = f"(There was no time to make a new brief; this one was made {ago(now - made)}.)"
    return f"{told}\n{_fenced_anew(text)}"


def _withdrawn_since(state: PrivateState, made: float) -> bool:
    """Return whether the user has since withdrawn an approval; giving one shows nothing wrong."""
    ledger = state.ledger("approvals")
    try:
        if os.stat(ledger).st_mtime <= made:
            return False
        lines = read_file(ledger, most=TOLD_SIZE).splitlines()
        said = [quick_json.loads(line.decode("utf-8")) for line in lines if line.strip()]
    except FileNotFoundError:
        return False
    except (OSError, StoreError, ValueError):
        return True
    return any(one.get("ts", made) >= int(made) and not _approves(one) for one in said)


def _approves(line: dict[str, Any]) -> bool:
    data = line.get("data") or {}
    return data.get("op") == "approve" or bool(data.get("on"))


def _fenced_anew(text: str) -> str:
    """Replace the fence's nonce: a memory written since could close it with the old one."""
    old = text.partition(_NONCE)[2].partition('"')[0]
    return text.replace(old, new_nonce()) if old else text


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | NO_LINK, PRIVATE_FILE)
