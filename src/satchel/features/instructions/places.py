"""Where memory files may lie: whose they are, which tier, who reads them without Satchel.

Names only; nothing here looks at a disk.
"""

from __future__ import annotations

import os

from satchel.clients.claude_code.project_key import project_key
from satchel.core.values import NamedTuple
from satchel.features.instructions.values import (
    AGENT,
    ALWAYS,
    GLOBAL,
    LOCAL,
    MACHINE,
    ON_REQUEST,
    PRIORITIES,
    PROJECT,
    REPOSITORY,
    SHARED,
    TEAM,
    USER,
    Source,
)

#: Claude Code reads so much of its MEMORY.md.
AUTO_LINES, AUTO_BYTES = 200, 25_000
_MANAGED = ("/etc/claude-code", "/Library/Application Support/ClaudeCode")
#: Hidden directory that holds another copy of a file with this name.
_HIDDEN = {
    "CLAUDE.md": ".claude",
    "BEANS.md": ".beans",
    "GEMINI.md": ".gemini",
    "AGENTS.md": ".agents",
}
#: Who reads a name in a project by itself. The nested ones of Cursor's need a setting of Cursor's.
_READERS = {
    "AGENTS.md": ("codex", "copilot", "cursor"),
    "CLAUDE.md": ("claude", "copilot"),
    "GEMINI.md": ("gemini", "copilot"),
    "AGENTS.override.md": ("codex",),
}
#: Memory of Satchel's own and of presets, below a project.
_OWN = (".satchel/MEMORY.md", ".agents/MEMORY.md")


class Homes(NamedTuple):
    """The person's directories: of Satchel, and of each client."""

    person: str
    satchel: str
    claude: str
    codex: str
    gemini: str
    copilot: str
    cursor: str
    beans: str


class Directory(NamedTuple):
    """A directory whose files are memory files: which names, how deep, as what.

    `suffix` ends their names; `template` is the source that each becomes, with its own path.
    """

    path: str
    suffix: str
    template: Source
    deep: bool = False


def local_name(name: str) -> str:
    """`AGENTS.md` -> `AGENTS.local.md`: the file beside it that git does not see."""
    stem, extension = os.path.splitext(name)
    return f"{stem}.local{extension}"


def managed() -> tuple[str, ...]:
    """Directories of whoever manages this machine."""
    return _MANAGED


def global_files(homes: Homes, names: tuple[str, ...], *, local: bool) -> list[Source]:
    """Files for every project: the machine's, then the person's."""
    low = PRIORITIES[GLOBAL]
    found = [
        Source(os.path.join(place, "CLAUDE.md"), GLOBAL, MACHINE, low - 1, clients=("claude",))
        for place in _MANAGED
    ]
    own = [
        (homes.claude, "CLAUDE.md", ("claude",)),
        (homes.codex, "AGENTS.override.md", ("codex",)),
        (homes.codex, "AGENTS.md", ("codex",)),
        (homes.gemini, "GEMINI.md", ("gemini",)),
        (homes.copilot, "copilot-instructions.md", ("copilot",)),
        (homes.copilot, "AGENTS.md", ()),
        *((homes.beans, name, ()) for name in names),
        (homes.satchel, "MEMORY.md", ()),
    ]
    for order, (place, name, clients) in enumerate(dict.fromkeys(own)):
        path = os.path.join(place, name)
        found.append(Source(path, GLOBAL, USER, low, order=order, clients=clients))
        if local and place in (homes.beans, homes.satchel, homes.claude):
            beside = os.path.join(place, local_name(name))
            found.append(Source(beside, GLOBAL, USER, low + 1, order=order))
    return found


def global_directories(homes: Homes) -> list[Directory]:
    """Directories of the person's rules."""
    rule = Source("", GLOBAL, USER, PRIORITIES[GLOBAL], order=50, clients=("claude",))
    return [
        Directory(os.path.join(homes.claude, "rules"), ".md", rule, deep=True),
        Directory(
            os.path.join(homes.copilot, "instructions"),
            ".instructions.md",
            rule._replace(order=60, clients=("copilot",)),
        ),
        Directory(
            os.path.join(homes.cursor, "rules"),
            ".mdc",
            rule._replace(order=70, clients=("cursor",)),
        ),
        Directory(os.path.join(homes.beans, "memory"), ".md", rule._replace(order=80, clients=())),
    ]


def auto_memory(homes: Homes, directories: tuple[str, ...]) -> list[Directory]:
    """What clients have noted by themselves: Claude Code for these directories, Codex for all."""
    note = Source("", AGENT, USER, PRIORITIES[AGENT], clients=("claude",), kind=ON_REQUEST)
    keys = dict.fromkeys(project_key(directory) for directory in directories)
    places = [os.path.join(homes.claude, "projects", key, "memory") for key in keys]
    found = [Directory(place, ".md", note) for place in places]
    team = note._replace(tier=TEAM, priority=PRIORITIES[TEAM], order=10)
    found += [Directory(os.path.join(place, "team"), ".md", team) for place in places]
    codex = note._replace(clients=("codex",), order=20)
    return [*found, Directory(os.path.join(homes.codex, "memories"), ".md", codex)]


