"""The wiring of all clients: where hooks, MCP servers and skills are in a scope.

Paths and formats follow the clients' own documentation; nothing here touches a file.
"""

import os
import shutil
from typing import Any

from satchel.clients.contract.wiring import Places, Wiring, wiring_of
from satchel.clients.registry import BY_NAME, CLAUDE_CODE, WHOLE, client_home
from satchel.clients.settings_files import toml_text
from satchel.clients.settings_files.hook_entries import shell_program
from satchel.clients.settings_files.jsonc import Document
from satchel.clients.settings_files.owned_parts import server_of
from satchel.clients.settings_files.plan import read_or_none
from satchel.core.errors import SatchelError

PROJECT, USER = "project", "user"
CLIENTS = {name: wiring_of(name) for name in BY_NAME}


def places_of(client: str, scope: str, root: str = "") -> Places:
    """Return a client's paths.

    Args:
        scope: `project` or `user`.
        root: of the repository, for `project`.
    """
    wiring = CLIENTS[client]
    if scope == PROJECT:
        return Places(*(os.path.join(root, *name.split("/")) for name in wiring.in_project))
    return Places("", "", "") if wiring.at_home is None else wiring.at_home(client_home(client))


def client_of_file(path: str, key: str) -> str:
    """Return the client with an MCP servers file of this name and member, or ""."""
    name, folder = os.path.basename(path), os.path.basename(os.path.dirname(path))
    for client, wiring in CLIENTS.items():
        above, _, known = wiring.in_project.mcp.rpartition("/")
        same = name.removesuffix("c") == known.removesuffix("c")
        if same and wiring.mcp_key == key and (not above or above == folder):
            return client
    return ""


def found_in(root: str) -> tuple[str, ...]:
    """Return the clients that a repository shows signs of."""
    return tuple(
        name
        for name, client in CLIENTS.items()
        if any(os.path.lexists(os.path.join(root, sign)) for sign in client.signs)
    )


def found_on_machine() -> tuple[str, ...]:
    """Return the clients with a directory in the user's home, or a program of their name."""
    return tuple(
        name
        for name, client in CLIENTS.items()
        if client.at_home is not None
        and (os.path.isdir(client_home(name)) or shutil.which(name) is not None)
    )


def clients_here(root: str) -> tuple[str, ...]:
    """Return the clients that `init` wires: Claude Code if it is used or nothing else is.

    Besides Claude Code, only clients with signs in the repository count, since it is a team's.
    """
    signs = found_in(root)
    others = tuple(name for name in signs if name != CLAUDE_CODE)
    at_home = os.path.isdir(client_home(CLAUDE_CODE))
    if CLAUDE_CODE in signs or at_home or shutil.which("claude"):
        return (CLAUDE_CODE, *others)
    machine = [name for name in found_on_machine() if name in WHOLE]
    here = tuple(dict.fromkeys((*others, *machine)))
    return here if any(name in WHOLE for name in here) else (CLAUDE_CODE, *here)


def hook_items(client: Wiring, command: str, *, guard: bool) -> list[tuple[str, dict[str, Any]]]:
    """Return each event's list items: the client's event and its item."""
    if client.item is None:
        return []
    events = [*client.events, *([client.guard] if guard and client.guard else [])]
    return [(event.name, client.item(event, shell_program(command))) for event in events]


def standing_server(client: Wiring, raw: bytes, path: str) -> Any:
    """Return the server called satchel in a client's file, or None."""
    if client.mcp_key:
        return server_of(Document(raw, path), client.mcp_key)
    return toml_text.server_in(raw, path)


def next_step(name: str, root: str) -> str:
    """Return what the user must do before a client runs what was installed."""
    client = CLIENTS[name]
    return (
        client.server_step if client.server_step and _has_server(name, root) else client.next_step
    )


def _has_server(name: str, root: str) -> bool:
    for path in (places_of(name, scope, root).mcp for scope in (PROJECT, USER)):
        try:
            raw = read_or_none(path) if path else None
            if raw and standing_server(CLIENTS[name], raw, path) is not None:
                return True
        except SatchelError:
            continue  # `doctor` reports unreadable files
    return False
