"""Where instruction files may be: their owner, their tier, and the clients that read them.

Satchel's own and those of presets are listed here; each client provides its own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from satchel.clients.contract.instructions import (
    ALWAYS,
    AUTO_BYTES,
    AUTO_LINES,
    GLOBAL,
    LOCAL,
    MACHINE,
    PRIORITIES,
    PROJECT,
    REPOSITORY,
    SHARED,
    TEAM,
    USER,
    Directory,
    File,
    Folder,
    Source,
    instructions_of,
)
from satchel.clients.registry import ALIASES
from satchel.core.values import NamedTuple

#: Each client's files.
CLIENTS = {client: instructions_of(client) for client in ALIASES}
#: Hidden directory that may have another copy of a file with this name.
_HIDDEN = {"BEANS.md": ".beans", "AGENTS.md": ".agents"}
for _one in CLIENTS.values():
    _HIDDEN |= _one.hidden
#: Files that a client reads instead of all others in a directory.
_OVERRIDES = tuple(one.override for one in CLIENTS.values() if one.override)
#: Memory files of Satchel and of presets, below a project.
_OWN = (".satchel/MEMORY.md", ".agents/MEMORY.md")
#: Position of Satchel's and presets' files among the person's: after the clients'.
_LAST = 10


class Homes(NamedTuple):
    """The user's directories: of Satchel, of presets, and of each client."""

    person: str
    satchel: str
    beans: str
    clients: Mapping[str, str]


def local_name(name: str) -> str:
    """`AGENTS.md` -> `AGENTS.local.md`: the file beside it that git does not see."""
    stem, extension = os.path.splitext(name)
    return f"{stem}.local{extension}"


def managed() -> tuple[str, ...]:
    """Return the directories of this machine's administrator."""
    return tuple(place for one in CLIENTS.values() for place in one.machine)


def trusted(homes: Homes) -> tuple[str, ...]:
    """Return the user's directories whose instruction files may import from beside them."""
    own = (homes.clients[name] for name, one in CLIENTS.items() if one.home_files)
    return (homes.satchel, *own, homes.beans)


def readers_of(name: str) -> tuple[str, ...]:
    """Return the clients that read a project file themselves, its own client first."""
    found = [client for client, one in CLIENTS.items() if name in one.reads]
    return tuple(sorted(found, key=lambda client: CLIENTS[client].rules.file != name))


def global_files(homes: Homes, names: tuple[str, ...], *, local: bool) -> list[Source]:
    """Return the files for every project: the machine's, then the user's."""
    low = PRIORITIES[GLOBAL]
    found: list[Source] = []
    for client, one in CLIENTS.items():
        found += [
            Source(os.path.join(place, one.own), GLOBAL, MACHINE, low - 1, clients=(client,))
            for place in one.machine
        ]
        for file in one.home_files:
            found += _in_home(homes.clients[client], file, client, local=local and file.local)
    own = [(homes.beans, name) for name in names] + [(homes.satchel, "MEMORY.md")]
    for order, (place, name) in enumerate(dict.fromkeys(own), _LAST):
        mine = File(name, order, is_read=False)
        found += _in_home(place, mine, "", local=local)
    return found


def _in_home(home: str, file: File, client: str, *, local: bool) -> list[Source]:
    path = os.path.join(home, *file.path.split("/"))
    low, readers = PRIORITIES[GLOBAL], (client,) if file.is_read else ()
    found = [Source(path, GLOBAL, USER, low, order=file.order, clients=readers)]
    if local:
        found.append(Source(local_name(path), GLOBAL, USER, low + 1, order=file.order))
    return found


def global_directories(homes: Homes) -> list[Directory]:
    """Return the directories of the user's rules."""
    rule = Source("", GLOBAL, USER, PRIORITIES[GLOBAL])
    found = [
        _directory(homes.clients[client], folder, rule, client)
        for client, one in CLIENTS.items()
        for folder in one.home_folders
    ]
    beans = Directory(os.path.join(homes.beans, "memory"), ".md", rule._replace(order=80))
    return [*found, beans]


def _directory(above: str, folder: Folder, template: Source, client: str) -> Directory:
    path = os.path.join(above, *folder.path.split("/"))
    source = template._replace(order=folder.order, clients=(client,))
    return Directory(path, folder.suffix, source, deep=folder.deep)