def gemini_notes(homes: Homes, project: str) -> Directory:
    """What Gemini CLI has noted of one project, by the name it gives to that."""
    note = Source(
        "", AGENT, USER, PRIORITIES[AGENT], order=30, clients=("gemini",), kind=ON_REQUEST
    )
    return Directory(os.path.join(homes.gemini, "tmp", project, "memory"), ".md", note)


def as_auto_memory(source: Source) -> Source:
    """The file that a client loads is its MEMORY.md, so far; the rest it reads when it likes."""
    if os.path.basename(source.path) not in ("MEMORY.md", "memory_summary.md"):
        return source
    return source._replace(kind=ALWAYS, most_lines=AUTO_LINES, most_bytes=AUTO_BYTES)


def agent_memory(homes: Homes, root: str, agent: str) -> list[Source]:
    """Memory of one agent: the person's, the project's, the local one (Claude Code)."""
    low = PRIORITIES[AGENT]
    where = [
        (homes.claude, "agent-memory", USER),
        (os.path.join(root, ".claude"), "agent-memory", REPOSITORY),
        (os.path.join(root, ".claude"), "agent-memory-local", REPOSITORY),
    ]
    return [
        Source(
            os.path.join(place, folder, agent, "MEMORY.md"), AGENT, owner, low + 1 + order,
            order=order, clients=("claude",), most_lines=AUTO_LINES, most_bytes=AUTO_BYTES,
        )
        for order, (place, folder, owner) in enumerate(where)
    ]  # fmt: skip


def project_files(
    directory: str, names: tuple[str, ...], *, depth: int, local: bool
) -> list[Source]:
    """Files of one directory of a project, the hidden ones and the local ones too."""
    high = PRIORITIES[PROJECT]
    found: list[Source] = []
    for order, name in enumerate(("AGENTS.override.md", *names)):
        clients = _READERS.get(name, ())
        hidden = os.path.join(_HIDDEN.get(name, ".satchel"), name)
        readers = ("claude",) if name == "CLAUDE.md" else ()
        here = Source("", PROJECT, REPOSITORY, high, depth, order, clients)
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
    here = Source("", PROJECT, REPOSITORY, high - 1, depth, 40)
    found += [here._replace(path=os.path.join(directory, *own.split("/"))) for own in _OWN]
    if local:
        own_local = [os.path.join(directory, *local_name(own).split("/")) for own in _OWN]
        found += [
            here._replace(path=path, tier=LOCAL, priority=PRIORITIES[LOCAL] - 1)
            for path in own_local
        ]
    return found


def top_files(root: str) -> list[Source]:
    """Files that count only at the top of a project."""
    here = Source("", PROJECT, REPOSITORY, PRIORITIES[PROJECT], 0, 30)
    return [
        here._replace(
            path=os.path.join(root, ".github", "copilot-instructions.md"), clients=("copilot",)
        ),
        here._replace(path=os.path.join(root, ".cursorrules"), clients=("cursor",)),
        here._replace(
            path=os.path.join(root, ".satchel", "TEAM.md"), tier=TEAM, priority=PRIORITIES[TEAM]
        ),
    ]


def project_directories(directory: str, *, depth: int) -> list[Directory]:
    """Directories of rules in one directory of a project."""
    rule = Source("", PROJECT, REPOSITORY, PRIORITIES[PROJECT], depth, 20)
    return [
        Directory(
            os.path.join(directory, ".claude", "rules"),
            ".md",
            rule._replace(clients=("claude",)),
            deep=True,
        ),
        Directory(
            os.path.join(directory, ".cursor", "rules"),
            ".mdc",
            rule._replace(order=21, clients=("cursor",)),
            deep=True,
        ),
    ]


def top_directories(root: str, team: str) -> list[Directory]:
    """Directories that count only at the top: path-specific instructions, the team's files."""
    rule = Source("", PROJECT, REPOSITORY, PRIORITIES[PROJECT], 0, 22, ("copilot",))
    shared = rule._replace(tier=TEAM, priority=PRIORITIES[TEAM], clients=())
    found = [
        Directory(
            os.path.join(root, ".github", "instructions"), ".instructions.md", rule, deep=True
        )
    ]
    found += [
        Directory(os.path.join(root, hidden, "team"), ".md", shared)
        for hidden in (".satchel", ".beans")
    ]
    if team:
        found.append(Directory(team, ".md", shared._replace(owner=SHARED)))
    return found
