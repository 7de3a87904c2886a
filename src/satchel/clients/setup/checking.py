"""Checks whether Satchel's entries in clients' files work. Read-only.

Only wired clients are checked: a client not used with Satchel has no findings.
"""

import shutil

from satchel.clients.claude_code.wiring import has_guard_hook, program_findings
from satchel.clients.contract.wiring import Wiring
from satchel.clients.registry import BY_NAME
from satchel.clients.settings_files.hook_entries import command_of, hook_places
from satchel.clients.settings_files.jsonc import Document
from satchel.clients.settings_files.owned_parts import SERVER, is_our_server, started_by
from satchel.clients.settings_files.plan import read_or_none
from satchel.clients.settings_files.rule_blocks import CURRENT, MISSING
from satchel.clients.setup.compiling import TARGETS, drift_of, read_source
from satchel.clients.setup.wired import CLIENTS, PROJECT, USER, places_of, standing_server
from satchel.clients.setup.wiring import HOOKS, WiringRequest, wiring_status
from satchel.core.errors import SatchelError

#: The command of our hook before tools, in the files of every client.
_GUARDING = b"hook PreToolUse"


def check_clients(root: str) -> list[tuple[str, str]]:
    """Return problems with hooks of clients other than Claude Code: (client, what)."""
    found: list[tuple[str, str]] = []
    for name, client in CLIENTS.items():
        if client.hook_plans or BY_NAME[name].part_of:
            continue
        for scope in (PROJECT, USER):
            _check_file(client, places_of(name, scope, root).hooks, found)
    return list(dict.fromkeys(found))


def check_servers(root: str) -> list[tuple[str, str]]:
    """Return clients that cannot start our MCP server: (client, what)."""
    found = []
    for name, client in CLIENTS.items():
        for path in filter(None, (places_of(name, scope, root).mcp for scope in (PROJECT, USER))):
            try:
                entry = standing_server(client, read_or_none(path) or b"", path)
            except SatchelError:
                continue  # the client says so itself, and so does `install --status`
            program = started_by(entry)[0] if is_our_server(entry) else ""
            if program and shutil.which(program) is None:
                where = "is not on your PATH" if program == SERVER else "is not there"
                found.append(
                    (client.label, f"{path} starts the MCP server as {program}, which {where}")
                )
    return found


def wired_clients(root: str) -> dict[str, list[str]]:
    """Return the clients with our hooks, and the files."""
    files = {name: _files_of(name, root) for name in CLIENTS if not BY_NAME[name].part_of}
    return {name: paths for name, paths in files.items() if paths}


def guarding_clients(root: str) -> tuple[list[str], list[str]]:
    """Return wired clients with the hook before tools, and those without."""
    files = wired_clients(root)
    there = {
        name
        for name, paths in files.items()
        if any(_GUARDING in (read_or_none(path) or b"") for path in paths)
    }
    if has_guard_hook(root):
        there.add("claude")
    return (
        [name for name in CLIENTS if name in there],
        [name for name in files if name not in there],
    )


def check_wired_twice(root: str) -> list[tuple[str, str]]:
    """Return clients with hooks in both the repository and the user's files."""
    return [
        (CLIENTS[name].label, f"its hooks are in {' and '.join(paths)}: both run")
        for name, paths in wired_clients(root).items()
        if len(paths) > 1
    ]


def _files_of(name: str, root: str) -> list[str]:
    """Return a client's files that contain Satchel's hooks."""
    asked = WiringRequest((name,), (HOOKS,), PROJECT, root, "satchel")
    both = [one for scope in (PROJECT, USER) for one in wiring_status(asked._replace(scope=scope))]
    return [one.path for one in both if one.state in ("wired", "upgrade")]


def check_rules(root: str) -> list[str]:
    """Return compiled blocks that differ from their source."""
    try:
        drifts = drift_of(root, read_source(root), tuple(TARGETS))
    except SatchelError:
        return []
    return [f"{one.path} is {one.state}" for one in drifts if one.state not in (CURRENT, MISSING)]


def _check_file(client: Wiring, path: str, found: list[tuple[str, str]]) -> None:
    """Add the problems of Satchel's entries in a file."""
    try:
        raw = read_or_none(path)
        if raw is None or b"satchel" not in raw:
            return
        value = Document(raw, path).root.value
    except SatchelError as error:
        found.append((client.label, str(error)))
        return
    places = hook_places(value)
    events = {place[1] for place in places}
    if not events:
        return
    found += [
        (client.label, f"{path}: the {event.name} hook is missing")
        for event in client.events
        if event.name not in events
    ]
    for _, event, at, *rest in places:
        item = value["hooks"][event][at]
        handlers = item.get("hooks", [item])
        for handler in [handlers[rest[-1]]] if rest else handlers:
            line = command_of(handler)
            found += [(client.label, what) for what in program_findings("", line)]
