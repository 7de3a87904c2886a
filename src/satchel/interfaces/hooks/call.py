"""A hook call: what the client sent, and the project it concerns."""

from __future__ import annotations

import os
import time

from satchel.clients.registry import working_directory
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


#: Names of the argument of a tool call with the file that it is about, in order.
FILE_ARGUMENTS = ("file_path", "filePath", "notebook_path", "absolute_path", "path")


class HookCall:
    """A hook call in a project.

    Attributes:
        event: canonical event name.
        client: who called.
        payload: the client's JSON object in the contract's fields; {} if it was none.
        cwd: where the agent works.
        home: the user's.
    """

    __slots__ = ("client", "cwd", "event", "home", "payload", "place", "settings", "state")

    def __init__(
        self,
        event: str,
        client: str,
        payload: dict[str, Any],
        cwd: str,
        home: UserHome,
        *,
        place: Place,
        state: PrivateState,
    ) -> None:
        self.event, self.client, self.payload = event, client, payload
        self.cwd, self.home, self.place, self.state = cwd, home, place, state
        self.settings = _settings(home, place, state)

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
        from satchel.storage.inbox.faults import note_fault

        note_fault(self.state.faults, self.event, what, time.time())


def call_in_project(event: str, client: str, payload: dict[str, Any]) -> HookCall | None:
    """Return a call with the project it concerns; None outside any."""
    said = payload.get("cwd")
    cwd = working_directory(said if isinstance(said, str) else "")
    home, place = UserHome(home_path()), find_place(cwd)
    if place is None:
        # A session may begin above its projects; a call about a file is about that file's project.
        place = _place_of_file(payload, cwd)
    if place is None:
        return None
    key = known_key(home.registry, place) or _registered(home, place)
    if not key:
        return None
    state = home.project_state(key)
    return HookCall(event, client, payload, cwd, home, place=place, state=state)


def named_file(payload: dict[str, Any]) -> str:
    """Return the path of the file that a tool call names; "" for none."""
    given = payload.get("tool_input", payload.get("toolInput"))
    if not isinstance(given, dict):
        return ""
    named = next((given[name] for name in FILE_ARGUMENTS if isinstance(given.get(name), str)), "")
    return "" if "\0" in named else os.path.expanduser(named)


def _place_of_file(payload: dict[str, Any], cwd: str) -> Place | None:
    named = named_file(payload)
    return find_place(os.path.dirname(os.path.join(cwd, named))) if named else None


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
