"""A hook call: what the client sent, and the project it concerns."""

from __future__ import annotations

import os
import time

from satchel.clients.registry import CLAUDE_CODE, working_directory
from satchel.core import quick_json
from satchel.core.errors import SatchelError
from satchel.project.place import Place, find_place, known_key
from satchel.storage.paths import PROJECT_FILE, PrivateState, UserHome
from satchel.storage.settings.environment import home_path
from satchel.storage.settings.loading import last_settings, load_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.storage.settings.table import Settings


class HookCall:
    """A hook call: the event, what the client sent, and the project it concerns.

    Attributes:
        event: canonical event name.
        client: who called.
        payload: the client's JSON object in the contract's fields; {} if it was none.
        cwd: where the agent works.
        place: the project's place; None outside any project.
        state: its private state; None where the project is not registered.
        settings: resolved settings of the project.
    """

    __slots__ = ("client", "cwd", "event", "home", "payload", "place", "settings", "state")

    def __init__(self, event: str, payload: dict[str, Any], client: str = CLAUDE_CODE) -> None:
        self.client = client
        self.event = event
        self.payload = payload
        self.cwd = working_directory(self.text("cwd"))
        self.home = UserHome(home_path())
        self.place: Place | None = find_place(self.cwd)
        self.state: PrivateState | None = None
        self.settings: Settings | None = None
        if self.place is not None:
            key = known_key(self.home.registry, self.place) or _registered(self.home, self.place)
            if key:
                self.state = self.home.project_state(key)
                self.settings = _settings(self.home, self.place, self.state)

    def value(self, name: str) -> Any:
        """Return a field of the payload, in snake_case or camelCase; None if absent."""
        if name in self.payload:
            return self.payload[name]
        head, *rest = name.split("_")
        return self.payload.get(head + "".join(part.capitalize() for part in rest))

    def text(self, name: str) -> str:
        """Return a text field; "" if it is absent or not a string."""
        value = self.value(name)
        return value if isinstance(value, str) else ""

    def fault(self, what: str) -> None:
        """Record for `satchel doctor` what went wrong in this call."""
        if self.state is not None:
            from satchel.storage.inbox.faults import note_fault

            note_fault(self.state.faults, self.event, what, time.time())


def context_answer(event: str, text: str, *, to_person: str = "") -> str:
    """Encode context for the agent in Claude Code's format; "" if there is none.

    `to_person` is what the client shows to the person beside it, not to the agent.
    """
    if not text:
        return ""
    answer: dict[str, Any] = {"systemMessage": to_person} if to_person else {}
    answer["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": text}
    return quick_json.dumps(answer)


def _settings(home: UserHome, place: Place, state: PrivateState) -> Settings:
    """Resolve settings; while a file is broken (during a merge), use the last ones or defaults.

    What an agent says meanwhile must not be lost.
    """
    project = os.path.join(place.root, PROJECT_FILE)
    try:
        return load_settings(home.configuration, project, state.settings_snapshot)
    except SatchelError as error:
        from satchel.storage.inbox.faults import note_fault

        note_fault(state.faults, "settings", str(error), time.time())
        return last_settings(state.settings_snapshot, home.configuration)


def _registered(home: UserHome, place: Place) -> str:
    """Register a new clone. Starts git, once."""
    if not place.project_id:
        return ""
    from satchel.project.registry import registered

    return registered(home, place)
