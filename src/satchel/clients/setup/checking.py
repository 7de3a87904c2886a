"""What keeps Satchel's entries in clients' files from working; reads only.

Only what is wired is looked at: a client that nobody uses with Satchel has no findings.
"""

from satchel.clients.claude_code.wiring import program_findings
from satchel.clients.contract.wiring import Wiring
from satchel.clients.registry import BY_NAME
from satchel.clients.settings_files.hook_entries import command_of
from satchel.clients.settings_files.jsonc import Document
from satchel.clients.settings_files.owned_parts import hook_places
from satchel.clients.settings_files.plan import read_or_none
from satchel.clients.settings_files.rule_blocks import CURRENT, MISSING
from satchel.clients.setup.compiling import TARGETS, drift_of, read_source
from satchel.clients.setup.wired import CLIENTS, PROJECT, USER, places_of
from satchel.core.errors import SatchelError


def check_clients(root: str) -> list[tuple[str, str]]:
    """Say what is wrong with the hooks of clients other than Claude Code: (client, what)."""
    found: list[tuple[str, str]] = []
    for name, client in CLIENTS.items():
        if client.hook_plans or BY_NAME[name].part_of:
            continue
        paths = [places_of(name, scope, root).hooks for scope in (PROJECT, USER)]
        counts = [_check_file(client, path, found) for path in paths]
        if all(counts):
            found.append((client.label, f"its hooks are in {paths[0]} and {paths[1]}: both run"))
    return list(dict.fromkeys(found))


def wired_clients(root: str) -> list[str]:
    """Name the clients that have Satchel's hooks, in a repository or for every one."""
    return [
        client.label
        for name, client in CLIENTS.items()
        if not BY_NAME[name].part_of
        and any(_calls_satchel(places_of(name, scope, root).hooks) for scope in (PROJECT, USER))
    ]


def _calls_satchel(path: str) -> bool:
    try:
        raw = read_or_none(path) if path else None
        return bool(raw) and bool(hook_places(Document(raw or b"", path).root.value))
    except SatchelError:
        return False


def check_rules(root: str) -> list[str]:
    """Name compiled blocks that differ from their source; nothing where none was compiled."""
    try:
        drifts = drift_of(root, read_source(root), tuple(TARGETS))
    except SatchelError:
        return []
    return [f"{one.path} is {one.state}" for one in drifts if one.state not in (CURRENT, MISSING)]


def _check_file(client: Wiring, path: str, found: list[tuple[str, str]]) -> int:
    """Return how many of Satchel's entries are in a file; add their problems."""
    try:
        raw = read_or_none(path)
        if raw is None or b"satchel" not in raw:
            return 0
        value = Document(raw, path).root.value
    except SatchelError as error:
        found.append((client.label, str(error)))
        return 0
    places = hook_places(value)
    events = {place[1] for place in places}
    if not events:
        return 0
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
    return len(places)
