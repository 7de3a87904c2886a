"""Plans installing and removing hooks, the MCP server and skills, for any client."""

import json
import os
import shutil
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from satchel.clients.contract.wiring import Wiring, server_entry
from satchel.clients.settings_files import skills, toml_text
from satchel.clients.settings_files.hook_entries import FOUND, hook_places
from satchel.clients.settings_files.jsonc import NEXT_STEP, Document, without_matches
from satchel.clients.settings_files.owned_parts import (
    SERVER,
    is_our_server,
    server_of,
    without_parts,
)
from satchel.clients.settings_files.plan import Plan
from satchel.clients.setup.skill_files import Draft, put_skill, remove_skill
from satchel.clients.setup.wired import (
    CLIENTS,
    PROJECT,
    USER,
    client_of_file,
    hook_items,
    places_of,
)
from satchel.core.errors import ConflictError, SatchelError
from satchel.storage.platforms import notes_on_hooks
from satchel.storage.safe_open import is_within

HOOKS, MCP, SKILLS = "hooks", "mcp", "skills"
PARTS = (HOOKS, MCP, SKILLS)
#: Path of a Satchel item in its own group: `hooks`, event, position.
_ALONE = 3


class WiringRequest(NamedTuple):
    """The installation request.

    Attributes:
        clients: names of clients.
        parts: `hooks`, `mcp`, `skills`.
        scope: `project` or `user`.
        root: of the repository.
        command: absolute path of `satchel`.
        guard: whether to install the hook before tools.
        own_skills: the folder of the user's own skills, "" for none.

    A repository's files get committed, so nothing written there names this machine.
    """

    clients: tuple[str, ...]
    parts: tuple[str, ...]
    scope: str
    root: str
    command: str
    guard: bool = False
    own_skills: str = ""

    @property
    def hook_command(self) -> str:
        """The command that hooks call."""
        return FOUND if self.scope == PROJECT else self.command

    @property
    def server_command(self) -> str:
        """The program that starts the MCP server, without a shell."""
        return SERVER if self.scope == PROJECT else self.command


def plan_wiring(asked: WiringRequest) -> Plan:
    """Plan everything requested, updating existing entries in place.

    Raises:
        ConflictError: a file cannot be changed safely; then nothing is planned for the others
        either.
    """
    draft = Draft()
    for name in asked.clients:
        _wire(draft, asked, name)
    return draft.plan()


def plan_unwiring(asked: WiringRequest) -> Plan:
    """Plan removing only what is ours."""
    draft = Draft()
    for name in asked.clients:
        client, places = CLIENTS[name], places_of(name, asked.scope, asked.root)
        if HOOKS in asked.parts and places.hooks:
            draft.edit(
                places.hooks,
                HOOKS,
                f"no hooks for {client.label}",
                _take_hooks(client, places.hooks),
            )
        if MCP in asked.parts and places.mcp:
            part = f"mcp:{client.mcp_key}" if client.mcp_key else "toml"
            draft.edit(
                places.mcp, part, f"no MCP server for {client.label}", _take(places.mcp, part)
            )
        if SKILLS in asked.parts and places.skills:
            for skill in dict.fromkeys((*skills.NAMES, *skills.deployed(places.skills))):
                remove_skill(draft, client.label, os.path.join(places.skills, skill, "SKILL.md"))
    return draft.plan()


def _wire(draft: Draft, asked: WiringRequest, name: str) -> None:
    client, places = CLIENTS[name], places_of(name, asked.scope, asked.root)
    if not any(places):
        draft.notes.append(f"{client.label} is wired in repositories only; run it in one")
        return
    if HOOKS in asked.parts:
        draft.notes += notes_on_hooks()
        if client.hook_plans:
            put_in = client.hook_plans.put_in
            draft.add(put_in(places.hooks, asked.root, asked.hook_command, asked.guard))
        else:
            items = hook_items(client, asked.hook_command, guard=asked.guard)
            draft.edit(
                places.hooks,
                HOOKS,
                f"hooks for {client.label}",
                lambda raw: with_hooks(raw, places.hooks, client, items),
            )
    if MCP in asked.parts:
        _wire_server(draft, client, places.mcp, asked)
    if SKILLS in asked.parts:
        for skill in skills.NAMES:
            path = os.path.join(places.skills, skill, "SKILL.md")
            put_skill(draft, client.label, path, skills.rendered(skill, client.tool_dir), {})
        own, wrong = skills.own_skills(asked.own_skills)
        draft.notes += wrong
        for skill, given in own.items():
            path = os.path.join(places.skills, skill, "SKILL.md")
            put_skill(draft, client.label, path, *skills.rendered_own(given, client.tool_dir))