def auto_memory(homes: Homes, directories: Sequence[str]) -> list[Directory]:
    """Return the clients' own notes on a project known by these directories."""
    return [
        directory
        for client, one in CLIENTS.items()
        if one.notes is not None
        for directory in one.notes(homes.clients[client], directories)
    ]


def as_auto_memory(source: Source) -> Source:
    """Return the part a client loads, MEMORY.md; the rest is read on demand."""
    if os.path.basename(source.path) not in ("MEMORY.md", "memory_summary.md"):
        return source
    return source._replace(kind=ALWAYS, most_lines=AUTO_LINES, most_bytes=AUTO_BYTES)


def agent_memory(homes: Homes, root: str, agent: str) -> list[Source]:
    """Return the clients' memory of one agent."""
    return [
        source
        for client, one in CLIENTS.items()
        if one.agent_memory is not None
        for source in one.agent_memory(homes.clients[client], root, agent)
    ]


def project_files(
    directory: str, names: tuple[str, ...], *, depth: int, local: bool
) -> list[Source]:
    """Return the files of a project directory, including hidden and local ones."""
    high = PRIORITIES[PROJECT]
    found: list[Source] = []
    for order, name in enumerate((*_OVERRIDES, *names)):
        hidden = os.path.join(_HIDDEN.get(name, ".satchel"), name)
        readers = tuple(client for client, one in CLIENTS.items() if one.own == name)
        here = Source(
            "",
            PROJECT,
            REPOSITORY,
            priority=high,
            depth=depth,
            order=order,
            clients=readers_of(name),
        )
        found += [
            here._replace(path=os.path.join(directory, name)),
            here._replace(path=os.path.join(directory, hidden), priority=high - 1, clients=readers),
        ]
        if local:
            beside = here._replace(tier=LOCAL, clients=readers)
            paths = (
                os.path.join(directory, local_name(name)),
                os.path.join(directory, local_name(hidden)),
            )
            found += [
                beside._replace(path=path, priority=PRIORITIES[LOCAL] - lower)
                for lower, path in enumerate(paths)
            ]
    here = Source("", PROJECT, REPOSITORY, priority=high - 1, depth=depth, order=40)
    found += [here._replace(path=os.path.join(directory, *own.split("/"))) for own in _OWN]
    if local:
        own_local = [os.path.join(directory, *local_name(own).split("/")) for own in _OWN]
        found += [
            here._replace(path=path, tier=LOCAL, priority=PRIORITIES[LOCAL] - 1)
            for path in own_local
        ]
    return found


def top_files(root: str) -> list[Source]:
    """Return files that count only at the top of a project."""
    here = Source("", PROJECT, REPOSITORY, priority=PRIORITIES[PROJECT], depth=0, order=30)
    team = here._replace(tier=TEAM, priority=PRIORITIES[TEAM])
    found = [
        here._replace(
            path=os.path.join(root, *file.path.split("/")), order=file.order, clients=(client,)
        )
        for client, one in CLIENTS.items()
        for file in one.top_files
    ]
    return [*found, team._replace(path=os.path.join(root, ".satchel", "TEAM.md"))]


def project_directories(directory: str, *, depth: int) -> list[Directory]:
    """Return the rules directories in a project directory."""
    rule = Source("", PROJECT, REPOSITORY, PRIORITIES[PROJECT], depth)
    return [
        _directory(directory, folder, rule, client)
        for client, one in CLIENTS.items()
        for folder in one.project_folders
    ]


def top_directories(root: str, team: str) -> list[Directory]:
    """Return directories that count only at the top: path-specific and team files."""
    rule = Source("", PROJECT, REPOSITORY, PRIORITIES[PROJECT], 0)
    shared = rule._replace(tier=TEAM, priority=PRIORITIES[TEAM], order=22)
    found = [
        _directory(root, folder, rule, client)
        for client, one in CLIENTS.items()
        for folder in one.top_folders
    ]
    found += [
        Directory(os.path.join(root, hidden, "team"), ".md", shared)
        for hidden in (".satchel", ".beans")
    ]
    if team:
        found.append(Directory(team, ".md", shared._replace(owner=SHARED)))
    return found