def with_hooks(
    raw: bytes, path: str, client: Wiring, items: Sequence[tuple[str, dict[str, Any]]]
) -> bytes:
    """Return a hooks file with our entries, replaced or left if correct."""
    document = Document(raw, path)
    hooks = document.root.value.get("hooks", {})
    if not isinstance(hooks, dict):
        raise ConflictError(f'{path}: "hooks" is not an object', hint=NEXT_STEP)
    ours = _present_items(hooks)
    wanted = list(items)
    guard = client.guard.name if client.guard else ""
    if guard and any(event == guard for event, _ in ours) and guard not in dict(wanted):
        # Guards were requested earlier; updating the entries must not remove them.
        wanted += [(event, item) for event, item in ours if event == guard][:1]
    if _ordered(ours) == _ordered(wanted):
        return raw
    empty_version = client.shape == "flat" and "version" not in document.root.value
    if empty_version:
        document = document.with_value(("version",), 1)
    for event, item in wanted:
        if not isinstance(hooks.get(event, []), list):
            raise ConflictError(f"{path}: hooks.{event} is not a list", hint=NEXT_STEP)
        document = _with_item(document, event, item)
    kept = {event for event, _ in wanted}
    return without_matches(
        document, lambda value: [one for one in hook_places(value) if one[1] not in kept]
    ).raw


def _with_item(document: Document, event: str, item: dict[str, Any]) -> Document:
    """Put our item into an event's list, in its current position or at the end."""
    places = [one for one in hook_places(document.root.value) if one[1] == event]
    keep = next((one for one in places if len(one) == _ALONE), None)
    document = without_matches(
        document,
        lambda value: [one for one in hook_places(value) if one[1] == event and one != keep],
    )
    if keep is None:
        return document.with_value(("hooks", event, -1), item)
    standing = document.at(*keep)
    if standing is not None and standing.value == item:
        return document
    return document.with_value(keep, item)


def _present_items(hooks: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return our items; a handler beside somebody else's counts as a separate one."""
    found = []
    for _, event, at, *rest in hook_places({"hooks": hooks}):
        item = hooks[event][at]
        if rest and len(item["hooks"]) > 1:
            item = {**item, "hooks": [item["hooks"][rest[-1]]]}
        found.append((event, item))
    return found


def _ordered(items: Sequence[tuple[str, Any]]) -> list[str]:
    return sorted(json.dumps(one, sort_keys=True) for one in items)


def _wire_server(draft: Draft, client: Wiring, path: str, asked: WiringRequest) -> None:
    command = asked.server_command
    _note_where_missing(draft, asked)

    def change(raw: bytes) -> bytes:
        if not client.mcp_key:
            standing = toml_text.server_in(raw, path)
            if standing is not None and not is_our_server(standing):
                draft.notes.append(f"{path} already has a server called {SERVER}; it stays")
                return raw
            if standing is not None and standing.get("command") == command:
                return raw
            return toml_text.with_server(raw, path, command)
        after = _with_server(
            draft, raw, path, client.mcp_key, server_entry(client, command, ["mcp"])
        )
        return _with_schema(after, path, client.mcp_schema)

    part = f"mcp:{client.mcp_key}" if client.mcp_key else "toml"
    draft.edit(path, part, f"MCP server for {client.label}", change)


def _note_where_missing(draft: Draft, asked: WiringRequest) -> None:
    if asked.server_command == SERVER and shutil.which(SERVER) is None:
        place = os.path.dirname(asked.command) or "its directory"
        draft.notes.append(
            f"clients start the MCP server of a repository as `{SERVER}`, which is not on your"
            f" PATH: put {place} there, or `satchel install --mcp --user`"
        )


def _with_server(draft: Draft, raw: bytes, path: str, key: str, entry: dict[str, Any]) -> bytes:
    document = Document(raw, path)
    standing = server_of(document, key)
    if standing is None:
        return document.with_value((key, SERVER), entry).raw
    if not is_our_server(standing):
        draft.notes.append(f"{path} already has a server called {SERVER}; it stays")
        return raw
    if type(standing["command"]) is not type(entry["command"]):
        return document.with_value((key, SERVER), entry).raw  # of a form that the client refuses
    program, wanted = (
        one if isinstance(one, str) else one[0] for one in (standing["command"], entry["command"])
    )
    if program == wanted:
        return raw  # arguments, environment and options are the user's
    place = () if isinstance(standing["command"], str) else (0,)
    return document.with_value((key, SERVER, "command", *place), wanted).raw


def _with_schema(raw: bytes, path: str, schema: str) -> bytes:
    """Add the schema as the client would, so that it leaves the file unchanged."""
    document = Document(raw, path)
    if not schema or "$schema" in document.root.value:
        return raw
    return document.with_value(("$schema",), schema).raw


def plan_any_client(path: str, key: str, asked: WiringRequest) -> Plan:
    """Plan the MCP entry in any client's JSON file, in its own format if known.

    A file outside the repository is the user's own.
    """
    draft = Draft()
    inside = is_within(os.path.realpath(path), os.path.realpath(asked.root))
    asked = asked._replace(scope=PROJECT if asked.scope == PROJECT and inside else USER)
    name = client_of_file(path, key)
    if name:
        draft.notes.append(f"this is a file of {CLIENTS[name].label}: `satchel install {name}`")
        _wire_server(draft, CLIENTS[name], path, asked)
        return draft.plan()
    _note_where_missing(draft, asked)
    entry = {"command": asked.server_command, "args": ["mcp"]}
    draft.edit(
        path, f"mcp:{key}", "MCP server", lambda raw: _with_server(draft, raw, path, key, entry)
    )
    return draft.plan()


def _take(path: str, part: str) -> Callable[[bytes], bytes | None]:
    return lambda raw: without_parts(raw, path, [part]) if raw else raw


def _take_hooks(client: Wiring, path: str) -> Callable[[bytes], bytes | None]:
    take_out = client.hook_plans and client.hook_plans.take_out
    return (lambda raw: take_out(raw, path)) if take_out else _take(path, HOOKS)


class WiringStatus(NamedTuple):
    """The state of a client's part: wired, upgrade, absent or broken; and a note."""

    client: str
    scope: str
    part: str
    state: str
    path: str
    detail: str = ""


def wiring_status(asked: WiringRequest) -> list[WiringStatus]:
    """Return the state of each requested part of each client. Read-only."""
    found = []
    for name in asked.clients:
        places = places_of(name, asked.scope, asked.root)
        for part, path in zip(PARTS, places, strict=True):
            if part in asked.parts and path:
                state, detail = _state(asked._replace(clients=(name,), parts=(part,)))
                found.append(
                    WiringStatus(name, asked.scope, part, state=state, path=path, detail=detail)
                )
    return found


def _state(asked: WiringRequest) -> tuple[str, str]:
    try:
        missing, present = plan_wiring(asked), plan_unwiring(asked)
    except SatchelError as error:
        return "broken", str(error)
    notes = "; ".join(n for n in dict.fromkeys((*missing.notes, *present.notes)) if "stays" in n)
    if not present.changes:
        return "absent", notes
    return ("upgrade" if missing.changes else "wired"), notes


def wired_twice(standings: Sequence[WiringStatus]) -> list[str]:
    """Return clients with hooks in both the repository and the user's files."""
    hooks = [one.client for one in standings if one.part == HOOKS and one.state != "absent"]
    return [name for name in dict.fromkeys(hooks) if hooks.count(name) > 1]
